//! Places in memory, as text.

/// A place that holds a value: an expression, and whether it is a reference to the place rather
/// than the place itself.
#[derive(Clone)]
pub(crate) struct Place {
    text: String,
    is_reference: bool,
    /// The box, if it is the place in one.
    boxed: Option<String>,
}

impl Place {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Place { text: text.into(), is_reference: false, boxed: None }
    }

    pub(crate) fn reference(text: impl Into<String>) -> Self {
        Place { text: text.into(), is_reference: true, boxed: None }
    }

    pub(crate) fn field(&self, name: &str) -> Place {
        Place::new(format!("{}.{name}", self.text))
    }

    /// The place of the value in the box that is in this one.
    pub(crate) fn unboxed(&self) -> Place {
        let boxed = self.value();
        Place { boxed: Some(boxed.clone()), ..Place::new(format!("(*{boxed})")) }
    }

    /// The value as an expression that stands by itself.
    pub(crate) fn alone(&self) -> String {
        self.boxed.as_ref().map_or_else(|| self.value(), |boxed| format!("*{boxed}"))
    }

    /// The value in the place.
    pub(crate) fn value(&self) -> String {
        if self.is_reference { format!("*{}", self.text) } else { self.text.clone() }
    }

    /// The value, to be followed by a method or field.
    pub(crate) fn object(&self) -> &str {
        &self.text
    }

    pub(crate) fn shared(&self) -> String {
        if self.is_reference { self.text.clone() } else { format!("&{}", self.text) }
    }

    pub(crate) fn exclusive(&self) -> String {
        if self.is_reference { self.text.clone() } else { format!("&mut {}", self.text) }
    }
}
