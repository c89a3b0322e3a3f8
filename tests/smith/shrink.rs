//! A package that shows a failure is made smaller while it still shows it. What a name needs is not known here: what is too
//! small is refused by the checker, and then another part is left out.

use super::tree::{Node, Part};
use super::types::Ty;
use std::time::{Duration, Instant};

/// How a package can be made smaller, the coarsest first.
const STEPS: [Step; 6] = [Step::Half, Step::Member, Step::Optional, Step::Inside, Step::Within, Step::Simple];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Half of the members of a list go.
    Half,
    /// One member of a list goes.
    Member,
    /// What may be left out goes.
    Optional,
    /// A statement gives way to the statements in it.
    Inside,
    /// An expression gives way to one of its type within it.
    Within,
    /// An expression gives way to the simplest of its type.
    Simple,
}

/// The smallest package found within a time for which `fails` holds.
pub fn shrink(package: &Node, time: Duration, fails: impl Fn(&Node) -> bool) -> Node {
    let begin = Instant::now();
    let mut best = package.clone();
    loop {
        let size = best.text().len();
        for step in STEPS {
            let mut at = 0;
            // The same place again after it was made smaller: there may be more to go.
            while let Some(smaller) = made_smaller(&best, step, at) {
                if begin.elapsed() > time {
                    return best;
                }
                if smaller.text().len() < best.text().len() && fails(&smaller) {
                    best = smaller;
                } else {
                    at += 1;
                }
            }
        }
        if best.text().len() >= size {
            return best;
        }
    }
}

/// The package with one step done at a place; none if there are not so many places.
fn made_smaller(package: &Node, step: Step, at: usize) -> Option<Node> {
    let mut found = package.clone();
    let mut left = at;
    let mut done = false;
    edit(&mut found, step, &mut left, &mut done);
    done.then_some(found)
}

fn edit(node: &mut Node, step: Step, left: &mut usize, done: &mut bool) {
    if *done {
        return;
    }
    match step {
        Step::Within => {
            for inner in within(node) {
                if take(left) {
                    let level = node.level;
                    *node = inner;
                    node.level = node.level.min(level.max(node.level));
                    *done = true;
                    return;
                }
            }
        }
        Step::Simple => {
            if let Some(simple) = simple(node)
                && simple != *node
                && take(left)
            {
                *node = simple;
                *done = true;
                return;
            }
        }
        _ => {}
    }
    edit_parts(&mut node.parts, step, left, done);
}

fn edit_parts(parts: &mut Vec<Part>, step: Step, left: &mut usize, done: &mut bool) {
    let mut index = 0;
    while index < parts.len() && !*done {
        match &mut parts[index] {
            Part::Maybe(_) if step == Step::Optional && take(left) => {
                parts.remove(index);
                *done = true;
                return;
            }
            Part::Maybe(inner) => edit_parts(inner, step, left, done),
            Part::Op(_, node) | Part::Under(_, node) => edit(node, step, left, done),
            Part::List(_, nodes) => {
                edit_list(nodes, step, left, done);
                for node in nodes {
                    edit(node, step, left, done);
                }
            }
            _ => {}
        }
        index += 1;
    }
}

fn edit_list(nodes: &mut Vec<Node>, step: Step, left: &mut usize, done: &mut bool) {
    match step {
        Step::Half if nodes.len() > 3 => {
            let half = nodes.len() / 2;
            for range in [half..nodes.len(), 0..half] {
                if !*done && take(left) {
                    nodes.drain(range);
                    *done = true;
                }
            }
        }
        Step::Member => {
            // What stands behind speaks of what stands before.
            for index in (0..nodes.len()).rev() {
                if take(left) {
                    nodes.remove(index);
                    *done = true;
                    return;
                }
            }
        }
        Step::Inside => {
            for index in 0..nodes.len() {
                let blocks = blocks(&nodes[index].parts);
                for inner in blocks {
                    if take(left) {
                        nodes.splice(index..=index, inner);
                        *done = true;
                        return;
                    }
                }
            }
        }
        _ => {}
    }
}

fn take(left: &mut usize) -> bool {
    if *left == 0 {
        return true;
    }
    *left -= 1;
    false
}

/// The blocks of a statement.
fn blocks(parts: &[Part]) -> Vec<Vec<Node>> {
    let mut found = Vec::new();
    for part in parts {
        match part {
            Part::List("\n", nodes) if !nodes.is_empty() => found.push(nodes.clone()),
            Part::Maybe(inner) => found.extend(blocks(inner)),
            _ => {}
        }
    }
    found
}

/// Expressions of the same type within an expression.
fn within(node: &Node) -> Vec<Node> {
    let Some(ty) = &node.ty else { return Vec::new() };
    let mut found = Vec::new();
    node.walk(&mut |inner| {
        if inner.ty.as_ref() == Some(ty) && !std::ptr::eq(inner, node) && found.len() < 8 {
            found.push(inner.clone());
        }
    });
    found
}

fn simple(node: &Node) -> Option<Node> {
    let text = |text: &str, form| {
        let ty = node.ty.clone().unwrap_or(Ty::Flag);
        Some(Node::term(form, ty, 9, vec![Part::Text(text.to_owned())]))
    };
    match node.ty {
        Some(Ty::Number) => text("1", "number"),
        Some(Ty::Flag) => text("true", "flag"),
        Some(Ty::Player) => text("me", "me"),
        _ => None,
    }
}
