//! roadwire messages.
