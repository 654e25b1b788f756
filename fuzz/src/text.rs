//! JER text.

use std::fmt::Debug;

use roadwire_engine::Message;
use roadwire_layout::Uper;
use roadwire_model::data::equal;
use roadwire_model::Value;

use crate::schema::{Generated, Schema};

impl Schema {
    /// Any text as a value in JER: refused, or there and back.
    pub(crate) fn check_text(&self, text: &str) -> Option<Value> {
        let (model, root, notation) = (&self.model, self.root, &self.notation);
        let value = notation.read(text).map_err(|error| assert!(!error.to_string().is_empty())).ok()?;
        let written = notation.write(&value).unwrap_or_else(|error| panic!("{error}: {value:?}"));
        let again = notation.read(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
        assert!(equal(model, root, &value, &again), "{value:?}\n{written}\n{again:?}");
        assert_eq!(notation.write(&again).as_ref(), Ok(&written), "{value:?}");
        let pretty = notation.write_pretty(&value).unwrap_or_else(|error| panic!("{error}: {value:?}"));
        let again = notation.read(&pretty).unwrap_or_else(|error| panic!("{error}: {pretty}"));
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
        let direct = self.schema.notation.read_into(text, &mut *message);
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
