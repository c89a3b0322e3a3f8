//! Properties of kinds, players and the game: declared, inherited, and given their formulas and defaults.

use super::body::Body;
use super::check::{Checker, broken};
use super::collect::BUILTIN_NAMES;
use super::index::Sort;
use super::rules::{
    Back, BuiltinProp, CARD, Expr, ExprKind, KindId, Link, LinkId, NamePart, PIECE, ProcId, ProcRole, Prop, PropClass,
    PropId, PropOwner, RootKind, Seen, Sight, THING, TemplatePart, Ty,
};
use super::types::Declared;
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, Ident, Keeping, MemberKind};

/// What of the members is checked once all properties are known.
enum Pending<'a> {
    Formula(PropId, &'a ast::Expr),
    /// What a stat is for a kind below the one that declares it, and where that is said.
    Anew(PropId, Anew<'a>),
    Default(PropId, &'a ast::Expr),
    Stands(KindId, &'a ast::Expr),
    Notation(KindId, &'a ast::Ident),
    Clause(KindId, &'a ast::Clause),
    Orphan(LinkId, &'a Ident, &'a ast::Block),
}

/// The formula of a stat for a kind below the one that declares it.
#[derive(Clone, Copy)]
struct Anew<'a> {
    kind: KindId,
    name: &'a Ident,
    formula: &'a ast::Expr,
}

/// Members that wait for [`Checker::check_kind_procs`].
#[derive(Default)]
pub(super) struct Waiting<'a>(Vec<Pending<'a>>);

impl<'a> Checker<'a> {
    /// Declares all properties, links included, and lets kinds inherit them.
    pub(super) fn check_props(&mut self) {
        let mut own: Vec<Vec<PropId>> = vec![Vec::new(); self.rules.kinds.len()];
        self.builtin_props(&mut own);
        let mut waiting = Waiting::default();
        for (kind, members) in self.items.kinds.clone() {
            for member in members {
                self.kind_member(kind, member, &mut own, &mut waiting);
            }
        }
        for members in self.items.player.clone() {
            for member in members {
                if let Some(id) = self.own_member(PropOwner::Player, member, &mut waiting) {
                    let family = self.family(id);
                    self.rules.player_props.extend(family);
                }
            }
        }
        for members in self.items.game.clone() {
            for member in members {
                if let Some(id) = self.own_member(PropOwner::Game, member, &mut waiting) {
                    let family = self.family(id);
                    self.rules.game_props.extend(family);
                }
            }
        }
        for item in std::mem::take(&mut self.items.links) {
            self.link_item(&item, &mut own, &mut waiting);
        }
        self.inherit(&own);
        self.check_prop_names();
        self.waiting = waiting;
    }

    fn builtin_props(&mut self, own: &mut [Vec<PropId>]) {
        let player = || Ty::Player.maybe();
        for (kind, name, ty, prop) in [
            (CARD, "holder", player(), BuiltinProp::Holder),
            (CARD, "entered", Ty::Number, BuiltinProp::Entered),
            (CARD, "name", Ty::Text, BuiltinProp::Name),
            (PIECE, "holder", player(), BuiltinProp::Holder),
            (PIECE, "owner", player(), BuiltinProp::Owner),
            (PIECE, "entered", Ty::Number, BuiltinProp::Entered),
            (PIECE, "name", Ty::Text, BuiltinProp::Name),
            (THING, "entered", Ty::Number, BuiltinProp::Entered),
        ] {
            let id = self.builtin_prop(PropOwner::Kind(kind), name, ty, prop);
            if let Some(list) = own.get_mut(kind.index()) {
                list.push(id);
            }
        }
        self.turn_prop(own);
        for (name, ty, prop) in [("seat", Ty::Number, BuiltinProp::Seat), ("playing", Ty::Flag, BuiltinProp::Playing)] {
            let id = self.builtin_prop(PropOwner::Player, name, ty, prop);
            self.rules.player_props.push(id);
        }
    }

    fn builtin_prop(&mut self, owner: PropOwner, name: &str, ty: Ty, prop: BuiltinProp) -> PropId {
        let declared = Declared::plain(ty);
        let id = self.add_prop(owner, name, declared, PropClass::Builtin(prop), Span::default());
        self.uses.props.insert(id);
        id
    }

    pub(super) fn add_prop(
        &mut self,
        owner: PropOwner,
        name: &str,
        declared: Declared,
        class: PropClass,
        span: Span,
    ) -> PropId {
        let id = PropId(self.rules.props.len() as u32);
        let (ty, range) = (declared.ty.clone(), declared.range);
        self.rules.props.push(Prop {
            name: name.to_owned(),
            owner,
            ty,
            range,
            clamped: false,
            open: false,
            aside: false,
            keeps: Sight::Open,
            derived: false,
            class,
            table: None,
            span,
        });
        self.declared_props.push(declared);
        id
    }

    fn kind_member(
        &mut self,
        kind: KindId,
        member: &'a ast::Member,
        own: &mut [Vec<PropId>],
        waiting: &mut Waiting<'a>,
    ) {
        match &member.kind {
            MemberKind::StandsWhen { cond } => waiting.0.push(Pending::Stands(kind, cond)),
            MemberKind::Seen { by } => self.back(kind, by),
            MemberKind::Notation { text } => waiting.0.push(Pending::Notation(kind, text)),
            MemberKind::Clause(clause) => waiting.0.push(Pending::Clause(kind, clause)),
            _ => {
                if let Some(id) = self.own_member(PropOwner::Kind(kind), member, waiting)
                    && let Some(list) = own.get_mut(kind.index())
                {
                    list.extend(self.family(id));
                }
            }
        }
    }

    /// Says of a kind of pieces, and of those below it, who sees on a board which piece one is.
    fn back(&mut self, kind: KindId, by: &ast::Ident) {
        let seen = match by.text.as_str() {
            "holder" => Seen::Holder,
            "others" => Seen::Others,
            "none" => Seen::None,
            text => {
                let found =
                    Diagnostic::new(Code::BadSetting, by.span, "`seen` of a kind is one of: holder, others, none");
                let found = match text {
                    "owner" => found.did_you_mean("holder"),
                    "all" => found.help("all see every piece where the kind says nothing: leave the line out"),
                    _ => found.suggest(text, ["holder", "others", "none"]),
                };
                return self.report(found);
            }
        };
        let root = self.rules.kinds.get(kind.index()).map(|found| found.root);
        if root != Some(RootKind::Piece) {
            let found = Diagnostic::new(Code::BadSetting, by.span, "only kinds of pieces say who sees them")
                .help("who sees a card is a matter of where it lies: `zone NAME { holds: ...  seen: none }`");
            return self.report(found);
        }
        let family: Vec<usize> = (0..self.rules.kinds.len())
            .filter(|index| {
                let other = KindId(*index as u32);
                self.rules.is_below(other, kind) || self.rules.is_below(kind, other)
            })
            .collect();
        let other = family.iter().find_map(|index| self.rules.kinds.get(*index)?.back);
        if let Some(other) = other {
            let message = format!("who sees these is said by `{}`, too", self.kind_name(other.kind));
            self.error(Code::BadSetting, by.span, message);
        }
        for index in
            family.into_iter().filter(|index| self.rules.is_below(KindId(*index as u32), kind)).collect::<Vec<_>>()
        {
            if let Some(heir) = self.rules.kinds.get_mut(index) {
                heir.back = Some(Back { kind, seen });
            }
        }
    }

    /// Declares one property.
    fn own_member(&mut self, owner: PropOwner, member: &'a ast::Member, waiting: &mut Waiting<'a>) -> Option<PropId> {
        let (name, declared, class, default) = match &member.kind {
            MemberKind::Field { name, ty, default } => {
                if !matches!(owner, PropOwner::Kind(_)) {
                    let found = Diagnostic::new(Code::NotAField, name.span, "only kinds have printed fields")
                        .help("declare a `counter` or a `mark`");
                    self.report(found);
                    return None;
                }
                let mut declared = self.resolve_type(ty);
                if !self.check_field_type(owner, &declared, ty) {
                    declared.ty = Ty::Error;
                }
                (name, declared, PropClass::Field { default: None }, default.as_ref())
            }
            MemberKind::Counter { name, ty, default, .. } => {
                let declared = match ty {
                    Some(ty) => {
                        let declared = self.resolve_type(ty);
                        let kept = if let Ty::Table(_, inner) = &declared.ty { inner } else { &declared.ty };
                        if !matches!(kept, Ty::Number | Ty::Error) {
                            let found = Diagnostic::new(Code::WrongType, ty.span, "a counter is a number")
                                .help("declare it as a `mark`");
                            self.report(found);
                        }
                        declared
                    }
                    None => Declared::plain(Ty::Number),
                };
                if ty.is_none() && self.begins_with_range(name, default.as_ref()) {
                    return self.named_prop(owner, name, declared, PropClass::Counter { default: None });
                }
                (name, declared, PropClass::Counter { default: None }, default.as_ref())
            }
            MemberKind::Mark { name, ty, default, .. } => {
                let declared = self.resolve_type(ty);
                if matches!(declared.ty, Ty::Effect(_)) {
                    let message = format!("a mark cannot hold {}", self.type_name(&declared.ty));
                    self.error(Code::WrongType, ty.span, message);
                }
                if default.is_none() && matches!(owner, PropOwner::Player | PropOwner::Game) {
                    self.begins_as_nothing(name, &declared.ty);
                }
                (name, declared, PropClass::Mark { default: None }, default.as_ref())
            }
            MemberKind::Stat { name, ty, formula } => {
                let declared = self.resolve_type(ty);
                if let Some((id, kind)) = self.stat_above(owner, &name.text) {
                    self.given_anew(id, &declared, Anew { kind, name, formula }, waiting);
                    return None;
                }
                let id = self.named_prop(owner, name, declared, PropClass::Stat { formula: ProcId(0) })?;
                self.table_items(id);
                waiting.0.push(Pending::Formula(id, formula));
                return Some(id);
            }
            MemberKind::Seen { by } => {
                let found = Diagnostic::new(Code::UnknownSetting, by.span, "only kinds of pieces say who sees them")
                    .help("what players and the game keep, all see; a card in a zone with `seen: holder` is a secret");
                self.report(found);
                return None;
            }
            MemberKind::StandsWhen { .. } | MemberKind::Clause(_) => {
                let found =
                    Diagnostic::new(Code::UnknownSetting, member.span, "only kinds of cards and pieces have clauses")
                        .help("put it into a `rule`");
                self.report(found);
                return None;
            }
            MemberKind::Notation { text } => {
                let found = Diagnostic::new(Code::UnknownSetting, text.span, "only kinds have a notation")
                    .help("what is told of a player or of the game is a `line` of its `look`");
                self.report(found);
                return None;
            }
        };
        let field = matches!(class, PropClass::Field { .. });
        self.check_per_direction(owner, field, &declared.ty, name.span);
        let bounded = declared.range.is_some() && matches!(declared.ty.bare(), Ty::Number | Ty::Table(..));
        let id = self.named_prop(owner, name, declared, class)?;
        if let MemberKind::Counter { how, .. } | MemberKind::Mark { how, .. } = member.kind {
            self.keep_so(id, how, bounded, name);
        }
        self.table_items(id);
        if let Some(default) = default {
            waiting.0.push(Pending::Default(id, default));
        }
        Some(id)
    }

    /// The stat of this name that a kind has from a kind above it, and the kind. Kinds stand behind those above them.
    fn stat_above(&self, owner: PropOwner, name: &str) -> Option<(PropId, KindId)> {
        let PropOwner::Kind(kind) = owner else { return None };
        let above = |prop: &&Prop| matches!(prop.owner, PropOwner::Kind(above) if above != kind && self.rules.is_below(kind, above));
        let at = self.rules.props.iter().position(|prop| prop.name == name && above(&prop))?;
        let is_stat = match &self.rules.props.get(at)?.class {
            PropClass::Stat { .. } => true,
            PropClass::Table(items) => {
                let item = items.first().and_then(|item| self.rules.props.get(item.index()));
                item.is_some_and(|item| matches!(item.class, PropClass::Stat { .. }))
            }
            _ => false,
        };
        is_stat.then_some((PropId(at as u32), kind))
    }

    /// A kind says what a stat is for it that it has from a kind above.
    fn given_anew(&mut self, id: PropId, declared: &Declared, anew: Anew<'a>, waiting: &mut Waiting<'a>) {
        let Anew { kind, name, .. } = anew;
        self.means_prop(id, name.span);
        let twin = waiting.0.iter().find_map(|pending| match pending {
            Pending::Anew(of, other) if *of == id && other.kind == kind => Some(other.name.span),
            _ => None,
        });
        if let Some(span) = twin {
            let found = Diagnostic::new(Code::Duplicate, name.span, format!("`{}` is declared twice", name.text))
                .label(span, "first declared here");
            return self.report(found);
        }
        let Some(prop) = self.rules.props.get(id.index()) else { return };
        let same = prop.ty == declared.ty && prop.range == declared.range;
        if !same && prop.ty != Ty::Error && declared.ty != Ty::Error {
            let message = format!("`{}` is of another type here than in the kind above", name.text);
            let found = Diagnostic::new(Code::PropertyClash, name.span, message)
                .label(prop.span, "declared here")
                .help("a kind that gives a stat anew repeats its type");
            return self.report(found);
        }
        waiting.0.push(Pending::Anew(id, anew));
    }

    /// Notes whether the rules mean a number to stop at its bounds, whether all may read it, and whether it is no part of an arrangement.
    fn keep_so(&mut self, id: PropId, how: Keeping, bounded: bool, name: &Ident) {
        if how.clamped && !bounded {
            let found = Diagnostic::new(Code::UnknownSetting, name.span, "only a number with a range can be `clamped`")
                .help(format!("give it its bounds: `{}: 0..9 clamped`", name.text));
            self.report(found);
        }
        let on_card = matches!(self.rules.props.get(id.index()).map(|prop| prop.owner), Some(PropOwner::Kind(_)));
        if how.open && !on_card {
            let found = Diagnostic::new(Code::UnknownSetting, name.span, "only what lies on cards can be `open`")
                .help("what a player or the game has is seen by all; a `look` may leave it out");
            self.report(found);
        }
        let on_piece = matches!(self.rules.props.get(id.index()).map(|prop| prop.owner), Some(PropOwner::Kind(kind))
            if self.rules.kinds[kind.index()].root == RootKind::Piece);
        if how.aside && !on_piece {
            let found = Diagnostic::new(Code::UnknownSetting, name.span, "only what lies on pieces can be `aside`")
                .help("`repeats` compares the pieces of a board and nothing else: leave the word out");
            self.report(found);
        }
        if let Some(prop) = self.rules.props.get_mut(id.index()) {
            (prop.clamped, prop.open, prop.aside) = (how.clamped, how.open, how.aside);
        }
    }

    /// Whether values of a type can be printed; says so if not.
    fn check_field_type(&mut self, owner: PropOwner, declared: &Declared, written: &ast::Type) -> bool {
        let thing = matches!(owner, PropOwner::Kind(kind) if self.rules.is_below(kind, THING));
        let fine = match &declared.ty {
            Ty::Player => thing,
            Ty::Set(inner) => matches!(**inner, Ty::Enum(_) | Ty::Error),
            Ty::List(inner) | Ty::Maybe(inner) => {
                matches!(**inner, Ty::Enum(_) | Ty::Number | Ty::Flag | Ty::Text | Ty::Direction(_) | Ty::Error)
                    || self.has_constant_sites(inner)
            }
            Ty::Site(_) => self.has_constant_sites(&declared.ty),
            Ty::Number | Ty::Flag | Ty::Text | Ty::Enum(_) | Ty::Lambda(..) | Ty::Effect(_) | Ty::Error => true,
            Ty::Direction(_) => true,
            Ty::PerDirection(_) | Ty::Table(..) => true,
            _ => false,
        };
        if !fine {
            let message = format!("{} cannot be printed on a card", self.type_name(&declared.ty));
            let help = match declared.ty.element() {
                Ty::Site(_) if declared.ty.is_many() => "print a list of them: `list of site`",
                Ty::Site(_) => {
                    "a board without an end has no fixed sites: a `mark` can hold one, and is set when the game begins"
                }
                Ty::Player => {
                    "print the number of a seat, `1..4`, and ask `seat(...)` of it; a player that play settles is a `mark`"
                }
                Ty::Entity(_) => {
                    "a card names others by a test: `field free: test(c: KIND) = false`, and on the card `free: c is KIND \"Name\"`"
                }
                _ => "declare it as a `mark`, and set it when the game begins: `create ... with NAME = ...`",
            };
            let found = Diagnostic::new(Code::WrongType, written.span, message).help(help);
            self.report(found);
        }
        fine
    }

    /// Whether a type is that of the sites of a board with an end.
    fn has_constant_sites(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Site(id) if self.rules.boards.get(id.index()).is_some_and(|board| !board.endless()))
    }

    /// Declares a property unless its name is taken.
    fn named_prop(&mut self, owner: PropOwner, name: &Ident, declared: Declared, class: PropClass) -> Option<PropId> {
        let text = name.text.as_str();
        let of_cards = matches!(text, "turn" | "name") && matches!(owner, PropOwner::Kind(_));
        if BUILTIN_NAMES.contains(&text) || text == "playing" || text == "copies" || of_cards {
            let found =
                Diagnostic::new(Code::BuiltinName, name.span, format!("`{text}` is built in and cannot be declared"))
                    .help(format!("choose another name, such as `{text}_`"));
            self.report(found);
            self.lost_names.insert(text.to_owned());
            return None;
        }
        if let Some(decl) = self.names.get(text).copied()
            && !decl.may_be_hidden()
            && !self.is_function(decl)
        {
            let mut found = Diagnostic::new(Code::Duplicate, name.span, format!("`{text}` is already {}", decl.noun()));
            if let Some(span) = self.items.spans.get(text) {
                found = found.label(*span, "declared here");
            }
            self.report(found);
            self.lost_names.insert(text.to_owned());
            return None;
        }
        let twin = self.rules.props.iter().find(|prop| prop.owner == owner && prop.name == text).map(|prop| prop.span);
        if let Some(span) = twin {
            let found = Diagnostic::new(Code::Duplicate, name.span, format!("`{text}` is declared twice"))
                .label(span, "first declared here");
            self.report(found);
            return None;
        }
        Some(self.add_prop(owner, text, declared, class, name.span))
    }

    /// Whether it is a definition that is called with arguments.
    pub(super) fn is_function(&self, decl: super::collect::Decl) -> bool {
        match decl {
            super::collect::Decl::Define(index) => {
                self.items.defines.get(index).is_some_and(|define| !define.params.is_empty())
            }
            _ => false,
        }
    }

    fn link_item(&mut self, item: &super::collect::LinkItem<'a>, own: &mut [Vec<PropId>], waiting: &mut Waiting<'a>) {
        let ends = [item.from_kind, item.to_kind].map(|name| {
            let kind = self.kind_named(&name.text);
            if kind.is_none() {
                let mut found =
                    Diagnostic::new(Code::UnknownKind, name.span, format!("there is no kind `{}`", name.text));
                found =
                    self.or_declared(found, &name.text, "kinds", |decl| matches!(decl, super::collect::Decl::Kind(_)));
                self.report(found);
            }
            kind
        });
        let [Some(from_kind), Some(to_kind)] = ends else {
            self.lost_names.extend([item.from_prop.text.clone(), item.to_prop.text.clone()]);
            return;
        };
        self.means(item.from_kind);
        self.means(item.to_kind);
        self.uses.kinds.extend([from_kind, to_kind]);
        let id = LinkId(self.rules.links.len() as u32);
        let one_type = Declared::plain(Ty::Entity(to_kind).maybe());
        let many_type = Declared::plain(Ty::Entity(from_kind).set());
        let before = self.diagnostics.len();
        let one = self.named_prop(PropOwner::Kind(from_kind), item.from_prop, one_type, PropClass::LinkOne(id));
        let many = self.named_prop(PropOwner::Kind(to_kind), item.to_prop, many_type, PropClass::LinkMany(id));
        let (Some(one), Some(many)) = (one, many) else {
            for found in self.diagnostics.iter_mut().skip(before) {
                found.code = Code::BadLink;
                found.note = "the ends of a link are new properties".to_owned();
            }
            return;
        };
        for (kind, prop) in [(from_kind, one), (to_kind, many)] {
            if let Some(list) = own.get_mut(kind.index()) {
                list.push(prop);
            }
            // Links are read by the engine, whether or not a text mentions their ends.
            self.uses.props.insert(prop);
        }
        self.rules.links.push(Link { from_kind, one, to_kind, many, orphan: None, span: item.span });
        if let Some((name, block)) = item.orphan {
            waiting.0.push(Pending::Orphan(id, name, block));
        }
    }

    /// Gives every kind the properties of its parents before its own.
    fn inherit(&mut self, own: &[Vec<PropId>]) {
        for root in [CARD, PIECE, THING] {
            if let (Some(kind), Some(props)) = (self.rules.kinds.get_mut(root.index()), own.get(root.index())) {
                kind.props.clone_from(props);
            }
        }
        for (id, _) in self.items.kinds.clone() {
            let parent = self.rules.kinds.get(id.index()).and_then(|kind| kind.parent);
            let mut props = parent
                .and_then(|parent| self.rules.kinds.get(parent.index()))
                .map_or(Vec::new(), |kind| kind.props.clone());
            for prop in own.get(id.index()).into_iter().flatten() {
                self.check_inherited(&props, *prop);
                props.push(*prop);
            }
            if let Some(kind) = self.rules.kinds.get_mut(id.index()) {
                kind.props = props;
            }
        }
    }

    fn check_inherited(&mut self, inherited: &[PropId], own: PropId) {
        let Some(prop) = self.rules.props.get(own.index()) else { return };
        let twin =
            inherited.iter().filter_map(|id| self.rules.props.get(id.index())).find(|other| other.name == prop.name);
        if let Some(twin) = twin {
            let message = format!("`{}` is already inherited from the parent kind", prop.name);
            let found = Diagnostic::new(Code::Duplicate, prop.span, message).label(twin.span, "declared here");
            self.report(found);
        }
    }

    /// One property name has one type in all kinds.
    fn check_prop_names(&mut self) {
        let mut seen: std::collections::BTreeMap<&str, &Prop> = std::collections::BTreeMap::new();
        let mut clashes = Vec::new();
        for prop in &self.rules.props {
            if !matches!(prop.owner, PropOwner::Kind(_)) {
                continue;
            }
            match seen.get(prop.name.as_str()) {
                Some(other) if other.ty != prop.ty && other.ty != Ty::Error && prop.ty != Ty::Error => {
                    let message = format!(
                        "`{}` is {} here and {} elsewhere",
                        prop.name,
                        self.type_name(&prop.ty),
                        self.type_name(&other.ty)
                    );
                    clashes.push(
                        Diagnostic::new(Code::PropertyClash, prop.span, message)
                            .label(other.span, "declared here")
                            .help("give one of them another name, or both the same type"),
                    );
                }
                Some(_) => {}
                None => {
                    seen.insert(&prop.name, prop);
                }
            }
        }
        self.diagnostics.extend(clashes);
    }

    /// Checks formulas, defaults, conditions and clauses of kinds, now that all names are known.
    pub(super) fn check_kind_procs(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting).0;
        // Defaults first: bodies ask which fields have one.
        waiting.sort_by_key(|pending| match pending {
            Pending::Default(..) => 0,
            Pending::Formula(..) | Pending::Anew(..) | Pending::Stands(..) | Pending::Notation(..) => 1,
            Pending::Clause(..) | Pending::Orphan(..) => 2,
        });
        let mut anew: Vec<(PropId, Anew)> = Vec::new();
        anew.extend(waiting.iter().filter_map(|pending| match pending {
            Pending::Anew(id, anew) => Some((*id, *anew)),
            _ => None,
        }));
        for pending in waiting {
            match pending {
                Pending::Formula(id, formula) => {
                    let below = anew.iter().filter(|(of, _)| *of == id).map(|(_, anew)| *anew);
                    self.formula(id, formula, &below.collect::<Vec<_>>());
                }
                Pending::Anew(..) => {}
                Pending::Default(id, default) => self.default_value(id, default),
                Pending::Stands(kind, cond) => {
                    let mut body = Body::new("stands when", ProcRole::Pure, cond.span)
                        .with_this(Some(Ty::Entity(kind)))
                        .with_subject();
                    let expr = self.expr_of(&mut body, cond, &Ty::Flag);
                    let proc = self.finish_expr(body, expr);
                    self.set_stands(kind, proc);
                }
                Pending::Notation(kind, text) => self.kind_notation(kind, text),
                Pending::Clause(kind, clause) => {
                    let ids = self.clause(clause, &super::clauses::Home::Kind(kind));
                    let heirs: Vec<usize> = (0..self.rules.kinds.len())
                        .filter(|index| self.rules.is_below(KindId(*index as u32), kind))
                        .collect();
                    for index in heirs {
                        if let Some(heir) = self.rules.kinds.get_mut(index) {
                            heir.clauses.extend_from_slice(&ids);
                        }
                    }
                }
                Pending::Orphan(id, name, block) => self.orphan(id, name, block),
            }
        }
    }

    /// How a kind's entities are written: what they have printed or keep, in a text. So a name needs no working out.
    fn kind_notation(&mut self, kind: KindId, text: &ast::Ident) {
        let mut body =
            Body::new("notation", ProcRole::Pure, text.span).with_this(Some(Ty::Entity(kind))).with_subject();
        let template = self.template(&mut body, text);
        let mut parts = Vec::new();
        for part in template.parts {
            let expr = match part {
                TemplatePart::Text(text) => {
                    parts.push(NamePart::Text(text));
                    continue;
                }
                TemplatePart::Value(expr) => expr,
            };
            match self.name_part(&expr) {
                Some(part) => parts.push(part),
                None if expr.ty == Ty::Error => {}
                None => {
                    let message = "a notation of a kind is made of fields, counters and marks that are single values, and of texts that one of them decides";
                    let found = Diagnostic::new(Code::BadPlaceholder, expr.span, message)
                        .help("for words that depend on more, write a `label` in its `look`");
                    self.report(found);
                }
            }
        }
        let heirs: Vec<usize> =
            (0..self.rules.kinds.len()).filter(|index| self.rules.is_below(KindId(*index as u32), kind)).collect();
        for index in heirs {
            if let Some(heir) =
                self.rules.kinds.get_mut(index).filter(|heir| index == kind.index() || heir.notation.is_empty())
            {
                heir.notation.clone_from(&parts);
            }
        }
    }

    /// A kind's condition also holds for the kinds below it that have none of their own.
    fn set_stands(&mut self, kind: KindId, proc: ProcId) {
        let heirs: Vec<usize> =
            (0..self.rules.kinds.len()).filter(|index| self.rules.is_below(KindId(*index as u32), kind)).collect();
        for index in heirs {
            if let Some(heir) = self.rules.kinds.get_mut(index) {
                // Parents come first in the order of the text only by habit, so the nearer one must win.
                if index == kind.index() || heir.stands_when.is_none() {
                    heir.stands_when = Some(proc);
                }
            }
        }
    }

    fn owner_type(&self, owner: PropOwner) -> Option<Ty> {
        match owner {
            PropOwner::Kind(kind) => Some(Ty::Entity(kind)),
            PropOwner::Player => Some(Ty::Player),
            PropOwner::Game => None,
        }
    }

    /// Makes the formula of a stat: what kinds below say of it goes before, that of the deepest kind first.
    fn formula(&mut self, id: PropId, written: &ast::Expr, anew: &[Anew<'_>]) {
        let Some(prop) = self.rules.props.get(id.index()) else { return };
        let (name, ty, owner, span) = (prop.name.clone(), prop.ty.clone(), prop.owner, prop.span);
        let this = self.owner_type(owner);
        let mut body = Body::new(name, ProcRole::Pure, written.span).with_this(this.clone()).with_subject();
        body.me = owner != PropOwner::Game;
        let expr = self.formula_part(&mut body, written, &ty, span);
        let mut values = match self.items_of_table(id) {
            Some(items) => {
                // What is wrong with it was reported: each of its values is as wrong.
                let mut values = self.values_of(&expr).into_iter();
                items.into_iter().map(|item| (item, values.next().unwrap_or_else(|| broken(written.span)))).collect()
            }
            None => vec![(id, expr)],
        };
        for Anew { kind, name, formula } in anew {
            let bare = std::mem::take(&mut body.subjects);
            body.this = Some(Ty::Entity(*kind));
            body = body.with_subject();
            let expr = self.formula_part(&mut body, formula, &ty, span);
            (body.this, body.subjects) = (this.clone(), bare);
            let own = if self.items_of_table(id).is_some() { self.values_of(&expr) } else { vec![expr] };
            // Where it is asked why, the condition reads as the name of the kind.
            let asked = self.rules.kinds.get(kind.index()).map_or(name.span, |kind| kind.span);
            let subject = Expr { kind: ExprKind::This, ty: this.clone().unwrap_or(Ty::Error), span: asked };
            let cond = Expr { kind: ExprKind::Is(Box::new(subject), *kind), ty: Ty::Flag, span: asked };
            for ((_, value), own) in values.iter_mut().zip(own) {
                let (ty, span) = (value.ty.clone(), value.span);
                let above = std::mem::replace(value, Expr { kind: ExprKind::Nothing, ty: ty.clone(), span });
                let kind = ExprKind::If(Box::new(cond.clone()), Box::new(own), Box::new(above));
                *value = Expr { kind, ty, span };
            }
        }
        for (id, value) in values {
            let formula = self.finish_expr(body.clone(), value);
            self.set_default(id, PropClass::Stat { formula });
        }
    }

    fn formula_part(&mut self, body: &mut Body, written: &ast::Expr, ty: &Ty, declared: Span) -> Expr {
        let expr = self.expr_in(body, written, Some(ty));
        self.check_maybe(&expr, ty, declared);
        self.coerce_for(expr, ty, Some((declared, "declared here")))
    }

    fn default_value(&mut self, id: PropId, written: &ast::Expr) {
        let Some(prop) = self.rules.props.get(id.index()) else { return };
        let (ty, owner) = (prop.ty.clone(), prop.owner);
        match self.class_of(id) {
            Some(PropClass::Field { .. }) => {
                let this = self.owner_type(owner);
                let Some(value) = self.field_value(id, written, this) else { return };
                if let PropOwner::Kind(kind) = owner {
                    self.check_ways(kind, id, Some(&value), written.span);
                }
                for (prop, value) in self.printed(id, Some(value)) {
                    self.set_default(prop, PropClass::Field { default: value });
                }
            }
            Some(class @ (PropClass::Counter { .. } | PropClass::Mark { .. })) => {
                let names = self.declared_props.get(id.index()).map(Declared::names).unwrap_or_default();
                let mut body = Body::new("default", ProcRole::Pure, written.span);
                body.me = false;
                let expr = self.argument(&mut body, written, &ty, &names, None);
                if !body.locals.is_empty() {
                    self.error(Code::NotConstant, written.span, "this must be a constant");
                    return;
                }
                let values = match self.items_of_table(id) {
                    Some(items) => items.into_iter().zip(self.values_of(&expr)).collect(),
                    None => vec![(id, expr)],
                };
                for (prop, value) in values {
                    self.check_default_range(prop, &value);
                    let default = Some(value);
                    self.set_default(
                        prop,
                        match class {
                            PropClass::Counter { .. } => PropClass::Counter { default },
                            _ => PropClass::Mark { default },
                        },
                    );
                }
            }
            _ => {}
        }
    }

    /// Players and the game are there from the start, and so are their marks.
    fn begins_as_nothing(&mut self, name: &Ident, ty: &Ty) {
        let one = match ty {
            Ty::Table(_, of) => of.as_ref(),
            _ => ty,
        };
        if !matches!(one, Ty::Text | Ty::Enum(_) | Ty::Player | Ty::Entity(_) | Ty::Site(_) | Ty::Direction(_)) {
            return;
        }
        let message =
            format!("`{}` is nothing until it is set, and its type promises {}", name.text, self.type_name(one));
        let help = format!("give it a first value, `mark {}: ... = ...`, or declare it as `maybe of ...`", name.text);
        self.report(Diagnostic::new(Code::BeginsAsNothing, name.span, message).help(help));
    }

    fn set_default(&mut self, id: PropId, class: PropClass) {
        if let Some(prop) = self.rules.props.get_mut(id.index()) {
            prop.class = class;
        }
    }

    fn check_default_range(&mut self, id: PropId, expr: &super::rules::Expr) {
        let Some(prop) = self.rules.props.get(id.index()) else { return };
        let value = super::rules::walk::constant(&self.rules, expr);
        if let (Some((low, high)), Some(value)) = (prop.range, value)
            && !(low..=high).contains(&value)
        {
            let message = format!("`{}` begins at {value}, outside of {low}..{high}", prop.name);
            let found = Diagnostic::new(Code::OutOfRange, expr.span, message).label(prop.span, "declared here");
            self.report(found);
        }
    }

    fn orphan(&mut self, id: LinkId, name: &Ident, block: &'a ast::Block) {
        let Some(link) = self.rules.links.get(id.index()) else { return };
        let kind = link.from_kind;
        let mut body = Body::new("orphan", ProcRole::Effect, block.span);
        self.check_local_name(name);
        body.param(&name.text, Ty::Entity(kind), name.span, true);
        self.declares_local(&name.text, name.span, &Ty::Entity(kind), Sort::Parameter);
        let stmts = self.block(&mut body, block);
        let proc = self.finish_block(body, stmts);
        if let Some(link) = self.rules.links.get_mut(id.index()) {
            link.orphan = Some(proc);
        }
    }
}
