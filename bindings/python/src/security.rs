//! `roadwire.sign`, `roadwire.verify` and `roadwire.Verifier`.

use std::sync::Mutex;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use roadwire_capture::Time;
use roadwire_capture::security::{Content, Envelope};
use roadwire_recording::verification;
use roadwire_security::dot2::{self, ProfileChoice, Signed, SignerForm, schema};
use roadwire_security::{Contents, Fault, HashedId8, Place, Region};
use zeroize::Zeroizing;

use crate::error::Problem;
use crate::inspect::view;
use crate::schema::{lock, with_input};

/// The microseconds since 2004-01-01T00:00:00 UTC that count leap seconds, of a time since 1970
/// that does not.
#[pyfunction]
pub(crate) fn microseconds(seconds: i64, nanoseconds: u32) -> PyResult<u64> {
    let time = Time { seconds, nanoseconds };
    time.microseconds().ok_or_else(|| PyValueError::new_err("a time of a message is not before 2004"))
}

/// The signed message, and why receivers may refuse it.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "as many as the function in Python has")]
pub(crate) fn sign<'py>(
    py: Python<'py>,
    message: &Bound<'py, PyAny>,
    certificate: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
    psid: u64,
    generated: u64,
    location: Option<(i32, i32, u16)>,
    signer: &str,
) -> PyResult<(Bound<'py, PyBytes>, Vec<String>)> {
    let octets = |object| with_input(object, false, <[u8]>::to_vec);
    let (message, certificate) = (octets(message)?, octets(certificate)?);
    let key = Zeroizing::new(octets(key)?);
    let form = match signer {
        "certificate" => SignerForm::Certificate,
        "digest" => SignerForm::Digest,
        _ => return Err(PyValueError::new_err(format!("signer is 'certificate' or 'digest', not {signer:?}"))),
    };
    let location = location.map(|(latitude, longitude, elevation)| match (Place { latitude, longitude }).is_valid() {
        true => Ok(schema::ThreeDLocation { latitude, longitude, elevation }),
        false => Err(PyValueError::new_err("that location is not on the Earth")),
    });
    let header = schema::HeaderInfo {
        psid,
        generation_time: Some(generated),
        generation_location: location.transpose()?,
        ..Default::default()
    };
    let (signed, found) = py.detach(|| {
        let (certificate, key) = dot2::signer(&certificate, &key)
            .map_err(|fault| Problem::new(if fault.is_of_key() { "key" } else { "certificate" }, fault.to_string()))?;
        let signed = Signed::sign(&message, header, &certificate, form, &key);
        let signed = signed.map_err(|fault| Problem::new("sign", fault.to_string()))?;
        let contents = roadwire_recording::contents_of_signed(signed.octets(), &message);
        let found = dot2::check_signed(&signed, &certificate, &contents, ProfileChoice::default());
        Ok::<_, Problem>((signed, found))
    })?;
    Ok((PyBytes::new(py, signed.octets()), found.iter().map(ToString::to_string).collect()))
}

/// Verifies messages, one after the other.
#[pyclass(frozen, module = "roadwire")]
pub(crate) struct Verifier(Mutex<roadwire_security::Verifier>);

#[pymethods]
impl Verifier {
    #[new]
    fn new(
        certificates: Vec<Bound<'_, PyAny>>,
        trust: Option<Vec<Bound<'_, PyAny>>>,
        profile: Option<&str>,
    ) -> PyResult<Self> {
        let octets = |all: Vec<Bound<'_, PyAny>>| -> PyResult<Vec<Vec<u8>>> {
            all.iter().map(|one| with_input(one, false, <[u8]>::to_vec)).collect()
        };
        let mut verifier = roadwire_security::Verifier::new();
        verifier.set_profile(profile.map(profile_choice).transpose()?.unwrap_or_default());
        add_all(octets(certificates)?, |octets| verifier.add(octets))?;
        if let Some(trust) = trust {
            verifier.ask_for_trust();
            add_all(octets(trust)?, |octets| verifier.trust(octets))?;
        }
        Ok(Verifier(Mutex::new(verifier)))
    }

    /// Takes a signed list of revoked certificates, and returns how many entries it has.
    fn add_crl_at(&self, py: Python<'_>, octets: &Bound<'_, PyAny>, at: Option<u64>) -> PyResult<usize> {
        let octets = with_input(octets, false, <[u8]>::to_vec)?;
        let added = py.detach(|| lock(&self.0).add_crl(&octets, at));
        added.map_err(|fault| {
            let what = format!("not a list of revoked certificates that can be used: {fault}");
            Problem::new("crl", what).into()
        })
    }

    /// Trusts a certificate no longer.
    fn revoke(&self, digest: &Bound<'_, PyAny>) -> PyResult<()> {
        lock(&self.0).revoke(digest_of(digest)?);
        Ok(())
    }

    fn verify_at<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'py, PyAny>,
        at: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let octets = with_input(message, false, <[u8]>::to_vec)?;
        let (envelope, behind) = Envelope::decode(&octets).map_err(|error| Problem {
            bit: Some(error.octet * 8),
            offset: Some(error.octet),
            ..Problem::new(error.code(), error.fault.text())
        })?;
        let whole = &octets[..octets.len() - behind.len()];
        let report = py.detach(|| {
            // The payload is part of the verdict.
            let contents = match envelope.content {
                Content::Signed => roadwire_recording::contents_of_signed(whole, envelope.payload),
                Content::SignedElsewhere | Content::Unsecured | Content::Encrypted | Content::CertificateRequest => {
                    Contents::unread()
                }
            };
            lock(&self.0).verify_contents(whole, &contents, at)
        });
        let payload = match envelope.content {
            Content::Signed | Content::Unsecured => Some(PyBytes::new(py, envelope.payload)),
            Content::SignedElsewhere | Content::Encrypted | Content::CertificateRequest => None,
        };
        let noted = PyTuple::new(py, report.noted.iter().map(ToString::to_string))?;
        let checked = PyDict::new(py);
        for (name, check) in report.checked.each() {
            checked.set_item(name, check.to_string())?;
        }
        let chain = PyTuple::new(py, report.chain.iter().map(|digest| PyBytes::new(py, digest)))?;
        let regions = report.open_regions.iter().map(|one| region(py, one)).collect::<PyResult<Vec<_>>>()?;
        // A call has at most twelve arguments without names.
        let named = PyDict::new(py);
        named.set_item("open_regions", PyTuple::new(py, regions)?)?;
        let arguments = (
            report.verdict.name(),
            report.fault.map(|fault| fault.to_string()),
            noted,
            report.signer.map(|digest| PyBytes::new(py, &digest)),
            envelope.format.name(),
            envelope.psid,
            envelope.generation_time().map(|time| time.to_string()),
            payload,
            report.is_altered_copy,
            checked,
            chain,
            report.permissions.map(|permissions| PyBytes::new(py, &permissions)),
        );
        view(py, "Verdict")?.call(arguments, Some(&named))
    }
}

/// A region, in the form of JER: a dict with the name of its kind.
fn region<'py>(py: Python<'py>, region: &Region) -> PyResult<Bound<'py, PyDict>> {
    let dict = |members: &[(&str, Bound<'py, PyAny>)]| -> PyResult<Bound<'py, PyAny>> {
        let made = PyDict::new(py);
        members.iter().try_for_each(|(name, value)| made.set_item(name, value))?;
        Ok(made.into_any())
    };
    let number = |value: i64| Ok::<_, PyErr>(value.into_pyobject(py)?.into_any());
    let place = |place: &Place| {
        dict(&[("latitude", number(place.latitude.into())?), ("longitude", number(place.longitude.into())?)])
    };
    let list = |all: Vec<Bound<'py, PyAny>>| Ok::<_, PyErr>(PyList::new(py, all)?.into_any());
    let (name, value) = match region {
        Region::None => ("none", py.None().into_bound(py)),
        Region::Circle(center, radius) => {
            ("circle", dict(&[("center", place(center)?), ("radius", number((*radius).into())?)])?)
        }
        Region::Rectangles(all) => {
            let one = |(north_west, south_east): &(Place, Place)| {
                dict(&[("northWest", place(north_west)?), ("southEast", place(south_east)?)])
            };
            ("rectangles", list(all.iter().map(one).collect::<PyResult<_>>()?)?)
        }
        Region::Polygon(corners) => ("polygon", list(corners.iter().map(place).collect::<PyResult<_>>()?)?),
        Region::Identified(dictionary, region, local) => (
            "identified",
            dict(&[
                ("dictionary", number((*dictionary).into())?),
                ("region", number((*region).into())?),
                ("local", local.into_pyobject(py)?.into_any()),
            ])?,
        ),
        Region::Unknown => ("unknown", py.None().into_bound(py)),
    };
    let made = PyDict::new(py);
    made.set_item(name, value)?;
    Ok(made)
}

/// Which messages must keep the profile of TS 103 097, by its name.
pub(crate) fn profile_choice(name: &str) -> PyResult<ProfileChoice> {
    match name {
        "etsi" => Ok(ProfileChoice::Etsi),
        "none" => Ok(ProfileChoice::None),
        _ => Err(PyValueError::new_err(format!("profile is 'etsi' or 'none', not {name:?}"))),
    }
}

/// The digest of a certificate: octets, or a text of hexadecimal digits.
pub(crate) fn digest_of(object: &Bound<'_, PyAny>) -> PyResult<HashedId8> {
    if let Ok(text) = object.cast::<PyString>() {
        return verification::digest_of_text(text.to_str()?).map_err(PyValueError::new_err);
    }
    let octets = with_input(object, false, <[u8]>::to_vec)?;
    verification::digest(&octets).ok_or_else(|| {
        let count = octets.len();
        PyValueError::new_err(format!("expected 8 octets (HashedId8) or 10 (HashedId10), found {count}"))
    })
}

fn add_all(all: Vec<Vec<u8>>, mut add: impl FnMut(&[u8]) -> Result<usize, Fault>) -> Result<(), Problem> {
    roadwire_security::add_all(all, |octets| add(octets))
        .map_err(|(_, fault)| Problem::new("certificate", format!("not a certificate that can be used: {fault}")))
}
