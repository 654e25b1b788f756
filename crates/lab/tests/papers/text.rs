//! The text of a PDF, in each of its layouts: paragraphs with their sections, and floats with their
//! rows.

/// A paper: its paragraphs, and its tables, figures and listings.
#[derive(Default)]
pub(crate) struct Paper {
    pub(crate) section: String,
    pub(crate) subsection: String,
    pub(crate) paragraphs: Vec<Paragraph>,
    pub(crate) floats: Vec<Float>,
}

pub(crate) struct Paragraph {
    pub(crate) place: String,
    pub(crate) text: String,
}

/// A table, a figure or a listing; its name is `IV`, `Figure 1` or `Listing 1`, or empty if its
/// caption follows it.
pub(crate) struct Float {
    pub(crate) name: String,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Paper {
    fn place(&self) -> String {
        format!("{}{}", self.section, self.subsection)
    }

    /// Another paragraph, or more of the last one.
    fn push(&mut self, text: &str) {
        let (place, text) = (self.place(), clean(text));
        if text.is_empty() {
            return;
        }
        let goes_on = |last: &str| match text.chars().next() {
            Some('(') => last.ends_with(':'),
            Some(first) if first.is_ascii_digit() => !last.ends_with(['.', ':']),
            first => first.is_some_and(char::is_lowercase),
        };
        match self.paragraphs.last_mut() {
            // A page break or a figure may be in between.
            Some(last) if last.place == place && goes_on(&last.text) => last.text += &format!(" {text}"),
            _ => self.paragraphs.push(Paragraph { place, text }),
        }
    }

    /// A heading: `IV. TARGET PLATFORMS`, `A. Hardware`, or words.
    fn heading(&mut self, text: &str) {
        match text.split_once('.') {
            Some((number, _)) if number.chars().all(|c| "IVX".contains(c)) => {
                (self.section, self.subsection) = (number.into(), String::new());
            }
            Some((letter, _)) if letter.len() == 1 => self.subsection = format!("-{letter}"),
            _ => (self.section, self.subsection) = (text.into(), String::new()),
        }
    }

    pub(crate) fn float(&self, name: &str) -> &Float {
        self.floats.iter().find(|float| float.name == name).unwrap_or_else(|| panic!("{name} is not there"))
    }

    /// The text of a section, its subsections included.
    pub(crate) fn section(&self, section: &str) -> String {
        let texts = self.paragraphs.iter().filter(|paragraph| is_in(&paragraph.place, section));
        texts.map(|paragraph| format!("{}\n", paragraph.text)).collect()
    }

    /// The sentences, each with its place.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = (&str, String)> {
        self.paragraphs.iter().flat_map(|paragraph| {
            sentences(&paragraph.text).into_iter().map(|sentence| (paragraph.place.as_str(), sentence))
        })
    }
}

/// `V-C1` is in `V-C` and in `V`; a heading may be named by a part of it.
pub(crate) fn is_in(place: &str, section: &str) -> bool {
    let (place, section) = (place.to_lowercase(), section.to_lowercase());
    let is_part = place.strip_prefix(&section).is_some_and(|rest| !rest.starts_with(char::is_alphabetic));
    is_part || section.contains(' ') && place.contains(&section)
}

/// Removes ligatures, and the marks (Markdown, LaTeX, footnotes) that an extraction leaves.
pub(crate) fn clean(text: &str) -> String {
    let text = text.replace('ﬁ', "fi").replace('ﬂ', "fl").replace('ﬀ', "ff").replace('’', "'");
    // A number that an extraction lost, with the end of its sentence.
    let text = text.replace(" in Table We pick", " in Table 5. We pick");
    text.chars().filter(|c| !"*`$\\{}¹²".contains(*c)).collect::<String>().trim().into()
}

/// Where a sentence ends: at a full stop that does not belong to an abbreviation, before a capital
/// letter, a number or a bracket.
fn sentences(text: &str) -> Vec<String> {
    const ABBREVIATIONS: [&str; 6] = ["e.g.", "i.e.", "w.r.t.", "al.", "vs.", "cf."];
    let mut sentences = vec![String::new()];
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let sentence = sentences.last_mut().unwrap();
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(word);
        let is_end = word.ends_with('.') && !ABBREVIATIONS.contains(&word.trim_start_matches('('));
        let begins = words.peek().is_some_and(|next| !next.starts_with(char::is_lowercase));
        if is_end && begins {
            sentences.push(String::new());
        }
    }
    sentences
}

/// All numbers of a text, including those in words.
pub(crate) fn numbers(text: &str) -> Vec<f64> {
    const WORDS: [&str; 11] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let number = |text: &str| -> Option<f64> {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').unwrap_or(text.len());
        text[..end].trim_end_matches(['.', ',']).replace(',', "").parse().ok()
    };
    let mut numbers = Vec::new();
    for word in text.split_whitespace() {
        if let Some((_, exponent)) = word.split_once("10^") {
            numbers.extend(format!("1e{}", exponent.trim_end_matches([',', '.'])).parse::<f64>().ok());
        }
        if let Some((above, below)) = word.split_once('/') {
            numbers.extend(number(above).zip(number(below)).map(|(above, below)| above / below));
        }
        for part in word.split(['-', '–', '(', ')', '[', ']', '/']).map(str::to_lowercase) {
            let word = part.trim_end_matches([',', '.', ';']);
            let in_words = WORDS.iter().position(|name| *name == word).map(|value| value as f64);
            numbers.extend(number(&part).or(in_words).or((word == "quad").then_some(4.0)));
        }
    }
    numbers
}

/// The least and the greatest number of an axis.
pub(crate) fn ends(rows: &[Vec<String>]) -> Vec<f64> {
    let mut marks: Vec<f64> = rows.iter().filter_map(|row| row[0].trim().parse().ok()).collect();
    marks.sort_by(f64::total_cmp);
    vec![marks[0], marks[marks.len() - 1]]
}

/// The name of a table, figure or listing in a caption.
fn caption(line: &str) -> Option<String> {
    let (kind, rest) = line.trim().split_once(' ')?;
    let (name, after) = rest.split_once(['.', ':'])?;
    let is_caption = kind == "TABLE" || after.is_empty() || after.starts_with(' ');
    match kind {
        _ if !is_caption || name.contains(' ') => None,
        "TABLE" | "Table" => Some(name.into()),
        "Figure" | "Listing" | "Algorithm" => Some(format!("{kind} {name}")),
        "Fig." => Some(format!("Figure {name}")),
        _ => None,
    }
}

/// A paper ends with its thanks or its references.
fn is_end(line: &str) -> bool {
    ["ACKNOWLEDGMENT", "REFERENCES", "References"].contains(&line)
}

/// The paper of 2014: two columns, with printed lines and hyphens; a table's cells are on separate
/// lines.
pub(crate) fn narrow(text: &str) -> Paper {
    let mut paper = Paper::default();
    let mut prose = String::new();
    let lines: Vec<&str> = text.lines().take_while(|line| !is_end(line)).collect();
    let footer = |at: usize| {
        let line = lines[at];
        let is_next = lines.get(at + 1).is_some_and(|next| next.starts_with("Copyright (c)"));
        is_next || line.is_empty() || line.starts_with("Copyright (c)") || line.starts_with("VEHICULAR 2014 :")
    };
    let mut lines = (0..lines.len()).filter(|at| !footer(*at)).map(|at| lines[at]).peekable();
    let is_capital = |line: &&str| !line.contains(char::is_lowercase);
    while let Some(line) = lines.next() {
        let is_number = line.strip_suffix('.').is_some_and(|name| name.chars().all(|c| "IVX".contains(c)));
        let is_letter = line.get(1..3) == Some(". ") && line.starts_with(|c: char| c.is_ascii_uppercase());
        if line.starts_with("TABLE ") {
            let mut rows = Vec::new();
            while let Some(cell) = lines.next_if(|next| is_capital(next) || next.len() < 30) {
                rows.push(vec![clean(cell)]);
            }
            paper.floats.push(Float { name: caption(line).unwrap(), rows });
        } else if line.starts_with(' ') {
            // A figure begins with the numbers of its axis.
            let mut rows = vec![vec![clean(line)]];
            while let Some(next) = lines.next_if(|_| !rows.last().unwrap()[0].ends_with("processor.")) {
                rows.push(vec![clean(next)]);
            }
            let name = rows.iter().find_map(|row| caption(&row[0])).unwrap();
            paper.floats.push(Float { name, rows });
        } else if is_number || is_letter {
            paper.push(&std::mem::take(&mut prose));
            paper.heading(line);
            while is_number && lines.next_if(is_capital).is_some() {}
        } else if let Some(first) = line.strip_prefix("Abstract—") {
            paper.heading("Abstract");
            prose = first.into();
        } else if line.starts_with("Keywords-") {
            paper.push(&std::mem::take(&mut prose));
            paper.heading("Keywords");
        } else if prose.ends_with('-') {
            // A word that is broken, or two that are one.
            let is_broken = line.starts_with(char::is_lowercase);
            prose.truncate(prose.len() - usize::from(is_broken));
            prose += line;
        } else {
            prose += &format!(" {line}");
        }
    }
    paper.push(&prose);
    paper
}

/// The other papers: a line is a paragraph, or nearly; a table's row is a line, with `|` or tabs
/// between its cells.
pub(crate) fn marked(text: &str) -> Paper {
    let mut paper = Paper::default();
    // The float to which rows belong, until text follows.
    let mut open = None;
    let mut is_code = false;
    let mut lines = text.lines().take_while(|line| !is_end(line)).peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if let Some(name) = caption(line).filter(|_| !is_code) {
            open = Some(paper.floats.len());
            paper.floats.push(Float { name, rows: Vec::new() });
            while lines.next_if(|more| !more.is_empty()).is_some() {}
        } else if is_code || line.contains('\t') || line.starts_with('|') {
            let at: usize = *open.get_or_insert_with(|| {
                paper.floats.push(Float { name: String::new(), rows: Vec::new() });
                paper.floats.len() - 1
            });
            let is_rule = line.starts_with("|-");
            let cells = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')).unwrap_or(line);
            let cells = cells.split(['|', '\t']).map(clean).collect();
            // A listing's braces are kept.
            paper.floats[at].rows.extend((!is_rule).then(|| if is_code { vec![line.into()] } else { cells }));
        } else if !line.is_empty() && !is_rest(line) {
            open = None;
            let mut whole = item(line).unwrap_or(line).to_string();
            let is_more = |next: &&str| !next.is_empty() && item(next).is_none() && !is_rest(next);
            while let Some(next) = lines.next_if(is_more) {
                whole += &format!(" {}", next.trim());
            }
            paragraph(&mut paper, &clean(&whole), item(line).is_some());
        }
    }
    paper
}

/// A page's foot, a formula, a line of an algorithm.
fn is_rest(line: &str) -> bool {
    line.starts_with("Page ") || line.starts_with("$$") || line.contains('▷')
}

/// The text after the mark, or the marks, of a list's item.
fn item(line: &str) -> Option<&str> {
    let rest = ["- ", "o ", "O "].iter().find_map(|mark| line.trim_start().strip_prefix(mark))?;
    item(rest).or(Some(rest))
}

fn paragraph(paper: &mut Paper, text: &str, is_item: bool) {
    let is_short = text.len() < 100 && text.starts_with(|c: char| c.is_ascii_uppercase());
    // If the sections have numbers, words alone are not a heading.
    let is_numbered = paper.section.starts_with(['I', 'V']) && paper.section.len() < 4;
    let is_heading = is_short && !is_item && text.ends_with(char::is_alphanumeric);
    if let Some((head, rest)) = text.split_once(['—', '-']).filter(|(head, _)| ["Abstract", "Keywords"].contains(head))
    {
        paper.heading(head);
        paper.push(rest);
    } else if text.starts_with("Index Terms") {
        paper.heading("Keywords");
    } else if is_heading && (!is_numbered || text.split(' ').next().is_some_and(|first| first.ends_with('.'))) {
        paper.heading(text);
    } else if let Some((number, text)) = run_in(text) {
        let letter: String = paper.subsection.chars().take(2).collect();
        paper.subsection = letter + number;
        paper.push(text);
    } else {
        paper.push(text);
    }
}

/// A heading that its text follows, `1) Data Encoding: ...`: its number, and the text.
fn run_in(text: &str) -> Option<(&str, &str)> {
    let (number, rest) = text.split_once(") ").filter(|(number, _)| number.parse::<u8>().is_ok())?;
    Some((number, rest.split_once(": ")?.1))
}
