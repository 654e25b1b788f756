//! Certificates from files, in any order.

use crate::Fault;

/// Adds certificates, of which some are taken only after others: those of TS 103 097 V1 are
/// verified with their issuers. So one that is refused is tried again after the others.
///
/// # Errors
/// The first one that is refused whatever is added before it, and why.
pub fn add_all<T>(
    certificates: impl IntoIterator<Item = T>,
    mut add: impl FnMut(&T) -> Result<usize, Fault>,
) -> Result<(), (T, Fault)> {
    let mut waiting: Vec<T> = certificates.into_iter().collect();
    while !waiting.is_empty() {
        let mut refused = Vec::new();
        let before = waiting.len();
        for one in waiting {
            if let Err(fault) = add(&one) {
                refused.push((one, fault));
            }
        }
        if refused.len() == before {
            return refused.into_iter().next().map_or(Ok(()), Err);
        }
        waiting = refused.into_iter().map(|(one, _)| one).collect();
    }
    Ok(())
}
