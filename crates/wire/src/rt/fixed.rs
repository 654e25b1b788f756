//! Runs of octets whose length is known at compile time: one check for room, and then writes at
//! fixed places.

use crate::error::Rejected;

/// The `N` octets of the output from `at` on.
///
/// # Errors
/// The output is full.
#[inline(always)]
pub fn head_at<const N: usize>(output: &mut [u8], at: usize) -> Result<&mut [u8; N], Rejected> {
    output.get_mut(at..).and_then(|rest| rest.first_chunk_mut()).ok_or(Rejected)
}

/// Sets the `M` octets of `head` from `at` on; does nothing if there are fewer.
#[inline(always)]
pub fn set_at<const M: usize, const N: usize>(head: &mut [u8; N], at: usize, octets: &[u8; M]) {
    if let Some(place) = head.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        *place = *octets;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::array_at;

    #[test]
    fn what_is_set_is_there() {
        let octets: [u8; 20] = core::array::from_fn(|at| (at * 37 + 201) as u8);
        let mut output = [0; 24];
        assert!(head_at::<20>(&mut output, 5).is_err() && head_at::<1>(&mut output, 25).is_err());
        let head = head_at::<20>(&mut output, 4).unwrap();
        set_at(head, 0, &array_at::<13, 20>(&octets, 0));
        set_at(head, 13, &array_at::<7, 20>(&octets, 13));
        assert_eq!((&output[..4], &output[4..]), (&[0; 4][..], &octets[..]));
    }
}
