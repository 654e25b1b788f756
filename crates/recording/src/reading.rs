//! Reading recordings chunk by chunk, and working on each frame, on several cores.
//!
//! A chunk goes through three stages: it is read; its signed messages have their verdicts; its
//! frames become records. The first two are done one chunk after the other, as both depend on
//! earlier frames; records, and the signatures that verdicts need, are made on all cores. Results
//! come in the files' order, whatever the number of jobs, and are the same.

use std::thread;

use crate::Error;
use crate::in_order::in_order;
use crate::pieces::{Piece, Pieces};
use crate::verification::Verification;
use crate::walk::{Walk, Walked};

/// Reads all pieces. Each walk is a job, and has a thread of its own where there are several.
/// `done` takes the result of each piece, in the files' order.
///
/// # Errors
/// The first error of a walk, or of `done`.
pub fn read<E: From<Error> + Send>(
    pieces: Pieces,
    verification: Option<Verification<'_>>,
    walks: Vec<Walk<'_>>,
    mut done: impl FnMut(Piece, Walked) -> Result<(), E>,
) -> Result<(), E> {
    let jobs = walks.len();
    thread::scope(|scope| {
        let pieces: Box<dyn Iterator<Item = Piece> + Send + '_> = match verification {
            None => Box::new(pieces),
            Some(mut verification) if jobs == 1 => {
                Box::new(pieces.map(move |piece| verification.verified(piece, Default::default())))
            }
            Some(mut verification) => {
                let ahead = (0..jobs).map(|_| {
                    let mut ahead = verification.clone();
                    move |piece: Piece| ahead.checked(piece)
                });
                let checked = in_order(scope, ahead.collect(), pieces);
                Box::new(checked.map(move |(piece, checks)| verification.verified(piece, checks)))
            }
        };
        let walks = walks.into_iter().map(|mut walk| {
            move |mut piece: Piece| {
                let walked = walk.piece(&piece)?;
                piece.forget_frames();
                Ok((piece, walked))
            }
        });
        in_order(scope, walks.collect(), pieces).try_for_each(|result: Result<_, E>| {
            let (piece, walked) = result?;
            done(piece, walked)
        })
    })
}
