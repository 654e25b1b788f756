//! Why no code can be generated.

use roadwire_plan::PlanError;

/// Why no code can be generated for a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenerateError(pub String);

impl From<PlanError> for GenerateError {
    fn from(PlanError(why): PlanError) -> Self {
        GenerateError(why)
    }
}

impl std::fmt::Display for GenerateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GenerateError {}
