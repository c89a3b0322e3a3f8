//! Clauses: hooks of all stages, what modifies, what comes true, what the rules see to.

use super::stmts::Ctx;
use super::terms::{Scope, Smith};
use super::tree::{Node, Part, block, g, op, t};
use super::types::{Class, Owner, Prop, Ty};

impl Smith {
    /// A clause, of a rule or of cards of a kind; `armed` clauses speak of the locals around them too.
    pub fn clause(&mut self, this: Option<usize>, s: &Scope, armed: bool) -> Option<Node> {
        self.left = 40;
        match self.below(10) {
            0..=5 => self.hook(this, s, armed),
            6..=7 => self.modify(this),
            8 => self.becomes(this, s),
            _ if !armed => self.check(this, s),
            _ => self.hook(this, s, armed),
        }
    }

    fn scope(&self, this: Option<usize>, s: &Scope) -> Scope {
        Scope { this: this.map(Ty::Kind), subject: None, me: true, can: false, turns: true, event: false, ..s.clone() }
    }

    fn hook(&mut self, this: Option<usize>, s: &Scope, armed: bool) -> Option<Node> {
        let mut s = self.scope(this, s);
        if self.chance(20) {
            return self.span_hook(this, &s);
        }
        let index = self.below(self.w.verbs.len());
        let verb = self.w.verbs.get(index)?.clone();
        let stage = ["cannot", "instead", "before", "after", "after"][self.below(5)];
        let mut parts = Vec::new();
        if armed && stage != "cannot" && self.chance(25) {
            parts.push(t("next "));
        }
        if armed && matches!(stage, "instead" | "after") && self.chance(15) {
            parts.push(t("announced "));
        } else if matches!(stage, "instead" | "after") && this.is_some() && self.chance(15) {
            parts.push(t("may "));
        }
        parts.push(t(stage));
        if stage == "after" && this.is_some() && self.chance(10) {
            parts.push(t(" even gone"));
        }
        parts.extend([t(" "), g(&verb.name)]);
        s.event = true;
        for param in &verb.params {
            if self.chance(70) {
                let name = self.local();
                let label = if param.label.is_empty() { " ".to_owned() } else { format!(" {} ", param.label) };
                parts.extend([t(label), Part::Bind(name.clone())]);
                // What it is about may be gone when the hook acts.
                s.locals.push((name, param.ty.clone()));
            }
        }
        if self.chance(60) {
            let cond = self.term(&Ty::Flag, &s, 2);
            parts.push(Part::Maybe(vec![t(" where "), op(1, cond)]));
        }
        if stage == "cannot" {
            return Some(Node::other("cannot", parts));
        }
        let mut ctx = Ctx { s, verbs: index + 1, depth: 1, asks: stage != "before", ..Ctx::default() };
        ctx.asks &= self.chance(50);
        ctx.instead = (stage == "instead").then_some(index);
        parts.push(t(" "));
        parts.extend(block(self.stmts(&ctx, 2)));
        Some(Node::other(stage, parts))
    }

    /// A hook of a turn's start or end.
    fn span_hook(&mut self, this: Option<usize>, s: &Scope) -> Option<Node> {
        let name = self.local();
        let s = s.with(&name, &Ty::Player);
        let _ = this;
        let stage = ["before", "after"][self.below(2)];
        let edge = ["start", "end"][self.below(2)];
        let mut parts = vec![t(format!("{stage} {edge} of turn of ")), Part::Bind(name)];
        if self.chance(40) {
            let cond = self.term(&Ty::Flag, &s, 1);
            parts.push(Part::Maybe(vec![t(" where "), op(1, cond)]));
        }
        let ctx = Ctx { s, verbs: 0, depth: 1, asks: stage == "after" && self.chance(40), ..Ctx::default() };
        parts.push(t(" "));
        parts.extend(block(self.stmts(&ctx, 2)));
        Some(Node::other(if stage == "before" { "before span" } else { "after span" }, parts))
    }

    fn modify(&mut self, this: Option<usize>) -> Option<Node> {
        let stats: Vec<Prop> =
            self.w.props.iter().filter(|prop| matches!(prop.class, Class::Stat(_))).cloned().collect();
        let stat = self.pick(&stats)?;
        let Class::Stat(order) = stat.class else { return None };
        let s = Scope { order, this: this.map(Ty::Kind), ..Scope::new() };
        let set = match stat.owner {
            Owner::Player => op(1, self.term(&Ty::Player.set(), &s, 2)),
            Owner::Kind(kind) => op(1, self.term(&Ty::Kind(kind).set(), &s, 2)),
            Owner::Game => t("game"),
        };
        let to = self.chance(40) || stat.ty == Ty::Flag;
        let value = self.term(&stat.ty, &s, 2);
        let word = if to { " to " } else { " by " };
        let mut parts = vec![t("modify "), g(&stat.name), t(" of "), set, t(word), op(1, value)];
        if self.chance(50) {
            let cond = self.term(&Ty::Flag, &s, 2);
            parts.push(Part::Maybe(vec![t(" when "), op(1, cond)]));
        }
        Some(Node::other(if to { "modify to" } else { "modify by" }, parts))
    }

    /// The body of what acts again and again: there is a fuse, so that the game comes to rest.
    fn fused(&mut self, s: &Scope) -> Vec<Part> {
        let ctx = Ctx { s: s.clone(), verbs: 0, depth: 1, asks: false, ..Ctx::default() };
        let mut stmts = vec![Node::other("fuse", vec![t("decrease game.fuse by 1")])];
        stmts.extend(self.stmts(&ctx, 2));
        block(stmts).to_vec()
    }

    fn check(&mut self, this: Option<usize>, s: &Scope) -> Option<Node> {
        let mut s = self.scope(this, s);
        s.me = this.is_some();
        let cond = self.term(&Ty::Flag, &s, 2);
        let mut parts = vec![t("check game.fuse > 0 and "), op(3, cond), t(" ")];
        parts.extend(self.fused(&s));
        Some(Node::other("check", parts))
    }

    fn becomes(&mut self, this: Option<usize>, s: &Scope) -> Option<Node> {
        let mut s = self.scope(this, s);
        s.me = this.is_some();
        let cond = self.term(&Ty::Flag, &s, 2);
        let mut parts = vec![t("becomes game.fuse > 0 and "), op(3, cond), t(" ")];
        parts.extend(self.fused(&s));
        Some(Node::other("becomes", parts))
    }

    /// `arm SPAN { clauses }`
    pub fn arm(&mut self, ctx: &mut Ctx) -> Option<Node> {
        let left = self.left;
        let this = match ctx.s.this {
            Some(Ty::Kind(kind)) => Some(kind),
            _ => None,
        };
        let (form, mut parts) = match self.below(5) {
            0 if this.is_some() => ("arm here", vec![t("arm ")]),
            1 => ("arm until end", vec![t("arm until end of turn ")]),
            2 if ctx.s.me => ("arm until start", vec![t("arm until start of turn of me ")]),
            3 => {
                let cond = self.term(&Ty::Flag, &Scope { locals: Vec::new(), event: false, ..ctx.s.clone() }, 1);
                ("arm while", vec![t("arm while "), op(1, cond), t(" ")])
            }
            _ => ("arm for good", vec![t("arm for good ")]),
        };
        let clause = self.clause(this, &ctx.s, true)?;
        parts.extend(block(vec![clause]));
        self.left = left - 4;
        Some(Node::other(form, parts))
    }
}
