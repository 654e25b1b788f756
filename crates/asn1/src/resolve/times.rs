//! Property settings of TIME (X.680 §51.10).

use roadwire_model::{Kind, Settings, TimeKind, TypeId};

use super::Resolver;
use super::constraints::{Facts, Visible};
use crate::ast;
use roadwire_source::Outcome;
use roadwire_source::Span;

/// The most sets of settings in one type; more are treated as an attack.
const MAX_SETTINGS: usize = 256;

impl Resolver<'_> {
    pub(super) fn visible_settings(&mut self, id: TypeId, value: &ast::Value, span: Span) -> Outcome<Visible> {
        let kind = &self.slot(id).ty.kind;
        if !matches!(kind, Kind::Time { .. }) {
            let what = kind.name();
            return Err(self.wrong_constraint("SETTINGS", what, span));
        }
        let read = match &value.kind {
            ast::ValueKind::CString(text) => Settings::read(text).ok(),
            _ => None,
        };
        match read {
            Some(settings) => {
                let left = Facts { settings: Some(vec![settings]), ..Facts::default() };
                Ok(Visible { left, ..Visible::default() })
            }
            None => Err(self.error(
                "asn1.constraint.settings",
                value.span,
                "property settings look like \"Basic=Date Date=YMD Year=Basic\" (X.680 §38.2)",
            )),
        }
    }

    /// The intersection of both.
    pub(super) fn both_settings(
        &mut self,
        old: Option<Vec<Settings>>,
        new: Vec<Settings>,
        span: Span,
    ) -> Outcome<Vec<Settings>> {
        let Some(old) = old else { return Ok(new) };
        let mut both = Vec::new();
        for settings in old.iter().flat_map(|old| new.iter().filter_map(|new| old.and(*new))) {
            if !both.contains(&settings) {
                both.push(settings);
            }
            self.count_settings(&both, span)?;
        }
        if both.is_empty() {
            return Err(self.error("asn1.constraint.empty", span, "this constraint leaves no value of the type"));
        }
        Ok(both)
    }

    /// The union of both; `None` means all values.
    pub(super) fn either_settings(
        &mut self,
        old: Option<Vec<Settings>>,
        new: Option<Vec<Settings>>,
        span: Span,
    ) -> Outcome<Option<Vec<Settings>>> {
        let (Some(mut all), Some(new)) = (old, new) else { return Ok(None) };
        for settings in new {
            if !all.contains(&settings) {
                all.push(settings);
            }
        }
        self.count_settings(&all, span)?;
        Ok(Some(all))
    }

    fn count_settings(&mut self, settings: &[Settings], span: Span) -> Outcome<()> {
        if settings.len() <= MAX_SETTINGS {
            return Ok(());
        }
        let message = format!("more than {MAX_SETTINGS} sets of property settings in one type");
        Err(self.error("asn1.limit.settings", span, message))
    }

    pub(super) fn set_settings(&mut self, id: TypeId) {
        let slot = self.slot_mut(id);
        if let (Kind::Time { kind: TimeKind::Time, settings }, Some(found)) = (&mut slot.ty.kind, &slot.facts.settings)
        {
            settings.clone_from(found);
        }
    }
}
