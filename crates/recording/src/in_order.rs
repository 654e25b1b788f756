//! Work on several cores whose results come in the order of its items.

use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};

/// Items that wait for a worker, are worked on, or wait for the one that takes the results: so many
/// for each worker, so that memory is bounded.
const AHEAD: usize = 1;

/// The most jobs that there are: more than machines have cores.
pub const MOST_JOBS: u16 = 1024;

/// Octets of address space that stay free after a thread is started: room for its signal stack,
/// without which a thread aborts the program, and for its work. It is more than allocators keep for
/// themselves, so each one asks the system for it (glibc: `DEFAULT_MMAP_THRESHOLD_MAX`, 32 MiB).
const ROOM: usize = 64 << 20;

/// How many threads the machine runs at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The results of the workers in the order of the items. With one worker the caller does all the
/// work when it asks for the next result; with several, each is a thread, and another one reads the
/// items ahead. Where the system has no room for so many threads, there are fewer.
pub fn in_order<'s, T, U, W>(
    scope: &'s Scope<'s, '_>,
    workers: Vec<W>,
    items: impl Iterator<Item = T> + Send + 's,
) -> Box<dyn Iterator<Item = U> + Send + 's>
where
    T: Send + 's,
    U: Send + 's,
    W: FnMut(T) -> U + Send + 's,
{
    let mut workers = workers.into_iter();
    let Some(mut first) = workers.next() else { return Box::new(std::iter::empty()) };
    // The results, in the order in which their items were read.
    let (queue, results) = sync_channel::<Receiver<U>>(AHEAD * (workers.len() + 1));
    let (tasks, waiting) = channel::<(T, Sender<U>)>();
    let waiting = Arc::new(Mutex::new(waiting));
    let mut started = 0;
    for worker in workers {
        let waiting = Arc::clone(&waiting);
        if spawn(scope, move || work(worker, &waiting)).is_err() {
            break;
        }
        started += 1;
    }
    if started == 0 {
        return Box::new(items.map(first));
    }
    // A thread that cannot be started drops its closure: the items stay in reach.
    let items = Arc::new(Mutex::new(Some(items)));
    let source = Arc::clone(&items);
    let handing = spawn(scope, move || {
        if let Some(items) = taken(&source) {
            hand_out(items, &tasks, &queue);
        }
    });
    if handing.is_err() {
        return Box::new(taken(&items).into_iter().flatten().map(first));
    }
    // One worker was kept back, for the case that there are no threads.
    let _ = spawn(scope, move || work(&mut first, &waiting));
    // A worker that panics drops its sender; the scope then reports it.
    Box::new(results.into_iter().map_while(|result| result.recv().ok()))
}

fn taken<I>(items: &Mutex<Option<I>>) -> Option<I> {
    items.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Starts a thread.
///
/// # Errors
/// The system has no room for one more: with fewer threads all is done as well.
fn spawn<'s>(scope: &'s Scope<'s, '_>, run: impl FnOnce() + Send + 's) -> io::Result<()> {
    #[cfg(test)]
    tests::allow_thread()?;
    has_room()?;
    // One after the other: a thread panics if the next one's stack takes the room for its own
    // signal stack.
    let (starts, started) = channel();
    let run = move || {
        let _ = starts.send(());
        run();
    };
    thread::Builder::new().spawn_scoped(scope, run)?;
    let _ = started.recv();
    Ok(())
}

/// Refuses where the system has less than [`ROOM`] left. Nothing is written to it, so it takes no
/// memory.
fn has_room() -> io::Result<()> {
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(ROOM).map_err(|_| io::ErrorKind::OutOfMemory)?;
    std::hint::black_box(&room);
    Ok(())
}

fn hand_out<T, U>(items: impl Iterator<Item = T>, tasks: &Sender<(T, Sender<U>)>, queue: &SyncSender<Receiver<U>>) {
    for item in items {
        let (sender, receiver) = channel();
        // When the receiver of results is gone, the work ends.
        if queue.send(receiver).is_err() || tasks.send((item, sender)).is_err() {
            return;
        }
    }
}

fn work<T, U>(mut worker: impl FnMut(T) -> U, waiting: &Mutex<Receiver<(T, Sender<U>)>>) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((item, sender)) = next else { return };
        // Nobody may be left to take it.
        let _ = sender.send(worker(item));
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    thread_local! {
        /// How many more threads this thread may start.
        static ALLOWED: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    pub(super) fn allow_thread() -> io::Result<()> {
        let left = ALLOWED.get().checked_sub(1).ok_or(io::ErrorKind::WouldBlock)?;
        ALLOWED.set(left);
        Ok(())
    }

    #[test]
    fn fewer_threads_give_the_same_results() {
        for allowed in 0..7 {
            ALLOWED.set(allowed);
            let squares: Vec<u64> = thread::scope(|scope| in_order(scope, vec![slow; 5], 0..64).collect());
            assert_eq!(squares, (0..64).map(|item| item * item).collect::<Vec<_>>(), "{allowed} threads");
        }
        ALLOWED.set(usize::MAX);
    }

    /// The later ones are ready first.
    fn slow(item: u64) -> u64 {
        thread::sleep(Duration::from_micros(500 * (7 - item % 8)));
        item * item
    }

    #[test]
    fn results_come_in_order() {
        for jobs in [1, 2, 5] {
            let squares: Vec<u64> = thread::scope(|scope| in_order(scope, vec![slow; jobs], 0..64).collect());
            assert_eq!(squares, (0..64).map(|item| item * item).collect::<Vec<_>>(), "{jobs} jobs");
        }
    }

    #[test]
    fn no_more_is_read_than_can_be_done() {
        let read = AtomicUsize::new(0);
        let items = (0..1000).inspect(|_| {
            read.fetch_add(1, Ordering::Relaxed);
        });
        thread::scope(|scope| {
            let mut results = in_order(scope, vec![slow; 3], items);
            assert_eq!(results.next(), Some(0));
            thread::sleep(Duration::from_millis(100));
            assert!(read.load(Ordering::Relaxed) <= 2 + AHEAD * 3, "{read:?} items were read for one result");
            // And unwanted work is not done: the scope ends.
        });
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_worker_that_panics_is_not_passed_over() {
        let worker = |item: u64| {
            assert_ne!(item, 5);
            item
        };
        let results = thread::scope(|scope| in_order(scope, vec![worker; 2], 0..20).count());
        assert_eq!(results, 5);
    }
}
