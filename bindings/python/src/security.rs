//! `roadwire.sign`, `roadwire.verify` and `roadwire.Verifier`.

use std::sync::Mutex;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use roadwire_capture::Time;
use roadwire_capture::security::{Content, Envelope};
use roadwire_security::dot2::{self, Signed, SignerForm, schema};
use roadwire_security::{Contents, Fault, Place};
use zeroize::Zeroizing;

use crate::error::Problem;
use crate::inspect::view;
use crate::schema::{lock, with_input};

/// The microseconds since 2004-01-01T00:00:00 UTC that count leap seconds, of a time since 1970 that does not.
#[pyfunction]
pub(crate) fn microseconds(seconds: i64, nanoseconds: u32) -> PyResult<u64> {
    let time = Time { seconds, nanoseconds };
    time.microseconds().ok_or_else(|| PyValueError::new_err("a time of a message is not before 2004"))
}

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
) -> PyResult<Bound<'py, PyBytes>> {
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
    let signed = py.detach(|| {
        let (certificate, key) = dot2::signer(&certificate, &key)
            .map_err(|fault| Problem::new(if fault.is_of_key() { "key" } else { "certificate" }, fault.to_string()))?;
        let signed = Signed::sign(&message, header, &certificate, form, &key);
        signed.map_err(|fault| Problem::new("sign", fault.to_string()))
    })?;
    Ok(PyBytes::new(py, signed.octets()))
}

/// Verifies messages, one after the other.
#[pyclass(frozen, module = "roadwire")]
pub(crate) struct Verifier(Mutex<roadwire_security::Verifier>);

#[pymethods]
impl Verifier {
    #[new]
    fn new(certificates: Vec<Bound<'_, PyAny>>, trust: Option<Vec<Bound<'_, PyAny>>>) -> PyResult<Self> {
        let octets = |all: Vec<Bound<'_, PyAny>>| -> PyResult<Vec<Vec<u8>>> {
            all.iter().map(|one| with_input(one, false, <[u8]>::to_vec)).collect()
        };
        let mut verifier = roadwire_security::Verifier::new();
        add_all(octets(certificates)?, |octets| verifier.add(octets))?;
        if let Some(trust) = trust {
            verifier.ask_for_trust();
            add_all(octets(trust)?, |octets| verifier.trust(octets))?;
        }
        Ok(Verifier(Mutex::new(verifier)))
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
        view(py, "Verdict")?.call1((
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
        ))
    }
}

fn add_all(all: Vec<Vec<u8>>, mut add: impl FnMut(&[u8]) -> Result<usize, Fault>) -> Result<(), Problem> {
    roadwire_security::add_all(all, |octets| add(octets))
        .map_err(|(_, fault)| Problem::new("certificate", format!("not a certificate that can be used: {fault}")))
}
