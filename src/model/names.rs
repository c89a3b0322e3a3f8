//! What a plain name means: a local, a built-in, a property of the subject, something global, or the value of an
//! enum, in this order.

use super::body::{Body, Callee, Place, Subject};
use super::check::{Checker, DefineState, broken};
use super::collect::{BUILTIN_NAMES, Decl};
use super::rules::{CARD, EnumId, Expr, ExprKind, LocalId, PIECE, PropId, RootKind, Ty};
use crate::base::{Code, Diagnostic, Span, nearest};
use crate::syntax::{Role, ast::Ident, instead_of};

/// So many locals are listed where an unknown name is like none.
const FEW_LOCALS: usize = 6;

impl Checker<'_> {
    /// The meaning of a plain name where a type is expected.
    pub(super) fn name(&mut self, body: &mut Body, name: &str, span: Span, hint: Option<&Ty>) -> Expr {
        if let Some(expr) = self.builtin_name(body, name, span, hint) {
            self.means_builtin(name, span);
            return expr;
        }
        if let Some(local) = body.find(name) {
            body.used.insert(local);
            self.means_local(body, name, span);
            self.check_hidden_member(body, name, local, span);
            if self.hides_value(body, name, local, (span, hint)) {
                return broken(span);
            }
            let read = body.read(Place::Local(local), span);
            if matches!(read.ty, Ty::Split(..)) {
                let found = Diagnostic::new(Code::WrongType, span, format!("`{name}` is a split, which has parts"))
                    .help(format!("say whose part: `{name}[p]`"));
                self.report(found);
                return broken(span);
            }
            return read;
        }
        if let Some(expr) = self.subject_member(body, name, span) {
            return expr;
        }
        if let Some(Ty::Enum(id)) = hint.map(core)
            && let Some(value) = self.enum_value(*id, name)
        {
            self.uses.enums.insert(*id);
            self.means_value(*id, value, span);
            return word(value, Ty::Enum(*id), span);
        }
        if let Some(Ty::Direction(board)) = hint.map(core)
            && !self.names.contains_key(name)
            && let Some(way) = self.rules.boards.get(board.index()).and_then(|board| board.geometry.direction(name))
        {
            self.means_word(span);
            return word(way as i64, Ty::Direction(*board), span);
        }
        if matches!(hint.map(core), Some(Ty::Cause))
            && let Some(value) = ["ability", "rule", "cost"].iter().position(|word| *word == name)
        {
            self.means_word(span);
            return word(value as i64, Ty::Cause, span);
        }
        if self.may_be_member(body, name, span) {
            return broken(span);
        }
        if let Some(decl) = self.names.get(name).copied()
            && let Some(expr) = self.global(body, name, decl, span)
        {
            self.means_global(name, span);
            return expr;
        }
        self.enum_or_unknown(body, name, span, hint)
    }

    /// Reports a local in the place of a value of the same name.
    fn hides_value(&mut self, body: &Body, name: &str, local: LocalId, (span, hint): (Span, Option<&Ty>)) -> bool {
        let Some(Ty::Enum(id)) = hint.map(core) else { return false };
        if self.enum_value(*id, name).is_none() {
            return false;
        }
        let whose = self.rules.enums.get(id.index()).map_or(String::new(), |item| item.name.clone());
        let message = format!("`{name}` is the name of a local here, and a value of `{whose}`");
        let mut found = Diagnostic::new(Code::NameClash, span, message).help("give the local another name");
        if let Some(local) = body.local(local) {
            found = found.label(local.span, "bound here");
        }
        self.report(found);
        true
    }

    /// Reports the name of an enum where some of the things that are asked have a property of that name, and others do not.
    fn may_be_member(&mut self, body: &Body, name: &str, span: Span) -> bool {
        let Some(Decl::Enum(_)) = self.names.get(name) else { return false };
        let Some(subject) = body.subjects.last() else { return false };
        let Ty::Entity(kind) = *subject.ty.bare() else { return false };
        let heirs = self.heirs_with(kind, name);
        let Some(heir) = heirs.first().filter(|_| !self.subject_has(body, name)) else { return false };
        let help = format!("say first of which kind it is: `it is {heir} and ...`");
        let whose = self.type_name(&subject.ty);
        let message = format!("{whose} may have no `{name}`: here this is all values of the enum");
        self.report(Diagnostic::new(Code::UnknownProperty, span, message).help(help));
        true
    }

    /// Names that mean the same in every game.
    fn builtin_name(&mut self, body: &mut Body, name: &str, span: Span, hint: Option<&Ty>) -> Option<Expr> {
        let make = |kind, ty| Some(Expr { kind, ty, span });
        match name {
            "true" => make(ExprKind::Word(1), Ty::Flag),
            "false" => make(ExprKind::Word(0), Ty::Flag),
            "nothing" => {
                let ty = match hint {
                    Some(hint @ Ty::Maybe(_)) => hint.clone(),
                    _ => Ty::Nothing,
                };
                make(ExprKind::Nothing, ty)
            }
            "me" => Some(self.me(body, span)),
            "this" => {
                if body.this.is_none() {
                    let found = Diagnostic::new(Code::NoSource, span, "there is no `this` here")
                        .note("`this` is the card or piece that a text stands on");
                    self.report(found);
                    return Some(broken(span));
                }
                Some(body.read(Place::This, span))
            }
            "it" => match body.subjects.last() {
                Some(subject) => {
                    let place = subject.place;
                    if body.subjects.len() > 1 {
                        body.inner_its.push(span);
                        self.it_beside_a_name(body, place, span);
                    }
                    Some(body.read(place, span))
                }
                None => {
                    let found = Diagnostic::new(Code::NoSubject, span, "there is no `it` here")
                        .note("`it` is the member that a `where`, `having`, `sorted by`, `meets` or fold looks at")
                        .help("what each of several is given from its own value is set in a loop: `each c in S { set c.n = c.n + 1 }`");
                    self.report(found);
                    Some(broken(span))
                }
            },
            "mover" => make(ExprKind::Mover, Ty::Player),
            "players" => make(ExprKind::Players, Ty::Player.set()),
            "opponents" if !body.me => {
                body.log.needs_me = true;
                let message = "nobody in particular acts here, so there are no `opponents`";
                let help = match self.player_at_hand(body) {
                    Some(name) => format!("all others than `{name}` are `players - {name}`"),
                    None => "all others than `p` are `players - p`".to_owned(),
                };
                self.report(Diagnostic::new(Code::NoPlayer, span, message).help(help));
                Some(broken(span))
            }
            "opponents" => {
                self.me(body, span);
                make(ExprKind::Opponents, Ty::Player.set())
            }
            "round" => make(ExprKind::Round, Ty::Number),
            "actor" => self.event_word(body, span, name, ExprKind::Actor, Ty::Player.maybe()),
            "source" => {
                let kind =
                    if self.rules.kinds.iter().skip(3).any(|kind| kind.root == RootKind::Card) { CARD } else { PIECE };
                self.event_word(body, span, name, ExprKind::Source, Ty::Entity(kind).maybe())
            }
            "cause" => self.event_word(body, span, name, ExprKind::Cause, Ty::Cause),
            "changed" => self.event_word(body, span, name, ExprKind::Changed, Ty::Flag),
            "nowhere" => {
                self.error(Code::NotAPlace, span, "`nowhere` is only a place to move things to");
                Some(broken(span))
            }
            "game" => {
                let found = Diagnostic::new(Code::UnknownName, span, "`game` alone is no value")
                    .help("name one of its properties: `game.quiet`");
                self.report(found);
                Some(broken(span))
            }
            _ => None,
        }
    }

    /// The player who acts.
    pub(super) fn me(&mut self, body: &mut Body, span: Span) -> Expr {
        body.log.needs_me = true;
        if !body.me {
            let found = Diagnostic::new(Code::NoPlayer, span, "nobody in particular acts here, so there is no `me`")
                .help(self.some_player(body));
            self.report(found);
            return broken(span);
        }
        Expr { kind: ExprKind::Me, ty: Ty::Player, span }
    }

    /// Which players can be named where nobody acts.
    fn some_player(&self, body: &Body) -> String {
        match self.player_at_hand(body) {
            Some(name) => format!("write `{name}`, which is the player at hand"),
            None => "name a player: `each p in players { ... }`, `seat(1)`, or `mover`".to_owned(),
        }
    }

    /// The innermost name that stands for a player.
    fn player_at_hand<'b>(&self, body: &'b Body) -> Option<&'b str> {
        let players = body.names().filter(|(_, local)| body.local(*local).is_some_and(|local| local.ty == Ty::Player));
        players.last().map(|(name, _)| name)
    }

    fn event_word(&mut self, body: &Body, span: Span, name: &str, kind: ExprKind, ty: Ty) -> Option<Expr> {
        if !body.event {
            let found =
                Diagnostic::new(Code::NoSubject, span, format!("there is no event here that `{name}` could be of"))
                    .note("it is known in verbs, and in `cannot`, `instead`, `before` and `after`");
            self.report(found);
            return Some(broken(span));
        }
        Some(Expr { kind, ty, span })
    }

    /// In a filter, a bare name that is a local and a property of what is asked could mean either, but where the members have
    /// a name of their own: `deck as c where c.suit = suit`.
    fn check_hidden_member(&mut self, body: &Body, name: &str, local: LocalId, span: Span) {
        let Some(subject) = body.subjects.last() else { return };
        let Place::Local(member) = subject.place else { return };
        let unnamed = body.locals.get(member.index()).is_some_and(|local| local.name == "it");
        if member == local || !unnamed || !self.subject_has(body, name) {
            return;
        }
        let whose = self.type_name(&subject.ty);
        let message = format!("`{name}` is a local here, and a property of {whose}");
        let help = format!("give the local another name, or the members one: `... as x where x.{name} = {name}`");
        self.report(Diagnostic::new(Code::NameClash, span, message).help(help));
    }

    /// A property or zone of the innermost subject.
    fn subject_member(&mut self, body: &mut Body, name: &str, span: Span) -> Option<Expr> {
        let subject = body.subjects.last()?.clone();
        let base = body.read(subject.place, span);
        let member = self.member_of(&base.ty, name)?;
        self.means_member(&member, name, span);
        Some(self.read_member(body, base, member, span))
    }

    /// Whether the innermost subject has a member of this name.
    pub(super) fn subject_has(&self, body: &Body, name: &str) -> bool {
        body.subjects.last().is_some_and(|subject| {
            let base = body.read(subject.place, Span::default());
            self.member_of(&base.ty, name).is_some()
        })
    }

    /// Something declared for the whole game.
    fn global(&mut self, body: &mut Body, name: &str, decl: Decl, span: Span) -> Option<Expr> {
        match decl {
            Decl::Kind(kind) => {
                self.uses.kinds.insert(kind);
                Some(Expr { kind: ExprKind::InPlay(kind), ty: Ty::Entity(kind).set(), span })
            }
            Decl::Zone(zone) => {
                if self.rules.zones.get(zone.index()).is_some_and(|zone| zone.per_player) {
                    let all = format!(", or `union {name} of players` for all");
                    return Some(self.own_of_each(body, name, span, &all));
                }
                Some(self.read_zone(zone, None, span))
            }
            Decl::Define(index) => Some(self.call_define(body, index, span, &[])),
            Decl::Option(id) => match self.rules.options.get(id.index()) {
                Some(option) => Some(Expr { kind: ExprKind::Option(id), ty: option.ty.clone(), span }),
                None => {
                    let message = format!("the option `{name}` is declared later");
                    self.error(Code::NotConstant, span, message);
                    Some(broken(span))
                }
            },
            Decl::Enum(id) => {
                self.uses.enums.insert(id);
                let count = self.rules.enums.get(id.index()).map_or(0, |item| item.values.len());
                let ty = Ty::Enum(id);
                let items = (0..count).map(|value| word(value as i64, ty.clone(), span)).collect();
                let list = Expr { kind: ExprKind::List(items), ty: Ty::List(Box::new(ty.clone())), span };
                Some(Expr { kind: ExprKind::ToSet(Box::new(list)), ty: ty.set(), span })
            }
            Decl::Board(_) => {
                let found = Diagnostic::new(Code::UnknownName, span, format!("`{name}` is a board, not a value"))
                    .help(format!("its sites are `sites({name})`, its empty ones `empty({name})`"));
                self.report(found);
                Some(broken(span))
            }
            Decl::Script(_) => Some(self.call_script(body, name, span, &[])),
            Decl::Verb(_) | Decl::Action(_) | Decl::Window(_) | Decl::Rule(_) | Decl::Span(_) => None,
        }
    }

    /// Reports a zone that every player has an own of. `all` says how all of them are written, where they can be.
    pub(super) fn own_of_each(&mut self, body: &Body, name: &str, span: Span, all: &str) -> Expr {
        let whose = self.whose(body);
        let found = Diagnostic::new(Code::NotAPlace, span, format!("every player has an own `{name}`"))
            .help(format!("say whose: `{whose}.{name}`{all}"))
            .perhaps(span, format!("{whose}.{name}"));
        self.report(found);
        broken(span)
    }

    /// The player at hand: `me`, the nearest local that is one, or one to be named.
    fn whose(&self, body: &Body) -> String {
        if body.me {
            return "me".to_owned();
        }
        self.player_at_hand(body).unwrap_or("seat(1)").to_owned()
    }

    /// How a definition is written of which only the name was.
    pub(super) fn card_named(&self, name: &str) -> Option<String> {
        let entry = self.rules.entries.iter().find(|entry| entry.name == name)?;
        Some(format!("a card is called by its kind and its name: `{} \"{name}\"`", self.kind_name(entry.kind)))
    }

    /// How a property is written whose owner was left out.
    fn with_owner(&self, body: &Body, name: &str) -> Option<String> {
        if self.player_prop(name).is_some() {
            return Some(format!("say whose: `{}.{name}`", self.whose(body)));
        }
        let has = |local| {
            body.local(local).is_some_and(|local| !local.ty.is_many() && self.member_of(&local.ty, name).is_some())
        };
        if let Some(board) = self.rules.boards.iter().find(|board| board.geometry.site(name).is_some()) {
            return Some(format!("a site is written `site({}, \"{name}\")`", board.name));
        }
        let owner = body.names().filter(|(_, local)| has(*local)).last();
        owner.map(|(owner, _)| format!("say of what: `{owner}.{name}`"))
    }

    fn enum_value(&self, id: EnumId, name: &str) -> Option<i64> {
        let values = &self.rules.enums.get(id.index())?.values;
        values.iter().position(|value| value.name == name).map(|index| index as i64)
    }

    fn enum_or_unknown(&mut self, body: &Body, name: &str, span: Span, hint: Option<&Ty>) -> Expr {
        let ways = self.directions_named(name);
        match (self.enum_values.get(name).map_or(&[][..], Vec::as_slice), ways.as_slice()) {
            ([(id, value)], []) => {
                let (id, value) = (*id, *value);
                self.uses.enums.insert(id);
                self.means_value(id, value, span);
                word(value, Ty::Enum(id), span)
            }
            ([], [(board, way)]) => {
                self.means_word(span);
                word(*way as i64, Ty::Direction(*board), span)
            }
            (several, ways) if several.len() + ways.len() > 1 => {
                let enums = several.iter().filter_map(|(id, _)| self.rules.enums.get(id.index()));
                let boards = ways.iter().filter_map(|(id, _)| self.rules.boards.get(id.index()));
                let names: Vec<String> = enums
                    .map(|item| format!("`{}`", item.name))
                    .chain(boards.map(|board| format!("the directions of `{}`", board.name)))
                    .collect();
                let message = format!("`{name}` is a value of {}", names.join(" and of "));
                let found = Diagnostic::new(Code::AmbiguousValue, span, message)
                    .help("give the definition a type, or compare it with something of the enum");
                self.report(found);
                broken(span)
            }
            _ => {
                self.unknown_name(body, name, span, hint);
                broken(span)
            }
        }
    }

    fn unknown_name(&mut self, body: &Body, name: &str, span: Span, hint: Option<&Ty>) {
        if self.is_asked(name) {
            self.could_be_value(body, hint);
        }
        if let Some(found) = self.misplaced_name(body, name, span) {
            self.report(found);
            return;
        }
        if body.subjects.iter().any(|subject| self.is_open(&subject.ty)) {
            return;
        }
        let below = || body.subjects.iter().rev().find_map(|subject| self.of_kinds_below(&subject.ty, name));
        let word = || {
            let function = super::builtins::named(name).map(|_| format!("`{name}` is a function: `{name}(...)`"));
            let statement = match name {
                "choose" | "random" | "roll" => {
                    format!("it is a statement: `{name} x in S`, and `x` is what comes of it")
                }
                _ => "a statement begins here, so one word before it stands alone: `win me`, `lose me`".to_owned(),
            };
            instead_of(name, Role::Value)
                .map(str::to_owned)
                .or(function)
                .or_else(|| crate::syntax::begins_a_statement(name).then_some(statement))
        };
        let found = Diagnostic::new(Code::UnknownName, span, format!("there is no `{name}` here"));
        let of_game = self.rules.game_props.iter().any(|id| self.prop_name(*id) == name);
        if let Some(help) = below() {
            return self.report(found.help(help));
        } else if of_game {
            let mended = format!("game.{name}");
            return self.report(found.help(format!("write `{mended}`")).mend(span, mended));
        } else if let Some(help) = self.with_owner(body, name).or_else(word) {
            return self.report(found.help(help));
        }
        if let Some(Ty::Enum(id)) = hint.map(core)
            && let Some(item) = self.rules.enums.get(id.index())
        {
            let values: Vec<String> = item.values.iter().map(|value| value.name.clone()).collect();
            let adds = self.package_of(span).is_some_and(|package| package.expansion)
                && self.package_of(item.span).is_some_and(|package| !package.expansion);
            let add = if adds {
                format!("; to add one, write `patch enum {} {{ {name} }}`", item.name)
            } else {
                String::new()
            };
            let mut found =
                Diagnostic::new(Code::UnknownValue, span, format!("`{name}` is no value of `{}`", item.name))
                    .label(item.span, "declared here");
            found = match nearest(name, values.iter().map(String::as_str)) {
                Some(best) => found.did_you_mean(best),
                None => found.help(format!("its values are: {}{add}", values.join(", "))),
            };
            self.report(found);
            return;
        }
        if !self.may_suggest() {
            return self.error(Code::UnknownName, span, format!("there is no `{name}` here"));
        }
        if let Some(help) = self.card_named(name) {
            self.report(Diagnostic::new(Code::UnknownName, span, format!("there is no `{name}` here")).help(help));
            return;
        }
        let mut names: Vec<String> = body.names().map(|(name, _)| name.to_owned()).collect();
        if let Some(subject) = body.subjects.last() {
            names.extend(self.members_of(&subject.ty));
        }
        names.extend(self.names.iter().filter(|(_, decl)| decl.is_value()).map(|(name, _)| name.clone()));
        names.extend(self.enum_values.keys().cloned());
        names.extend(self.rules.boards.iter().flat_map(|board| board.geometry.directions.iter().cloned()));
        names.extend(BUILTIN_NAMES.iter().map(|name| (*name).to_owned()));
        let mut found = Diagnostic::new(Code::UnknownName, span, format!("there is no `{name}` here"))
            .suggest(name, names.iter().map(String::as_str));
        let mut locals: Vec<String> = body.names().map(|(name, _)| format!("`{name}`")).collect();
        locals.dedup();
        found = match (&found.help, hint.map(core)) {
            (Some(_), _) => found,
            (None, _) if (1..=FEW_LOCALS).contains(&locals.len()) => {
                found.help(format!("what has a name of its own here: {}", locals.join(", ")))
            }
            (None, Some(Ty::Number)) => found.help("a number stands here"),
            (None, Some(Ty::Flag)) => found.help("`true`, `false` or a condition stands here"),
            (None, _) => found,
        };
        self.report(found);
    }

    /// Names that exist, but mean nothing at this place.
    fn misplaced_name(&self, body: &Body, name: &str, span: Span) -> Option<Diagnostic> {
        if body.outside.iter().any(|outside| outside == name) {
            let message = format!("`{name}` is a local of the text around, which a stored test cannot keep");
            return Some(
                Diagnostic::new(Code::CapturedLocal, span, message)
                    .note("it may use its parameters, `me`, `this`, constants and definitions"),
            );
        }
        if let Some(decl) = self.names.get(name) {
            let found = Diagnostic::new(Code::UnknownName, span, format!("`{name}` is {}, not a value", decl.noun()));
            return Some(match decl {
                Decl::Action(_) => {
                    found.help(format!("test it with `me can {name}`, or offer it with `choose action {name}`"))
                }
                Decl::Window(_) => found.help(format!("open it with the statement `open {name}`")),
                _ => found,
            });
        }
        let mut outer = body.subjects.iter().rev().skip(1);
        if let Some(outer) = outer.find(|subject| self.member_of(&subject.ty, name).is_some()) {
            let message = format!("`{name}` belongs to an outer subject");
            let found = Diagnostic::new(Code::NoSubject, span, message);
            return Some(match outer.place {
                Place::This => found.help(format!("write `this.{name}`")).mend(span, format!("this.{name}")),
                Place::Local(_) => found.help(format!("name the outer set with `as`: `... as x where ... x.{name}`")),
            });
        }
        if body.this.as_ref().is_some_and(|this| self.member_of(this, name).is_some()) {
            let message = format!("there is no `{name}` here");
            let help = format!("write `this.{name}`");
            return Some(Diagnostic::new(Code::NoSubject, span, message).help(help).mend(span, format!("this.{name}")));
        }
        if body.binding.as_ref().is_some_and(|binding| binding.text == name) && !body.subjects.is_empty() {
            let found = Diagnostic::new(Code::Unbound, span, format!("`{name}` is bound behind this condition"));
            return Some(found.help(
                "here each member is `it`, and its properties need no name: `where coins > 3`; to name it, write \
                 `... as x where x.coins > 3`",
            ));
        }
        if body.is_member(name) {
            let message = format!("`{name}` is known only in the condition of its set, and that has ended here");
            let help = format!(
                "put brackets around all that speaks of `{name}`: `every S as {name} meets (A and B)`, `some (S as {name} where A and B)`"
            );
            return Some(Diagnostic::new(Code::Unbound, span, message).help(help));
        }
        body.locals.iter().any(|local| local.name == name).then(|| {
            Diagnostic::new(Code::Unbound, span, format!("`{name}` is bound in another block, not here"))
                .help("bind it before, where both places can see it")
        })
    }

    /// Names of the properties and zones of a type.
    pub(super) fn members_of(&self, ty: &Ty) -> Vec<String> {
        match ty.bare() {
            Ty::Entity(kind) => {
                self.rules.kinds.get(kind.index()).map(|kind| self.names_of(&kind.props).collect()).unwrap_or_default()
            }
            Ty::Player => self
                .names_of(&self.rules.player_props)
                .chain(self.names.iter().filter(|(_, decl)| self.is_own_zone(decl)).map(|(name, _)| name.clone()))
                .collect(),
            _ => Vec::new(),
        }
    }

    fn is_own_zone(&self, decl: &Decl) -> bool {
        matches!(decl, Decl::Zone(zone) if self.rules.zones.get(zone.index()).is_some_and(|zone| zone.per_player))
    }

    /// The names of properties, without those that stand for one value of a table.
    pub(super) fn names_of<'p>(&'p self, props: &'p [PropId]) -> impl Iterator<Item = String> + 'p {
        let own = props.iter().filter_map(|id| self.rules.props.get(id.index())).filter(|prop| prop.table.is_none());
        own.map(|prop| prop.name.clone())
    }

    /// Whether a name gets its meaning only from the type that is expected.
    pub(super) fn needs_hint(&self, body: &Body, name: &str) -> bool {
        matches!(name, "nothing" | "ability" | "cost" | "rule")
            || (!BUILTIN_NAMES.contains(&name)
                && body.find(name).is_none()
                && !self.subject_has(body, name)
                && !self.names.get(name).is_some_and(|decl| decl.is_value())
                && (self.enum_values.contains_key(name) || self.directions_named(name).len() > 1))
    }

    /// The result of a definition without arguments or with them.
    pub(super) fn call_define(
        &mut self,
        body: &mut Body,
        index: usize,
        span: Span,
        args: &[crate::syntax::ast::Expr],
    ) -> Expr {
        self.define(index, Some(span));
        let Some(DefineState::Done { proc, params, ty }) = self.defines.get(index).cloned() else {
            return broken(span);
        };
        let name: Option<&Ident> = self.items.defines.get(index).map(|define| define.name);
        let (name, declared) = name.map_or((String::new(), span), |name| (name.text.clone(), name.span));
        if params.len() != args.len() {
            let found = arity(&name, span, declared, params.len(), args.len());
            let of_one = params.len() == 1 && args.is_empty();
            let help = || format!("say of what: `{name}(...)`; of the member of a set it is `{name}(it)`");
            self.report(if of_one { found.help(help()) } else { found });
            return broken(span);
        }
        body.calls(Callee::Proc(proc), span);
        if self.needs_me(proc) {
            if !body.me {
                let message = format!("`{name}` is about `me`, and nobody in particular acts here");
                let found = Diagnostic::new(Code::NoPlayer, span, message)
                    .label(declared, "declared here")
                    .help("give the definition a player: `define ...(p: player) = ...`");
                self.report(found);
                return broken(span);
            }
            body.log.needs_me = true;
        }
        let args: Vec<Expr> = params
            .iter()
            .zip(args)
            .map(|((_, declared), arg)| self.argument(body, arg, &declared.ty, &declared.names(), None))
            .collect();
        let given = args.iter().zip(&params).filter(|(_, (_, declared))| !matches!(declared.ty, Ty::Maybe(_)));
        let ty = ty.of_given(given.map(|(arg, _)| arg));
        Expr { kind: ExprKind::Call(proc, args), ty, span }
    }

    /// Whether a procedure speaks of the player who acts.
    pub(super) fn needs_me(&self, proc: super::rules::ProcId) -> bool {
        self.logs.get(proc.index()).is_some_and(|log| log.needs_me)
    }

    /// Reports a wrong number of arguments.
    pub(super) fn wrong_arity(&mut self, name: &str, span: Span, declared: Span, wanted: usize, given: usize) {
        self.report(arity(name, span, declared, wanted, given));
    }

    /// What helps where a site is meant and this is none.
    pub(super) fn no_site(&self, body: &Body, expr: &Expr) -> String {
        let outer = |(inner, outer): (&Subject, &[Subject])| {
            let it = matches!((&expr.kind, inner.place), (ExprKind::Local(local), Place::Local(it)) if *local == it);
            it && outer.iter().any(|subject| matches!(subject.ty.bare(), Ty::Site(_)))
        };
        match *expr.ty.bare() {
            _ if expr.ty.is_many() => {
                "whether there are any in a set is `some SET` or `no SET`; where pieces are is `sites(...)`"
            }
            Ty::Text => "a site is named with its board: `site(BOARD, \"a1\")`",
            _ if body.subjects.split_last().is_some_and(outer) => OF_OUTER,
            _ => "the site of a piece is `site(...)`",
        }
        .to_owned()
    }
}

fn arity(name: &str, span: Span, declared: Span, wanted: usize, given: usize) -> Diagnostic {
    let plural = if wanted == 1 { "" } else { "s" };
    let message = format!("`{name}` takes {wanted} argument{plural}, and {given} are given");
    let found = Diagnostic::new(Code::WrongArity, span, message);
    if declared == Span::default() { found } else { found.label(declared, "declared here") }
}

/// What helps where `it` is the member of an inner set, and that of an outer one is meant.
pub(super) const OF_OUTER: &str =
    "`it` is the member of the innermost set; name that of the outer set with `as`: `... as x where ... x`";

/// The type that decides what the values of an enum mean.
fn core(ty: &Ty) -> &Ty {
    match ty {
        Ty::Maybe(inner) | Ty::Set(inner) | Ty::List(inner) => core(inner),
        other => other,
    }
}

/// A constant word.
pub(super) fn word(value: i64, ty: Ty, span: Span) -> Expr {
    Expr { kind: ExprKind::Word(value), ty, span }
}
