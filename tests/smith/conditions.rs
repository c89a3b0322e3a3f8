//! Conditions, and numbers.

use super::terms::{Scope, Smith};
use super::tree::{Node, Part, g, op, t, under};
use super::types::{Class, Owner, PIECE, Per, Shape, Ty};

impl Smith {
    pub fn number(&mut self, s: &Scope, depth: u8) -> Node {
        let ty = Ty::Number;
        let term = |parts, level, form| Node::term(form, Ty::Number, level, parts);
        match self.below(16) {
            0..=1 => {
                let (a, b) = (self.term(&ty, s, depth), self.term(&ty, s, depth));
                term(vec![op(6, a), t(" + "), op(7, b)], 6, "plus")
            }
            2 => {
                let (a, b) = (self.term(&ty, s, depth), self.term(&ty, s, depth));
                term(vec![op(6, a), t(" - "), op(7, b)], 6, "minus")
            }
            3 => {
                let (a, sign) = (self.term(&ty, s, depth), ["* 2", "* 3", "/ 2", "% 3", "/ 3", "% 2"][self.below(6)]);
                term(vec![op(7, a), t(format!(" {sign}"))], 7, "times")
            }
            4 => {
                let a = self.term(&ty, s, depth);
                term(vec![t("-"), op(9, a)], 8, "negate")
            }
            5..=8 => {
                let set = self.many(s, depth);
                term(vec![t("count "), op(9, set)], 8, "count")
            }
            9..=11 => self.fold(s, depth),
            12 => {
                let params: Vec<(String, Class)> = self.askable(s, &Ty::Number);
                match self.pick(&params) {
                    Some((name, Class::Amount(params))) => self.asked(&name, &params, Ty::Number, s, depth),
                    _ => self.leaf(&ty, s),
                }
            }
            13 if self.w.script => {
                let list = self.term(&Ty::Number.list(), s, depth);
                term(vec![t("triple("), op(0, list), t(")")], 9, "script")
            }
            14 => {
                // A value per direction, or a number of a list.
                let list = self.term(&Ty::Number.list(), s, depth);
                let at = self.leaf(&ty, s);
                let index = Node::term("index", ty.maybe(), 9, vec![op(9, list), t("["), op(0, at), t("]")]);
                let zero = self.literal();
                if self.chance(50) {
                    let parts = vec![t("("), op(1, index), t(" else "), op(0, zero), t(")")];
                    return term(parts, 9, "else");
                }
                let some = Node::term("some", Ty::Flag, 8, vec![t("some "), op(9, index.clone())]);
                term(vec![t("if "), op(1, some), t(" then "), op(1, index), t(" else "), op(1, zero)], 0, "if")
            }
            _ => self.leaf(&ty, s),
        }
    }

    pub fn fold(&mut self, s: &Scope, depth: u8) -> Node {
        let word = ["sum", "sum", "min", "max"][self.below(4)];
        let of = self.some_element(s);
        let set = self.term(&of.set(), s, depth);
        let (set, inner) = self.subject(set, &of, s, false);
        let body = self.term(&Ty::Number, &inner, depth.min(1));
        Node::term("fold", Ty::Number, 0, vec![t(format!("{word} ")), under(9, body), t(" of "), op(1, set)])
    }

    pub fn flag(&mut self, s: &Scope, depth: u8) -> Node {
        let term = |form, level, parts| Node::term(form, Ty::Flag, level, parts);
        match self.below(23) {
            0..=3 => self.comparison(s, depth),
            4..=7 => self.equality(s, depth),
            8 => {
                let set = self.many(s, depth);
                term("some", 8, vec![t("some "), op(9, set)])
            }
            9 => {
                let set = self.many(s, depth);
                term("no", 8, vec![t("no "), op(9, set)])
            }
            10 => {
                let of = self.some_element(s).maybe();
                let value = self.term(&of, s, depth);
                // Arithmetic with nothing counts as a number, and who is on turn as a player.
                if !matches!(value.ty, Some(Ty::Maybe(_))) || matches!(value.form, "plus maybe" | "mover") {
                    return self.comparison(s, depth);
                }
                let form = self.below(4);
                match form {
                    0 => term("some maybe", 8, vec![t("some "), op(9, value)]),
                    1 => term("no maybe", 8, vec![t("no "), op(9, value)]),
                    2 => term("is nothing", 4, vec![op(5, value), t(" = nothing")]),
                    _ => term("is something", 4, vec![op(5, value), t(" != nothing")]),
                }
            }
            11..=12 => self.membership(s, depth),
            13 => {
                let of = self.some_element(s);
                let set = self.term(&of.set(), s, depth);
                let (set, inner) = self.subject(set, &of, s, true);
                let cond = self.term(&Ty::Flag, &inner, depth.min(2));
                term("every", 0, vec![t("every "), op(0, set), t(" meets "), under(4, cond)])
            }
            14 => self.is_kind(s).unwrap_or_else(|| self.leaf(&Ty::Flag, s)),
            15..=16 => {
                let (a, b) = (self.term(&Ty::Flag, s, depth), self.term(&Ty::Flag, s, depth));
                term("and", 2, vec![op(2, a), t(" and "), op(3, b)])
            }
            17..=18 => {
                let (a, b) = (self.term(&Ty::Flag, s, depth), self.term(&Ty::Flag, s, depth));
                term("or", 1, vec![op(1, a), t(" or "), op(2, b)])
            }
            19 => {
                let a = self.term(&Ty::Flag, s, depth);
                term("not", 3, vec![t("not "), op(4, a)])
            }
            20 => {
                let found = self.askable(s, &Ty::Flag);
                match self.pick(&found) {
                    Some((name, Class::Test(params))) => self.asked(&name, &params, Ty::Flag, s, depth),
                    _ if s.can => self.can(s).unwrap_or_else(|| self.leaf(&Ty::Flag, s)),
                    _ => self.comparison(s, depth),
                }
            }
            21 => self.on_lines(s, depth).unwrap_or_else(|| self.leaf(&Ty::Flag, s)),
            _ if s.event && self.chance(30) => {
                let cards = (3..self.w.kinds.len()).find(|kind| self.w.kinds[*kind].root == super::types::CARD);
                match cards.map(|kind| self.w.kinds[kind].name.clone()) {
                    Some(kind) => term("is", 4, vec![t("source is "), g(&kind)]),
                    None => term("some maybe", 8, vec![t("some source")]),
                }
            }
            _ if s.order > 0 && self.chance(60) => self.asker(s, depth),
            _ if s.event && self.chance(50) => {
                let cause = ["ability", "rule", "cost"][self.below(3)];
                term("cause", 4, vec![t(format!("cause = {cause}"))])
            }
            _ => self.comparison(s, depth),
        }
    }

    /// What lies between two sites, on a straight line or on top.
    fn on_lines(&mut self, s: &Scope, depth: u8) -> Option<Node> {
        let boards = 0..self.w.boards.len();
        let board = boards
            .filter(|board| self.w.boards[*board].per == Per::Game)
            .find(|board| !matches!(self.w.boards[*board].shape, Shape::Endless))?;
        let ways = self.directed(board);
        let site = Ty::Site(board);
        let (mut a, mut b) = self.two(&site, s, depth.min(1));
        if self.chance(50) {
            std::mem::swap(&mut a, &mut b);
        }
        let call = |word: &str, ty: &Ty, a, b| {
            let parts = vec![t(format!("{word}(")), op(0, a), t(", "), op(0, b), t(")")];
            Node::term("call", ty.clone(), 9, parts)
        };
        let term = |form, level, parts| Some(Node::term(form, Ty::Flag, level, parts));
        let sign = [" < ", " <= ", " > ", " >= ", " = ", " != "][self.below(6)];
        let equal = if self.chance(60) { " = " } else { " != " };
        let n = Node::term("number", Ty::Number, 9, vec![t(self.below(3).to_string())]);
        let (word, form) = if self.chance(50) { ("no ", "no") } else { ("some ", "some") };
        let Some(way) = ways else { return self.owner_on_top(a, equal, s) };
        let ways = way.clone().set();
        let between = |a, b| call("between", &site.clone().list(), a, b);
        let bearing = |a, b| call("direction", &way.clone().maybe(), a, b);
        if self.chance(25) {
            return Some(self.in_sight(&a, &site, &way, s, depth.min(1)));
        }
        match self.below(8) {
            0 => {
                let (a, b) = (between(a, b), self.term(&site.clone().set(), s, depth));
                let met = Node::term("both", site.clone().set(), 7, vec![op(7, a), t(" & "), op(8, b)]);
                term(form, 8, vec![t(word), op(9, met)])
            }
            1..=2 => {
                let mut set = between(a, b);
                if self.chance(50) {
                    set = Node::term("call", Ty::Kind(PIECE).set(), 9, vec![t("pieces("), op(0, set), t(")")]);
                }
                let count = Node::term("count", Ty::Number, 8, vec![t("count "), op(9, set)]);
                term("compare", 4, vec![op(5, count), t(sign), op(5, n)])
            }
            3 => term(if form == "no" { "no maybe" } else { "some maybe" }, 8, vec![t(word), op(9, bearing(a, b))]),
            4 => term("equal", 4, vec![op(5, bearing(a, b)), t(equal), op(5, self.leaf(&way, s))]),
            5 => term("in", 4, vec![op(5, bearing(a, b)), t(" in "), op(5, self.term(&ways, s, depth))]),
            6 => {
                let ray = call("ray", &site.clone().list(), b, self.leaf(&way, s));
                term("in", 4, vec![op(5, a), t(" in "), op(5, ray)])
            }
            _ => self.owner_on_top(a, equal, s),
        }
    }

    /// Whether some site of a set lies on a line from another, by what lies between.
    fn in_sight(&mut self, from: &Node, site: &Ty, way: &Ty, s: &Scope, depth: u8) -> Node {
        let set = site.clone().set();
        let over = self.term(&set, s, depth);
        let mut parts = vec![t("some ("), op(1, over), t(" as ze where ")];
        for more in [true, self.chance(80), self.chance(40)] {
            if !more {
                break;
            }
            if parts.len() > 3 {
                parts.push(t(" and "));
            }
            let ends = if self.chance(50) { ["", ", ze"] } else { ["ze, ", ""] };
            let line =
                |word: &str| vec![t(format!("{word}({}", ends[0])), op(0, from.clone()), t(format!("{})", ends[1]))];
            let word = ["no ", "no ", "some "][self.below(3)];
            let asked = match self.below(8) {
                0..=2 => {
                    let met = self.term(&set, s, depth);
                    [vec![t(format!("{word}("))], line("between"), vec![t(" & "), op(8, met), t(")")]].concat()
                }
                3 => [vec![t("some ")], line("between")].concat(),
                4 => [vec![t("count ")], line("between"), vec![t([" = 1", " >= 2", " > 0"][self.below(3)])]].concat(),
                5 => [line("direction"), vec![t(" = "), op(5, self.leaf(way, s))]].concat(),
                6 => {
                    let ways = self.term(&way.clone().set(), s, depth);
                    [line("direction"), vec![t(" in "), op(5, ways)]].concat()
                }
                _ => [vec![t("some ")], line("direction")].concat(),
            };
            parts.extend(asked);
        }
        parts.push(t(")"));
        Node::term("seen", Ty::Flag, 8, parts)
    }

    fn owner_on_top(&mut self, site: Node, equal: &'static str, s: &Scope) -> Option<Node> {
        let player = self.player(s);
        if self.chance(30) {
            let parts =
                vec![t("count (pieces(around("), op(0, site), t(")) as zo where zo.owner"), t(equal), op(5, player)];
            let count = Node::term("count", Ty::Number, 9, [parts, vec![t(")")]].concat());
            let n = Node::term("number", Ty::Number, 9, vec![t(self.below(3).to_string())]);
            return Some(Node::term("compare", Ty::Flag, 4, vec![op(5, count), t(" > "), op(5, n)]));
        }
        let lies = self.chance(30).then(|| vec![t("some top("), op(0, site.clone()), t(") and ")]);
        let parts = vec![t("top("), op(0, site), t(").owner")];
        let owner = Node::term("path", Ty::Player.maybe(), 9, parts);
        let equal = Node::term("equal", Ty::Flag, 4, vec![op(5, owner), t(equal), op(5, player)]);
        Some(match lies {
            Some(lies) => Node::term("both hold", Ty::Flag, 2, [lies, vec![op(4, equal)]].concat()),
            None => equal,
        })
    }

    /// A definition is given a question about a player, in which only the player is known.
    fn asker(&mut self, s: &Scope, depth: u8) -> Node {
        let Some(name) = self.pick(&self.w.askers.clone()) else { return self.comparison(s, depth) };
        let inner = Scope { subject: Some(Ty::Player), order: 0, ..Scope::new() };
        let cond = self.term(&Ty::Flag, &inner, depth.min(2));
        // The question is no place from which a part could be drawn out.
        Node::term("asked", Ty::Flag, 9, vec![g(&name), t("("), super::tree::under(0, cond), t(")")])
    }

    pub fn can(&mut self, s: &Scope) -> Option<Node> {
        let action = self.pick(&self.w.actions.clone())?;
        let who = self.player(s);
        let mut parts = vec![op(9, who), t(" can "), g(&action.name)];
        if !action.params.is_empty() {
            let args = action.params.iter().map(|ty| self.leaf(ty, s)).collect();
            parts.extend([t("("), Part::List(", ", args), t(")")]);
        }
        Some(Node::term("can", Ty::Flag, 4, parts))
    }

    /// Two values of one type, the first rather one that can be read at hand.
    pub fn two(&mut self, ty: &Ty, s: &Scope, depth: u8) -> (Node, Node) {
        let one = if self.chance(70) { self.path(ty, s) } else { None };
        let one = one.unwrap_or_else(|| self.term(ty, s, depth));
        (one, self.term(ty, s, depth))
    }

    pub fn comparison(&mut self, s: &Scope, depth: u8) -> Node {
        let ty = if self.chance(8) { Ty::Number.list() } else { Ty::Number };
        let (a, b) = self.two(&ty, s, depth);
        let sign = ["<", "<=", ">", ">=", "=", "!="][self.below(6)];
        let form = if ty == Ty::Number { "compare" } else { "compare lists" };
        Node::term(form, Ty::Flag, 4, vec![op(5, a), t(format!(" {sign} ")), op(5, b)])
    }

    pub fn equality(&mut self, s: &Scope, depth: u8) -> Node {
        let mut ty = self.some_element(s);
        if self.chance(15) {
            ty = ty.set();
        } else if matches!(ty, Ty::Kind(_)) || self.chance(40) {
            ty = ty.maybe();
        } else if let Ty::Site(board) = ty
            && matches!(self.w.boards[board].per, Per::Kind(_))
        {
            ty = ty.maybe();
        } else if self.chance(5) {
            ty = Ty::Flag;
        }
        let (mut a, mut b) = self.two(&ty, s, depth);
        if self.chance(25) {
            std::mem::swap(&mut a, &mut b);
        }
        let sign = if self.chance(70) { "=" } else { "!=" };
        Node::term("equal", Ty::Flag, 4, vec![op(5, a), t(format!(" {sign} ")), op(5, b)])
    }

    pub fn membership(&mut self, s: &Scope, depth: u8) -> Node {
        let of = self.some_element(s);
        let one = if matches!(of, Ty::Kind(_)) || self.chance(50) { of.maybe() } else { of.clone() };
        let one = self.term(&one, s, depth.min(1));
        let set = self.term(&of.set(), s, depth);
        match self.below(4) {
            0 => Node::term("not in", Ty::Flag, 4, vec![op(5, one), t(" not in "), op(5, set)]),
            1 => Node::term("has", Ty::Flag, 4, vec![op(5, set), t(" has "), op(5, one)]),
            _ => Node::term("in", Ty::Flag, 4, vec![op(5, one), t(" in "), op(5, set)]),
        }
    }

    pub fn is_kind(&mut self, s: &Scope) -> Option<Node> {
        let kinds: Vec<usize> = (3..self.w.kinds.len()).filter(|kind| self.w.kinds[*kind].parent > 2).collect();
        let kind = self.pick(&kinds)?;
        let value = self.path(&Ty::Kind(self.w.kinds[kind].parent).maybe(), s)?;
        let own = value.ty.as_ref().map(|ty| ty.bare().clone());
        if !matches!(own, Some(Ty::Kind(own)) if self.w.is_kind(kind, own) || self.w.is_kind(own, kind)) {
            return None;
        }
        let not = if self.chance(30) { "is not" } else { "is" };
        let form = if not == "is" { "is" } else { "is not" };
        let name = self.w.kinds[kind].name.clone();
        Some(Node::term(form, Ty::Flag, 4, vec![op(9, value), t(format!(" {not} ")), g(&name)]))
    }

    /// Stored questions that can be asked of something at hand: each with how it is reached.
    pub fn askable(&mut self, s: &Scope, result: &Ty) -> Vec<(String, Class)> {
        // Questions do not ask questions: they could lead in circles.
        if s.order == 0 {
            return Vec::new();
        }
        let fits =
            |class: &Class| matches!((class, result), (Class::Test(_), Ty::Flag) | (Class::Amount(_), Ty::Number));
        let props = self.w.props.iter().filter(|prop| fits(&prop.class));
        props.map(|prop| (prop.name.clone(), prop.class.clone())).collect()
    }

    pub fn asked(&mut self, name: &str, params: &[Ty], result: Ty, s: &Scope, depth: u8) -> Node {
        let owner = self.w.props.iter().find(|prop| prop.name == name).map(|prop| prop.owner);
        let Some(Owner::Kind(kind)) = owner else { return self.leaf(&result, s) };
        let Some(of) = self.path(&Ty::Kind(kind).maybe(), s) else { return self.leaf(&result, s) };
        let args = params.iter().map(|ty| self.term(ty, s, depth.min(1))).collect();
        let parts = vec![op(9, of), t("."), g(name), t("("), Part::List(", ", args), t(")")];
        Node::term("asked", result, 9, parts)
    }
}
