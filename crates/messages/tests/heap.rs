//! CAM, DENM and VAM of release 2 need no heap for what has a bound.

use roadwire_engine::Message;
use roadwire_measure::heap::{self, CountingAllocator};
use roadwire_messages::{Uper, cam_2_3_1::Cam, denm_2_3_1::Denm, vam_2_3_1::Vam};
use roadwire_model::random::{Generator, Rng, Settings};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// How many of 200 random values are decoded and encoded without an allocation.
fn without_heap<M: Message<Uper> + Default>(name: &str, settings: &Settings) -> usize {
    let schema = roadwire_messages::SCHEMAS.iter().find(|schema| schema.name == name).unwrap();
    let sources: Vec<_> =
        schema.modules.iter().map(|(file, text)| roadwire_frontend::Source::new(*file, *text)).collect();
    let model = roadwire_frontend::compile(&sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let root = model.find(schema.pdu()).unwrap();
    let generator = Generator::new(&model, settings.clone());
    let mut random = Rng::new(20_261_124);
    let (mut message, mut output) = (Box::<M>::default(), vec![0; 1 << 16]);
    let values = std::iter::repeat_with(|| generator.try_value(root, &mut random)).flatten().take(200);
    let is_free = |value| {
        let octets = roadwire_engine::encode_to_vec(M::layout(), &value, 1 << 16).unwrap();
        *message = M::default();
        let used = heap::measure(|| {
            message.decode(&octets).unwrap();
            message.encode(&mut output).unwrap();
        });
        used.unwrap().count == 0
    };
    values.map(is_free).filter(|is_free| *is_free).count()
}

#[test]
fn messages_of_release_2_need_no_heap() {
    let mandatory = Settings { optional: 0, extensions: 0, unknown: 0, ..Settings::default() };
    // Lists beyond an extensible size, bit strings of an extensible size, and containers of a later
    // version take some.
    let full = Settings { optional: 100, ..mandatory.clone() };
    let shares = |settings| {
        [
            without_heap::<Cam>("cam-2.3.1", settings),
            without_heap::<Denm>("denm-2.3.1", settings),
            without_heap::<Vam>("vam-2.3.1", settings),
        ]
    };
    assert_eq!(shares(&mandatory), [200; 3]);
    assert_eq!(shares(&full), [200; 3]);
}
