//! A readable dump of checked rules, for golden snapshots: what every name was resolved to, with types.

mod code;
mod looks;

use std::fmt::Write;

use super::rules::{
    Acting, ArmSpan, Clause, ClauseHome, ClauseId, ClauseKind, Entry, FieldValue, HookEvent, Key, Kind, NamePart,
    ProcBody, ProcId, Prop, PropClass, PropId, Rules, Ty, Zone,
};
use code::Code;

/// The rules as text, one table after the other.
pub fn dump(rules: &Rules) -> String {
    let mut dump = Dump { rules, out: String::new() };
    dump.all();
    dump.out
}

struct Dump<'r> {
    rules: &'r Rules,
    out: String,
}

impl Dump<'_> {
    /// What a script may do.
    fn may(&self, acting: &Acting) -> Vec<String> {
        let words = [(acting.notes, "note"), (acting.chooses, "choose"), (acting.rolls, "roll")];
        let mut may: Vec<String> = words.iter().filter(|(may, _)| *may).map(|(_, word)| (*word).to_owned()).collect();
        may.extend(acting.verbs.iter().map(|may| name_at(&self.rules.verbs, may.verb.index(), |verb| &verb.name)));
        may.extend(acting.sets.iter().map(|may| format!("set {}", self.prop_name(may.prop))));
        may.extend(acting.arms.iter().map(|may| format!("arm clauses from {}", may.clauses[0][0].0)));
        may
    }
}

/// A name in a table, or its index where the table has no such entry.
fn name_at<T>(table: &[T], index: usize, name: impl Fn(&T) -> &str) -> String {
    table.get(index).map_or_else(|| format!("#{index}"), |item| name(item).to_owned())
}

/// A type in words.
pub(super) fn ty(rules: &Rules, of: &Ty) -> String {
    let list = |types: &[Ty]| types.iter().map(|of| ty(rules, of)).collect::<Vec<_>>().join(", ");
    match of {
        Ty::Number => "number".to_owned(),
        Ty::Flag => "flag".to_owned(),
        Ty::Text => "text".to_owned(),
        Ty::Enum(id) => name_at(&rules.enums, id.index(), |item| &item.name),
        Ty::Player => "player".to_owned(),
        Ty::Entity(id) => name_at(&rules.kinds, id.index(), |kind| &kind.name),
        Ty::Site(id) => format!("site {}", name_at(&rules.boards, id.index(), |board| &board.name)),
        Ty::Direction(id) => format!("direction {}", name_at(&rules.boards, id.index(), |board| &board.name)),
        Ty::Cause => "cause".to_owned(),
        Ty::Set(inner) => format!("set of {}", ty(rules, inner)),
        Ty::List(inner) => format!("list of {}", ty(rules, inner)),
        Ty::Maybe(inner) => format!("maybe of {}", ty(rules, inner)),
        Ty::PerDirection(inner) => format!("{} per direction", ty(rules, inner)),
        Ty::Table(Key::Enum(id), inner) => format!("{} per {}", ty(rules, inner), ty(rules, &Ty::Enum(*id))),
        Ty::Table(Key::Range(low, high), inner) => format!("{} per {low}..{high}", ty(rules, inner)),
        Ty::Lambda(params, result) => format!("lambda({}): {}", list(params), ty(rules, result)),
        Ty::Effect(params) => format!("effect({})", list(params)),
        Ty::Split(key, item) => format!("split of {} among {}", ty(rules, item), ty(rules, key)),
        Ty::Nothing => "nothing".to_owned(),
        Ty::Error => "error".to_owned(),
    }
}

impl Dump<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        self.out.push_str(text.as_ref());
        self.out.push('\n');
    }

    fn all(&mut self) {
        let rules = self.rules;
        let (fewest, most) = rules.players;
        self.line(format!(
            "game {} \"{}\" for {fewest} to {most}: {}",
            rules.name,
            rules.title,
            rules.seats.join(", ")
        ));
        for item in &rules.enums {
            let values: Vec<String> = item
                .values
                .iter()
                .map(|value| {
                    format!("{} \"{}\"{}", value.name, value.label, Dump::paint(value.colour, value.thickness))
                })
                .collect();
            self.line(format!("enum {} {{ {} }}", item.name, values.join("  ")));
        }
        for option in &rules.options {
            let range = option.range.map_or(String::new(), |(low, high)| format!(" {low}..{high}"));
            let of = ty(rules, &option.ty);
            self.line(format!("option {}: {of}{range} = {} (default {})", option.name, option.value, option.default));
        }
        for kind in &rules.kinds {
            self.kind(kind);
        }
        for (word, props) in [("player", &rules.player_props), ("game", &rules.game_props)] {
            if !props.is_empty() {
                self.line(word);
                self.props(props);
            }
        }
        for zone in &rules.zones {
            self.zone(zone);
        }
        for board in &rules.boards {
            let places = &board.places;
            let mut line = format!("board {} {:?} cells \"{}\"", board.name, board.shape, places.cells);
            for (word, pattern) in [("edges", &places.edges), ("corners", &places.corners), ("rim", &places.rim)] {
                if let Some(pattern) = pattern {
                    line.push_str(&format!(" {word} \"{pattern}\""));
                }
            }
            match board.per {
                super::rules::Per::Game => {}
                super::rules::Per::Player => line.push_str(" per player"),
                super::rules::Per::Kind(kind) => line.push_str(&format!(" per {}", self.kind_name(kind))),
            }
            if matches!(
                board.shape,
                super::rules::BoardShape::Square { .. } | super::rules::BoardShape::Endless { hexes: false }
            ) {
                line.push_str(&format!(" neighbours {}", board.neighbours));
            }
            self.line(line);
        }
        for link in &rules.links {
            let (one, many) = (self.prop_name(link.one), self.prop_name(link.many));
            self.line(format!(
                "link {}.{one} to {}.{many}",
                self.kind_name(link.from_kind),
                self.kind_name(link.to_kind)
            ));
            if let Some(orphan) = link.orphan {
                self.proc("orphan", orphan, 1);
            }
        }
        for script in &rules.scripts {
            let params: Vec<String> =
                script.params.iter().map(|(name, of)| format!("{name}: {}", ty(rules, of))).collect();
            let gives = match &script.acting {
                Some(acting) => format!(" sees {:?} {}", acting.sees, self.may(acting).join(", ")),
                None => format!(": {}", ty(rules, &script.result)),
            };
            self.line(format!("script {}({}){gives} in {}", script.name, params.join(", "), script.file));
        }
        for look in &rules.looks {
            self.look(look);
        }
        self.bodies();
    }

    fn bodies(&mut self) {
        let rules = self.rules;
        for verb in &rules.verbs {
            self.line(format!("verb {}", verb.name));
            for param in &verb.params {
                let prep = param.prep.map_or(String::new(), |prep| format!("{} ", prep.word()));
                self.line(format!("  param {prep}{}: {}", param.name, ty(rules, &param.ty)));
                if let Some(default) = param.default {
                    self.proc("default", default, 2);
                }
            }
            self.proc("body", verb.body, 1);
        }
        for action in &rules.actions {
            self.line(format!("action {}", action.name));
            self.proc("body", action.body, 1);
            if let Some(notation) = &action.notation {
                let text = Code::of(rules, action.body).template(notation);
                self.line(format!("  notation {text}"));
            }
        }
        for window in &rules.windows {
            self.line(format!("window {}", window.name));
            self.proc("body", window.body, 1);
        }
        for group in &rules.groups {
            let word = if group.absolute { "absolute rule" } else { "rule" };
            self.line(format!("{word} {}", group.name));
            if let Some(when) = group.when {
                self.proc("when", when, 1);
            }
            self.clauses(&group.clauses, 1);
        }
        for entry in &rules.entries {
            self.entry(entry);
        }
        for (word, proc) in [("setup", rules.setup), ("flow", rules.flow), ("score", rules.score)] {
            if let Some(proc) = proc {
                self.proc(word, proc, 0);
            }
        }
        for span in &rules.spans {
            let word = if span.turns { "turns" } else { "phase" };
            self.line(format!("{word} {}{}", span.name, if span.outermost { " outermost" } else { "" }));
        }
        let armed: Vec<ClauseId> = (0..rules.clauses.len())
            .map(|index| ClauseId(index as u32))
            .filter(|id| rules.clauses.get(id.index()).is_some_and(|clause| clause.home == ClauseHome::Armed))
            .collect();
        if !armed.is_empty() {
            self.line("armed");
            self.clauses(&armed, 1);
        }
        for (index, proc) in rules.procs.iter().enumerate() {
            if proc.name != "expect" && matches!(proc.body, ProcBody::Expr(_)) && self.is_called(ProcId(index as u32)) {
                self.proc(&format!("define {}", proc.name), ProcId(index as u32), 0);
            }
        }
    }

    /// Definitions are told from other expression procedures by their being printed nowhere else.
    fn is_called(&self, id: ProcId) -> bool {
        !self.out.contains(&format!("proc {} ", id.0))
    }

    fn kind_name(&self, id: super::rules::KindId) -> String {
        name_at(&self.rules.kinds, id.index(), |kind| &kind.name)
    }

    fn prop_name(&self, id: PropId) -> String {
        name_at(&self.rules.props, id.index(), |prop| &prop.name)
    }

    fn kind(&mut self, kind: &Kind) {
        let parent = kind.parent.map_or(String::new(), |parent| format!(" : {}", self.kind_name(parent)));
        self.line(format!("kind {}{parent}", kind.name));
        self.props(&kind.props);
        if let Some(stands) = kind.stands_when {
            self.proc("stands when", stands, 1);
        }
        if !kind.notation.is_empty() {
            self.line(format!(
                "  notation \"{}\"",
                kind.notation.iter().map(|part| self.name_part(part)).collect::<String>()
            ));
        }
        self.clauses(&kind.clauses, 1);
    }

    fn name_part(&self, part: &NamePart) -> String {
        match part {
            NamePart::Text(text) => text.clone(),
            NamePart::Prop(id) => format!("{{{}}}", self.prop_name(*id)),
            NamePart::Either { prop, is, then, other } => {
                let (then, other) = (self.name_part(then), self.name_part(other));
                format!("{{if {} = {is} then \"{then}\" else \"{other}\"}}", self.prop_name(*prop))
            }
        }
    }

    fn props(&mut self, props: &[PropId]) {
        for id in props {
            let Some(prop) = self.rules.props.get(id.index()) else { continue };
            self.prop(prop);
        }
    }

    fn prop(&mut self, prop: &Prop) {
        let rules = self.rules;
        let range = prop.range.map_or(String::new(), |(low, high)| format!(" {low}..{high}"));
        let head = format!("{}: {}{range}", prop.name, ty(rules, &prop.ty));
        let code = Code { rules, locals: &[] };
        match &prop.class {
            PropClass::Field { default } => {
                let default = default.as_ref().map_or(String::new(), |value| format!(" = {}", field_value(value)));
                self.line(format!("  field {head}{default}"));
            }
            PropClass::Counter { default } | PropClass::Mark { default } => {
                let word = if matches!(prop.class, PropClass::Counter { .. }) { "counter" } else { "mark" };
                let default = default.as_ref().map_or(String::new(), |value| format!(" = {}", code.expr(value)));
                let clamped = if prop.clamped { " clamped" } else { "" };
                let open = if prop.open { " open" } else { "" };
                let aside = if prop.aside { " aside" } else { "" };
                self.line(format!("  {word} {head}{clamped}{open}{aside}{default}"));
            }
            PropClass::Stat { formula } => {
                self.line(format!("  stat {head}"));
                self.proc("formula", *formula, 2);
            }
            PropClass::LinkOne(_) | PropClass::LinkMany(_) => self.line(format!("  link {head}")),
            PropClass::Builtin(_) => self.line(format!("  built in {head}")),
            PropClass::Table(_) => self.line(format!("  table {head}")),
        }
    }

    fn zone(&mut self, zone: &Zone) {
        let kinds =
            |list: &[super::rules::KindId]| list.iter().map(|id| self.kind_name(*id)).collect::<Vec<_>>().join(", ");
        let mut text = format!("zone {}", zone.name);
        if zone.per_player {
            text.push_str(" per player");
        }
        let _ = write!(text, " holds {} order {:?} seen {:?}", kinds(&zone.holds), zone.order, zone.seen);
        if zone.in_play {
            text.push_str(" inplay");
        }
        for (kind, limit) in &zone.limits {
            let _ = write!(text, " limit {limit} {}", self.kind_name(*kind));
        }
        if let Some(refill) = zone.refill {
            let _ = write!(text, " refill {}", name_at(&self.rules.zones, refill.index(), |zone| &zone.name));
        }
        if !zone.starts.is_empty() {
            let _ = write!(text, " starts {}", kinds(&zone.starts));
        }
        if !zone.memory {
            text.push_str(" memory none");
        }
        self.line(text);
    }

    fn entry(&mut self, entry: &Entry) {
        self.line(format!("{} \"{}\" copies {}", self.kind_name(entry.kind), entry.name, entry.copies));
        for (id, value) in &entry.fields {
            let name = self.prop_name(*id);
            match value {
                Some(FieldValue::Proc(proc)) => self.proc(&name, *proc, 1),
                Some(value) => self.line(format!("  {name} {}", field_value(value))),
                None => self.line(format!("  {name} absent")),
            }
        }
        for group in &entry.supersedes {
            self.line(format!("  supersedes {}", name_at(&self.rules.groups, group.index(), |group| &group.name)));
        }
        self.clauses(&entry.clauses, 1);
    }

    fn clauses(&mut self, ids: &[ClauseId], depth: usize) {
        for id in ids {
            let Some(clause) = self.rules.clauses.get(id.index()) else { continue };
            self.clause(*id, clause, depth);
        }
    }

    fn clause(&mut self, id: ClauseId, clause: &Clause, depth: usize) {
        let indent = "  ".repeat(depth);
        let captures: Vec<String> =
            clause.captures.iter().map(|(outer, inner)| format!("{}->{}", outer.0, inner.0)).collect();
        let captures = if captures.is_empty() { String::new() } else { format!(" captures {}", captures.join(" ")) };
        let words = |next: bool, announced: bool, may: bool| {
            [(next, "next "), (announced, "announced "), (may, "may ")]
                .into_iter()
                .filter(|(on, _)| *on)
                .map(|(_, word)| word)
                .collect::<String>()
        };
        match &clause.kind {
            ClauseKind::Hook { next, announced, may, stage, even_gone, event, cond, body } => {
                let event = match event {
                    HookEvent::Verb(verb) => name_at(&self.rules.verbs, verb.index(), |verb| &verb.name),
                    HookEvent::Span(edge, span) => {
                        format!("{edge:?} of {}", name_at(&self.rules.spans, span.index(), |span| &span.name))
                    }
                };
                let gone = if *even_gone { " even gone" } else { "" };
                self.line(format!(
                    "{indent}clause {} {}{stage:?} {event}{gone}{captures}",
                    id.0,
                    words(*next, *announced, *may)
                ));
                for (word, proc) in [("where", cond), ("body", body)] {
                    if let Some(proc) = proc {
                        self.proc(word, *proc, depth + 1);
                    }
                }
            }
            ClauseKind::Becomes { next, announced, cond, body } => {
                self.line(format!("{indent}clause {} {}becomes{captures}", id.0, words(*next, *announced, false)));
                self.proc("cond", *cond, depth + 1);
                self.proc("body", *body, depth + 1);
            }
            ClauseKind::Modify { stat, of, to, value, when } => {
                let word = if *to { "to" } else { "by" };
                self.line(format!("{indent}clause {} modify {} {word}{captures}", id.0, self.prop_name(*stat)));
                self.proc("of", *of, depth + 1);
                self.proc("value", *value, depth + 1);
                if let Some(when) = when {
                    self.proc("when", *when, depth + 1);
                }
            }
            ClauseKind::Check { cond, body } => {
                self.line(format!("{indent}clause {} check{captures}", id.0));
                self.proc("cond", *cond, depth + 1);
                self.proc("body", *body, depth + 1);
            }
        }
    }

    fn proc(&mut self, word: &str, id: ProcId, depth: usize) {
        let indent = "  ".repeat(depth);
        let Some(proc) = self.rules.procs.get(id.index()) else {
            self.line(format!("{indent}{word} proc {} missing", id.0));
            return;
        };
        let locals: Vec<String> = proc
            .locals
            .iter()
            .enumerate()
            .map(|(index, local)| {
                format!(
                    "{}{}{}: {}",
                    if index < usize::from(proc.params) { "in " } else { "" },
                    local.name,
                    index,
                    ty(self.rules, &local.ty)
                )
            })
            .collect();
        let locals = if locals.is_empty() { String::new() } else { format!(" [{}]", locals.join(", ")) };
        let code = Code { rules: self.rules, locals: &proc.locals };
        match &proc.body {
            ProcBody::Expr(expr) => {
                let text = code.expr(expr);
                let of = ty(self.rules, &expr.ty);
                self.line(format!("{indent}{word} proc {} {:?}{locals}: {of} = {text}", id.0, proc.role));
            }
            ProcBody::Block(stmts) => {
                self.line(format!("{indent}{word} proc {} {:?}{locals}", id.0, proc.role));
                let mut text = String::new();
                code.block(stmts, depth + 1, &mut text);
                self.out.push_str(&text);
            }
        }
    }
}

/// How long armed clauses last.
fn arm_span(rules: &Rules, span: &ArmSpan, code: &Code<'_>) -> String {
    let name = |id: &super::rules::SpanId| name_at(&rules.spans, id.index(), |span| &span.name);
    match span {
        ArmSpan::WhileHere => "while here".to_owned(),
        ArmSpan::EndOf(id) => format!("until end of {}", name(id)),
        ArmSpan::StartOf(id, player) => format!("until start of {} of {}", name(id), code.expr(player)),
        ArmSpan::While(proc) => format!("while proc {}", proc.0),
        ArmSpan::ForGood => "for good".to_owned(),
    }
}

fn field_value(value: &FieldValue) -> String {
    match value {
        FieldValue::Word(word) => word.to_string(),
        FieldValue::Mask(mask) => format!("mask {mask:b}"),
        FieldValue::List(words) => format!("{words:?}"),
        FieldValue::Text(text) => format!("{text:?}"),
        FieldValue::Proc(proc) => format!("proc {}", proc.0),
    }
}
