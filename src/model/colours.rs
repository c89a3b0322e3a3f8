//! Warnings about what only the colours of a look tell. Plain text and terminals without colours do not show it, and
//! people who confuse colours do not see it.

use super::check::Checker;
use super::homes::{kind_of, made};
use super::rules::walk::{each_expr, each_stmt};
use super::rules::{
    BoardShape, BuiltinProp, Case, Created, Destination, ExprKind, KindId, Look, LookTarget, NamePart, ProcBody,
    ProcId, PropClass, PropId, RootKind, StmtKind, Tint, Ty, Wording, WordingPart,
};
use crate::base::{Code, Diagnostic, Span, line_weight};
use std::collections::BTreeSet;

/// What is known of the kinds whose looks are checked.
struct Drawn {
    /// Kinds of which something exists that is of no kind below.
    concrete: BTreeSet<KindId>,
    /// Kinds that are laid on boards whose pieces are drawn as a few letters.
    laid: BTreeSet<KindId>,
    /// Properties that the lines and lists of the game and of players tell.
    table: BTreeSet<PropId>,
}

impl Checker<'_> {
    /// Reports what shows only as a colour.
    pub(super) fn check_colours(&mut self) {
        let drawn = self.drawn();
        let mut found: Vec<Diagnostic> = Vec::new();
        for kind in &drawn.concrete {
            found.extend(self.colours_of_kind(*kind, &drawn));
            found.extend(self.sides_of_kind(*kind));
        }
        for look in &self.rules.looks {
            if !matches!(look.target, LookTarget::Kind(_)) {
                found.extend(self.colours_of_table(look, &drawn));
            }
        }
        let mut told: BTreeSet<Span> = BTreeSet::new();
        found.retain(|found| told.insert(found.span));
        found.into_iter().for_each(|found| self.report(found));
    }

    fn drawn(&self) -> Drawn {
        let ids = || (0..self.rules.kinds.len()).map(|index| KindId(index as u32));
        let parents: BTreeSet<KindId> = self.rules.kinds.iter().filter_map(|kind| kind.parent).collect();
        let mut concrete: BTreeSet<KindId> = ids().filter(|kind| !parents.contains(kind)).collect();
        concrete.extend(self.rules.entries.iter().map(|entry| entry.kind));
        let lettered = self.rules.boards.iter().any(|board| !matches!(board.shape, BoardShape::Graph(_)));
        let mut put: BTreeSet<KindId> = BTreeSet::new();
        for proc in &self.rules.procs {
            each_stmt(proc, &mut |stmt| {
                let (kind, to) = match &stmt.kind {
                    StmtKind::Move { what, to, .. } => (kind_of(what), to),
                    StmtKind::Create { what, to, .. } => (made(&self.rules, what), to),
                    _ => return,
                };
                if let StmtKind::Create { what: Created::Kind { kind, .. }, .. } = &stmt.kind {
                    concrete.insert(*kind);
                }
                if matches!(to, Destination::Site { .. }) {
                    put.extend(kind);
                }
            });
        }
        let related =
            |kind: KindId, other: KindId| self.rules.is_below(kind, other) || self.rules.is_below(other, kind);
        let laid = ids().filter(|kind| lettered && put.iter().any(|other| related(*kind, *other))).collect();
        Drawn { concrete, laid, table: self.told_of_table() }
    }

    /// What is told of the game and of players: what their looks list, else all, and what their lines read.
    fn told_of_table(&self) -> BTreeSet<PropId> {
        let mut told = BTreeSet::new();
        for (target, all) in
            [(LookTarget::Game, &self.rules.game_props), (LookTarget::Player, &self.rules.player_props)]
        {
            let look = self.rules.looks.iter().find(|look| look.target == target);
            told.extend(look.and_then(Look::shown).unwrap_or(all));
            told.extend(look.map(|look| self.read(wordings(&look.line))).unwrap_or_default());
        }
        told
    }

    /// The looks that count for a kind, the nearest first.
    fn looks_of(&self, kind: KindId) -> Vec<&Look> {
        let of = |kind| self.rules.looks.iter().find(|look| look.target == LookTarget::Kind(kind));
        self.rules.kinds_from(kind).filter_map(of).collect()
    }

    fn colours_of_kind(&self, id: KindId, drawn: &Drawn) -> Vec<Diagnostic> {
        let Some(kind) = self.rules.kinds.get(id.index()).filter(|kind| kind.root != RootKind::Thing) else {
            return Vec::new();
        };
        let looks = self.looks_of(id);
        let laid = drawn.laid.contains(&id);
        // A few letters are drawn of what lies on such a board: those of its glyph or its sides, else of its owner and name.
        let signed = looks.iter().any(|look| always(&look.glyph) || always(&look.sides));
        let mut told: BTreeSet<PropId> = drawn.table.clone();
        for look in &looks {
            told.extend(self.read(tellers(look)));
            told.extend(fields(look));
        }
        if !laid {
            told.extend(self.rules.shown_of_kind(id).unwrap_or(&kind.props));
        }
        if !(laid && signed) {
            told.extend(self.told_by_name(id, laid));
            let owner = |prop: &PropId| self.is_owner(*prop);
            told.extend((0..self.rules.props.len()).map(|index| PropId(index as u32)).filter(owner));
        }
        let piece = kind.root == RootKind::Piece;
        let own = |prop: PropId| kind.props.contains(&prop) || piece && self.is_owner(prop);
        let glyph = laid && looks.iter().any(|look| always(&look.glyph));
        let tints = tints(&looks.iter().map(|look| look.colour.as_slice()).collect::<Vec<_>>());
        self.colours_alone(tints, told, &own, if glyph { "glyph" } else { "label" })
    }

    /// What the name of something tells: what its definition fixes, or its kind and fields, or its notation. Of the name
    /// of something without a definition a board shows the first letters.
    fn told_by_name(&self, id: KindId, laid: bool) -> Vec<PropId> {
        let Some(kind) = self.rules.kinds.get(id.index()) else { return Vec::new() };
        let field = |prop: &PropId| {
            self.rules.props.get(prop.index()).is_some_and(|prop| matches!(prop.class, PropClass::Field { .. }))
        };
        let defined = self.rules.entries.iter().any(|entry| entry.kind == id);
        if defined || kind.notation.is_empty() && !laid {
            return kind.props.iter().copied().filter(field).collect();
        }
        kind.notation.iter().flat_map(NamePart::props).collect()
    }

    /// What colours of sites, zones and players tell of the game or of players.
    fn colours_of_table(&self, look: &Look, drawn: &Drawn) -> Vec<Diagnostic> {
        let mut told = drawn.table.clone();
        told.extend(self.read(tellers(look)));
        let own = |prop: PropId| self.rules.game_props.contains(&prop) || self.rules.player_props.contains(&prop);
        let setting = match look.target {
            LookTarget::Board(_) => "label",
            LookTarget::Zone(_) => "title",
            LookTarget::Kind(_) | LookTarget::Player | LookTarget::Game => "line",
        };
        self.colours_alone(tints(&[look.colour.as_slice()]), told, &own, setting)
    }

    /// A warning for each property that some of these colours depend on and that nothing else tells.
    fn colours_alone(
        &self,
        tints: Vec<ProcId>,
        mut told: BTreeSet<PropId>,
        own: &dyn Fn(PropId) -> bool,
        setting: &str,
    ) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for proc in tints {
            if let Some(prop) = self.untold(proc, &told, own) {
                found.push(self.colour_alone(proc, prop, setting));
                told.insert(prop);
            }
        }
        found
    }

    /// The first property that a colour depends on and that nothing else tells. A stat is told where all is that it is
    /// made of.
    fn untold(&self, proc: ProcId, told: &BTreeSet<PropId>, own: &dyn Fn(PropId) -> bool) -> Option<PropId> {
        let plain = |prop: &PropId| match self.rules.props.get(prop.index()).map(|prop| &prop.class) {
            Some(PropClass::Field { .. } | PropClass::Counter { .. } | PropClass::Mark { .. }) => true,
            Some(PropClass::Stat { .. }) => self.modifiers.get(prop).is_some_and(|by| !by.is_empty()),
            Some(PropClass::Builtin(builtin)) => *builtin == BuiltinProp::Owner,
            Some(PropClass::LinkOne(_) | PropClass::LinkMany(_) | PropClass::Table(_)) | None => false,
        };
        let read = self.read_beside(vec![proc], told);
        read.into_iter().find(|prop| !told.contains(prop) && own(*prop) && plain(prop))
    }

    fn colour_alone(&self, proc: ProcId, prop: PropId, setting: &str) -> Diagnostic {
        let span = self.rules.procs.get(proc.index()).map_or(Span::default(), |proc| proc.span);
        let name = self.prop_name(prop);
        let message = match self.is_owner(prop) {
            true => "only the colour tells whose it is".to_owned(),
            false => format!("only the colour tells `{name}`"),
        };
        let body = self.rules.procs.get(proc.index()).map(|proc| &proc.body);
        let condition = matches!(body, Some(ProcBody::Expr(expr)) if expr.ty == Ty::Flag);
        let flag = self.rules.props.get(prop.index()).is_some_and(|prop| prop.ty == Ty::Flag);
        let when = if flag { name } else { "..." };
        let help = match setting {
            "glyph" if self.is_owner(prop) => "`glyph: \"A\" when owner = seat(1), \"B\"`".to_owned(),
            "line" if flag => format!("`line: \"{name}\" when {name}`, or `show: {name}`"),
            "line" => format!("`line: \"{name} {{{name}}}\"`, or `show: {name}`"),
            "label" if condition => format!("`label: \"!\" when {when}`, or `mark: star when {when}`"),
            setting if condition => format!("`{setting}: \"!\" when {when}`"),
            setting => format!("`{setting}: \"{{{name}}}\"`"),
        };
        Diagnostic::new(Code::ColourAlone, span, message)
            .help(format!("say it by more than a colour, for example {help}"))
            .note("plain text and terminals without colours do not show it")
    }

    /// Values that are drawn as sides of tiles and differ in nothing but their colour.
    fn sides_of_kind(&self, id: KindId) -> Option<Diagnostic> {
        let looks = self.looks_of(id);
        let case = looks.iter().flat_map(|look| &look.sides).next()?;
        let proc = self.rules.procs.get(case.value.index())?;
        let ProcBody::Expr(expr) = &proc.body else { return None };
        let Ty::PerDirection(inner) = &expr.ty else { return None };
        let Ty::Enum(id) = inner.as_ref() else { return None };
        let words = looks.iter().flat_map(|look| wordings(&look.glyph).into_iter().chain(wordings(&look.label)));
        let told = self.read(words.collect());
        if self.read(vec![case.value]).iter().any(|side| told.contains(side)) {
            return None;
        }
        let values = &self.rules.enums.get(id.index())?.values;
        let alike = |at: usize| {
            let value = values.get(at)?;
            let drawn = line_weight(value.thickness);
            values.iter().skip(at + 1).find(|other| drawn > 0 && line_weight(other.thickness) == drawn).zip(Some(value))
        };
        let (other, value) = (0..values.len()).find_map(alike)?;
        let name = &self.rules.enums.get(id.index())?.name;
        let message = format!("only the colour tells `{}` from `{}` at the sides", value.name, other.name);
        let found = Diagnostic::new(Code::ColourAlone, expr.span, message)
            .help(format!(
                "draw one thin (1 or 2) and one thick (3 to 5), for example `look {name} {{ {}: green 1  {}: purple 3 }}`, \
                 or write them: `glyph: \"{{...}}\"`",
                value.name, other.name
            ))
            .note("plain text and terminals without colours do not show it");
        Some(found)
    }

    fn is_owner(&self, prop: PropId) -> bool {
        let prop = self.rules.props.get(prop.index());
        prop.is_some_and(|prop| matches!(prop.class, PropClass::Builtin(BuiltinProp::Owner)))
    }

    /// All properties that procedures read, also through definitions and stats.
    fn read(&self, procs: Vec<ProcId>) -> BTreeSet<PropId> {
        self.read_beside(procs, &BTreeSet::new())
    }

    /// The properties that procedures read, also through definitions, and through stats but for those that are known.
    fn read_beside(&self, procs: Vec<ProcId>, known: &BTreeSet<PropId>) -> BTreeSet<PropId> {
        let (mut queue, mut seen, mut read) = (procs, BTreeSet::new(), BTreeSet::new());
        while let Some(proc) = queue.pop() {
            let Some(body) = self.rules.procs.get(proc.index()).filter(|_| seen.insert(proc)) else { continue };
            each_expr(body, &mut |expr| match &expr.kind {
                ExprKind::Call(proc, _) | ExprKind::Lambda(proc) => queue.push(*proc),
                ExprKind::Prop(_, prop) | ExprKind::GameProp(prop) | ExprKind::Side(_, prop, _) => {
                    read.insert(*prop);
                    let stat = self.rules.props.get(prop.index()).filter(|_| !known.contains(prop));
                    if let Some(PropClass::Stat { formula }) = stat.map(|stat| &stat.class) {
                        queue.push(*formula);
                    }
                }
                _ => {}
            });
        }
        read
    }
}

/// Whether a setting always has a value.
fn always<T>(cases: &[Case<T>]) -> bool {
    cases.iter().any(|case| case.when.is_none())
}

fn conditions<T>(cases: &[Case<T>]) -> impl Iterator<Item = ProcId> + '_ {
    cases.iter().filter_map(|case| case.when)
}

/// The procedures of texts, and of what says when they count.
fn wordings(cases: &[Case<Wording>]) -> Vec<ProcId> {
    let values = cases.iter().flat_map(|case| &case.value).filter_map(|part| match part {
        WordingPart::Value(proc) => Some(*proc),
        WordingPart::Text(_) | WordingPart::Field(_) => None,
    });
    conditions(cases).chain(values).collect()
}

/// The procedures of all settings that tell something without colours.
fn tellers(look: &Look) -> Vec<ProcId> {
    let texts = [&look.glyph, &look.label, &look.title, &look.text, &look.line];
    let shapes = conditions(&look.shape).chain(conditions(&look.mark)).chain(conditions(&look.sides));
    let sides = look.sides.iter().map(|case| case.value);
    shapes.chain(sides).chain(texts.into_iter().flat_map(|cases| wordings(cases))).collect()
}

/// The printed texts that a look shows.
fn fields(look: &Look) -> Vec<PropId> {
    let texts = [&look.glyph, &look.label, &look.title, &look.text].into_iter().flatten();
    let fields = texts.flat_map(|case| &case.value).filter_map(|part| match part {
        WordingPart::Field(prop) => Some(*prop),
        WordingPart::Text(_) | WordingPart::Value(_) => None,
    });
    fields.collect()
}

/// The procedures that colours depend on: of the nearest looks, up to the first colour that always counts.
fn tints(looks: &[&[Case<Tint>]]) -> Vec<ProcId> {
    let mut procs = Vec::new();
    for cases in looks {
        for case in *cases {
            procs.extend(case.when);
            if let Tint::Of(proc) = case.value {
                procs.push(proc);
            }
        }
        if always(cases) {
            break;
        }
    }
    procs
}
