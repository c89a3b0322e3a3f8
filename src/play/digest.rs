//! Lines of a log that follow each other, put together: a deal is one line, and so are cards that appear.

/// Most names of things that appear together.
const MOST_NAMES: usize = 4;

/// Lines of one decision and depth, those that belong together as one, each with the place of its first.
pub fn digest(lines: &[&str]) -> Vec<(usize, String)> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let shape = Shape::of(line);
        match groups.last_mut().filter(|group| group.first.goes_with(&shape)) {
            Some(group) => group.more.push(shape),
            None => groups.push(Group { index, first: shape, more: Vec::new() }),
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
    /// Anything else.
    Other(&'a str),
}

impl<'a> Shape<'a> {
    fn of(line: &'a str) -> Shape<'a> {
        if let Some((what, at)) = line.split_once(" appears: ") {
            return Shape::Appears { what, at };
        }
        let changes = line.rsplit_once(" -> ").and_then(|(head, to)| Some((head.rsplit_once(": ")?, to)));
        changes.map_or(Shape::Other(line), |((what, from), to)| Shape::Changes { what, from, to })
    }

    fn goes_with(&self, next: &Shape) -> bool {
        match (self, next) {
            (Shape::Appears { at, .. }, Shape::Appears { at: other, .. }) => at == other,
            (Shape::Changes { from, to, .. }, Shape::Changes { from: start, to: other, .. }) => {
                from == start
                    && (to == other || zone_of_somebody(to).is_some_and(|zone| zone_of_somebody(other) == Some(zone)))
            }
            (Shape::Other(text), Shape::Other(other)) => text == other,
            _ => false,
        }
    }
}

/// `hand` of `red's hand`.
fn zone_of_somebody(place: &str) -> Option<&str> {
    place.rsplit_once("'s ").map(|(_, zone)| zone)
}

struct Group<'a> {
    index: usize,
    first: Shape<'a>,
    more: Vec<Shape<'a>>,
}

impl Group<'_> {
    fn text(&self) -> String {
        let shapes = || std::iter::once(&self.first).chain(&self.more);
        match self.first {
            Shape::Other(text) if self.more.is_empty() => text.to_owned(),
            Shape::Other(text) => format!("{text} ×{}", self.more.len() + 1),
            Shape::Appears { at, .. } => {
                let names = counted(shapes().filter_map(|shape| match shape {
                    Shape::Appears { what, .. } => Some(*what),
                    _ => None,
                }));
                let verb = if self.more.is_empty() { "appears" } else { "appear" };
                format!("{} {verb}: {at}", few(&names, self.more.len() + 1))
            }
            Shape::Changes { from, to, .. } => {
                let mut ends: Vec<(&str, Vec<&str>)> = Vec::new();
                for shape in shapes() {
                    let Shape::Changes { what, to, .. } = shape else { continue };
                    match ends.iter_mut().find(|(end, _)| end == to) {
                        Some((_, names)) => names.push(what),
                        None => ends.push((to, vec![what])),
                    }
                }
                let names = |names: &[&str]| join(&counted(names.iter().copied()));
                match ends.as_slice() {
                    [(_, all)] => become_words(&names(all), from, to),
                    several => {
                        let parts = several.iter().map(|(to, all)| format!("{to}: {}", names(all)));
                        format!("{from} -> {}", parts.collect::<Vec<_>>().join("; "))
                    }
                }
            }
        }
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

/// The first names, and how many there are besides.
fn few(names: &[(&str, usize)], all: usize) -> String {
    if names.len() <= MOST_NAMES {
        return join(names);
    }
    let shown = names.get(..MOST_NAMES - 1).unwrap_or_default();
    let told: usize = shown.iter().map(|(_, count)| count).sum();
    format!("{} and {} more", join(shown), all - told)
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
        let apart = ["deck is shuffled", "Rope: deck -> red's hand", "Net: deck -> bin", "Net: bin -> deck"];
        assert_eq!(digest(&apart).len(), 4);
    }

    #[test]
    fn cards_that_appear_are_one_line() {
        let many: Vec<String> = (1..=84).map(|number| format!("card {number} appears: deck")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(texts(&many), ["card 1, card 2, card 3 and 81 more appear: deck"]);
        assert_eq!(texts(&["coin appears: bag", "coin appears: bag"]), ["coin ×2 appear: bag"]);
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
