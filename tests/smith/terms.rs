//! Expressions of a wanted type, made at random from what is declared and what is at hand.

use super::tree::{Node, Part, g, op, t, under};
use super::types::{Class, Owner, PIECE, Per, Seen, Shape, Ty, World};
use cardwright::model::builtins::BUILTINS;
use cardwright::play::Dice;
use cardwright::syntax::{CONTEXTUAL, STATEMENTS};

/// Words with a role that are names of values or types, too.
const TAKEN: [&str; 7] = ["mover", "players", "round", "player", "amount", "effect", "test"];

/// What an expression may speak of.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Local names.
    pub locals: Vec<(String, Ty)>,
    /// The subject whose properties are bare names.
    pub subject: Option<Ty>,
    /// Whether somebody acts.
    pub me: bool,
    /// The kind of the card that the text stands on.
    pub this: Option<Ty>,
    /// Whether an event is at hand.
    pub event: bool,
    /// Whether nothing may be read that not everybody sees.
    pub open: bool,
    /// Stats and definitions before this place may be read.
    pub order: usize,
    /// Whether it may be asked what somebody can do.
    pub can: bool,
    /// Whether turns are under way.
    pub turns: bool,
}

impl Scope {
    /// A scope in which all stats may be read.
    pub fn new() -> Scope {
        Scope { order: usize::MAX, open: true, ..Scope::default() }
    }

    /// Likewise, with a local name.
    pub fn with(&self, name: &str, ty: &Ty) -> Scope {
        let mut scope = self.clone();
        scope.locals.push((name.to_owned(), ty.clone()));
        scope
    }
}

/// Makes packages.
pub struct Smith {
    pub dice: Dice,
    pub w: World,
    /// Names in use.
    pub fresh: usize,
    /// Words with a role that are names here.
    pub taken: Vec<&'static str>,
    /// How many more nodes a procedure may have.
    pub left: i32,
}

impl Smith {
    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.dice.below(bound.max(1))
    }

    /// Whether one of so many chances in a hundred comes.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.dice.below(100) < percent
    }

    /// One of these.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { from.get(self.dice.below(from.len())).cloned() }
    }

    /// A name that nothing else has.
    pub fn name(&mut self, words: &[&str]) -> String {
        self.fresh += 1;
        let word = words[self.dice.below(words.len())];
        format!("{word}{}", self.fresh)
    }

    /// A name that nothing else has; sometimes a word that has a role elsewhere. Words that begin statements cannot be
    /// given to verbs without brackets.
    pub fn any_name(&mut self, words: &[&str]) -> String {
        let free = |word: &&str| {
            let builtin = BUILTINS.iter().any(|info| info.name == *word) || TAKEN.contains(word);
            !builtin && !STATEMENTS.contains(word) && !self.taken.contains(word)
        };
        let free: Vec<&'static str> = CONTEXTUAL.iter().copied().filter(free).collect();
        let role = if self.chance(12) { self.pick(&free) } else { None };
        match role {
            Some(word) => {
                self.taken.push(word);
                word.to_owned()
            }
            None => self.name(words),
        }
    }

    /// A short local name.
    pub fn local(&mut self) -> String {
        self.name(&["x", "y", "p", "c", "s", "n"])
    }

    /// An expression of a type.
    pub fn term(&mut self, ty: &Ty, s: &Scope, depth: u8) -> Node {
        self.left -= 1;
        if depth == 0 || self.left < 0 {
            return self.leaf(ty, s);
        }
        if self.chance(30)
            && let Some(path) = self.path(ty, s)
        {
            return path;
        }
        if self.chance(25)
            && let Some(call) = self.call(ty, s, depth - 1)
        {
            return call;
        }
        if self.chance(12)
            && let Some(call) = self.define_call(ty, s, depth - 1)
        {
            return call;
        }
        if self.chance(5) && !matches!(ty, Ty::Maybe(_)) {
            return self.if_else(ty, s, depth - 1);
        }
        match ty {
            Ty::Number => self.number(s, depth - 1),
            Ty::Flag => self.flag(s, depth - 1),
            Ty::Set(of) => self.set(of, s, depth - 1),
            Ty::List(of) => self.list(of, s, depth - 1),
            Ty::Maybe(of) => self.maybe(of, s, depth - 1),
            Ty::Enum(_) | Ty::Player | Ty::Site(_) | Ty::Dir(_) | Ty::Kind(_) => self.leaf(ty, s),
        }
    }

    pub fn if_else(&mut self, ty: &Ty, s: &Scope, depth: u8) -> Node {
        let (cond, yes, no) = (self.term(&Ty::Flag, s, depth), self.term(ty, s, depth), self.term(ty, s, depth));
        let parts = vec![t("if "), op(1, cond), t(" then "), op(1, yes), t(" else "), op(1, no)];
        Node::term("if", ty.clone(), 0, parts)
    }

    /// The simplest expression of a type.
    pub fn leaf(&mut self, ty: &Ty, s: &Scope) -> Node {
        if self.chance(60)
            && let Some(path) = self.path(ty, s)
        {
            return path;
        }
        match ty {
            Ty::Number => self.literal(),
            Ty::Flag => {
                let truth = self.chance(50);
                Node::term("flag", Ty::Flag, 9, vec![t(truth.to_string())])
            }
            Ty::Enum(index) => {
                let values = self.w.enums[*index].1.clone();
                let value = self.pick(&values).unwrap_or_default();
                Node::term("value", ty.clone(), 9, vec![g(&value)])
            }
            Ty::Player => self.player(s),
            Ty::Site(board) => {
                self.site(*board, s).unwrap_or_else(|| Node::term("nothing", ty.maybe(), 9, vec![t("nothing")]))
            }
            Ty::Dir(board) => {
                let names = self.w.boards[*board].directions.clone();
                let name = self.pick(&names).unwrap_or_default();
                Node::term("direction", ty.clone(), 9, vec![t(name)])
            }
            Ty::Kind(_) => {
                let path = self.path(&ty.maybe(), s);
                path.unwrap_or_else(|| self.first(ty, s, 0))
            }
            Ty::Set(of) => self.base_set(of, s),
            Ty::List(of) => match **of {
                Ty::Site(board) if matches!(self.w.boards[board].per, Per::Kind(_)) => {
                    let (set, key) = (self.base_set(of, s), self.literal());
                    Node::term("sorted", ty.clone(), 0, vec![op(1, set), t(" sorted by "), under(1, key)])
                }
                Ty::Kind(_) => {
                    let set = self.base_set(of, s);
                    let key = Node::term("bare", Ty::Number, 9, vec![Part::Bare("entered".to_owned())]);
                    Node::term("sorted", ty.clone(), 0, vec![op(1, set), t(" sorted by "), under(1, key)])
                }
                _ => {
                    let items = (0..1 + self.below(2)).map(|_| self.leaf(of, s)).collect();
                    Node::term("list", ty.clone(), 9, vec![t("["), Part::List(", ", items), t("]")])
                }
            },
            Ty::Maybe(of) => {
                if matches!(**of, Ty::Kind(_)) || self.chance(30) {
                    self.first(of, s, 0)
                } else {
                    self.leaf(of, s)
                }
            }
        }
    }

    pub fn literal(&mut self) -> Node {
        if self.chance(12) {
            let found: Vec<String> =
                self.w.options.iter().filter(|(_, ty)| *ty == Ty::Number).map(|(name, _)| name.clone()).collect();
            if let Some(name) = self.pick(&found) {
                return Node::term("option", Ty::Number, 9, vec![g(&name)]);
            }
        }
        if self.chance(8) {
            return Node::term("round", Ty::Number, 9, vec![t("round")]);
        }
        let number = [0, 1, 1, 2, 2, 3, 4, 7][self.below(8)];
        Node::term("number", Ty::Number, 9, vec![t(number.to_string())])
    }

    pub fn player(&mut self, s: &Scope) -> Node {
        if s.me && self.chance(60) {
            return Node::term("me", Ty::Player, 9, vec![t("me")]);
        }
        let seat = 1 + self.below(2);
        Node::term("seat", Ty::Player, 9, vec![t(format!("seat({seat})"))])
    }

    /// How a board is meant: by its name, or as that of some player.
    pub fn board_name(&mut self, board: usize, s: &Scope) -> Option<Vec<Part>> {
        let (name, per) = (self.w.boards[board].name.clone(), self.w.boards[board].per);
        match per {
            Per::Game => Some(vec![g(&name)]),
            Per::Player => {
                let whose = self.player(s);
                Some(vec![op(9, whose), t("."), g(&name)])
            }
            Per::Kind(kind) => {
                let whose = self.path(&Ty::Kind(kind), s)?;
                Some(vec![op(9, whose), t("."), g(&name)])
            }
        }
    }

    pub fn site(&mut self, board: usize, s: &Scope) -> Option<Node> {
        let mut parts = vec![t(if self.chance(80) { "site(" } else { "origin(" })];
        let origin = parts == [t("origin(")];
        parts.extend(self.board_name(board, s)?);
        if !origin {
            let sites = self.w.boards[board].sites.clone();
            parts.push(t(format!(", \"{}\"", self.pick(&sites)?)));
        }
        parts.push(t(")"));
        Some(Node::term(if origin { "origin" } else { "site" }, Ty::Site(board), 9, parts))
    }

    /// `first(S)`
    pub fn first(&mut self, of: &Ty, s: &Scope, depth: u8) -> Node {
        let set = self.term(&of.set(), s, depth);
        Node::term("first", of.maybe(), 9, vec![t("first("), op(0, set), t(")")])
    }

    /// A set that has a name.
    pub fn base_set(&mut self, of: &Ty, s: &Scope) -> Node {
        let ty = of.set();
        let named = |form, name: &str| Node::term(form, ty.clone(), 9, vec![t(name)]);
        match of {
            Ty::Player => {
                let opponents = s.me && self.chance(40);
                named("players", if opponents { "opponents" } else { "players" })
            }
            Ty::Enum(index) => Node::term("enum", ty.clone(), 9, vec![g(&self.w.enums[*index].0.clone())]),
            Ty::Number => {
                let (low, high) = (self.below(3), 1 + self.below(5));
                let ends = [low, high].map(|n| Node::term("number", Ty::Number, 9, vec![t(n.to_string())]));
                let [low, high] = ends;
                Node::term("range", ty, 5, vec![op(6, low), t(".."), op(6, high)])
            }
            Ty::Site(board) => {
                let name = self.board_name(*board, s).unwrap_or_else(|| vec![g(&self.w.boards[*board].name.clone())]);
                let endless = self.w.boards[*board].shape == Shape::Endless;
                let word = if endless || self.chance(50) { "sites(" } else { "empty(" };
                let mut parts = vec![t(word)];
                parts.extend(name);
                parts.push(t(")"));
                Node::term("sites", ty, 9, parts)
            }
            Ty::Dir(board) => {
                let name = self.w.boards[*board].name.clone();
                Node::term("directions", ty, 9, vec![t("directions("), g(&name), t(")")])
            }
            Ty::Kind(kind) => self.entities(*kind, s),
            _ => named("players", "players"),
        }
    }

    /// A set of entities of a kind.
    pub fn entities(&mut self, kind: usize, s: &Scope) -> Node {
        let ty = Ty::Kind(kind).set();
        let mut found: Vec<(&'static str, Vec<Part>)> = Vec::new();
        let heirs: Vec<usize> = (3..self.w.kinds.len()).filter(|heir| self.w.is_kind(*heir, kind)).collect();
        for heir in &heirs {
            let info = self.w.kinds[*heir].clone();
            found.push(("kind", vec![g(&info.name)]));
            for entry in info.entries.iter().filter(|_| !info.hidden) {
                found.push(("entry", vec![g(&info.name), t(format!(" \"{entry}\""))]));
            }
        }
        for zone in self.w.zones.clone() {
            if !self.w.is_kind(zone.kind, kind) || (s.open && zone.seen != Seen::All) {
                continue;
            }
            if zone.per_player {
                let whose = self.player(s);
                found.push(("zone", vec![op(9, whose), t("."), g(&zone.name)]));
                if zone.seen == Seen::All {
                    found.push(("zone", vec![t("players."), g(&zone.name)]));
                }
            } else {
                found.push(("zone", vec![g(&zone.name)]));
            }
            if self.chance(60)
                && let Some((_, parts)) = found.last_mut()
            {
                parts.extend(self.key_of(&zone));
            }
        }
        for link in self.w.links.clone() {
            if self.w.is_kind(link.from, kind)
                && let Some(host) = self.path(&Ty::Kind(link.to).maybe(), s)
            {
                found.push(("linked", vec![op(9, host), t("."), g(&link.many)]));
            }
        }
        let kind_word = vec![g(&self.w.kinds[kind].name.clone())];
        let (form, parts) = self.pick(&found).unwrap_or(("kind", kind_word));
        Node::term(form, ty, 9, parts)
    }

    /// All values that can be read at hand, with their types.
    pub fn paths(&mut self, s: &Scope) -> Vec<(Node, Ty)> {
        let mut roots: Vec<(Part, Ty)> = Vec::new();
        for (name, ty) in &s.locals {
            roots.push((Part::Local(name.clone()), ty.clone()));
        }
        if s.me {
            roots.push((t("me"), Ty::Player));
        }
        roots.push((t("seat(1)"), Ty::Player));
        if let Some(this) = &s.this {
            roots.push((t("this"), this.clone()));
        }
        if let Some(subject) = &s.subject {
            // The subject counts more than the rest: filters are about it.
            for _ in 0..3 {
                roots.push((Part::It, subject.clone()));
            }
        }
        let mut found: Vec<(Node, Ty)> = Vec::new();
        for (root, ty) in roots {
            let form = match &root {
                Part::It => "it",
                Part::Local(_) => "local",
                _ => "root",
            };
            for prop in self.readable(&ty, s) {
                let of_maybe = matches!(ty, Ty::Maybe(_));
                let value = if of_maybe { prop.1.maybe() } else { prop.1.clone() };
                let bare = matches!(root, Part::It) && self.chance(70);
                let parts =
                    if bare { vec![Part::Bare(prop.0)] } else { vec![root.clone(), t("."), Part::Global(prop.0)] };
                found.push((Node::term(if bare { "bare" } else { "prop" }, value.clone(), 9, parts), value));
            }
            found.push((Node::term(form, ty.clone(), 9, vec![root]), ty));
        }
        for prop in self.w.props.clone() {
            let fits = match prop.class {
                Class::Counter(..) | Class::Mark => true,
                Class::Stat(order) => order < s.order,
                _ => false,
            };
            if prop.owner == Owner::Game && fits && !(s.open && self.w.is_hidden(&prop.ty)) {
                let parts = vec![t("game."), g(&prop.name)];
                found.push((Node::term("game prop", prop.ty.clone(), 9, parts), prop.ty));
            }
        }
        if s.event {
            found.push((Node::term("actor", Ty::Player.maybe(), 9, vec![t("actor")]), Ty::Player.maybe()));
            found.push((Node::term("changed", Ty::Flag, 9, vec![t("changed")]), Ty::Flag));
        }
        if s.turns {
            found.push((Node::term("mover", Ty::Player.maybe(), 9, vec![t("mover")]), Ty::Player.maybe()));
        }
        found
    }

    /// Names and types of the properties of something that can be read.
    pub fn readable(&self, ty: &Ty, s: &Scope) -> Vec<(String, Ty)> {
        let mut found = Vec::new();
        for prop in &self.w.props {
            let owned = match (ty.bare(), prop.owner) {
                (Ty::Kind(kind), Owner::Kind(of)) => self.w.is_kind(*kind, of),
                (Ty::Player, Owner::Player) => true,
                _ => false,
            };
            let read = match prop.class {
                Class::Field | Class::Counter(..) | Class::Mark | Class::Builtin => true,
                Class::Stat(order) => order < s.order,
                Class::Effect(_) | Class::Test(_) | Class::Amount(_) | Class::Sides => false,
            };
            if owned && read && !(s.open && self.w.is_hidden(&prop.ty)) {
                found.push((prop.name.clone(), prop.ty.clone()));
            }
        }
        found
    }

    /// A value of a type that can be read at hand.
    pub fn path(&mut self, ty: &Ty, s: &Scope) -> Option<Node> {
        let mut found = self.paths(s);
        found.retain(|(_, own)| self.w.fits(own, ty));
        let index = self.below(found.len());
        (index < found.len()).then(|| found.swap_remove(index).0)
    }

    /// A filter's set with the way in which its members are called: as the subject, or by a name. The name stands before
    /// what it is for, so a set of a fold gets none.
    pub fn subject(&mut self, set: Node, of: &Ty, s: &Scope, named: bool) -> (Node, Scope) {
        let mut inner = s.clone();
        if named && self.chance(35) {
            let name = self.local();
            inner.subject = None;
            inner.locals.push((name.clone(), of.clone()));
            let ty = set.ty.clone().unwrap_or_else(|| of.set());
            return (Node::term("as", ty, 0, vec![op(1, set), t(" as "), Part::Bind(name)]), inner);
        }
        inner.subject = Some(of.clone());
        (set, inner)
    }

    /// A type of which there are sets at hand.
    pub fn some_element(&mut self, s: &Scope) -> Ty {
        let mut found = vec![Ty::Player];
        for kind in 3..self.w.kinds.len() {
            let ty = Ty::Kind(kind);
            if !(s.open && self.w.kinds[kind].root != PIECE && self.only_hidden(kind)) {
                found.extend([ty.clone(), ty]);
            }
        }
        found.extend((0..self.w.enums.len()).map(Ty::Enum));
        for board in 0..self.w.boards.len() {
            found.extend([Ty::Site(board), Ty::Site(board)]);
            found.extend(self.directed(board));
        }
        if self.chance(10) {
            return Ty::Number;
        }
        self.pick(&found).unwrap_or(Ty::Player)
    }

    /// Whether no card of a kind can lie where everybody sees it.
    pub fn only_hidden(&self, kind: usize) -> bool {
        let open = |zone: &super::types::Zone| zone.seen == Seen::All && self.w.is_kind(zone.kind, kind);
        self.w.kinds[kind].hidden && !self.w.zones.iter().any(open)
    }

    /// The type of a board's directions, where `direction` is a type.
    pub fn directed(&self, board: usize) -> Option<Ty> {
        (self.w.one_compass() && !self.w.boards[board].directions.is_empty()).then_some(Ty::Dir(0))
    }

    /// A set of anything.
    pub fn many(&mut self, s: &Scope, depth: u8) -> Node {
        let of = self.some_element(s);
        self.term(&of.set(), s, depth)
    }

    pub fn set(&mut self, of: &Ty, s: &Scope, depth: u8) -> Node {
        let ty = of.set();
        let term = |form, level, parts| Node::term(form, ty.clone(), level, parts);
        match self.below(20) {
            0..=7 => {
                let set = self.term(&ty, s, depth);
                let (set, inner) = self.subject(set, of, s, true);
                let cond = self.term(&Ty::Flag, &inner, depth.max(1));
                let level = if set.form == "as" { 0 } else { 1 };
                term("where", 0, vec![op(level, set), t(" where "), under(1, cond)])
            }
            8 => {
                let set = self.term(&ty, s, depth);
                let (set, inner) = self.subject(set, of, s, true);
                let key = self.term(&Ty::Number, &inner, depth.min(1));
                let word = if self.chance(50) { "least" } else { "most" };
                let level = if set.form == "as" { 0 } else { 1 };
                term("having", 0, vec![op(level, set), t(format!(" having {word} ")), under(1, key)])
            }
            9..=10 => {
                let (a, b) = (self.term(&ty, s, depth), self.term(&ty, s, depth));
                term("union", 6, vec![op(6, a), t(" + "), op(8, b)])
            }
            11 => {
                let (a, b) = (self.term(&ty, s, depth), self.term(&ty, s, depth));
                term("difference", 6, vec![op(6, a), t(" - "), op(8, b)])
            }
            12 => {
                let (a, b) = (self.term(&ty, s, depth), self.term(&ty, s, depth));
                term("both", 7, vec![op(7, a), t(" & "), op(8, b)])
            }
            13..=14 => self.gathered("gather", of, s, depth),
            15 if self.chance(50) && matches!(of, Ty::Site(_) | Ty::Player | Ty::Enum(_) | Ty::Dir(_)) => {
                self.reached(of, s, depth)
            }
            15 => self.gathered("union", &ty, s, depth),
            16 if !matches!(of, Ty::Kind(_)) && (self.w.boards.len() < 2 || !matches!(of, Ty::Site(_))) => {
                // A single value, or a list, stands for a set.
                let items = (0..1 + self.below(2)).map(|_| self.leaf(of, s)).collect();
                Node::term("list set", ty, 9, vec![t("["), Part::List(", ", items), t("]")])
            }
            _ => self.base_set(of, s),
        }
    }

    /// `gather F of S`, `union F of S`
    pub fn gathered(&mut self, word: &'static str, value: &Ty, s: &Scope, depth: u8) -> Node {
        let over = self.some_element(s);
        let set = self.term(&over.set(), s, depth);
        let (set, inner) = self.subject(set, &over, s, false);
        let wanted = if word == "union" { value.clone() } else { value.maybe() };
        let Some(body) = self.about(&wanted, &inner, depth) else { return self.base_set(value.element(), s) };
        let ty = value.element().set();
        let set = op(level_of(&set, value.element() == &over), set);
        Node::term(word, ty, 0, vec![t(format!("{word} ")), under(9, body), t(" of "), set])
    }

    /// `reach F of S`
    fn reached(&mut self, of: &Ty, s: &Scope, depth: u8) -> Node {
        let set = self.term(&of.set(), s, depth);
        let (set, inner) = self.subject(set, of, s, false);
        let wanted = if self.chance(50) { of.set() } else { of.maybe() };
        let Some(body) = self.about(&wanted, &inner, depth) else { return self.base_set(of, s) };
        let set = op(level_of(&set, true), set);
        Node::term("reach", of.set(), 0, vec![t("reach "), under(9, body), t(" of "), set])
    }

    /// A value of a type that is about the subject, if there is one.
    pub fn about(&mut self, ty: &Ty, s: &Scope, depth: u8) -> Option<Node> {
        for _ in 0..4 {
            let node = self.term(ty, s, depth.max(1));
            if !node.closed() {
                return Some(node);
            }
        }
        None
    }

    pub fn list(&mut self, of: &Ty, s: &Scope, depth: u8) -> Node {
        let ty = of.list();
        match self.below(4) {
            0..=1 => {
                let set = self.term(&of.set(), s, depth);
                let (set, inner) = self.subject(set, of, s, true);
                let key = self.term(&Ty::Number, &inner, depth.min(1));
                let level = if set.form == "as" { 0 } else { 1 };
                let down = if self.chance(30) { " down" } else { "" };
                let parts = vec![op(level, set), t(" sorted by "), under(1, key), t(down)];
                Node::term("sorted", ty, 0, parts)
            }
            2 if matches!(of, Ty::Number | Ty::Enum(_) | Ty::Player) => {
                let over = self.some_element(s);
                let set = self.term(&over.set(), s, depth);
                let (set, inner) = self.subject(set, &over, s, false);
                let Some(body) = self.about(of, &inner, depth) else { return self.leaf(&ty, s) };
                let set = op(level_of(&set, *of == over), set);
                Node::term("values", ty, 0, vec![t("values "), under(9, body), t(" of "), set])
            }
            3 => {
                let (a, b) = (self.leaf(&ty, s), self.leaf(&ty, s));
                Node::term("join", ty, 6, vec![op(6, a), t(" + "), op(8, b)])
            }
            _ => self.leaf(&ty, s),
        }
    }

    pub fn maybe(&mut self, of: &Ty, s: &Scope, depth: u8) -> Node {
        match self.below(5) {
            0..=1 => self.first(of, s, depth),
            2 => {
                let list = self.term(&of.list(), s, depth);
                let at = self.below(3);
                Node::term("index", of.maybe(), 9, vec![op(9, list), t(format!("[{at}]"))])
            }
            3 if self.tile().is_some() && *of == Ty::Enum(0) => {
                self.side(s).unwrap_or_else(|| self.leaf(&of.maybe(), s))
            }
            3 if *of == Ty::Number => {
                // Arithmetic with nothing gives nothing.
                let (a, b) = (self.term(&of.maybe(), s, depth), self.leaf(of, s));
                Node::term("plus maybe", of.maybe(), 6, vec![op(6, a), t(" + "), op(7, b)])
            }
            _ => self.leaf(&of.maybe(), s),
        }
    }

    /// What a tile shows in a direction.
    fn side(&mut self, s: &Scope) -> Option<Node> {
        let tile = self.tile()?;
        let side = self.w.props.iter().find(|prop| prop.class == Class::Sides)?.name.clone();
        let of = Ty::Kind(tile).maybe();
        let of = self.path(&of, s).unwrap_or_else(|| self.first(&Ty::Kind(tile), s, 1));
        let way = self.directed(0)?;
        let way = self.term(&way, s, 1);
        Some(Node::term("side", Ty::Enum(0).maybe(), 9, vec![op(9, of), t("."), g(&side), t("["), op(0, way), t("]")]))
    }

    pub fn define_call(&mut self, ty: &Ty, s: &Scope, depth: u8) -> Option<Node> {
        let mut fitting = self.w.defines.clone();
        fitting.retain(|define| {
            self.w.fits(&define.ty, ty) && define.order < s.order && (s.me || !define.me) && (define.open || !s.open)
        });
        let define = self.pick(&fitting)?;
        let mut parts = vec![g(&define.name)];
        if !define.params.is_empty() {
            let args = define.params.iter().map(|ty| self.term(ty, s, depth)).collect();
            parts.extend([t("("), Part::List(", ", args), t(")")]);
        }
        Some(Node::term("define", define.ty, 9, parts))
    }
}

/// How tightly the set of a fold has to hold together: what is joined could also be joined to what comes of it, if that is
/// of the same type.
fn level_of(set: &Node, alike: bool) -> u8 {
    if alike && matches!(set.form, "union" | "difference" | "both" | "join") { 8 } else { 1 }
}
