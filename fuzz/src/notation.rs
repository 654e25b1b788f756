//! Values as JER text.

use roadwire_model::Value;
use roadwire_model::data::equal;

use crate::subject::Subject;

impl Subject {
    /// Any text as a value: refused, or read and written again.
    pub(crate) fn check_text(&self, text: &str) -> Option<Value> {
        let notation = self.notation();
        let same = |one: &Value, other: &Value| equal(self.model(), self.root(), one, other);
        let value = notation.read(text).map_err(|error| assert!(!error.to_string().is_empty())).ok()?;
        let written = notation.write(&value).unwrap_or_else(|error| panic!("{error}: {value:?}"));
        let again = notation.read(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
        assert!(same(&value, &again), "{value:?}\n{written}\n{again:?}");
        assert_eq!(notation.write(&again).as_ref(), Ok(&written), "{value:?}");
        let pretty = notation.write_pretty(&value).unwrap_or_else(|error| panic!("{error}: {value:?}"));
        let again = notation.read(&pretty).unwrap_or_else(|error| panic!("{error}: {pretty}"));
        assert!(same(&value, &again), "{value:?}\n{pretty}\n{again:?}");
        Some(value)
    }
}
