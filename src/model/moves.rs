//! Statements that make, move and join things.

use super::body::Body;
use super::check::{Checker, broken};
use super::collect::Decl;
use super::keyed_zones::Chosen;
use super::members::Member;
use super::rules::{
    BoardId, CreateValue, Created, Destination, Expr, ExprKind, FieldValue, KindId, LinkId, PropClass, PropId, Seen,
    Stmt, StmtKind, THING, Ty, ZoneId, ZoneOrder,
};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, CreateAt, Ident, Place};

/// Things that one `create` makes by `every_value`, and values among which chance picks, at the most.
const MOST_VALUES: u128 = crate::base::limits::VALUES as u128;

/// Where things go, and the keys that play decides of the zones in it.
enum Ways {
    One(Destination, Vec<Chosen>),
    Either(Expr, Box<Ways>, Box<Ways>),
}

impl Checker<'_> {
    /// `move`, `create`, `link` and `unlink`.
    pub(super) fn move_stmt(&mut self, body: &mut Body, written: &ast::Stmt) -> Option<StmtKind> {
        let mark = self.chosen_zones.len();
        let Some(kind) = self.one_move(body, written) else {
            self.chosen_zones.truncate(mark);
            return None;
        };
        Some(self.do_for_each_key(body, kind, mark, written.span))
    }

    fn one_move(&mut self, body: &mut Body, written: &ast::Stmt) -> Option<StmtKind> {
        match &written.kind {
            ast::StmtKind::Move { what, riders, to, place, turned, name } => {
                let what = match self.zone_of_key(body, what) {
                    Some(zone) => zone,
                    None => self.expr(body, what),
                };
                let what = self.coerce_entities(what);
                let riders = riders.as_ref().map(|riders| self.riders(body, riders));
                let to = self.ways(body, to, &mut |checker, body, to| {
                    let to = checker.destination(body, to, *place, turned.as_deref())?;
                    checker.check_held(&what, &to);
                    Some(to)
                });
                let element = what.ty.element().clone();
                let ty = if what.ty.is_many() { element.set() } else { element.maybe() };
                let local = name.as_ref().map(|name| self.bind(body, name, ty));
                let moved = |to| StmtKind::Move { what: what.clone(), riders: riders.clone(), to, local };
                Some(self.each_way(body, to?, written.span, &moved))
            }
            ast::StmtKind::Create { what, to, fields, name } => {
                self.create(body, what, to, fields, name.as_ref(), written.span)
            }
            ast::StmtKind::Link { what, to } => {
                let what = self.expr(body, what);
                let to = self.expr(body, to);
                let link = self.link_between(&what, Some(&to), written.span)?;
                Some(StmtKind::Link { what, to, link })
            }
            ast::StmtKind::Unlink { what } => {
                let what = self.expr(body, what);
                let link = self.link_between(&what, None, written.span)?;
                Some(StmtKind::Unlink { what, link })
            }
            _ => None,
        }
    }

    /// Whether something is taken from a pile whose order somebody may not know.
    pub(super) fn draws(&self, what: &Expr) -> bool {
        let mut found = false;
        what.walk(&mut |part| {
            if let ExprKind::Builtin(builtin, args) = &part.kind
                && builtin.is_of_pile()
                && let Some(ExprKind::Contents(zone, _)) = args.first().map(|zone| &zone.kind)
            {
                found |= self.rules.zones[zone.index()].seen != Seen::All;
            }
        });
        found
    }

    /// Where things go: to one place, or to one of several that conditions decide between, `(if COND then me.court else me.table)`.
    /// Of two sites an expression says which.
    fn ways(
        &mut self,
        body: &mut Body,
        written: &ast::Expr,
        one: &mut dyn FnMut(&mut Self, &mut Body, &ast::Expr) -> Option<Destination>,
    ) -> Option<Ways> {
        let ast::ExprKind::If(cond, then, or_else) = &written.kind else {
            return one(self, body, written).map(|to| Ways::One(to, Vec::new()));
        };
        if !self.names_zone(body, written) {
            return one(self, body, written).map(|to| Ways::One(to, Vec::new()));
        }
        let cond = self.flag(body, cond);
        let mut way = |checker: &mut Self, holds: bool, written: &ast::Expr| {
            let mark = checker.chosen_zones.len();
            let mut way = checker.where_so(body, (&cond, holds), |checker, body| checker.ways(body, written, one));
            let chosen = checker.chosen_zones.split_off(mark);
            if let Some(Ways::One(_, keys)) = &mut way {
                *keys = chosen;
            }
            way
        };
        let (then, or_else) = (way(self, true, then), way(self, false, or_else));
        Some(Ways::Either(cond, Box::new(then?), Box::new(or_else?)))
    }

    /// Whether an expression may give a zone to put things into, or `nowhere`.
    fn names_zone(&self, body: &Body, written: &ast::Expr) -> bool {
        let zone = |name: &str| matches!(self.names.get(name), Some(Decl::Zone(_)));
        match &written.kind {
            ast::ExprKind::If(_, then, or_else) => self.names_zone(body, then) || self.names_zone(body, or_else),
            ast::ExprKind::Name(name) => body.find(name).is_none() && (zone(name) || name == "nowhere"),
            ast::ExprKind::Field(_, name) => zone(&name.text),
            ast::ExprKind::Index(base, _) => self.keyed_zone(body, base).is_some(),
            _ => false,
        }
    }

    /// Says a statement for each way that things can go.
    fn each_way(&mut self, body: &Body, to: Ways, span: Span, make: &dyn Fn(Destination) -> StmtKind) -> StmtKind {
        match to {
            Ways::One(to, keys) if keys.is_empty() => make(to),
            Ways::One(to, keys) => {
                let mark = self.chosen_zones.len();
                self.chosen_zones.extend(keys);
                self.do_for_each_key(body, make(to), mark, span)
            }
            Ways::Either(cond, then, or_else) => {
                let mut way = |to| vec![Stmt { kind: self.each_way(body, to, span, make), span }];
                StmtKind::If { cond, body: way(*then), or_else: way(*or_else) }
            }
        }
    }

    fn riders(&mut self, body: &mut Body, riders: &ast::Expr) -> Expr {
        let kind = self.rules.links.first().map(|link| link.from_kind);
        let hint = kind.map(|kind| Ty::Entity(kind).set());
        let riders = self.expr_in(body, riders, hint.as_ref());
        let ty = match (riders.ty.element(), hint) {
            (Ty::Entity(kind), _) => Ty::Entity(*kind).set(),
            (Ty::Nothing, Some(hint)) => hint,
            _ => return self.coerce_entities(riders),
        };
        self.coerce(riders, &ty)
    }

    /// Where a thing goes.
    fn destination(
        &mut self,
        body: &mut Body,
        written: &ast::Expr,
        place: Option<Place>,
        turned: Option<&ast::Expr>,
    ) -> Option<Destination> {
        let turned = turned.map(|turned| self.expr_of(body, turned, &Ty::Number));
        let found = match &written.kind {
            ast::ExprKind::Name(name) if name == "nowhere" => {
                self.means_builtin(name, written.span);
                Some(Destination::Nowhere)
            }
            _ => {
                let expr = self.place_expr(body, written);
                match expr.kind {
                    ExprKind::Contents(zone, of) => {
                        self.uses.filled.extend(self.zones_with(zone));
                        if let Some(place) = place {
                            self.check_place(zone, place, written.span);
                        }
                        return self.zone_destination(zone, of.map(|of| *of), place, turned);
                    }
                    _ if matches!(expr.ty.bare(), Ty::Site(_)) => {
                        if place.is_some() {
                            let found = Diagnostic::new(Code::NoOrder, written.span, "a site has no top or bottom").help(
                                "what comes lies on what is there: to get it beneath, move that to a zone first, and back on it",
                            );
                            self.report(found);
                        }
                        return Some(Destination::Site { site: expr, turned });
                    }
                    _ => {
                        if expr.ty != Ty::Error {
                            self.not_a_place(&expr);
                        }
                        None
                    }
                }
            }
        };
        if let Some(turned) = turned {
            self.error(Code::NotAPlace, turned.span, "only what lies on a board can be turned");
        }
        found
    }

    fn zone_destination(
        &mut self,
        zone: ZoneId,
        of: Option<Expr>,
        place: Option<Place>,
        turned: Option<Expr>,
    ) -> Option<Destination> {
        if let Some(turned) = turned {
            self.error(Code::NotAPlace, turned.span, "only what lies on a board can be turned");
        }
        if let Some(of) = &of
            && of.ty.is_many()
        {
            let found = Diagnostic::new(Code::NotAPlace, of.span, "this is a place of several players")
                .help("go through them: `each p in ... { ... }`");
            self.report(found);
            return None;
        }
        Some(Destination::Zone { zone, of, place })
    }

    /// An expression that should be a place; a zone of the subject needs its player.
    fn place_expr(&mut self, body: &mut Body, written: &ast::Expr) -> Expr {
        if let Some(place) = self.place_of_key(body, written) {
            return place;
        }
        if let Some(zone) = self.keyed_zone(body, written) {
            return self.which_zone(zone, written.span);
        }
        if let ast::ExprKind::Field(base, name) = &written.kind
            && !matches!(&base.kind, ast::ExprKind::Name(text) if text == "game")
        {
            let base = self.expr(body, base);
            if base.ty == Ty::Error {
                return broken(written.span);
            }
            if let Some(Member::Zone(zone)) = self.member_of(base.ty.element(), &name.text) {
                self.means(name);
                let ty = self.zone_type(zone).set();
                return Expr { kind: ExprKind::Contents(zone, Some(Box::new(base))), ty, span: written.span };
            }
            return self.member(body, base, name);
        }
        if let ast::ExprKind::Name(name) = &written.kind
            && let Some(Decl::Zone(zone)) = self.names.get(name)
            && self.rules.zones.get(zone.index()).is_some_and(|zone| zone.per_player)
            && body.find(name).is_none()
            && !self.subject_has(body, name)
        {
            return self.own_of_each(body, name, written.span, "");
        }
        if let ast::ExprKind::Text(text) = &written.kind
            && let Some(board) = self.board_with(text, written.span)
        {
            return self.site_named(board, text, written.span, written.span);
        }
        self.expr(body, written)
    }

    /// The only board of the package if it has a site of this name, else the only one that has.
    fn board_with(&self, site: &str, at: Span) -> Option<BoardId> {
        let all = || (0..self.rules.boards.len()).map(|index| self.rules.board_id(index));
        let has = |id: &BoardId| {
            self.rules.boards.get(id.index()).is_some_and(|board| {
                board.geometry.site(site).is_some()
                    || board.endless() && super::endless::numbers_in(&board.places.cells, site).is_some()
            })
        };
        let own = self.own_board(at);
        let mut others = all().filter(has);
        match (own.filter(has), others.next(), others.next()) {
            (Some(board), ..) | (None, Some(board), None) => Some(board),
            (None, None, _) => own,
            (None, Some(_), Some(_)) => None,
        }
    }

    fn not_a_place(&mut self, expr: &Expr) {
        let what = self.type_name(&expr.ty);
        let mut found =
            Diagnostic::new(Code::NotAPlace, expr.span, format!("this should be a zone or a site, but it is {what}"));
        match &expr.ty {
            Ty::Text => {
                found = found.help("no board, or more than one, has a site of this name: `site(BOARD, \"a1\")`")
            }
            Ty::Player => found = found.help("name one of the player's zones, such as `me.hand`"),
            Ty::Set(inner) if matches!(**inner, Ty::Site(_)) => found = found.help("choose one of the sites first"),
            _ => {}
        }
        self.report(found);
    }

    fn check_place(&mut self, zone: ZoneId, place: Place, span: Span) {
        let Some(zone) = self.rules.zones.get(zone.index()) else { return };
        if zone.order == ZoneOrder::None {
            let word = if place == Place::Top { "top" } else { "bottom" };
            let found =
                Diagnostic::new(Code::NoOrder, span, format!("`{}` has no order, so it has no {word}", zone.name))
                    .label(zone.span, "declared here")
                    .help("give the zone `order: pile`");
            self.report(found);
        }
    }

    /// Reports a kind that can never lie where it is put.
    fn check_held(&mut self, what: &Expr, to: &Destination) {
        if let Ty::Entity(kind) = what.ty.element().bare() {
            self.check_kind_held(*kind, to, what.span);
        }
    }

    fn check_kind_held(&mut self, kind: KindId, to: &Destination, span: Span) {
        if self.rules.is_below(kind, THING) && !matches!(to, Destination::Nowhere) {
            let found = Diagnostic::new(
                Code::KindNotHeld,
                span,
                format!("a `{}` is a thing and has no place", self.kind_name(kind)),
            );
            self.report(found);
            return;
        }
        match to {
            Destination::Zone { zone, .. } => {
                let Some(zone) = self.rules.zones.get(zone.index()) else { return };
                let fine = zone.holds.is_empty()
                    || zone
                        .holds
                        .iter()
                        .any(|held| self.rules.is_below(kind, *held) || self.rules.is_below(*held, kind));
                if !fine {
                    let message = format!("`{}` does not hold `{}`", zone.name, self.kind_name(kind));
                    let found = Diagnostic::new(Code::KindNotHeld, span, message).label(zone.span, "declared here");
                    self.report(found);
                }
            }
            Destination::Site { .. } if self.rules.is_below(kind, super::rules::CARD) => {
                let found = Diagnostic::new(
                    Code::KindNotHeld,
                    span,
                    format!("a `{}` is a card, and only pieces lie on boards", self.kind_name(kind)),
                );
                self.report(found);
            }
            _ => {}
        }
    }

    fn create(
        &mut self,
        body: &mut Body,
        what: &ast::Created,
        to: &CreateAt,
        fields: &[(Ident, ast::Expr)],
        name: Option<&Ident>,
        span: Span,
    ) -> Option<StmtKind> {
        let (what, kind, mut many) = self.created(body, what)?;
        let to = match to {
            CreateAt::Nowhere => {
                self.check_made_at(kind, &Destination::Nowhere, span);
                Some(Ways::One(Destination::Nowhere, Vec::new()))
            }
            CreateAt::In(place) | CreateAt::At(place) => self.ways(body, place, &mut |checker, body, place| {
                let to = checker.destination(body, place, None, None)?;
                checker.check_made_at(kind, &to, span);
                Some(to)
            }),
        };
        let mut given: Vec<(PropId, CreateValue)> = Vec::new();
        for (field, value) in fields {
            let value_span = value.span;
            if let Some((prop, value)) = self.create_field(body, kind, field, value) {
                many |= matches!(value, CreateValue::EveryValue);
                if given.iter().any(|(other, _)| self.family(prop).contains(other)) {
                    self.error(Code::DuplicateField, field.span, format!("`{}` is given twice", field.text));
                }
                match (self.items_of_table(prop), value) {
                    (Some(items), CreateValue::Value(table)) => {
                        let mut values = self.values_of(&table).into_iter();
                        given.extend(items.into_iter().map(|item| {
                            (item, CreateValue::Value(values.next().unwrap_or_else(|| broken(value_span))))
                        }));
                    }
                    (_, value) => given.push((prop, value)),
                }
            }
        }
        if matches!(what, Created::Kind { .. }) {
            self.check_created_fields(kind, &given, span);
        }
        self.check_every_value(&given, span);
        let ty = if many { Ty::Entity(kind).set() } else { Ty::Entity(kind).maybe() };
        let local = name.map(|name| self.bind(body, name, ty));
        let made = |to| StmtKind::Create { what: what.clone(), to, fields: given.clone(), local };
        Some(self.each_way(body, to?, span, &made))
    }

    /// Reports what can never be where it is made.
    fn check_made_at(&mut self, kind: KindId, to: &Destination, span: Span) {
        if matches!(to, Destination::Nowhere) && !self.rules.is_below(kind, THING) {
            let found = Diagnostic::new(Code::NotAPlace, span, format!("a `{}` needs a place", self.kind_name(kind)))
                .help("say where: `create ... in ZONE` or `create ... at SITE`");
            self.report(found);
        } else {
            self.check_kind_held(kind, to, span);
        }
    }

    /// Whether `every_value` makes, and `any_value` picks among, no more than can be.
    fn check_every_value(&mut self, given: &[(PropId, CreateValue)], span: Span) {
        let mut total: u128 = 1;
        for (prop, value) in given {
            match value {
                CreateValue::EveryValue => total = total.saturating_mul(self.value_count(*prop)),
                CreateValue::AnyValue if self.value_count(*prop) > MOST_VALUES => {
                    let name = self.prop_name(*prop).to_owned();
                    let message = format!(
                        "`{name}` has {} values, and chance picks among {MOST_VALUES} at most",
                        self.value_count(*prop)
                    );
                    self.report(
                        Diagnostic::new(Code::ListTooLong, span, message).help("give the field a smaller range"),
                    );
                }
                CreateValue::AnyValue | CreateValue::Value(_) => {}
            }
        }
        if total > MOST_VALUES {
            let message = format!("this makes {total} things, and one `create` makes {MOST_VALUES} at most");
            let help = "let fewer fields have `every_value`, or give them smaller ranges";
            self.report(Diagnostic::new(Code::TooManyEntities, span, message).help(help));
        }
    }

    /// How many values a property can have.
    fn value_count(&self, prop: PropId) -> u128 {
        let ty = self.prop_type(prop);
        match (&ty, self.rules.props.get(prop.index()).and_then(|prop| prop.range)) {
            (Ty::Enum(id), _) => self.rules.enums.get(id.index()).map_or(0, |item| item.values.len() as u128),
            (Ty::Flag, _) => 2,
            (_, Some((low, high))) => (i128::from(high) - i128::from(low) + 1).max(0) as u128,
            _ => 1,
        }
    }

    /// What is made, its kind, and whether it may be several.
    fn created(&mut self, body: &mut Body, what: &ast::Created) -> Option<(Created, KindId, bool)> {
        match what {
            ast::Created::Copy { count, of } => {
                let many = count.is_some();
                let count = count.as_ref().map(|count| self.expr_of(body, count, &Ty::Number));
                let of = self.expr(body, of);
                match of.ty.bare() {
                    Ty::Entity(kind) => {
                        let kind = *kind;
                        Some((Created::CopyOf { count, of }, kind, many))
                    }
                    Ty::Error => None,
                    other => {
                        let what = self.type_name(other);
                        self.error(
                            Code::WrongType,
                            of.span,
                            format!("this copies one card or piece, and this is {what}"),
                        );
                        None
                    }
                }
            }
            ast::Created::Kind { count, kind, entry } => {
                let many = count.is_some();
                let count = count.as_ref().map(|count| self.expr_of(body, count, &Ty::Number));
                let Some(id) = self.kind_named(&kind.text) else {
                    let mut found =
                        Diagnostic::new(Code::UnknownKind, kind.span, format!("there is no kind `{}`", kind.text));
                    if let Some(best) =
                        self.nearest_of(&kind.text, |decl| matches!(decl, super::collect::Decl::Kind(_)))
                    {
                        found = found.did_you_mean(best);
                    }
                    self.report(found);
                    return None;
                };
                self.means(kind);
                self.uses.kinds.insert(id);
                match entry {
                    Some(name) => {
                        let entry = self.entry_named(id, name)?;
                        self.created_entries.insert(entry);
                        let kind = self.rules.entries.get(entry.index()).map_or(id, |entry| entry.kind);
                        Some((Created::Entry { count, entry }, kind, many))
                    }
                    None => {
                        self.created.insert(id);
                        Some((Created::Kind { count, kind: id }, id, many))
                    }
                }
            }
        }
    }

    fn create_field(
        &mut self,
        body: &mut Body,
        kind: KindId,
        field: &Ident,
        value: &ast::Expr,
    ) -> Option<(PropId, CreateValue)> {
        let Some(prop) = self.kind_prop(kind, &field.text) else {
            let message = format!("a `{}` has no `{}`", self.kind_name(kind), field.text);
            let found = Diagnostic::new(Code::UnknownProperty, field.span, message);
            let found = self.suggest_member(found, &field.text, &Ty::Entity(kind));
            self.report(found);
            return None;
        };
        self.means_prop(prop, field.span);
        let class = self.class_of(prop)?;
        let fine = matches!(class, PropClass::Field { .. } | PropClass::Counter { .. } | PropClass::Mark { .. })
            || matches!(class, PropClass::Builtin(super::rules::BuiltinProp::Owner));
        if !fine {
            let mut found = Diagnostic::new(Code::CannotSet, field.span, format!("`{}` cannot be given", field.text))
                .note("fields, counters, marks and `owner` can");
            if let Some(span) = self.prop_span(prop) {
                found = found.label(span, "declared here");
            }
            self.report(found);
            return None;
        }
        let listed = match &value.kind {
            ast::ExprKind::Name(name) if matches!(name.as_str(), "every_value" | "any_value") => {
                self.means_builtin(name, value.span);
                Some(if name == "any_value" { CreateValue::AnyValue } else { CreateValue::EveryValue })
            }
            _ => None,
        };
        if let Some(listed) = listed {
            let ranged = self.rules.props.get(prop.index()).is_some_and(|prop| prop.range.is_some());
            let ty = self.prop_type(prop);
            if !(ranged && ty == Ty::Number || matches!(ty, Ty::Enum(_) | Ty::Flag)) {
                let found =
                    Diagnostic::new(Code::WrongType, value.span, format!("`{}` has no list of all values", field.text))
                        .help("only enums, flags and ranges of numbers have one");
                self.report(found);
            }
            if matches!(listed, CreateValue::AnyValue) {
                body.suspends(value.span, "any_value");
                body.irrevocable.get_or_insert((value.span, "any_value"));
            }
            return Some((prop, listed));
        }
        let value = self.prop_value(body, prop, value);
        Some((prop, CreateValue::Value(value)))
    }

    /// What is made without a definition must get all fields that have no default.
    fn check_created_fields(&mut self, kind: KindId, given: &[(PropId, CreateValue)], span: Span) {
        let props = self.rules.kinds.get(kind.index()).map(|kind| kind.props.clone()).unwrap_or_default();
        for id in props {
            let Some(prop) = self.rules.props.get(id.index()) else { continue };
            let needed = matches!(prop.class, PropClass::Field { default: None }) && !self.has_empty_value(&prop.ty);
            let known = prop.table.filter(|table| self.items_of_table(*table).is_some_and(|items| items[0] == id));
            if prop.table.is_some() && known.is_none() {
                continue;
            }
            let prop = known.and_then(|table| self.rules.props.get(table.index())).unwrap_or(prop);
            if given.iter().any(|(given, _)| *given == id) {
                continue;
            }
            let (kind, name) = (self.kind_name(kind), &prop.name);
            let (message, help) = match &prop.class {
                PropClass::Field { default: Some(FieldValue::List(items)) } if !items.is_empty() => (
                    format!("the default of `{name}` is a list, which only a definition has printed on it"),
                    format!("`{kind} \"Plain\" {{ }}` is such a definition: `create {kind} \"Plain\" ...`"),
                ),
                _ if needed => (format!("a `{kind}` needs a value for `{name}`"), format!("add `with {name} = ...`")),
                _ => continue,
            };
            let found = Diagnostic::new(Code::MissingField, span, message);
            let found = found.label(prop.span, "declared here").help(help);
            self.report(found);
        }
    }

    /// The link that joins what two expressions mean.
    fn link_between(&mut self, what: &Expr, to: Option<&Expr>, span: Span) -> Option<LinkId> {
        if what.ty == Ty::Error || to.is_some_and(|to| to.ty == Ty::Error) {
            return None;
        }
        let joins = |kind: KindId, ty: &Ty| match ty.element().bare() {
            Ty::Entity(own) => self.rules.is_below(*own, kind) || self.rules.is_below(kind, *own),
            _ => false,
        };
        let found: Vec<usize> = self
            .rules
            .links
            .iter()
            .enumerate()
            .filter(|(_, link)| joins(link.from_kind, &what.ty) && to.is_none_or(|to| joins(link.to_kind, &to.ty)))
            .map(|(index, _)| index)
            .collect();
        if to.is_some_and(|to| to.ty.is_many()) {
            self.error(Code::WrongType, span, "a thing is linked to one other, not to a set");
            return None;
        }
        if what.ty.is_many() {
            let word = if to.is_some() { "link" } else { "unlink" };
            let found =
                Diagnostic::new(Code::WrongType, what.span, format!("one thing is {word}ed at a time, not a set"))
                    .help(format!("write `each x in ... {{ {word} x{} }}`", if to.is_some() { " to ..." } else { "" }));
            self.report(found);
            return None;
        }
        match found.as_slice() {
            [index] => Some(LinkId(*index as u32)),
            [] => {
                let one = self.type_name(&what.ty);
                let message = match to {
                    Some(to) => format!("no link joins {one} to {}", self.type_name(&to.ty)),
                    None => format!("no link begins at {one}"),
                };
                let found =
                    Diagnostic::new(Code::BadLink, span, message).help("declare one: `link charm.host to tool.charms`");
                self.report(found);
                None
            }
            _ => {
                let found = Diagnostic::new(Code::BadLink, span, "several links join these")
                    .help("test the kind first: `... is ...`");
                self.report(found);
                None
            }
        }
    }
}
