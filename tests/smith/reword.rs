//! The same game in other words. Each way of saying a thing otherwise is carried out at some of the places where it fits;
//! the game must be played as before.

use super::tree::{Node, Part, block, g, op, t, under};
use super::twins::unscripted;
use super::types::Ty;
use cardwright::core::Pass;
use cardwright::play::Dice;

/// A way of saying a thing otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `count S > 0` for `some S`, `count S = 0` for `no S`, and back to front.
    Count,
    /// `not (a > b)` for `a <= b`.
    NotMore,
    /// `b < a` for `a > b`, `b = a` for `a = b`.
    Swapped,
    /// `b and a` for `a and b`, `b + a` for `a + b`.
    Turned,
    /// `not not c` for `c`.
    Doubled,
    /// `not (not a or not b)` for `a and b`.
    DeMorgan,
    /// `if c then true else false` for `c`.
    Spelt,
    /// `not (x in S)` for `x not in S`, `S has x` for `x in S`.
    Membership,
    /// `(S where a) where b` for `S where a and b`.
    Nested,
    /// `no (S where not c)` for `every S meets c`.
    Every,
    /// `S as m where m.size > 1` for `S where size > 1`.
    Named,
    /// A definition for what stands in a place.
    Define,
    /// A `let` for what stands in a statement.
    Let,
    /// Another name for all that has one.
    Renamed,
    /// Definitions, verbs and actions in another order.
    Reordered,
    /// A kind below that of cards or pieces which nothing is of.
    UnusedKind,
    /// A rule that counts turns.
    Idle,
    /// A rule with a check that never holds.
    IdleCheck,
    /// Statements in the place of calls of a script that acts.
    Unscripted,
    /// The same words, compiled without a pass.
    Without(Pass),
}

impl Way {
    /// The passes with which a game in these words is compiled.
    pub fn passes(self) -> Vec<Pass> {
        match self {
            Way::Without(pass) => Pass::all_but(&[pass]),
            _ => Pass::ALL.to_vec(),
        }
    }
}

/// All of them.
const WAYS: [Way; 19] = [
    Way::Count,
    Way::NotMore,
    Way::Swapped,
    Way::Turned,
    Way::Doubled,
    Way::DeMorgan,
    Way::Spelt,
    Way::Membership,
    Way::Nested,
    Way::Every,
    Way::Named,
    Way::Define,
    Way::Let,
    Way::Renamed,
    Way::Reordered,
    Way::UnusedKind,
    Way::Idle,
    Way::IdleCheck,
    Way::Unscripted,
];

/// All of them, and each pass left out.
pub fn ways() -> Vec<Way> {
    WAYS.into_iter().chain(Pass::ALL.map(Way::Without)).collect()
}

/// What is put behind a name that is renamed, so that it sorts as it did. It stands in no other name.
const OTHER: &str = "zz";

/// The package in other words; none where nothing can be said so. Of the places where it fits, `share` in a hundred are
/// said otherwise.
pub fn reworded(package: &Node, way: Way, seed: u64, share: usize) -> Option<Node> {
    let number = ways().iter().position(|other| *other == way).unwrap_or(0);
    let mut dice = Dice::of(&[seed, number as u64]);
    let mut new = package.clone();
    match way {
        Way::Without(_) => return Some(new),
        Way::Define => define(&mut new, &mut dice, share),
        Way::Let => lets(&mut new, &mut dice, share),
        Way::Renamed => rename(&mut new),
        Way::Unscripted => unscripted(&mut new)?,
        Way::Reordered => reorder(&mut new, &mut dice),
        Way::UnusedKind => unused_kind(&mut new),
        Way::Idle => add(&mut new, "rule idle { after end of turn of zp { increase game.idle by 1 } }", true),
        Way::IdleCheck => add(&mut new, "rule idle { check round > 999 { draw game } }", false),
        _ => {
            let mut count = 0;
            new.change(&mut |node| {
                if dice.below(100) < share
                    && let Some(other) = local(node, way, &mut count)
                {
                    *node = other;
                }
            });
        }
    }
    (new != *package).then_some(new)
}

/// A line of a playthrough, with the names that were changed as they were.
pub fn unrenamed(line: &str) -> String {
    line.replace(OTHER, "")
}

fn flag(form: &'static str, level: u8, parts: Vec<Part>) -> Node {
    Node::term(form, Ty::Flag, level, parts)
}

fn not(node: Node) -> Node {
    flag("not", 3, vec![t("not "), op(4, node)])
}

/// The operands of a node.
fn operands(node: &Node) -> Vec<Node> {
    let operand = |part: &Part| match part {
        Part::Op(_, node) | Part::Under(_, node) => Some(node.clone()),
        _ => None,
    };
    node.parts.iter().filter_map(operand).collect()
}

/// Whether a value is never nothing, so that it is more or less than every other.
fn total(node: &Node) -> bool {
    let mut total = true;
    node.walk(&mut |inner| {
        total &= !matches!(inner.ty, Some(Ty::Maybe(_)));
        total &= !matches!(inner.form, "call" | "define" | "asked" | "prop" | "bare" | "index" | "mover" | "local");
    });
    total
}

fn sign(node: &Node) -> Option<&str> {
    match node.parts.get(1) {
        Some(Part::Text(text)) => Some(text.trim()),
        _ => None,
    }
}

fn local(node: &Node, way: Way, count: &mut usize) -> Option<Node> {
    let of = operands(node);
    let compare = |a: &Node, sign: &str, b: &Node, form| {
        flag(form, 4, vec![op(5, a.clone()), t(format!(" {sign} ")), op(5, b.clone())])
    };
    Some(match (way, node.form) {
        (Way::Count, "some" | "no") => {
            let counted = Node::term("count", Ty::Number, 8, vec![t("count "), op(9, of.first()?.clone())]);
            let zero = Node::term("number", Ty::Number, 9, vec![t("0")]);
            compare(&counted, if node.form == "some" { ">" } else { "=" }, &zero, "compare")
        }
        (Way::Count, "some maybe") => flag("is something", 4, vec![op(5, of.first()?.clone()), t(" != nothing")]),
        (Way::Count, "no maybe") => not(flag("some maybe", 8, vec![t("some "), op(9, of.first()?.clone())])),
        // `no nothing` has no type to ask of.
        (Way::Count, "is nothing") if of.first()?.text().trim() != "nothing" => {
            flag("no maybe", 8, vec![t("no "), op(9, of.first()?.clone())])
        }
        (Way::NotMore, "compare") => {
            let [a, b] = of.as_slice() else { return None };
            let other = match sign(node)? {
                "<" => ">=",
                "<=" => ">",
                ">" => "<=",
                ">=" => "<",
                "=" => "!=",
                "!=" => "=",
                _ => return None,
            };
            let equality = matches!(other, "=" | "!=");
            (equality || total(a) && total(b)).then(|| not(compare(a, other, b, "compare")))?
        }
        (Way::NotMore, "equal") => {
            let [a, b] = of.as_slice() else { return None };
            not(compare(a, if sign(node)? == "=" { "!=" } else { "=" }, b, "equal"))
        }
        (Way::Swapped, "compare" | "equal") => {
            let [a, b] = of.as_slice() else { return None };
            let other = match sign(node)? {
                "<" => ">",
                "<=" => ">=",
                ">" => "<",
                ">=" => "<=",
                same => same,
            };
            compare(b, other, a, node.form)
        }
        (Way::Turned, "and" | "or" | "plus" | "union" | "both") => {
            let mut turned = node.clone();
            let [Part::Op(_, a), _, Part::Op(_, b)] = turned.parts.as_mut_slice() else { return None };
            std::mem::swap(a, b);
            turned
        }
        // What is said of a kind narrows the type, and with it what a choice is called.
        // A flag of who is missing is missing, too, and the same said twice over is not.
        (Way::Doubled, _)
            if !node.text().contains(" is ")
                && node.ty == Some(Ty::Flag)
                && !matches!(node.form, "prop" | "bare" | "index" | "call" | "define" | "asked" | "local") =>
        {
            not(not(node.clone()))
        }
        (Way::DeMorgan, "and" | "or") => {
            let [a, b] = of.as_slice() else { return None };
            let parts = vec![
                op(2, not(a.clone())),
                t(if node.form == "and" { " or " } else { " and " }),
                op(3, not(b.clone())),
            ];
            let (form, level) = if node.form == "and" { ("or", 1) } else { ("and", 2) };
            not(flag(form, level, parts))
        }
        // A property of what is nothing is nothing, and not `false`.
        (Way::Spelt, _) if !node.text().contains(" is ") && !node.text().contains('.') && node.ty == Some(Ty::Flag) => {
            flag("if", 0, vec![t("if "), op(1, node.clone()), t(" then true else false")])
        }
        (Way::Membership, "in") => {
            let [a, b] = of.as_slice() else { return None };
            compare(b, "has", a, "has")
        }
        (Way::Membership, "not in" | "has") => {
            let [a, b] = of.as_slice() else { return None };
            if node.form == "has" { compare(b, "in", a, "in") } else { not(compare(a, "in", b, "in")) }
        }
        (Way::Membership, "is not") => {
            let mut is = node.clone();
            is.form = "is";
            let Some(Part::Text(text)) = is.parts.get_mut(1) else { return None };
            *text = " is ".to_owned();
            not(is)
        }
        (Way::Nested, "where") => {
            let [set, cond] = of.as_slice() else { return None };
            let both = operands(cond);
            let ([a, b], "and", false) = (both.as_slice(), cond.form, set.form == "as") else { return None };
            let ty = node.ty.clone()?;
            let parts = vec![op(1, set.clone()), t(" where "), under(1, a.clone())];
            let first = Node::term("where", ty.clone(), 0, parts);
            Node::term("where", ty, 0, vec![op(1, first), t(" where "), under(1, b.clone())])
        }
        (Way::Every, "every") => {
            let [set, cond] = of.as_slice() else { return None };
            let ty = set.ty.clone().map(|ty| ty.element().set())?;
            let level = if set.form == "as" { 0 } else { 1 };
            let parts = vec![op(level, set.clone()), t(" where "), under(1, not(cond.clone()))];
            flag("no", 8, vec![t("no "), op(9, Node::term("where", ty, 0, parts))])
        }
        (Way::Named, "where" | "having" | "sorted") => {
            let [set, body] = of.as_slice() else { return None };
            if set.form == "as" {
                return None;
            }
            *count += 1;
            let name = format!("{OTHER}m{count}");
            let mut named = node.clone();
            let mut body = body.clone();
            name_subject(&mut body.parts, &name);
            let ty = set.ty.clone()?;
            let with = Node::term("as", ty, 0, vec![op(1, set.clone()), t(" as "), Part::Bind(name)]);
            for part in &mut named.parts {
                match part {
                    Part::Op(level, node) => (*level, *node) = (0, with.clone()),
                    Part::Under(_, node) => *node = body.clone(),
                    _ => {}
                }
            }
            named
        }
        _ => return None,
    })
}

/// Says by name what was said of the subject.
fn name_subject(parts: &mut Vec<Part>, name: &str) {
    let mut index = 0;
    while index < parts.len() {
        match &mut parts[index] {
            Part::It => parts[index] = Part::Local(name.to_owned()),
            Part::Bare(prop) => {
                let prop = Part::Global(std::mem::take(prop));
                parts.splice(index..=index, [Part::Local(name.to_owned()), t("."), prop]);
            }
            Part::Op(_, node) => name_subject(&mut node.parts, name),
            // What opens a subject of its own speaks of that one.
            Part::Maybe(inner) => name_subject(inner, name),
            Part::List(_, nodes) => nodes.iter_mut().for_each(|node| name_subject(&mut node.parts, name)),
            _ => {}
        }
        index += 1;
    }
}

/// Whether an expression may be said elsewhere: it has a type that can be written, and speaks of nothing around it.
fn movable(node: &Node) -> bool {
    let written = match &node.ty {
        Some(ty) => !matches!(ty.element(), Ty::Dir(_) | Ty::Site(_)),
        None => false,
    };
    let mut plain = node.size() > 2 && node.form != "as";
    node.walk(&mut |inner| {
        plain &=
            !matches!(inner.form, "can" | "changed" | "is" | "actor" | "cause" | "root" | "prop" | "define" | "asked")
                && !inner.parts.iter().any(|part| matches!(part, Part::Text(text) if text.contains("this")));
    });
    written && plain && node.closed()
}

/// Definitions for conditions and sets that stand in statements.
fn define(package: &mut Node, dice: &mut Dice, share: usize) {
    let mut made = Vec::new();
    let Some(Part::List(_, items)) = package.parts.first_mut() else { return };
    for item in items.iter_mut().filter(|item| matches!(item.form, "verb" | "action" | "flow")) {
        item.change(&mut |node| {
            if node.ty.is_some() && made.len() < 4 && movable(node) && dice.below(100) < share {
                let name = format!("{OTHER}d{}", made.len());
                let value = std::mem::replace(
                    node,
                    Node::term("define", node.ty.clone().unwrap_or(Ty::Flag), 9, vec![g(&name)]),
                );
                made.push(Node::other("define", vec![t(format!("define {name} = ")), op(0, value)]));
            }
        });
    }
    items.extend(made);
}

/// A `let` before a statement for a condition or set in it.
fn lets(package: &mut Node, dice: &mut Dice, share: usize) {
    let mut count = 0;
    package.change(&mut |node| {
        // What is done at once is one verb and nothing else.
        if node.form == "each at once" {
            return;
        }
        for part in &mut node.parts {
            let Part::List("\n", stmts) = part else { continue };
            for stmt in stmts {
                if matches!(stmt.form, "set" | "change" | "if stmt" | "move" | "perform") && dice.below(100) < share {
                    drawn_out(stmt, &mut count);
                }
            }
        }
    });
}

fn drawn_out(stmt: &mut Node, count: &mut usize) {
    for part in &mut stmt.parts {
        let Part::Op(_, node) = part else { continue };
        if movable(node) {
            *count += 1;
            let name = format!("{OTHER}l{count}");
            let ty = node.ty.clone().unwrap_or(Ty::Flag);
            let value = std::mem::replace(node, Node::term("local", ty, 9, vec![Part::Local(name.clone())]));
            let head = [t("let "), Part::Bind(name), t(" = "), op(0, value), t("\n")];
            stmt.parts.splice(0..0, head);
            return;
        }
    }
}

fn rename(package: &mut Node) {
    package.parts_mut(&mut |part| {
        let kept = ["owner", "holder", "entered", "seat", "playing", "turn", "score", "card", "piece", "thing"];
        if let Part::Global(name) | Part::Bare(name) | Part::Local(name) | Part::Bind(name) = part
            && name.ends_with(|letter: char| letter.is_ascii_digit())
            && !kept.contains(&name.as_str())
        {
            *name = name.split('.').map(|name| format!("{name}{OTHER}")).collect::<Vec<_>>().join(".");
        }
    });
}

fn reorder(package: &mut Node, dice: &mut Dice) {
    let Some(Part::List(_, items)) = package.parts.first_mut() else { return };
    let free: Vec<usize> = (0..items.len())
        .filter(|index| matches!(items[*index].form, "define" | "verb" | "action" | "window"))
        .collect();
    for at in (1..free.len()).rev() {
        items.swap(free[at], free[dice.below(at + 1)]);
    }
}

fn unused_kind(package: &mut Node) {
    let Some(Part::List(_, items)) = package.parts.first_mut() else { return };
    let Some(at) = items.iter().position(|item| item.form == "kind") else { return };
    let Some(Part::Global(parent)) = items[at].parts.get(1).cloned() else { return };
    let [open, list, close] = block(Vec::new());
    let parts = vec![t(format!("kind {OTHER}kind : ")), g(&parent), t(" "), open, list, close];
    items.insert(at + 1, Node::other("kind", parts));
}

fn add(package: &mut Node, rule: &str, counter: bool) {
    let Some(Part::List(_, items)) = package.parts.first_mut() else { return };
    items.push(Node::other("rule", vec![t(rule)]));
    let game = items.iter_mut().find(|item| item.form == "game");
    if counter {
        match game.and_then(|game| {
            game.parts.iter_mut().find_map(|part| if let Part::List(_, members) = part { Some(members) } else { None })
        }) {
            Some(members) => members.push(Node::other("counter", vec![t("counter idle: 0..999")])),
            None => items.push(Node::other("game", vec![t("game { counter idle: 0..999 }")])),
        }
    }
}
