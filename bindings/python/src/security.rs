//! `roadwire.sign`, `roadwire.verify` and `roadwire.Verifier`.

use std::sync::Mutex;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use roadwire_capture::Time;
use roadwire_capture::security::{Content, Envelope, Format};
use roadwire_security::Fault;
use roadwire_security::dot2::{Certificate, PublicKey, SecretKey, Signed, SignerForm, schema};

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
    let (message, certificate, key) = (octets(message)?, octets(certificate)?, octets(key)?);
    let form = match signer {
        "certificate" => SignerForm::Certificate,
        "digest" => SignerForm::Digest,
        _ => return Err(PyValueError::new_err(format!("signer is 'certificate' or 'digest', not {signer:?}"))),
    };
    let location = location.map(|(latitude, longitude, elevation)| match on_earth(latitude, longitude) {
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
        let (certificate, key) = signer_of(&certificate, &key)?;
        let signed = Signed::sign(&message, header, &certificate, form, &key);
        signed.map_err(|fault| Problem::new("sign", fault.to_string()))
    })?;
    Ok(PyBytes::new(py, signed.octets()))
}

fn on_earth(latitude: i32, longitude: i32) -> bool {
    latitude.unsigned_abs() <= 900_000_000 && longitude.unsigned_abs() <= 1_800_000_000
}

/// The signer's certificate, and the key that belongs to it.
fn signer_of(certificate: &[u8], key: &[u8]) -> Result<(Certificate, SecretKey), Problem> {
    let refused = |fault: Fault| Problem::new("certificate", fault.to_string());
    let certificate = Certificate::read(certificate).map_err(refused)?;
    let public = certificate.own_key().map_err(refused)?;
    let public = public.ok_or_else(|| Problem::new("certificate", "an implicit certificate"))?;
    let curve = public.curve();
    let key = SecretKey::from_bytes(curve, key).map_err(|_| {
        Problem::new("key", format!("not a key on {}, which is a number of {} octets", curve.name(), curve.octets()))
    })?;
    if PublicKey::from_sec1(key.curve(), &key.public_octets()) != Ok(public) {
        return Err(Problem::new("key", "not the key of this certificate"));
    }
    Ok((certificate, key))
}

/// Verifies messages, one after the other.
#[pyclass(frozen, module = "roadwire")]
pub(crate) struct Verifier(Mutex<roadwire_security::Verifier>);

#[pymethods]
impl Verifier {
    #[new]
    fn new(certificates: Vec<Bound<'_, PyAny>>, trust: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let octets = |all: Vec<Bound<'_, PyAny>>| -> PyResult<Vec<Vec<u8>>> {
            all.iter().map(|one| with_input(one, false, <[u8]>::to_vec)).collect()
        };
        let mut verifier = roadwire_security::Verifier::new();
        add_all(octets(certificates)?, |octets| verifier.add(octets))?;
        add_all(octets(trust)?, |octets| verifier.trust(octets))?;
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
        let report = py.detach(|| lock(&self.0).verify(whole, at));
        let format = match envelope.format {
            Format::V1_1 => "ts103097-1.1.1",
            Format::V1_2 => "ts103097-1.2.1",
            Format::Dot2 => "ieee1609.2",
        };
        let payload = match envelope.content {
            Content::Signed | Content::Unsecured => Some(PyBytes::new(py, envelope.payload)),
            Content::SignedElsewhere | Content::Encrypted | Content::CertificateRequest => None,
        };
        let noted = PyTuple::new(py, report.noted.iter().map(ToString::to_string))?;
        view(py, "Verdict")?.call1((
            report.verdict.name(),
            report.fault.map(|fault| fault.to_string()),
            noted,
            report.signer.map(|digest| PyBytes::new(py, &digest)),
            format,
            envelope.psid,
            envelope.generation_time().map(|time| time.to_string()),
            payload,
            report.is_altered_copy,
        ))
    }
}

/// Adds certificates. Those of TS 103 097 V1 are verified with their issuers, so one that is refused is tried again after the others.
fn add_all(all: Vec<Vec<u8>>, mut add: impl FnMut(&[u8]) -> Result<usize, Fault>) -> Result<(), Problem> {
    let mut waiting = all;
    while !waiting.is_empty() {
        let before = waiting.len();
        let mut refused = None;
        waiting.retain(|octets| match add(octets) {
            Ok(_) => false,
            Err(fault) => {
                refused.get_or_insert(fault);
                true
            }
        });
        if let Some(fault) = refused.filter(|_| waiting.len() == before) {
            return Err(Problem::new("certificate", format!("not a certificate that can be used: {fault}")));
        }
    }
    Ok(())
}
