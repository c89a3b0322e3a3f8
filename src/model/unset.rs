//! What the rules read and nothing ever sets: a counter or mark that no statement changes, the owner of pieces that get none, the
//! holder of what nobody can hold, the other end of a link that nothing makes, the site of what is never laid on a board. It always has its first value,
//! so that a filter by it is empty, or leaves nothing out, without a word.

use super::check::Checker;
use super::homes::{kind_of, made};
use super::rules::walk::{each_expr, each_stmt};
use super::rules::{
    Builtin, BuiltinProp, CreateValue, Destination, Expr, ExprKind, KindId, LinkId, LocalId, Per, ProcId, PropClass,
    PropId, PropOwner, RootKind, Rules, Stmt, StmtKind, Ty, ZoneId,
};
use super::scenario::ScenarioStepKind;
use crate::base::{Code, Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// What the statements of a game set.
#[derive(Default)]
struct Setters {
    /// Counters and marks; of tables the whole table.
    props: BTreeSet<PropId>,
    /// The kinds whose things get an owner.
    owned: BTreeSet<KindId>,
    links: BTreeSet<LinkId>,
}

/// What is read that is never set, once for all places where it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unset {
    Kept(PropId),
    Owner(KindId),
    Holder(KindId),
    /// Of what lies in a zone that is nobody's.
    Shared(ZoneId),
    Link(LinkId),
    Site(KindId),
}

impl Checker<'_> {
    /// Warns of what is read and never set.
    pub(super) fn check_unset(&mut self) {
        let setters = setters(&self.rules);
        let expected = self.of_scenarios();
        let mut read: BTreeMap<Unset, (Span, usize)> = BTreeMap::new();
        for (index, proc) in self.rules.procs.iter().enumerate() {
            if !expected.contains(&index) {
                let mut from = BTreeMap::new();
                each_expr(proc, &mut |expr| {
                    if let Some((local, over)) = expr.subject() {
                        from.extend(self.shared(&from, over).map(|zone| (local, zone)));
                    }
                    if let Some(unset) = self.unset(&setters, &from, expr) {
                        read.entry(unset).or_insert((expr.span, 0)).1 += 1;
                    }
                });
            }
        }
        let found: Vec<Diagnostic> = read.into_iter().map(|(unset, at)| self.tell_unset(unset, at)).collect();
        self.diagnostics.extend(found);
    }

    /// The procedures in which scenarios say what they expect.
    pub(super) fn of_scenarios(&self) -> BTreeSet<usize> {
        let steps = self.scenarios.iter().flat_map(|scenario| &scenario.steps);
        let expected = steps.filter_map(|step| match step.kind {
            ScenarioStepKind::Expect(proc) => Some(proc.index()),
            _ => None,
        });
        expected.collect()
    }

    /// What scenarios lay out before they begin.
    pub(super) fn staged(&self) -> BTreeSet<ProcId> {
        self.scenarios.iter().filter_map(|scenario| scenario.given).collect()
    }

    /// What an expression reads, if nothing sets that.
    fn unset(&self, setters: &Setters, from: &BTreeMap<LocalId, ZoneId>, expr: &Expr) -> Option<Unset> {
        match &expr.kind {
            ExprKind::Prop(of, prop)
                if self.is_holder(*prop)
                    && let Some(zone) = self.shared(from, of) =>
            {
                Some(Unset::Shared(zone))
            }
            ExprKind::GameProp(prop) => self.unset_prop(setters, *prop, None),
            ExprKind::Prop(of, prop) => self.unset_prop(setters, *prop, Some(of)),
            ExprKind::Builtin(Builtin::SiteOf | Builtin::SitesOf, args) => {
                let Ty::Entity(kind) = args.first()?.ty.element().bare() else { return None };
                let lies = self.laid.keys().any(|home| self.akin(*home, *kind));
                (!lies && !self.is_open(&Ty::Entity(*kind))).then_some(Unset::Site(*kind))
            }
            _ => None,
        }
    }

    fn unset_prop(&self, setters: &Setters, id: PropId, of: Option<&Expr>) -> Option<Unset> {
        let prop = self.rules.props.get(id.index())?;
        let kind = match of.map(|of| of.ty.element().bare()) {
            Some(Ty::Entity(kind)) if !self.is_open(&Ty::Entity(*kind)) => Some(*kind),
            _ => None,
        };
        match prop.class {
            PropClass::Counter { .. } | PropClass::Mark { .. } => {
                let whole = prop.table.unwrap_or(id);
                (!setters.props.contains(&whole)).then_some(Unset::Kept(whole))
            }
            PropClass::LinkOne(link) | PropClass::LinkMany(link) => {
                (!setters.links.contains(&link)).then_some(Unset::Link(link))
            }
            PropClass::Builtin(BuiltinProp::Owner) => {
                kind.filter(|kind| !self.gets_owner(setters, *kind)).map(Unset::Owner)
            }
            PropClass::Builtin(BuiltinProp::Holder) => {
                kind.filter(|kind| !self.gets_holder(setters, *kind)).map(Unset::Holder)
            }
            _ => None,
        }
    }

    /// The zone that is nobody's in which all lies that an expression gives; `from` has it for the subjects of filters.
    fn shared(&self, from: &BTreeMap<LocalId, ZoneId>, expr: &Expr) -> Option<ZoneId> {
        match &expr.kind {
            ExprKind::Local(local) => from.get(local).copied(),
            ExprKind::Contents(zone, _) => {
                self.rules.zones.get(zone.index()).is_some_and(|zone| !zone.per_player).then_some(*zone)
            }
            ExprKind::Where { over: inner, .. }
            | ExprKind::Having { over: inner, .. }
            | ExprKind::Sorted { over: inner, .. }
            | ExprKind::ToSet(inner)
            | ExprKind::ToList(inner) => self.shared(from, inner),
            ExprKind::Builtin(Builtin::First | Builtin::Top | Builtin::Bottom, args) => {
                self.shared(from, args.first()?)
            }
            _ => None,
        }
    }

    fn gets_owner(&self, setters: &Setters, kind: KindId) -> bool {
        setters.owned.iter().any(|owned| self.akin(*owned, kind))
    }

    /// Whether somebody can hold a thing of a kind: in a zone of a player, or as the owner of a piece on a board.
    fn gets_holder(&self, setters: &Setters, kind: KindId) -> bool {
        self.zones_of(kind).any(|(_, zone)| zone.per_player) || self.gets_owner(setters, kind)
    }

    /// Whether something can be of both kinds.
    pub(super) fn akin(&self, one: KindId, two: KindId) -> bool {
        self.rules.is_below(one, two) || self.rules.is_below(two, one)
    }

    fn tell_unset(&self, unset: Unset, (span, times): (Span, usize)) -> Diagnostic {
        let found = match unset {
            Unset::Kept(prop) => self.tell_kept(prop, span),
            Unset::Owner(kind) => {
                let name = self.kind_name(kind);
                let message = format!("no `{name}` ever gets an `owner`, so this is always nothing");
                Diagnostic::new(Code::NeverSet, span, message).help(self.how_owned(kind))
            }
            Unset::Holder(kind) => {
                let name = self.kind_name(kind);
                let message =
                    format!("nobody ever holds a `{name}`: no zone of a player can have one, and none gets an `owner`");
                Diagnostic::new(Code::NeverSet, span, message).help(self.how_owned(kind))
            }
            Unset::Shared(zone) => {
                let name = self.rules.zones.get(zone.index()).map_or("", |zone| zone.name.as_str());
                let message = format!("`{name}` is nobody's, so what lies in it has no holder");
                let help = "only what lies in a zone `per player` has one; keep whose it is in a `mark`";
                Diagnostic::new(Code::NeverSet, span, message).help(help)
            }
            Unset::Link(link) => {
                let one = self.rules.links.get(link.index()).map_or("", |link| self.prop_name(link.one));
                let message =
                    format!("nothing ever gives a `{one}`: there is no `link` of these, so this is always empty");
                Diagnostic::new(Code::NeverSet, span, message).help("`link ... to ...` where they come together")
            }
            Unset::Site(kind) => {
                let message = format!("nothing ever lays a `{}` on a board, so it is on no site", self.kind_name(kind));
                Diagnostic::new(Code::NeverSet, span, message).help("`move` or `create` one at a site")
            }
        };
        match times {
            1 => found,
            _ => found.note(format!("it is read in {times} places")),
        }
    }

    fn tell_kept(&self, id: PropId, span: Span) -> Diagnostic {
        let name = self.prop_name(id);
        let message = format!("nothing ever sets `{name}`, so it always is as it began");
        let whose = match self.rules.props.get(id.index()).map(|prop| prop.owner) {
            Some(PropOwner::Game) => format!("game.{name}"),
            Some(PropOwner::Player) => format!("me.{name}"),
            _ => format!("this.{name}"),
        };
        let help =
            format!("`set {whose} = ...` where it changes; what never changes is a `field`, an `option` or a `define`");
        let found = Diagnostic::new(Code::NeverSet, span, message).help(help);
        match self.prop_span(id) {
            Some(declared) => found.label(declared, "declared here"),
            None => found,
        }
    }

    /// How an author says whose a piece is.
    fn how_owned(&self, kind: KindId) -> String {
        let boards = self.laid.iter().filter(|(home, _)| self.akin(**home, kind)).flat_map(|(_, boards)| boards);
        let own =
            boards.filter_map(|board| self.rules.boards.get(board.index())).find(|board| board.per == Per::Player);
        match (own, self.rules.kinds.get(kind.index()).map(|kind| kind.root)) {
            (Some(board), _) => format!(
                "those on the board of `p` are `pieces(sites(p.{}))`; or say it as they are laid there: `create ... with owner = p`",
                board.name
            ),
            (None, Some(RootKind::Piece)) => {
                "say whose they are as they are made, `create ... with owner = p`, or `set x.owner = p`".to_owned()
            }
            _ => format!("let a zone `per player` hold `{}`, or keep whose it is in a `mark`", self.kind_name(kind)),
        }
    }
}

fn setters(rules: &Rules) -> Setters {
    let mut setters = Setters::default();
    for proc in &rules.procs {
        each_stmt(proc, &mut |stmt| setters.stmt(rules, stmt));
    }
    setters
}

impl Setters {
    fn stmt(&mut self, rules: &Rules, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::SetProp { of, prop, .. } => self.prop(rules, *prop, kind_of(of)),
            StmtKind::SetGameProp { prop, .. } => self.prop(rules, *prop, None),
            StmtKind::Create { what, fields, .. } => {
                let kind = made(rules, what);
                for (prop, value) in fields {
                    let nothing = matches!(value, CreateValue::Value(Expr { kind: ExprKind::Nothing, .. }));
                    if !nothing {
                        self.prop(rules, *prop, kind);
                    }
                }
            }
            StmtKind::Move { to: Destination::Site { turned: Some(_), .. }, .. } => self.props.extend(rules.turn),
            StmtKind::Link { link, .. } => {
                self.links.insert(*link);
            }
            _ => {}
        }
    }

    fn prop(&mut self, rules: &Rules, id: PropId, kind: Option<KindId>) {
        let Some(prop) = rules.props.get(id.index()) else { return };
        match prop.class {
            PropClass::Builtin(BuiltinProp::Owner) => self.owned.extend(kind),
            _ => {
                self.props.insert(prop.table.unwrap_or(id));
            }
        }
    }
}
