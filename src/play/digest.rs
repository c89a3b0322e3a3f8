//! Lines of a log that follow each other, put together: a deal is one line, and so are cards that appear.

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Its number among the lines that the viewer may read, from 1: what [`super::Table::why`] takes.
    pub number: usize,
    /// After how many decisions it happened.
    pub decision: usize,
    /// How deep in the chain of causes it stands.
    pub depth: u16,
    /// What happened, as the viewer may read it.
    pub text: String,
}

impl LogLine {
    /// Lines of which those that belong together are one: `a card ×4: deck -> blue's hand`.
    pub fn merged(lines: Vec<LogLine>) -> Vec<LogLine> {
        let same = |a: &LogLine, b: &LogLine| (a.decision, a.depth) == (b.decision, b.depth);
        let told = |group: &[LogLine]| {
            let texts: Vec<&str> = group.iter().map(|line| line.text.as_str()).collect();
            let line = |(index, text): (usize, String)| Some(LogLine { text, ..group.get(index)?.clone() });
            digest(&texts).into_iter().filter_map(line).collect::<Vec<_>>()
        };
        lines.chunk_by(same).flat_map(told).collect()
    }
}

/// Most names of things that appear together.
const MOST_NAMES: usize = 4;
/// Most names of things that go the same way.
const MOST_MOVED: usize = 24;

/// Lines of one decision and depth, those that belong together as one, each with the place of its first.
fn digest(lines: &[&str]) -> Vec<(usize, String)> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let shape = Shape::of(line);
        if !groups.last_mut().is_some_and(|group| group.takes(shape)) {
            groups.push(Group { index, first: shape, more: Vec::new(), varies: None });
        }
    }
    groups.iter().map(|group| (group.index, group.text())).collect()
}

/// What a line says, as far as others can say the same of other things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape<'a> {
    /// `Rope appears: deck`.
    Appears { what: &'a str, at: &'a str },
    /// `Rope: deck -> red's hand`, `red gold: 1 -> 3`.
    Changes { what: &'a str, from: &'a str, to: &'a str },
    /// `Rope is shown`, `Rope is shown to red`.
    Shown { what: &'a str, to: &'a str },
    /// Anything else.
    Other(&'a str),
}

impl<'a> Shape<'a> {
    fn of(line: &'a str) -> Shape<'a> {
        if let Some((what, at)) = line.split_once(" appears: ") {
            return Shape::Appears { what, at };
        }
        if let Some((what, to)) =
            line.rsplit_once(" is shown").filter(|(_, to)| to.is_empty() || to.starts_with(" to "))
        {
            return Shape::Shown { what, to };
        }
        let changes = line.rsplit_once(" -> ").and_then(|(head, to)| Some((head.rsplit_once(": ")?, to)));
        changes.map_or(Shape::Other(line), |((what, from), to)| Shape::Changes { what, from, to })
    }
}

/// `hand` of `red's hand`.
fn zone_of_somebody(place: &str) -> Option<&str> {
    place.rsplit_once("'s ").map(|(_, zone)| zone)
}

/// Whether two places are the zones of one name, each of some player.
fn are_zones_of_one_name(place: &str, other: &str) -> bool {
    zone_of_somebody(place).is_some_and(|zone| zone_of_somebody(other) == Some(zone))
}

/// What is not the same in all lines of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Varies {
    From,
    To,
}

struct Group<'a> {
    index: usize,
    first: Shape<'a>,
    more: Vec<Shape<'a>>,
    varies: Option<Varies>,
}

impl<'a> Group<'a> {
    /// Takes a shape that belongs to the others; false if it does not.
    fn takes(&mut self, next: Shape<'a>) -> bool {
        let fits = match (self.first, next) {
            (Shape::Appears { what, at }, Shape::Appears { what: next, at: other }) => {
                if what == next && at != other && self.more.is_empty() {
                    self.varies = Some(Varies::To);
                }
                if self.varies.is_some() { what == next } else { at == other }
            }
            (Shape::Shown { to, .. }, Shape::Shown { to: other, .. }) => to == other,
            (Shape::Changes { from, to, .. }, Shape::Changes { from: start, to: end, .. }) => {
                let varies = match (from == start, to == end) {
                    (true, true) => self.varies,
                    (true, false) if are_zones_of_one_name(to, end) => Some(Varies::To),
                    (false, true) if are_zones_of_one_name(from, start) => Some(Varies::From),
                    _ => return false,
                };
                let fits = self.varies.is_none() || self.varies == varies;
                self.varies = varies.filter(|_| fits).or(self.varies);
                fits
            }
            (Shape::Other(text), Shape::Other(other)) => text == other,
            _ => false,
        };
        if fits {
            self.more.push(next);
        }
        fits
    }

    fn shapes(&self) -> impl Iterator<Item = &Shape<'a>> {
        std::iter::once(&self.first).chain(&self.more)
    }

    fn text(&self) -> String {
        match self.first {
            Shape::Other(text) if self.more.is_empty() => text.to_owned(),
            Shape::Other(text) => format!("{text} ×{}", self.more.len() + 1),
            Shape::Appears { what, .. } if self.varies.is_some() => {
                let places = counted(self.shapes().filter_map(|shape| match shape {
                    Shape::Appears { at, .. } => Some(*at),
                    _ => None,
                }));
                format!("{what} ×{} appear: {}", self.more.len() + 1, few(&places, MOST_MOVED))
            }
            Shape::Appears { at, .. } => {
                let verb = if self.more.is_empty() { "appears" } else { "appear" };
                format!("{} {verb}: {at}", self.names(MOST_NAMES, |_, _| true))
            }
            Shape::Shown { to, .. } => {
                let verb = if self.more.is_empty() { "is" } else { "are" };
                format!("{} {verb} shown{to}", self.names(MOST_MOVED, |_, _| true))
            }
            Shape::Changes { from, to, .. } => match self.varies {
                None => become_words(&self.names(MOST_MOVED, |_, _| true), from, to),
                Some(Varies::To) => format!("{from} -> {}", self.moved_by(|_, to| to)),
                Some(Varies::From) => format!("{} -> {to}", self.moved_by(|from, _| from)),
            },
        }
    }

    /// Names of what the lines are about, of changes only those with such ends.
    fn names(&self, most: usize, which: impl Fn(&'a str, &'a str) -> bool) -> String {
        let names = counted(self.shapes().filter_map(|shape| match shape {
            Shape::Appears { what, .. } | Shape::Shown { what, .. } => Some(*what),
            Shape::Changes { what, from, to } => which(from, to).then_some(*what),
            Shape::Other(_) => None,
        }));
        few(&names, most)
    }

    /// Names of what changes, after each of the places they are told apart by: `red's hand: Rope; blue's hand: Net`.
    fn moved_by(&self, side: fn(&'a str, &'a str) -> &'a str) -> String {
        let sides = counted(self.shapes().filter_map(|shape| match shape {
            Shape::Changes { from, to, .. } => Some(side(from, to)),
            _ => None,
        }));
        let parts = sides
            .iter()
            .map(|(place, _)| format!("{place}: {}", self.names(MOST_MOVED, |from, to| side(from, to) == *place)));
        parts.collect::<Vec<_>>().join("; ")
    }
}

/// What has become of something. What it was before is said only where it was anything.
fn become_words(names: &str, from: &str, to: &str) -> String {
    match (from, to) {
        ("no", "yes") | ("yes", "no") | ("nothing" | "nobody", _) => format!("{names}: {to}"),
        _ => format!("{names}: {from} -> {to}"),
    }
}

/// Names in the order in which they first come, each once, with how often it comes.
fn counted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<(&'a str, usize)> {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match counted.iter_mut().find(|(other, _)| *other == name) {
            Some((_, count)) => *count += 1,
            None => counted.push((name, 1)),
        }
    }
    counted
}

fn join(names: &[(&str, usize)]) -> String {
    let name =
        |(name, count): &(&str, usize)| if *count > 1 { format!("{name} ×{count}") } else { (*name).to_owned() };
    names.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// At most so many names; in the place of the others, how many things these are.
fn few(names: &[(&str, usize)], most: usize) -> String {
    if names.len() <= most {
        return join(names);
    }
    let (shown, others) = names.split_at(most.saturating_sub(1));
    let others: usize = others.iter().map(|(_, count)| count).sum();
    format!("{} and {others} more", join(shown))
}

#[cfg(test)]
mod tests {
    use super::digest;

    fn texts(lines: &[&str]) -> Vec<String> {
        digest(lines).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_deal_is_one_line() {
        let deal = ["Rope: deck -> red's hand", "a card: deck -> blue's hand", "Net: deck -> red's hand"];
        assert_eq!(digest(&deal), [(0, "deck -> red's hand: Rope, Net; blue's hand: a card".to_owned())]);
        assert_eq!(texts(&["a card: deck -> blue's hand"; 4]), ["a card ×4: deck -> blue's hand"]);
        let trick = ["Rope: red's stand -> bin", "Net: blue's stand -> bin", "Net: red's stand -> deck"];
        assert_eq!(texts(&trick), ["red's stand: Rope; blue's stand: Net -> bin", "Net: red's stand -> deck"]);
        let apart = ["deck is shuffled", "Rope: deck -> red's hand", "Net: deck -> bin", "Net: bin -> deck"];
        assert_eq!(digest(&apart).len(), 4);
    }

    #[test]
    fn cards_that_are_shown_are_one_line() {
        let shown = ["Rope is shown to red", "Net is shown to red", "Net is shown", "a lamp is shown there"];
        assert_eq!(texts(&shown), ["Rope, Net are shown to red", "Net is shown", "a lamp is shown there"]);
    }

    #[test]
    fn cards_that_appear_are_one_line() {
        let many: Vec<String> = (1..=84).map(|number| format!("card {number} appears: deck")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(texts(&many), ["card 1, card 2, card 3 and 81 more appear: deck"]);
        let moved: Vec<String> = many.iter().map(|line| line.replace(" appears: ", ": box -> ")).collect();
        let moved: Vec<&str> = moved.iter().map(String::as_str).collect();
        assert!(texts(&moved).concat().ends_with("card 23 and 61 more: box -> deck"), "{:?}", texts(&moved));
        assert_eq!(texts(&["coin appears: bag", "coin appears: bag"]), ["coin ×2 appear: bag"]);
        let stones = ["red's stone appears: a1", "red's stone appears: b2", "blue's stone appears: c3"];
        assert_eq!(texts(&stones), ["red's stone ×2 appear: a1, b2", "blue's stone appears: c3"]);
        assert_eq!(texts(&["red's stone appears: a1"]), ["red's stone appears: a1"]);
    }

    #[test]
    fn what_happened_is_told_and_not_how_it_is_kept() {
        assert_eq!(texts(&["placing: no -> yes"]), ["placing: yes"]);
        assert_eq!(texts(&["Rope active: yes -> no", "Net active: yes -> no"]), ["Rope active, Net active: no"]);
        assert_eq!(texts(&["trump: nothing -> clubs"]), ["trump: clubs"]);
        assert_eq!(texts(&["red gold: 1 -> 3"]), ["red gold: 1 -> 3"]);
    }

    #[test]
    fn equal_lines_are_counted() {
        assert_eq!(digest(&["a", "b", "b", "a"]), [(0, "a".to_owned()), (1, "b ×2".to_owned()), (3, "a".to_owned())]);
    }
}
