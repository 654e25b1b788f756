//! Packed encoding rules (X.691), unaligned and aligned variant.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use roadwire_model::{
    Alphabet, Alternative as ModelAlternative, Enumerators, IntegerRange, Kind, Settings, Size, StringKind, TimeKind,
    Type, TypeId,
};

use crate::build::Builder;
use crate::error::LowerError;
use crate::structure::{repertoire, to_u32};
use crate::times::{Numbers, Values, range};
use crate::{Alternative, CharacterSet, Count, Extent, Form, Layout, LengthForm, Node, NodeId, Rules, Span, Width};

pub(crate) fn lower(mut builder: Builder<'_>, root: TypeId, rules: Rules) -> Result<Layout, LowerError> {
    if rules == Rules::Aper {
        builder.length_form = LengthForm::Aligned;
    }
    let node = builder.type_node(root)?;
    let name = builder.type_name(root);
    Ok(builder.finish(rules, name, node))
}

impl<'m> Builder<'m> {
    fn type_node(&mut self, id: TypeId) -> Result<NodeId, LowerError> {
        let id = self.model.untagged(id);
        self.node_of(id, |builder, this| {
            let node = builder.kind_node(id, this)?;
            builder.containing(node, this, Self::type_node)
        })
    }

    fn kind_node(&mut self, id: TypeId, this: &'m Type) -> Result<Node, LowerError> {
        Ok(match &this.kind {
            Kind::Boolean => Node::Boolean { bits: 1 },
            Kind::Null => Node::Null,
            Kind::Integer { range, .. } => self.integer(range)?,
            Kind::Enumerated(enumerators) => self.enumerated(enumerators)?,
            Kind::Real { .. } => Node::Real,
            // §16.9, §17.6: not aligned if the size is fixed and at most 16 bits.
            Kind::BitString { size, named, .. } => {
                let trim = Self::trim(!named.is_empty(), size.lower)?;
                Node::Bits { extent: self.string_extent(size, 1, 0)?, trim, whole: false }
            }
            Kind::OctetString { size, .. } => Node::Octets { extent: self.string_extent(size, 8, 0)? },
            Kind::ObjectIdentifier => Node::Oid { relative: false },
            Kind::RelativeOid => Node::Oid { relative: true },
            // §31: UTF-8 text, unconstrained.
            Kind::Iri { .. } => Node::Text { utf8: true, lower: 0, upper: u64::MAX, alphabet: Span::default() },
            Kind::String { kind, size, alphabet, alphabet_extensible } => {
                let alphabet = alphabet.as_ref().filter(|_| !alphabet_extensible);
                self.string(*kind, size, alphabet)?
            }
            Kind::Time { kind, settings } => self.time(*kind, settings)?,
            Kind::Sequence { set, components, extensible } => {
                self.record(id, *set, components, *extensible, Self::type_node)?
            }
            Kind::SequenceOf { element, size, .. } => {
                Node::List { extent: self.extent(size)?, element: self.type_node(*element)?, sorted: false }
            }
            Kind::Choice { alternatives, extensible } => self.choice(alternatives, *extensible)?,
            Kind::Open { table } => match table {
                Some(table) => self.open_type(table, Self::type_node)?,
                None => Node::Open,
            },
            Kind::External(sequence) => {
                let inner = self.model.get(*sequence);
                self.kind_node(*sequence, inner)?
            }
        })
    }

    /// §13: with an extensible constraint, a bit says whether the value is outside the root; it is
    /// then any integer.
    fn integer(&mut self, range: &IntegerRange) -> Result<Node, LowerError> {
        let root = self.integer_root(range)?;
        if !range.extensible {
            return Ok(root);
        }
        let root = self.add(root);
        let beyond = self.integer_node(Form::Signed, None, None);
        let beyond = self.add(beyond);
        Ok(Node::Extension { root, beyond })
    }

    fn integer_root(&mut self, range: &IntegerRange) -> Result<Node, LowerError> {
        Ok(match (&range.lower, &range.upper) {
            (Some(lower), Some(upper)) => {
                let bits = (upper - lower).bits();
                let width = self.width(&(upper - lower))?;
                match (lower.to_i128(), upper.to_i128()) {
                    (Some(lower), Some(upper)) if bits <= 64 => self.word(width, Form::Offset, lower, upper),
                    _ => Node::WideWord { width, lower: self.wide(lower), upper: self.wide(upper) },
                }
            }
            // §13.2.4: semi-constrained; §13.2.6: without a lower bound, an upper bound is ignored.
            (Some(lower), None) => match lower.to_i128() {
                Some(lower) => self.integer_node(Form::Offset, Some(lower), None),
                None => Node::WideInteger { form: Form::Offset, lower: self.wide(lower), upper: Span::default() },
            },
            (None, Some(upper)) => match upper.to_i128() {
                Some(upper) => self.integer_node(Form::Signed, None, Some(upper)),
                None => Node::WideInteger { form: Form::Signed, lower: Span::default(), upper: self.wide(upper) },
            },
            (None, None) => self.integer_node(Form::Signed, None, None),
        })
    }

    /// §11.5: the width of a constrained whole number's offset of at most `most`.
    fn width(&self, most: &BigInt) -> Result<Width, LowerError> {
        let bits = most.bits();
        let narrow = |bits: u64| u32::try_from(bits).map_err(|_| too_wide());
        match (self.length_form, most.to_u64()) {
            // §11.5.6: a bit-field, however wide.
            (LengthForm::Fragmented | LengthForm::Definite | LengthForm::Varint, _) => {
                Ok(Width::Anywhere(narrow(bits)?))
            }
            // §11.5.7.1
            (LengthForm::Aligned, Some(0..=254)) => Ok(Width::Anywhere(narrow(bits)?)),
            // §11.5.7.2, §11.5.7.3
            (LengthForm::Aligned, Some(255)) => Ok(Width::Aligned(8)),
            (LengthForm::Aligned, Some(256..=65535)) => Ok(Width::Aligned(16)),
            // §11.5.7.4, §13.2.6 a: the number of octets is itself a constrained whole number, from
            // 1 on.
            (LengthForm::Aligned, _) => match self.width(&BigInt::from(bits.div_ceil(8) - 1))? {
                Width::Anywhere(bits) => Ok(Width::Counted { bits: bits as u8, aligned: false }),
                Width::Aligned(bits) => Ok(Width::Counted { bits: bits as u8, aligned: true }),
                Width::Counted { .. } => Err(too_wide()),
            },
        }
    }

    /// The width of an index among `count` things.
    fn index_width(&self, count: usize) -> Result<Width, LowerError> {
        self.width(&BigInt::from(count.saturating_sub(1)))
    }

    /// §11.9: a length with an upper bound below 64K is a constrained whole number, any other has a
    /// length determinant.
    fn extent(&self, size: &Size) -> Result<Extent, LowerError> {
        let count = match size.upper {
            Some(upper) if upper < 65536 => {
                if upper == size.lower {
                    Count::Fixed
                } else {
                    match self.width(&BigInt::from(upper.saturating_sub(size.lower)))? {
                        Width::Anywhere(bits) => Count::Field { bits: bits as u8, aligned: false },
                        Width::Aligned(bits) => Count::Field { bits: bits as u8, aligned: true },
                        Width::Counted { .. } => return Err(too_wide()),
                    }
                }
            }
            _ => Count::Determinant,
        };
        let (lower, upper) = (size.lower, size.upper.unwrap_or(u64::MAX));
        Ok(Extent { lower, upper, count, extensible: size.extensible, aligned: false })
    }

    /// The extent of a string of units of `bits` bits. Strings of fixed size up to 16 bits, and
    /// others of less than `variable` bits, are not aligned.
    fn string_extent(&self, size: &Size, bits: u64, variable: u64) -> Result<Extent, LowerError> {
        let extent = self.extent(size)?;
        let most = extent.upper.saturating_mul(bits);
        let short = if extent.count == Count::Fixed { most <= 16 } else { most < variable };
        Ok(Extent { aligned: self.length_form == LengthForm::Aligned && !short, ..extent })
    }

    /// §14: root items are numbered in the order of their values.
    fn enumerated(&mut self, enumerators: &Enumerators) -> Result<Node, LowerError> {
        let mut order: Vec<usize> = (0..enumerators.root.len()).collect();
        order.sort_by_key(|at| enumerators.root[*at].1);
        let sorted = order.iter().enumerate().all(|(at, ordinal)| at == *ordinal);
        let ordinals = if sorted { Vec::new() } else { order.iter().map(|at| to_u32(*at)).collect() };
        let root = to_u32(enumerators.root.len());
        Ok(Node::Enumerated {
            width: self.index_width(enumerators.root.len())?,
            root,
            additions: enumerators.extensible.then(|| to_u32(enumerators.additions.len())),
            ordinals: self.numbers(ordinals),
            items: self.item_names(enumerators),
        })
    }

    /// §30
    fn string(&mut self, kind: StringKind, size: &Size, alphabet: Option<&Alphabet>) -> Result<Node, LowerError> {
        let Some(whole) = repertoire(kind) else {
            let (lower, upper) = size.lasting();
            return Ok(Node::Text { utf8: kind == StringKind::Utf8, lower, upper, alphabet: Span::default() });
        };
        let alphabet = alphabet.unwrap_or(&whole);
        // §30.5.2: as few bits as number the alphabet, in the aligned variant a power of two; an
        // alphabet of one character takes no bits.
        let least = count_width(alphabet.count());
        let power = least > 0 && self.length_form == LengthForm::Aligned;
        let bits = if power { least.next_power_of_two() } else { least };
        // §30.5.4: the character code itself, if the greatest one fits.
        let indexed = u64::from(alphabet.greatest()) >= 1u64 << bits;
        let ranges: Vec<u32> = alphabet.ranges.iter().flat_map(|(first, last)| [*first, *last]).collect();
        let characters = self.character_set(CharacterSet { bits, indexed, alphabet: &ranges });
        // §30.5.6, §30.5.7
        Ok(Node::Characters { extent: self.string_extent(size, u64::from(bits), 16)?, characters })
    }

    /// UTCTime and GeneralizedTime are VisibleStrings (X.680 §46, §47).
    fn time(&mut self, kind: TimeKind, settings: &[Settings]) -> Result<Node, LowerError> {
        if matches!(kind, TimeKind::Utc | TimeKind::Generalized) {
            return self.string(StringKind::Visible, &Size::default(), None);
        }
        // §32.6: each number has a small range with an extension marker.
        let duration = [(0, 31), (0, 15), (0, 63), (0, 31), (0, 31), (0, 63), (0, 63), (1, 3), (0, 999)];
        let duration = duration.map(|(lower, upper)| (lower, Some(upper)));
        let numbers = Numbers {
            integer: Self::integer,
            year: Self::year,
            duration,
            extensible: true,
            fraction: Some(999),
            minutes: false,
        };
        self.time_node(&Values::of(kind, settings)?, numbers)
    }

    /// YEAR-ENCODING (§32.2.3): years near that of the standard take fewer bits.
    fn year(&mut self) -> Result<Node, LowerError> {
        let ranges = [("immediate", 2005, 2020), ("near-future", 2021, 2276), ("near-past", 1749, 2004)];
        let mut alternatives = Vec::new();
        for (at, (name, lower, upper)) in (0..).zip(ranges) {
            let node = self.integer(&range(lower, Some(upper)))?;
            alternatives.push(Alternative { name: self.name(name), node: self.add(node), alternative: at });
        }
        let remainder = self.integer_node(Form::Signed, Some(0), Some(9999));
        let (name, node) = (self.name("remainder"), self.add(remainder));
        alternatives.push(Alternative { name, node, alternative: 3 });
        let year = self.choice_of(alternatives, 4);
        Ok(self.node(year))
    }

    /// §23: root alternatives are numbered in the canonical order of their tags.
    fn choice(&mut self, all: &'m [ModelAlternative], extensible: bool) -> Result<Node, LowerError> {
        let (order, root) = self.ordered(all);
        let alternatives: Result<Vec<Alternative>, _> =
            order.into_iter().map(|at| self.alternative(all, at, Self::type_node)).collect();
        let (alternatives, tags) = (self.alternatives(alternatives?), Span::default());
        Ok(Node::Choice { extensible, width: self.index_width(root as usize)?, root, alternatives, tags })
    }
}

fn too_wide() -> LowerError {
    LowerError { message: "an integer with a range of more than 64K octets".into() }
}

/// How many bits are needed to number `count` things.
fn count_width(count: u64) -> u8 {
    (64 - count.saturating_sub(1).leading_zeros()) as u8
}
