//! The memory probes' results for known work, with the counting allocator installed.

use std::hint::black_box;

use roadwire_layout::{Family, Rules};
use roadwire_measure::cell::Direction;
use roadwire_measure::heap::{self, CountingAllocator, Heap};
use roadwire_peers::Engine;
use roadwire_peers::content::MESSAGES;
use roadwire_peers::roadwire::{Soed, Toed};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn heap_counts_requests_peak_and_what_is_kept() {
    let mut kept = Vec::new();
    let used = heap::measure(|| {
        drop(black_box(vec![0_u8; 1000]));
        drop(black_box(vec![0_u8; 300]));
        kept = black_box(vec![0_u8; 50]);
    });
    let expected = Heap { requested: 1350, peak: 1000, retained: 50, count: 3 };
    assert_eq!(used, Some(expected));
}

#[test]
fn growing_in_place_counts_the_new_size() {
    let mut list: Vec<u8> = Vec::with_capacity(10);
    let used = heap::measure(|| list.reserve_exact(100)).unwrap();
    assert_eq!((used.requested, used.retained, used.count), (100, 90, 1));
}

#[test]
fn other_threads_do_not_count() {
    let used = heap::measure(|| {
        std::thread::scope(|scope| {
            scope.spawn(|| drop(black_box(vec![0_u8; 1 << 20])));
        });
    });
    assert!(used.unwrap().requested < 1 << 20);
}

/// The mandatory-only messages, and the full ones, whose lists are within their bounds. Unbounded
/// parts may take memory: a list beyond an extensible size, and unknown additions.
#[test]
fn road_messages_take_nothing_from_the_heap_in_any_encoding() {
    let engines: [&dyn Engine; 2] = [&Toed, &Soed];
    let mut measured = 0;
    for engine in engines {
        for rules in Rules::ALL {
            for message in MESSAGES {
                // Its strings go into EXI's tables (EXI §7.3), which grow with a document's
                // content.
                if rules.family() == Family::Events && message.id == "denm-full" {
                    continue;
                }
                let Ok(mut cell) = engine.cell(message, rules) else { continue };
                for direction in Direction::ALL {
                    let mut used = None;
                    cell.probe(direction, &mut |work| used = heap::measure(work)).unwrap();
                    let what = format!("{} {} {rules} {}", engine.name(), message.id, direction.name());
                    assert_eq!(used, Some(Heap::default()), "{what}");
                    measured += 1;
                }
            }
        }
    }
    assert!(measured >= 2 * 16 * 6 * 2, "only {measured} measured");
}
