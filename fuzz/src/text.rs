//! JER text.

use std::fmt::Debug;

use roadwire_engine::Message;
use roadwire_layout::Uper;
use roadwire_model::data::equal;
use roadwire_model::{Value, jer};

use crate::schema::{Generated, Schema};

impl Schema {
    /// Any text as a value in JER: refused, or there and back.
    pub(crate) fn check_text(&self, text: &str) -> Option<Value> {
        let (model, root) = (&self.model, self.root);
        let value = jer::read(model, root, text).map_err(|error| assert!(!error.to_string().is_empty())).ok()?;
        let written = jer::write(model, root, &value).unwrap_or_else(|error| panic!("{error}: {value:?}"));
        let again = jer::read(model, root, &written).unwrap_or_else(|error| panic!("{error}: {written}"));
        assert!(equal(model, root, &value, &again), "{value:?}\n{written}\n{again:?}");
        assert_eq!(jer::write(model, root, &again).as_ref(), Ok(&written), "{value:?}");
        let pretty = jer::write_pretty(model, root, &value).unwrap_or_else(|error| panic!("{error}: {value:?}"));
        let again = jer::read(model, root, &pretty).unwrap_or_else(|error| panic!("{error}: {pretty}"));
        assert!(equal(model, root, &value, &again), "{value:?}\n{pretty}\n{again:?}");
        // What is a value by its form may still break constraints.
        self.check_value(&value);
        Some(value)
    }
}

impl<M: Message<Uper> + PartialEq + Debug> Generated<M> {
    /// The same; and read into the generated type, it is the same value.
    pub(crate) fn check_text(&self, text: &str) {
        let (model, root) = (&self.schema.model, self.schema.root);
        let mut message = Box::<M>::default();
        let direct = jer::read_into(model, root, text, &mut *message);
        match self.schema.check_text(text) {
            Some(value) if direct.is_ok() => {
                assert!(equal(model, root, &value, &*message), "{value:?}\n{message:?}");
                self.check_value(&value);
            }
            Some(_) => {}
            None => assert!(direct.is_err(), "read into a message, but not as a value"),
        }
    }
}
