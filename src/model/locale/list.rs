//! All texts of a game that players can read, in the order in which they are declared.

use super::placeholders::{Piece, pieces};
use super::{Line, TITLE, What};
use crate::base::{SourceMap, Span, spoken};
use crate::model::rules::walk::{each_expr, each_stmt};
use crate::model::rules::{
    BoardShape, Case, Choose, ClauseId, ClauseKind, ExprKind, FieldValue, LookTarget, NamePart, ProcId, PropClass,
    PropId, PropOwner, Rules, StmtKind, Template, Ty, Wording,
};
use std::collections::{BTreeMap, BTreeSet};

/// All texts of a game that players can read, each once. Names of what only the rules speak of are not among them.
/// `manifest` is where the game's own name stands.
pub fn lines(rules: &Rules, sources: &SourceMap, manifest: Span) -> Vec<Line> {
    let cards = rules.entries.iter().map(|entry| entry.name.as_str());
    let fields = rules.entries.iter().flat_map(|entry| &entry.fields).filter_map(|(_, value)| match value {
        Some(FieldValue::Text(text)) => Some(text.as_str()),
        _ => None,
    });
    let printed = cards.chain(fields).collect();
    let mut lister =
        Lister { rules, sources, printed, lines: Vec::new(), counts: BTreeMap::new(), done: BTreeSet::new() };
    lister.names(manifest);
    lister.cards();
    lister.procs();
    lister.looks();
    lister.lines
}

struct Lister<'r> {
    rules: &'r Rules,
    sources: &'r SourceMap,
    /// Names and texts of cards.
    printed: BTreeSet<&'r str>,
    lines: Vec<Line>,
    /// How many texts there are of each id without its number, and which line was the first.
    counts: BTreeMap<String, (usize, usize)>,
    /// Where texts stand that are listed.
    done: BTreeSet<(Span, String)>,
}

impl<'r> Lister<'r> {
    /// Lists a text under an id of its own.
    fn named(&mut self, id: String, text: &str, span: Span, what: What) {
        if !reads(text) {
            return;
        }
        let (count, first) = self.counts.entry(id.clone()).or_insert((0, self.lines.len()));
        *count += 1;
        // Of several with one name none is known by it alone.
        let numbered = *count > 1;
        if numbered && let Some(first) = self.lines.get_mut(*first) {
            first.numbered = true;
        }
        let id = if numbered { format!("{id}.{count}") } else { id };
        self.lines.push(Line { id, text: text.to_owned(), span, what, numbered });
    }

    /// Lists a text that is one of several of its sort, unless it is listed.
    fn numbered(&mut self, path: &str, sort: &str, text: &str, span: Span, what: What) {
        if !reads(text) || !self.done.insert((span, text.to_owned())) {
            return;
        }
        // What an expansion adds does not change the numbers of the game.
        let group = format!("{path}.{sort}");
        let (count, _) = self.counts.entry(format!("{group} {}", span.file.0)).or_default();
        *count += 1;
        self.lines.push(Line { id: format!("{group}.{count}"), text: text.to_owned(), span, what, numbered: true });
    }

    fn names(&mut self, manifest: Span) {
        let rules = self.rules;
        self.named(TITLE.to_owned(), &rules.title, manifest, What::Title);
        for (index, seat) in
            rules.seats.iter().enumerate().filter(|(index, seat)| **seat != format!("player {}", index + 1))
        {
            self.named(format!("seat.{seat}"), seat, manifest, What::Seat(index));
        }
        for (id, item) in (0..).map(crate::model::rules::EnumId).zip(&rules.enums) {
            self.label("enum", &item.name, item.span);
            for (index, value) in item.values.iter().enumerate() {
                self.named(
                    format!("enum.{}.{}", item.name, value.name),
                    &value.label,
                    value.span,
                    What::Value(id, index),
                );
            }
        }
        for (id, kind) in (0..).map(crate::model::rules::KindId).zip(&rules.kinds).skip(3) {
            self.label("kind", &kind.name, kind.span);
            let written: String = kind.notation.iter().map(|part| self.part(part)).collect();
            self.named(format!("kind.{}.notation", kind.name), &written, kind.span, What::Notation(id));
            kind.notation.iter().for_each(|part| self.either(&kind.name, part, kind.span));
        }
        let mut seen = BTreeSet::new();
        for index in 0..rules.props.len() {
            let prop = &rules.props[index];
            if self.is_seen(PropId(index as u32)) && seen.insert(&prop.name) {
                self.label("property", &prop.name, prop.span);
            }
        }
        rules.zones.iter().for_each(|zone| self.label("zone", &zone.name, zone.span));
        for (number, board) in rules.boards.iter().enumerate() {
            self.label("board", &board.name, board.span);
            let BoardShape::Graph(shape) = &board.shape else { continue };
            for (sort, own, names, way) in [
                ("site", &shape.sites, &board.geometry.names, false),
                ("direction", &shape.directions, &board.geometry.directions, true),
            ] {
                for (index, name) in names.iter().enumerate().filter(|(_, name)| own.contains(name)) {
                    let id = format!("board.{}.{sort}.{name}", board.name);
                    self.named(id, name, board.span, What::Place(number, index, way));
                }
            }
        }
        rules.verbs.iter().for_each(|verb| self.label("verb", &verb.name, verb.span));
        rules.actions.iter().for_each(|action| self.label("action", &action.name, action.span));
    }

    fn part(&self, part: &NamePart) -> String {
        match part {
            NamePart::Text(text) => text.clone(),
            NamePart::Prop(prop) | NamePart::Either { prop, .. } => {
                format!("{{{}}}", self.rules.props[prop.index()].name)
            }
        }
    }

    /// The texts of which one stands in a notation.
    fn either(&mut self, kind: &str, part: &NamePart, span: Span) {
        let NamePart::Either { then, other, .. } = part else { return };
        for part in [then, other] {
            match &**part {
                NamePart::Text(text) => self.named(format!("kind.{kind}.notation.part"), text, span, What::Plain),
                part => self.either(kind, part, span),
            }
        }
    }

    /// Whether players can read a property: it is no effect, and no look leaves it out.
    fn is_seen(&self, id: PropId) -> bool {
        let prop = &self.rules.props[id.index()];
        if let PropClass::Table(items) = &prop.class {
            return items.iter().any(|item| self.is_told(*item));
        }
        prop.table.is_none() && self.is_told(id)
    }

    fn is_told(&self, id: PropId) -> bool {
        let prop = &self.rules.props[id.index()];
        let words = !matches!(prop.ty.bare(), Ty::Effect(_) | Ty::Lambda(..))
            && prop.span != Span::default()
            && !matches!(prop.class, PropClass::Builtin(_));
        words
            && match prop.owner {
                // Texts of cards are always shown.
                PropOwner::Kind(_) if prop.ty == Ty::Text => true,
                PropOwner::Kind(_) => {
                    let mut kinds = (0..).map(crate::model::rules::KindId).zip(&self.rules.kinds);
                    let of = prop.table.unwrap_or(id);
                    kinds.any(|(kind, info)| {
                        info.props.contains(&of)
                            && self.rules.shown_of_kind(kind).is_none_or(|shown| shown.contains(&of))
                    })
                }
                PropOwner::Player => self.rules.lists(LookTarget::Player, id).unwrap_or(true),
                PropOwner::Game => self.rules.lists(LookTarget::Game, id).unwrap_or(true),
            }
    }

    fn label(&mut self, sort: &str, name: &str, span: Span) {
        let text = self.rules.labels.get(name).cloned().unwrap_or_else(|| spoken(name));
        self.named(format!("{sort}.{name}"), &text, span, What::Label(name.to_owned()));
    }

    fn cards(&mut self) {
        let rules = self.rules;
        for (id, entry) in (0..).map(crate::model::rules::EntryId).zip(&rules.entries) {
            let path = card_path(rules, id.index());
            self.named(path.clone(), &entry.name, entry.span, What::Card(id));
            for (prop, value) in &entry.fields {
                let given = entry.field_spans.iter().find(|(of, _)| of == prop).map(|(_, span)| *span);
                let info = &rules.props[prop.index()];
                match value {
                    Some(FieldValue::Text(text)) if given.is_some() => {
                        self.named(format!("{path}.{}", info.name), text, given.unwrap_or(entry.span), What::Plain);
                    }
                    Some(FieldValue::Proc(proc)) => self.proc(&format!("{path}.{}", info.name), *proc),
                    _ => {}
                }
            }
            entry.clauses.iter().for_each(|clause| self.clause(&path, *clause));
        }
        for prop in &rules.props {
            let PropClass::Field { default: Some(value) } = &prop.class else { continue };
            match value {
                FieldValue::Text(text) => {
                    self.named(format!("property.{}.default", prop.name), text, prop.span, What::Plain)
                }
                FieldValue::Proc(proc) => self.proc(&format!("property.{}.default", prop.name), *proc),
                _ => {}
            }
        }
    }

    fn procs(&mut self) {
        let rules = self.rules;
        rules.setup.iter().for_each(|proc| self.proc("setup", *proc));
        rules.flow.iter().for_each(|proc| self.proc("flow", *proc));
        rules.verbs.iter().for_each(|verb| self.proc(&format!("verb.{}", verb.name), verb.body));
        rules.actions.iter().for_each(|action| self.proc(&format!("action.{}", action.name), action.body));
        rules.windows.iter().for_each(|window| self.proc(&format!("window.{}", window.name), window.body));
        for group in &rules.groups {
            group.clauses.iter().for_each(|clause| self.clause(&format!("rule.{}", group.name), *clause));
        }
        for kind in &rules.kinds {
            kind.clauses.iter().for_each(|clause| self.clause(&format!("kind.{}", kind.name), *clause));
        }
        for link in &rules.links {
            let name = &rules.props[link.one.index()].name;
            link.orphan.iter().for_each(|proc| self.proc(&format!("link.{name}"), *proc));
        }
        for proc in rules.defines.iter().chain(&rules.score) {
            self.proc(&format!("define.{}", rules.procs[proc.index()].name), *proc);
        }
        for prop in &rules.props {
            if let PropClass::Stat { formula } = prop.class {
                self.proc(&format!("property.{}", prop.name), formula);
            }
        }
    }

    fn clause(&mut self, path: &str, clause: ClauseId) {
        let Some(clause) = self.rules.clauses.get(clause.index()) else { return };
        match &clause.kind {
            ClauseKind::Hook { body, .. } => body.iter().for_each(|body| self.proc(path, *body)),
            ClauseKind::Becomes { body, .. } | ClauseKind::Check { body, .. } => self.proc(path, *body),
            ClauseKind::Modify { value, .. } => self.proc(path, *value),
        }
    }

    fn proc(&mut self, path: &str, id: ProcId) {
        let rules = self.rules;
        let Some(proc) = rules.procs.get(id.index()) else { return };
        let local = |choose: &Choose| proc.locals.get(choose.local.index()).map_or("", |local| local.name.as_str());
        each_stmt(proc, &mut |stmt| match &stmt.kind {
            StmtKind::Choose(choose) | StmtKind::EachSecret { choose, .. } => {
                self.prompt(path, Some(local(choose)), "choose", choose.prompt.as_ref());
            }
            StmtKind::ChooseOrder { local, prompt, .. } | StmtKind::ChooseSplit { local, prompt, .. } => {
                let name = proc.locals.get(local.index()).map(|local| local.name.as_str());
                self.prompt(path, name, "choose", prompt.as_ref());
            }
            StmtKind::ChooseAction { prompt, .. } => self.prompt(path, None, "choose", prompt.as_ref()),
            StmtKind::ChooseOption { arms, prompt, .. } => {
                self.prompt(path, None, "choose", prompt.as_ref());
                arms.iter().for_each(|arm| self.numbered(path, "option", &arm.text, arm.span, What::Plain));
            }
            StmtKind::Gate { prompt, chooses, .. } => {
                self.prompt(path, None, "may", prompt.as_ref());
                chooses.iter().for_each(|one| self.prompt(path, Some(local(one)), "choose", one.prompt.as_ref()));
            }
            StmtKind::Respond(respond) => self.prompt(path, None, "respond", respond.prompt.as_ref()),
            StmtKind::Offer(offer) => {
                self.prompt(path, None, "offer", offer.prompt.as_ref());
                for (term, name) in offer.terms.iter().zip(&offer.names) {
                    let what = What::Plain;
                    self.named(format!("{path}.term.{name}"), name, term.span, what);
                    self.prompt(path, Some(local(term)), "choose", term.prompt.as_ref());
                }
            }
            StmtKind::Requires { reason: Some(reason), .. } => {
                self.numbered(path, "requires", reason, stmt.span, What::Plain);
            }
            StmtKind::Ensure { reason: Some(reason), .. } => {
                self.numbered(path, "ensure", reason, stmt.span, What::Plain);
            }
            StmtKind::Note(text) => self.prompt(path, None, "note", Some(text)),
            StmtKind::Arm { clauses, .. } => clauses.iter().for_each(|clause| self.clause(path, *clause)),
            _ => {}
        });
        each_expr(proc, &mut |expr| {
            if let ExprKind::Text(text) = &expr.kind
                && !self.printed.contains(text.as_str())
            {
                self.numbered(path, "text", text, expr.span, What::Plain);
            }
        });
    }

    /// Lists the text of a question or note: under the name of what is chosen, or numbered among its sort.
    fn prompt(&mut self, path: &str, name: Option<&str>, sort: &str, template: Option<&Template>) {
        let Some(text) = template.and_then(|template| self.written(template.span)) else { return };
        let span = template.map_or_else(Span::default, |template| template.span);
        match name {
            None => self.numbered(path, sort, &text, span, What::Template),
            Some(name) if self.done.insert((span, text.clone())) => {
                self.named(format!("{path}.{name}"), &text, span, What::Template);
            }
            Some(_) => {}
        }
    }

    /// The text in quotes at a place.
    fn written(&self, span: Span) -> Option<String> {
        let inside = self.sources.slice(span).strip_prefix('"')?.strip_suffix('"')?;
        Some(inside.replace("\\\"", "\"").replace("\\\\", "\\"))
    }

    fn looks(&mut self) {
        let rules = self.rules;
        for look in &rules.looks {
            let path = match look.target {
                LookTarget::Kind(kind) => format!("look.{}", rules.kinds[kind.index()].name),
                LookTarget::Zone(zone) => format!("look.{}", rules.zones[zone.index()].name),
                LookTarget::Board(board) => format!("look.{}", rules.boards[board.index()].name),
                LookTarget::Player => "look.player".to_owned(),
                LookTarget::Game => "look.game".to_owned(),
            };
            let settings: [(&str, &Vec<Case<Wording>>); 5] = [
                ("glyph", &look.glyph),
                ("label", &look.label),
                ("title", &look.title),
                ("text", &look.text),
                ("line", &look.line),
            ];
            for (sort, cases) in settings {
                for case in cases {
                    if let Some(text) = self.written(case.span) {
                        self.numbered(&path, sort, &text, case.span, What::Template);
                    }
                }
            }
        }
    }
}

/// The path of a card's texts.
fn card_path(rules: &Rules, entry: usize) -> String {
    let entry = &rules.entries[entry];
    format!("card.{}.{}", rules.kinds[entry.kind.index()].name, entry.name)
}

/// Whether there is something to translate in a text: a letter that is not filled in.
fn reads(text: &str) -> bool {
    pieces(text).iter().any(|piece| matches!(piece, Piece::Text(text) if text.chars().any(char::is_alphabetic)))
}
