//! Why a type cannot be lowered.

/// Why a type has no layout under some rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerError {
    /// The message.
    pub message: String,
}

impl std::fmt::Display for LowerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LowerError {}
