//! `value.name`: properties, zones of players, and the game's own properties.

use super::body::{Body, Callee};
use super::check::{Checker, broken};
use super::rules::{BuiltinProp, CollectOp, Entry, Expr, ExprKind, KindId, PropClass, PropId, Ty, ZoneId};
use crate::base::{Code, Diagnostic, Span, listed, nearest};
use crate::syntax::{Role, ast::Ident, instead_of};

/// What a name after a dot means.
pub(super) enum Member {
    Prop(PropId),
    Zone(ZoneId),
}

impl Checker<'_> {
    /// The property of a kind.
    pub(super) fn kind_prop(&self, kind: KindId, name: &str) -> Option<PropId> {
        let kind = self.rules.kinds.get(kind.index())?;
        kind.props.iter().copied().find(|id| self.prop_name(*id) == name)
    }

    /// The property of players.
    pub(super) fn player_prop(&self, name: &str) -> Option<PropId> {
        self.rules.player_props.iter().copied().find(|id| self.prop_name(*id) == name)
    }

    /// A property of the game.
    pub(super) fn game_prop(&self, name: &str) -> Option<PropId> {
        self.rules.game_props.iter().copied().find(|id| self.prop_name(*id) == name)
    }

    /// The name of a property.
    pub(super) fn prop_name(&self, id: PropId) -> &str {
        self.rules.props.get(id.index()).map_or("", |prop| prop.name.as_str())
    }

    /// The type of a property.
    pub(super) fn prop_type(&self, id: PropId) -> Ty {
        self.rules.props.get(id.index()).map_or(Ty::Error, |prop| prop.ty.clone())
    }

    /// Where a property was declared; nowhere for built-in ones.
    pub(super) fn prop_span(&self, id: PropId) -> Option<Span> {
        self.rules.props.get(id.index()).map(|prop| prop.span).filter(|span| *span != Span::default())
    }

    /// What a name means for a single value of a type.
    pub(super) fn member_of(&self, ty: &Ty, name: &str) -> Option<Member> {
        match ty.bare() {
            Ty::Entity(kind) => self.kind_prop(*kind, name).map(Member::Prop),
            Ty::Player => self.player_prop(name).map(Member::Prop).or_else(|| {
                let zone = self.zone_named(name)?;
                self.rules.zones.get(zone.index()).is_some_and(|zone| zone.per_player).then_some(Member::Zone(zone))
            }),
            _ => None,
        }
    }

    /// `base.name`
    pub(super) fn member(&mut self, body: &mut Body, base: Expr, name: &Ident) -> Expr {
        if base.ty == Ty::Error {
            return broken(name.span);
        }
        let span = base.span.to(name.span);
        let Some(member) = self.member_of(base.ty.element(), &name.text) else {
            self.unknown_member(&base, name);
            return broken(span);
        };
        self.means_member(&member, &name.text, name.span);
        if base.ty.is_many() {
            return self.member_of_many(body, base, member, name);
        }
        self.read_member(body, base, member, span)
    }

    /// Notes what a name after a dot stands for.
    pub(super) fn means_member(&self, member: &Member, name: &str, span: Span) {
        match member {
            Member::Prop(id) => self.means_prop(*id, span),
            Member::Zone(_) => self.means_global(name, span),
        }
    }

    /// Reads a member of a single value.
    pub(super) fn read_member(&mut self, body: &mut Body, base: Expr, member: Member, span: Span) -> Expr {
        match member {
            Member::Prop(id) => {
                self.read_prop(body, id, span);
                self.check_names(&base, id, span);
                let declared = self.prop_type(id);
                if let Some(items) = self.items_of_table(id) {
                    return self.read_table(Some(&base), &items, &declared, span);
                }
                let ty = if matches!(base.ty, Ty::Maybe(_)) { declared.maybe() } else { declared };
                Expr { kind: ExprKind::Prop(Box::new(base), id), ty, span }
            }
            Member::Zone(zone) => self.read_zone(zone, Some(&base), span),
        }
    }

    /// A name is that of a definition: reports one of a kind of which nothing is defined.
    fn check_names(&mut self, base: &Expr, id: PropId, span: Span) {
        let (Some(PropClass::Builtin(BuiltinProp::Name)), Ty::Entity(kind)) =
            (self.rules.props.get(id.index()).map(|prop| &prop.class), base.ty.element().bare())
        else {
            return;
        };
        let named = |entry: &Entry| self.rules.is_below(entry.kind, *kind) || self.rules.is_below(*kind, entry.kind);
        if self.rules.entries.iter().any(named) {
            return;
        }
        let kind = self.kind_name(*kind);
        let message = format!("a name is that of a definition, and no `{kind}` is defined");
        let help = format!("compare what is printed or kept on it, or define some: `{kind} \"...\" {{ }}`");
        self.report(Diagnostic::new(Code::UnknownProperty, span, message).help(help));
    }

    /// A set of players has the union of their zones and sets.
    fn member_of_many(&mut self, body: &mut Body, base: Expr, member: Member, name: &Ident) -> Expr {
        let span = base.span.to(name.span);
        let element = base.ty.element().clone();
        let mark = body.open();
        let binder = body.bind("it", element.clone(), span);
        let item = Expr { kind: ExprKind::Local(binder), ty: element, span };
        let read = self.read_member(body, item, member, span);
        body.close(mark);
        if !matches!(read.ty, Ty::Set(_)) {
            if read.ty != Ty::Error {
                let message = format!("`{}` belongs to one, and this is a set", name.text);
                let help = match read.ty {
                    Ty::Effect(_) => format!("effects are done one by one: `each c in ... {{ do c.{} }}`", name.text),
                    Ty::Number => format!("write `gather {0} of ...` or `sum {0} of ...`", name.text),
                    _ => format!("write `gather {0} of ...`; that of one of them is `first(...).{0}`", name.text),
                };
                let found = Diagnostic::new(Code::WrongType, name.span, message).help(help);
                self.report(found);
            }
            return broken(span);
        }
        let ty = read.ty.clone();
        let (over, body) = (Box::new(base), Box::new(read));
        Expr { kind: ExprKind::Collect { op: CollectOp::Union, over, binder, body }, ty, span }
    }

    /// Whether nobody knows which properties values of a type have, since its kind has no parent.
    pub(super) fn is_open(&self, ty: &Ty) -> bool {
        match ty.element().bare() {
            Ty::Entity(kind) => self.open_kinds.iter().any(|open| self.rules.is_below(*kind, *open)),
            // What a zone holds whose kinds are unknown.
            Ty::Error => true,
            _ => false,
        }
    }

    /// How a function is called that somebody has written like a property.
    fn as_function(&self, base: &Expr, name: &str) -> Option<String> {
        if let Some(super::collect::Decl::Define(_)) = self.names.get(name) {
            return Some(format!(
                "`{name}` is a definition: write `{name}(...)`, with what it is about in the brackets"
            ));
        }
        let info = super::builtins::named(name)?.find(|info| info.params.len() == 1)?;
        let zone = |zone: &ZoneId| self.rules.zones.get(zone.index()).map(|zone| zone.name.clone());
        let base = match &base.kind {
            ExprKind::Contents(id, None) => zone(id)?,
            ExprKind::Contents(id, Some(of)) if matches!(of.kind, ExprKind::Me) => format!("me.{}", zone(id)?),
            _ => "...".to_owned(),
        };
        Some(format!("`{}` is a function: write `{}({base})`", info.name, info.name))
    }

    /// What is written for a property that other languages have.
    fn foreign_property(base: &Ty, name: &str) -> Option<String> {
        if matches!(name, "kind" | "type") && matches!(base.element().bare(), Ty::Entity(_)) {
            return Some("of which kind something is, is asked with `is` and the kind: `c is tool`".to_owned());
        }
        let fits = match name {
            "next" | "left" => *base.element().bare() == Ty::Player && !base.is_many(),
            "len" | "length" | "size" | "last" => base.is_many(),
            _ => false,
        };
        fits.then(|| instead_of(name, Role::Function).map(str::to_owned)).flatten()
    }

    /// The kinds below one that have a property which it has not.
    pub(super) fn heirs_with(&self, kind: KindId, prop: &str) -> Vec<String> {
        let has = |kind: KindId| self.kind_prop(kind, prop).is_some();
        let parent = |kind: KindId| self.rules.kinds.get(kind.index()).and_then(|kind| kind.parent);
        let kinds = (0..self.rules.kinds.len()).map(|index| KindId(index as u32));
        kinds
            .filter(|heir| self.rules.is_below(*heir, kind) && has(*heir) && !parent(*heir).is_some_and(has))
            .map(|heir| self.kind_name(heir))
            .collect()
    }

    /// How to come to a property that only kinds below that of a thing have.
    pub(super) fn of_kinds_below(&self, thing: &Ty, prop: &str) -> Option<String> {
        let Ty::Entity(kind) = thing.element().bare() else { return None };
        let parent = |kind: KindId| self.rules.kinds.get(kind.index()).and_then(|kind| kind.parent);
        let heirs = self.heirs_with(*kind, prop);
        match heirs.as_slice() {
            [] => None,
            [heir] if thing.is_many() => {
                Some(format!("only `{heir}` has it: of those in the set it is `(S where it is {heir}).{prop}`"))
            }
            [heir] => Some(format!(
                "only `{heir}` has it: test `is {heir}` first, in a statement of what a `let` has named; a filter or sum goes \
                 through `S where it is {heir}`"
            )),
            [_, ..] if parent(*kind).is_some() && self.all_stats(*kind, prop) => Some(format!(
                "{} have one each: declare it in `{}`, and say in each of them `modify {prop} of this by ...`",
                listed(heirs.iter().map(String::as_str)),
                self.kind_name(*kind),
            )),
            [_, ..] if parent(*kind).is_some() => Some(format!(
                "{} have one each: declare it in `{}`, which all of them are",
                listed(heirs.iter().map(String::as_str)),
                self.kind_name(*kind)
            )),
            [first, ..] => Some(format!(
                "{} have one each: declare it in a kind above them, `kind item : {} {{ ... }}`, and `kind {first} : item`",
                listed(heirs.iter().map(String::as_str)),
                self.kind_name(*kind),
            )),
        }
    }

    /// Whether what kinds below one have under a name is worked out.
    fn all_stats(&self, kind: KindId, prop: &str) -> bool {
        let mut kinds = (0..self.rules.kinds.len()).map(|index| KindId(index as u32));
        kinds.all(|heir| {
            let found = self.kind_prop(heir, prop).filter(|_| self.rules.is_below(heir, kind));
            found.is_none_or(|found| matches!(self.rules.props[found.index()].class, PropClass::Stat { .. }))
        })
    }

    fn unknown_member(&mut self, base: &Expr, name: &Ident) {
        if self.is_open(&base.ty) {
            return;
        }
        let element = base.ty.element().clone();
        let text = name.text.as_str();
        if self.is_asked(text) {
            self.could_be_member(&element, None);
        }
        let what = self.type_name(&element);
        let mut found = Diagnostic::new(Code::UnknownProperty, name.span, format!("{what} has no property `{text}`"));
        let compares = self.may_suggest();
        let candidates = if compares { self.members_of(&element) } else { Vec::new() };
        let heirs = self.of_kinds_below(&element, text);
        let shared = self.zone_named(text).is_some();
        let function = self.as_function(base, text).or_else(|| Self::foreign_property(&base.ty, text));
        let best = nearest(text, candidates.iter().map(String::as_str));
        found = match best {
            _ if function.is_some() => found.help(function.unwrap_or_default()),
            _ if matches!(element.bare(), Ty::Site(_)) => {
                found.help(format!("what lies on a site may have it: `top(...).{text}`"))
            }
            _ if heirs.is_some() => found.help(heirs.unwrap_or_default()),
            _ if matches!(self.names.get(text), Some(super::collect::Decl::Board(_))) => found.help(format!(
                "`{text}` is a board, and no set: of its sites it is `sites(...)`, of what lies on it `pieces(...)`"
            )),
            _ if shared && *element.bare() == Ty::Player => {
                found.help(format!("the zone `{text}` is shared: write `{text}` alone"))
            }
            Some(best) => found.did_you_mean(best),
            None if !compares => found,
            None if candidates.is_empty() => found.note("it has no properties"),
            None => found.help(format!("it has {}", listed(candidates.iter().map(String::as_str)))),
        };
        self.report(found);
    }

    /// Notes that a property is read; a stat is worked out.
    fn read_prop(&mut self, body: &mut Body, id: PropId, span: Span) {
        self.uses.props.insert(id);
        for stored in self.items_of_table(id).unwrap_or_else(|| vec![id]) {
            if self.rules.props.get(stored.index()).is_some_and(|prop| matches!(prop.class, PropClass::Stat { .. })) {
                body.calls(Callee::Stat(stored), span);
            }
        }
    }

    /// What is known of the game by a property that is a single value.
    pub(super) fn of_game(&self, id: PropId, span: Span) -> Expr {
        let ty = self.prop_type(id);
        match self.rules.props.get(id.index()).map(|prop| &prop.class) {
            Some(PropClass::Stat { .. }) => Expr { kind: ExprKind::Prop(Box::new(the_game(span)), id), ty, span },
            _ => Expr { kind: ExprKind::GameProp(id), ty, span },
        }
    }

    /// `game.name`
    pub(super) fn game_member(&mut self, body: &mut Body, name: &Ident) -> Expr {
        match self.game_prop(&name.text) {
            Some(id) => {
                self.means_prop(id, name.span);
                self.read_prop(body, id, name.span);
                match self.items_of_table(id) {
                    Some(items) => self.read_table(None, &items, &self.prop_type(id), name.span),
                    None => self.of_game(id, name.span),
                }
            }
            None => {
                if self.is_asked(&name.text) {
                    self.could_be_props(&self.rules.game_props, None);
                }
                let message = format!("the game has no property `{}`", name.text);
                let mut found = Diagnostic::new(Code::UnknownProperty, name.span, message);
                if !self.may_suggest() {
                    self.report(found);
                    return broken(name.span);
                }
                let names: Vec<String> = self.names_of(&self.rules.game_props).collect();
                found = found.suggest(&name.text, names.iter().map(String::as_str));
                if found.help.is_none() {
                    found = match names.as_slice() {
                        [] => found.help(format!("declare it: `game {{ counter {}: 0..9 }}`", name.text)),
                        names => found.help(format!("it has {}", listed(names.iter().map(String::as_str)))),
                    };
                }
                self.report(found);
                broken(name.span)
            }
        }
    }
}

/// The game, as that of which its stats are asked: there is no value for it in content.
pub(super) fn the_game(span: Span) -> Expr {
    super::names::word(0, Ty::Player, span)
}
