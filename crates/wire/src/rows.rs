//! [`Data::fill_row`](crate::Data::fill_row) of generated types, which say their parts in
//! [`parts!`](crate::parts!) and [`alternatives!`](crate::alternatives!).

/// Of a SEQUENCE.
#[doc(hidden)]
#[macro_export]
macro_rules! fill_row_parts {
    ($width:literal $(, $field:ident $kind:tt $from:literal..$end:literal)*) => {
        fn fill_row(&mut self, columns: &[$crate::Source<'_>], row: usize) -> Result<(), $crate::Rejected> {
            let Ok(columns) = <&[$crate::Source<'_>; $width]>::try_from(columns) else { return Err($crate::Rejected) };
            if !self.begin($crate::Shape::Record([$(stringify!($field)),*].len())) {
                return Err($crate::Rejected);
            }
            let mut index = 0;
            $(
                $crate::fill_row_parts!(@$kind self, $field, columns, row, index, $from, $end);
                index += 1;
            )*
            let _ = index;
            Ok(())
        }
    };
    (@= $self:ident, $field:ident, $columns:ident, $row:ident, $index:ident, $from:literal, $end:literal) => {
        if !$columns[$from].is_present($row) {
            return Err($crate::Rejected);
        }
        $crate::Data::fill_row(&mut $self.$field, &$columns[$from..$end], $row)?
    };
    (@~ $self:ident, $field:ident, $columns:ident, $row:ident, $index:ident, $from:literal, $end:literal) => {
        if $columns[$from].is_present($row) {
            $crate::Data::fill_row(&mut $self.$field, &$columns[$from..$end], $row)?
        }
    };
    (@? $self:ident, $field:ident, $columns:ident, $row:ident, $index:ident, $from:literal, $end:literal) => {
        if $columns[$from].is_present($row) {
            let _ = $self.component_mut($index);
            let part = $self.$field.as_mut().ok_or($crate::Rejected)?;
            $crate::Data::fill_row(part, &$columns[$from..$end], $row)?
        }
    };
    (@# $self:ident, $field:ident, $columns:ident, $row:ident, $index:ident, $from:literal, $end:literal) => {
        // Not of a type that is known.
        if $columns[$from].chosen($row).is_none() || !$columns[$end - 1].is_present($row) {
            return Err($crate::Rejected);
        }
        $crate::Data::fill_row(&mut $self.$field, &$columns[$end - 1..$end], $row)?
    };
    (@% $self:ident, $field:ident, $columns:ident, $row:ident, $index:ident, $from:literal, $end:literal) => {
        if $columns[$from].is_present($row) {
            let _ = $self.component_mut($index);
            let part = $self.$field.as_mut().ok_or($crate::Rejected)?;
            if $columns[$from].chosen($row).is_none() || !$columns[$end - 1].is_present($row) {
                return Err($crate::Rejected);
            }
            $crate::Data::fill_row(part, &$columns[$end - 1..$end], $row)?
        }
    };
}

/// Of a SEQUENCE without components.
#[doc(hidden)]
#[macro_export]
macro_rules! fill_row_empty {
    () => {
        fn fill_row(&mut self, columns: &[$crate::Source<'_>], row: usize) -> Result<(), $crate::Rejected> {
            match columns {
                [column] if column.scalar(row) == Some($crate::Scalar::Null) => {
                    match self.begin($crate::Shape::Record(0)) {
                        true => Ok(()),
                        false => Err($crate::Rejected),
                    }
                }
                _ => Err($crate::Rejected),
            }
        }
    };
}

/// Of a CHOICE or an open type.
#[doc(hidden)]
#[macro_export]
macro_rules! fill_row_one {
    ($width:literal $(, $variant:ident $from:literal..$end:literal)* $(; $unknown:ident)?) => {
        fn fill_row(&mut self, columns: &[$crate::Source<'_>], row: usize) -> Result<(), $crate::Rejected> {
            let Ok(columns) = <&[$crate::Source<'_>; $width]>::try_from(columns) else { return Err($crate::Rejected) };
            if self.choose(columns[0].chosen(row).ok_or($crate::Rejected)?).is_none() {
                // The octets of an unknown type: no alternative stands for them.
                let octets = columns.last().filter(|octets| octets.is_present(row)).ok_or($crate::Rejected)?;
                return octets.fill(row, self);
            }
            match self {
                $(Self::$variant(place) => $crate::Data::fill_row(place, &columns[$from..$end], row),)*
                $(Self::$unknown(_) => Err($crate::Rejected),)?
            }
        }
    };
}
