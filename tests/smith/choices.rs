//! Statements that ask somebody, or chance.

use super::stmts::{Ctx, Made};
use super::terms::{Scope, Smith};
use super::tree::{Node, Part, block, g, op, t};
use super::types::{Seen, Ty, Zone};

impl Smith {
    pub fn secret(&mut self, ctx: &mut Ctx) -> Made {
        let (name, number) = (self.local(), self.local());
        let mut inner = ctx.deeper();
        inner.asks = false;
        inner.s = inner.s.with(&name, &Ty::Player).with(&number, &Ty::Number.maybe());
        let high = 1 + self.below(3);
        let choose = vec![t("choose "), Part::Bind(number), t(format!(" in 0..{high}"))];
        let mut stmts = vec![Node::other("choose", choose)];
        stmts.extend(self.stmts(&inner, 1));
        let mut parts = vec![t("each "), Part::Bind(name), t(" in players secret ")];
        parts.extend(block(stmts));
        Some(Node::other("each secret", parts))
    }

    /// What can be chosen from: also one's own hand.
    pub fn domain(&mut self, s: &Scope) -> (Node, Ty) {
        let hands: Vec<Zone> =
            self.w.zones.iter().filter(|zone| zone.per_player && zone.seen == Seen::Holder).cloned().collect();
        if s.me
            && self.chance(40)
            && let Some(hand) = self.pick(&hands)
        {
            let of = Ty::Kind(hand.kind);
            let set = Node::term("zone", of.set(), 9, vec![t("me."), g(&hand.name)]);
            if self.chance(50) {
                let mut inner = s.clone();
                inner.subject = Some(of.clone());
                let cond = self.term(&Ty::Flag, &inner, 2);
                let parts = vec![op(1, set), t(" where "), super::tree::under(1, cond)];
                return (Node::term("where", of.set(), 0, parts), of);
            }
            return (set, of);
        }
        let mut of = self.some_element(s);
        if matches!(of, Ty::Dir(_)) {
            of = Ty::Number;
        }
        (self.term(&of.set(), s, 3), of)
    }

    pub fn choose(&mut self, ctx: &mut Ctx) -> Made {
        let by = !ctx.s.me || self.chance(10);
        let mut s = ctx.s.clone();
        s.me &= !by;
        let (domain, of) = self.domain(&s);
        let name = self.local();
        let mut parts = vec![t("choose ")];
        if by {
            let who = self.leaf(&Ty::Player, &s);
            parts.extend([t("by "), op(9, who), t(" ")]);
        }
        let mut bound = of.maybe();
        if self.chance(25) {
            let quantity = ["up to 2 ", "exactly 1 ", "any ", "1 to 2 ", "exactly 2 "][self.below(5)];
            bound = of.set();
            parts.push(t(quantity));
        }
        let named = matches!(domain.form, "kind" | "enum");
        parts.extend([Part::Bind(name.clone()), t(" in "), asked_of(domain)]);
        let fits = |verb: &super::types::Verb| {
            verb.params.first().is_some_and(|param| param.label.is_empty() && self.w.fits(&of, param.ty.bare()))
        };
        let verbs: Vec<_> = self.w.verbs.iter().filter(|verb| fits(verb)).cloned().collect();
        if self.chance(30)
            && let Some(verb) = self.pick(&verbs)
        {
            let mut ignoring = vec![t(" for "), g(&verb.name)];
            if let Some(rule) = self.pick(&self.w.rules.clone()).filter(|_| self.chance(30)) {
                ignoring.push(Part::Maybe(vec![t(" ignoring "), g(&rule)]));
            }
            parts.push(Part::Maybe(ignoring));
        } else if !named && self.chance(25) {
            parts.push(Part::Maybe(vec![t(" \"Which?\"")]));
        }
        ctx.s.locals.push((name, bound));
        Some(Node::other("choose", parts))
    }

    pub fn choose_option(&mut self, ctx: &mut Ctx) -> Made {
        let mut arms = Vec::new();
        for text in ["one", "two", "three"].iter().take(2 + self.below(2)) {
            let mut parts = vec![t(format!("\"{text}\""))];
            if self.chance(40) && *text != "one" {
                let cond = self.term(&Ty::Flag, &ctx.s, 2);
                parts.push(Part::Maybe(vec![t(" if "), op(0, cond)]));
            }
            parts.push(t(" "));
            parts.extend(block(self.stmts(&ctx.deeper(), 1)));
            arms.push(Node::other("arm of option", parts));
        }
        let mut parts = vec![t("choose ")];
        if !ctx.s.me {
            parts.push(t("by seat(1) "));
        }
        parts.extend([t("option {\n"), Part::List("\n", arms), t("\n}")]);
        Some(Node::other("choose option", parts))
    }

    pub fn gate(&mut self, ctx: &mut Ctx) -> Made {
        if !ctx.s.me {
            return None;
        }
        let must = self.chance(25);
        let mut inner = ctx.deeper();
        let mut parts = vec![t(if must { "must" } else { "may" })];
        let mut chosen = false;
        if self.chance(60) {
            let (domain, of) = self.domain(&ctx.s);
            let name = self.local();
            chosen = true;
            parts.extend([t(" choose "), Part::Bind(name.clone()), t(" in "), asked_of(domain)]);
            inner.s.locals.push((name, of.maybe()));
        } else if self.chance(50) {
            parts.push(Part::Maybe(vec![t(" \"Really?\"")]));
        }
        if self.chance(30) {
            let mut pay = vec![t(" pay ")];
            pay.extend(block(self.stmts(&Ctx { asks: false, ..inner.clone() }, 1)));
            parts.push(Part::Maybe(pay));
        }
        parts.push(t(" do "));
        parts.extend(block(self.stmts(&inner, 2)));
        if chosen && self.chance(40) {
            let mut other = vec![t(" else ")];
            other.extend(block(self.stmts(&ctx.deeper(), 1)));
            parts.push(Part::Maybe(other));
        }
        Some(Node::other("gate", parts))
    }

    /// An order, or a split.
    pub fn choose_other(&mut self, ctx: &mut Ctx) -> Made {
        if !ctx.s.me {
            return None;
        }
        let (domain, of) = self.domain(&ctx.s);
        let name = self.local();
        // Where there are many, this asks for ever.
        let few = Node::term("first few", of.set(), 9, vec![asked_of(domain)]);
        if self.chance(50) {
            let parts = vec![t("choose order "), Part::Bind(name.clone()), t(" in "), op(1, few)];
            ctx.s.locals.push((name, of.list()));
            return Some(Node::other("choose order", parts));
        }
        let evenly = if self.chance(40) { " evenly" } else { "" };
        let whose = self.leaf(&Ty::Player, &ctx.s);
        let parts = vec![
            t("choose split "),
            Part::Bind(name.clone()),
            t(" in "),
            op(1, few),
            t(format!(" among players{evenly}\nset game.told = count ")),
            Part::Local(name),
            t("["),
            op(0, whose),
            t("]"),
        ];
        Some(Node::other("choose split", parts))
    }

    pub fn roll(&mut self, ctx: &mut Ctx) -> Made {
        let name = self.local();
        if self.chance(50) {
            let high = 2 + self.below(4);
            ctx.s.locals.push((name.clone(), Ty::Number));
            return Some(Node::other("roll", vec![t("roll "), Part::Bind(name), t(format!(" in 1..{high}"))]));
        }
        let of = self.some_element(&ctx.s);
        let set = self.term(&of.set(), &ctx.s, 2);
        ctx.s.locals.push((name.clone(), of.maybe()));
        Some(Node::other("random", vec![t("random "), Part::Bind(name), t(" in "), op(0, set)]))
    }

    pub fn open(&mut self, ctx: &mut Ctx) -> Made {
        let (name, params) = self.pick(&self.w.windows.clone()).filter(|_| ctx.asks && ctx.verbs == 0)?;
        let mut parts = vec![t("open "), g(&name)];
        if !params.is_empty() {
            let args = params.iter().map(|ty| self.leaf(ty, &ctx.s)).collect();
            parts.extend([t("("), Part::List(", ", args), t(")")]);
        }
        Some(Node::other("open", parts))
    }

    pub fn offer(&mut self, ctx: &mut Ctx) -> Made {
        let name = self.local();
        let mut inner = ctx.deeper();
        let zones: Vec<Zone> =
            self.w.zones.iter().filter(|zone| zone.per_player && zone.seen == Seen::All).cloned().collect();
        let (of, set) = match self.pick(&zones) {
            Some(zone) => {
                let mut parts = vec![t("me."), g(&zone.name)];
                parts.extend(self.key_of(&zone));
                (Ty::Kind(zone.kind), parts)
            }
            None => (Ty::Number, vec![t("0..2")]),
        };
        inner.s.locals.push((name.clone(), of.set()));
        let to = self.leaf(&Ty::Player, &ctx.s);
        let mut parts = vec![t("offer to "), op(9, to), t(" {\nterms "), Part::Bind(name), t(" in ")];
        parts.extend(set);
        parts.push(Part::Maybe(vec![t("\ncounters 1")]));
        let valid = self.term(&Ty::Flag, &inner.s, 1);
        parts.extend([Part::Maybe(vec![t("\nvalid while "), op(0, valid)]), t("\n} accepted ")]);
        parts.extend(block(self.stmts(&inner, 2)));
        let mut other = vec![t(" refused ")];
        other.extend(block(self.stmts(&inner, 1)));
        parts.push(Part::Maybe(other));
        Some(Node::other("offer", parts))
    }
}

/// What is chosen from: a text at its end would be taken for the prompt, and a rewording can bring one there.
pub(super) fn asked_of(domain: Node) -> Part {
    let text = domain.line().contains('"');
    op(if text { 10 } else { 1 }, domain)
}
