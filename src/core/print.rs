//! Terms as text, for people who wonder what their rules became and for golden tests.

use super::term::{Ambient, Each, Form, Read, Term, Terms, Unary};
use crate::model::rules::{BinaryOp, CollectOp, CompareOp, FoldOp, Local, Rules};
use std::fmt::Write;

/// Prints the terms of a procedure.
pub struct Printer<'t> {
    rules: &'t Rules,
    terms: &'t Terms,
    locals: &'t [Local],
    out: String,
}

impl<'t> Printer<'t> {
    /// For a procedure with these locals.
    pub fn new(rules: &'t Rules, terms: &'t Terms, locals: &'t [Local]) -> Printer<'t> {
        Printer { rules, terms, locals, out: String::new() }
    }

    /// A term as text.
    pub fn text(mut self, term: Term) -> String {
        self.term(term, 0);
        self.out
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn of(&mut self, name: &str, parts: &[Term], depth: u32) {
        self.put("(");
        self.put(name);
        for part in parts {
            self.put(" ");
            self.term(*part, depth);
        }
        self.put(")");
    }

    fn term(&mut self, term: Term, depth: u32) {
        let terms = self.terms;
        match terms.form(term) {
            Form::Word(word) => {
                let _ = write!(self.out, "{word}");
            }
            Form::Text(text) => {
                let _ = write!(self.out, "{text:?}");
            }
            Form::Nothing => self.put("nothing"),
            Form::Local(local) => {
                let name = self.locals.get(local.index()).map_or("?", |local| local.name.as_str());
                let _ = write!(self.out, "{name}.{}", local.0);
            }
            Form::Bound(index) => {
                let _ = write!(self.out, "it{}", i64::from(depth) - i64::from(*index));
            }
            Form::Ambient(ambient) => self.ambient(*ambient),
            Form::Read(read, parts) => {
                let name = self.read(*read);
                match parts.is_empty() {
                    true => self.put(&name),
                    false => self.of(&name, parts, depth),
                }
            }
            Form::Function(builtin, args) => self.of(&format!("{builtin:?}").to_lowercase(), args, depth),
            Form::Unary(unary, a) => {
                let name = match unary {
                    Unary::Not => "not".to_owned(),
                    Unary::Negate => "negate".to_owned(),
                    Unary::Count => "count".to_owned(),
                    Unary::Some => "some".to_owned(),
                    Unary::ToSet => "set".to_owned(),
                    Unary::ToList => "list".to_owned(),
                    Unary::Is(kind) => format!("is-{}", self.rules.kinds[kind.index()].name),
                };
                self.of(&name, &[*a], depth);
            }
            Form::Binary(op, a, b) => self.of(operator(*op), &[*a, *b], depth),
            Form::Compare(op, a, b) => self.of(comparison(*op), &[*a, *b], depth),
            Form::And(a, b) => self.of("and", &[*a, *b], depth),
            Form::Or(a, b) => self.of("or", &[*a, *b], depth),
            Form::If(a, b, c) => self.of("if", &[*a, *b, *c], depth),
            Form::In(a, b) => self.of("in", &[*a, *b], depth),
            Form::List(items) => self.of("items", items, depth),
            Form::Range(a, b) => self.of("range", &[*a, *b], depth),
            Form::Each(each, over, body) => {
                let name = match each {
                    Each::Where => "where",
                    Each::Fold(FoldOp::Sum) => "sum",
                    Each::Fold(FoldOp::Min) => "min",
                    Each::Fold(FoldOp::Max) => "max",
                    Each::Collect(CollectOp::Gather) => "gather",
                    Each::Collect(CollectOp::Values) => "values",
                    Each::Collect(CollectOp::Union) => "union",
                    Each::Collect(CollectOp::Reach) => "reach",
                    Each::Having { most: true } => "having-most",
                    Each::Having { most: false } => "having-least",
                    Each::Sorted { down: false } => "sorted",
                    Each::Sorted { down: true } => "sorted-down",
                };
                let _ = write!(self.out, "({name} it{} ", depth + 1);
                self.term(*over, depth);
                self.put(" ");
                self.term(*body, depth + 1);
                self.put(")");
            }
            Form::Call(proc, args) => {
                let name = &self.rules.procs[proc.index()].name;
                self.of(name, args, depth);
            }
            Form::Lambda(proc) => {
                let _ = write!(self.out, "(lambda {})", proc.0);
            }
            Form::Apply(lambda, args) => {
                let parts: Vec<Term> = std::iter::once(*lambda).chain(args.iter().copied()).collect();
                self.of("apply", &parts, depth);
            }
            Form::Script(script, args) => {
                let name = format!("script {}", script.0);
                self.of(&name, args, depth);
            }
            Form::Can(player, action, args) => {
                let name = format!("can {}", self.rules.actions[action.index()].name);
                let parts: Vec<Term> = std::iter::once(*player).chain(args.iter().copied()).collect();
                self.of(&name, &parts, depth);
            }
            Form::Targetable(verb, args, ..) => {
                let name = format!("targetable {}", self.rules.verbs[verb.index()].name);
                let parts: Vec<Term> = args.iter().flatten().copied().collect();
                self.of(&name, &parts, depth);
            }
            Form::Index(list, i) => self.of("item", &[*list, *i], depth),
            Form::Part(split, whose) => self.of("part", &[*split, *whose], depth),
        }
    }

    fn ambient(&mut self, ambient: Ambient) {
        match ambient {
            Ambient::Option(option) => {
                let name = &self.rules.options[option.index()].name;
                self.put(name);
            }
            Ambient::Flat(board) => {
                let name = format!("flat-{}", self.rules.boards[board.index()].name);
                self.put(&name);
            }
            other => self.put(&format!("{other:?}").to_lowercase()),
        }
    }

    fn read(&self, read: Read) -> String {
        let prop = |prop: crate::model::rules::PropId| self.rules.props[prop.index()].name.clone();
        match read {
            Read::Prop(id) | Read::Side(id) => format!(".{}", prop(id)),
            Read::GameProp(id) => format!("game.{}", prop(id)),
            Read::InPlay(kind) => format!("every-{}", self.rules.kinds[kind.index()].name),
            Read::EntitiesOf(entry) => format!("entry-{}", entry.0),
            Read::Contents(zone) => self.rules.zones[zone.index()].name.clone(),
            Read::Seat => "seat".to_owned(),
        }
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Union => "|",
        BinaryOp::Difference => "\\",
        BinaryOp::Both => "&",
    }
}

fn comparison(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "=",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    }
}
