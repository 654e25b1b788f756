//! Text that is broken into lines where it does not fit into one (after Oppen and Wadler).

/// The most characters of a line, where there is a place to break it.
const WIDTH: usize = 116;
/// Spaces for each level.
const INDENT: usize = 2;

/// Text with places where a line may end.
#[derive(Debug, Clone)]
pub(super) enum Doc {
    Text(String),
    /// A space, or the end of a line.
    Line,
    /// The end of a line, always.
    HardLine,
    All(Vec<Doc>),
    /// One level deeper.
    Nest(Box<Doc>),
    /// All of its lines end, or none does.
    Group(Box<Doc>),
}

impl Doc {
    pub(super) fn text(text: impl Into<String>) -> Doc {
        Doc::Text(text.into())
    }

    pub(super) fn nest(self) -> Doc {
        Doc::Nest(Box::new(self))
    }

    pub(super) fn group(self) -> Doc {
        Doc::Group(Box::new(self))
    }

    /// Whether it takes several lines anyway.
    fn is_broken(&self) -> bool {
        match self {
            Doc::Text(_) | Doc::Line => false,
            Doc::HardLine => true,
            Doc::All(all) => all.iter().any(Doc::is_broken),
            Doc::Nest(inner) | Doc::Group(inner) => inner.is_broken(),
        }
    }

    /// The text, without an end of the last line.
    pub(super) fn print(&self) -> String {
        let mut out = String::new();
        let mut column = 0;
        let mut pending = vec![(0usize, false, self)];
        while let Some((level, flat, doc)) = pending.pop() {
            match doc {
                Doc::Text(text) => {
                    out.push_str(text);
                    column = match text.rsplit_once('\n') {
                        Some((_, last)) => last.chars().count(),
                        None => column + text.chars().count(),
                    };
                }
                Doc::Line if flat => {
                    out.push(' ');
                    column += 1;
                }
                Doc::Line | Doc::HardLine => {
                    out.push('\n');
                    column = level * INDENT;
                    out.extend(std::iter::repeat_n(' ', column));
                }
                Doc::All(all) => pending.extend(all.iter().rev().map(|one| (level, flat, one))),
                Doc::Nest(inner) => pending.push((level + 1, flat, inner)),
                Doc::Group(inner) => {
                    let fits = flat || !inner.is_broken() && fits(inner, &pending, WIDTH.saturating_sub(column));
                    pending.push((level, fits, inner));
                }
            }
        }
        out
    }
}

/// Whether `doc` in one line, and the text after it up to where a line may end, has at most `room`
/// characters.
fn fits(doc: &Doc, rest: &[(usize, bool, &Doc)], room: usize) -> bool {
    let mut room = room;
    let mut rest = rest.iter().rev().map(|(_, flat, doc)| (*flat, *doc));
    let mut pending = vec![(true, doc)];
    while let Some((flat, doc)) = pending.pop().or_else(|| rest.next()) {
        let taken = match doc {
            Doc::Text(text) => text.chars().count(),
            Doc::Line if flat => 1,
            Doc::Line | Doc::HardLine => return true,
            Doc::All(all) => {
                pending.extend(all.iter().rev().map(|one| (flat, one)));
                0
            }
            Doc::Nest(inner) | Doc::Group(inner) => {
                pending.push((flat, inner));
                0
            }
        };
        let Some(left) = room.checked_sub(taken) else { return false };
        room = left;
    }
    true
}
