//! The tree in which the smith builds a package: texts, names, operands and lists. It knows just enough for a package to
//! be written, reworded and made smaller without anybody knowing what its words mean.

use super::types::Ty;

/// A part of a package: an item, a statement, a clause, an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is, such as `where` or `stmt move`.
    pub form: &'static str,
    /// The type of an expression.
    pub ty: Option<Ty>,
    /// How tightly an expression holds together: 9 stands anywhere, 0 needs brackets almost anywhere.
    pub level: u8,
    /// What it consists of.
    pub parts: Vec<Part>,
}

/// What a node consists of.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Words.
    Text(String),
    /// A name that is declared for the whole game, or used.
    Global(String),
    /// A local name where it is used.
    Local(String),
    /// A local name where it is bound.
    Bind(String),
    /// The name of a property of the subject at hand.
    Bare(String),
    /// The subject at hand.
    It,
    /// An expression, in brackets if it holds together less tightly than this.
    Op(u8, Node),
    /// An expression with a subject of its own.
    Under(u8, Node),
    /// What may be left out.
    Maybe(Vec<Part>),
    /// Members between separators, each of which may be left out.
    List(&'static str, Vec<Node>),
}

/// Words as a part.
pub fn t(text: impl Into<String>) -> Part {
    Part::Text(text.into())
}

/// A declared name as a part.
pub fn g(name: &str) -> Part {
    Part::Global(name.to_owned())
}

/// An operand.
pub fn op(level: u8, node: Node) -> Part {
    Part::Op(level, node)
}

/// An operand that looks at a subject.
pub fn under(level: u8, node: Node) -> Part {
    Part::Under(level, node)
}

/// Statements in braces.
pub fn block(stmts: Vec<Node>) -> [Part; 3] {
    [t("{\n"), Part::List("\n", stmts), t("\n}")]
}

impl Node {
    /// An expression.
    pub fn term(form: &'static str, ty: Ty, level: u8, parts: Vec<Part>) -> Node {
        Node { form, ty: Some(ty), level, parts }
    }

    /// Anything but an expression.
    pub fn other(form: &'static str, parts: Vec<Part>) -> Node {
        Node { form, ty: None, level: 9, parts }
    }

    /// The text of it, with indented lines.
    pub fn text(&self) -> String {
        let mut flat = String::new();
        self.write(&mut flat);
        let (mut out, mut depth) = (String::new(), 0usize);
        for line in flat.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let closes = line.chars().take_while(|letter| *letter == '}').count();
            out.push_str(&"  ".repeat(depth.saturating_sub(closes)));
            out.push_str(line);
            out.push('\n');
            depth += line.matches('{').count();
            depth = depth.saturating_sub(line.matches('}').count());
        }
        out
    }

    fn write(&self, out: &mut String) {
        write_parts(&self.parts, out);
    }

    /// The expression as it is written on one line.
    pub fn line(&self) -> String {
        let mut flat = String::new();
        self.write(&mut flat);
        flat.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Calls `f` for this node and all within it, outer ones first.
    pub fn walk<'a>(&'a self, f: &mut impl FnMut(&'a Node)) {
        f(self);
        each_node(&self.parts, &mut |node| node.walk(f));
    }

    /// Calls `f` for this node and all within it, inner ones first.
    pub fn change(&mut self, f: &mut impl FnMut(&mut Node)) {
        each_node_mut(&mut self.parts, &mut |node| node.change(f));
        f(self);
    }

    /// Calls `f` for all parts within, outer ones first.
    pub fn parts_mut(&mut self, f: &mut impl FnMut(&mut Part)) {
        change_parts(&mut self.parts, f);
    }

    /// Whether it means the same wherever it stands in one procedure before a name is bound: it has no local names, and no
    /// subject but its own.
    pub fn closed(&self) -> bool {
        is_closed(&self.parts, false, &mut Vec::new())
    }

    /// How many nodes it has.
    pub fn size(&self) -> usize {
        let mut count = 0;
        self.walk(&mut |_| count += 1);
        count
    }
}

fn write_parts(parts: &[Part], out: &mut String) {
    for part in parts {
        match part {
            Part::Text(text) | Part::Global(text) | Part::Local(text) | Part::Bind(text) | Part::Bare(text) => {
                out.push_str(text);
            }
            Part::It => out.push_str("it"),
            Part::Op(level, node) | Part::Under(level, node) => {
                let brackets = node.level < *level;
                out.push_str(if brackets { "(" } else { "" });
                node.write(out);
                out.push_str(if brackets { ")" } else { "" });
            }
            Part::Maybe(parts) => write_parts(parts, out),
            Part::List(separator, nodes) => {
                for (index, node) in nodes.iter().enumerate() {
                    out.push_str(if index > 0 { separator } else { "" });
                    node.write(out);
                }
            }
        }
    }
}

fn each_node<'a>(parts: &'a [Part], f: &mut impl FnMut(&'a Node)) {
    for part in parts {
        match part {
            Part::Op(_, node) | Part::Under(_, node) => f(node),
            Part::Maybe(parts) => {
                // The closure is handed on as it is, or its type would have no end.
                let inner: &mut dyn FnMut(&'a Node) = f;
                each_dyn(parts, inner);
            }
            Part::List(_, nodes) => nodes.iter().for_each(&mut *f),
            _ => {}
        }
    }
}

fn each_dyn<'a>(parts: &'a [Part], f: &mut dyn FnMut(&'a Node)) {
    for part in parts {
        match part {
            Part::Op(_, node) | Part::Under(_, node) => f(node),
            Part::Maybe(parts) => each_dyn(parts, f),
            Part::List(_, nodes) => nodes.iter().for_each(&mut *f),
            _ => {}
        }
    }
}

fn each_node_mut(parts: &mut [Part], f: &mut dyn FnMut(&mut Node)) {
    for part in parts {
        match part {
            Part::Op(_, node) | Part::Under(_, node) => f(node),
            Part::Maybe(parts) => each_node_mut(parts, f),
            Part::List(_, nodes) => nodes.iter_mut().for_each(&mut *f),
            _ => {}
        }
    }
}

fn change_parts(parts: &mut [Part], f: &mut dyn FnMut(&mut Part)) {
    for part in parts {
        f(part);
        match part {
            Part::Op(_, node) | Part::Under(_, node) => change_parts(&mut node.parts, f),
            Part::Maybe(parts) => change_parts(parts, f),
            Part::List(_, nodes) => nodes.iter_mut().for_each(|node| change_parts(&mut node.parts, f)),
            _ => {}
        }
    }
}

fn is_closed(parts: &[Part], subject: bool, bound: &mut Vec<String>) -> bool {
    parts.iter().all(|part| match part {
        Part::Local(name) => bound.contains(name),
        Part::Bind(name) => {
            bound.push(name.clone());
            true
        }
        Part::Bare(_) | Part::It => subject,
        Part::Op(_, node) => is_closed(&node.parts, subject, bound),
        Part::Under(_, node) => is_closed(&node.parts, true, bound),
        Part::Maybe(parts) => is_closed(parts, subject, bound),
        Part::List(_, nodes) => nodes.iter().all(|node| is_closed(&node.parts, subject, bound)),
        Part::Text(_) | Part::Global(_) => true,
    })
}
