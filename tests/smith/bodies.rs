//! What verbs, rules, actions and the flow do.

use super::items::{Items, PREPOSITIONS};
use super::stmts::Ctx;
use super::terms::{Scope, Smith};
use super::tree::{Node, Part, block, g, op, t};
use super::types::{Action, CARD, Param, Ty, Verb};

impl Smith {
    /// What verbs, actions and windows take.
    pub fn signatures(&mut self) {
        for _ in 0..1 + self.below(3) {
            let name = self.name(&["strike", "mend", "toss"]);
            let mut params = Vec::new();
            for index in 0..self.below(4) {
                let s = Scope::new();
                let ty = match self.some_type(&s) {
                    Ty::List(of) | Ty::Set(of) if self.chance(60) => *of,
                    Ty::List(of) => of.set(),
                    other => other,
                };
                if self.lies_apart(&ty)
                    || matches!(ty.bare(), Ty::Dir(_))
                    || matches!(ty, Ty::Maybe(ref of) if **of == Ty::Number)
                {
                    continue;
                }
                let label = if index == 0 { "" } else { PREPOSITIONS[index - 1] };
                if params.iter().any(|param: &Param| param.label == label) {
                    continue;
                }
                let default = ty == Ty::Player && !label.is_empty() && self.chance(40);
                params.push(Param { label, name: self.local(), ty, default });
            }
            let asks = self.chance(40);
            self.w.verbs.push(Verb { name, params, asks });
        }
        for _ in 0..self.below(3) {
            let name = self.any_name(&["calm", "dark"]);
            self.w.rules.push(name);
        }
    }

    pub fn verb_bodies(&mut self, made: &mut Items) {
        for index in 0..self.w.verbs.len() {
            let verb = self.w.verbs[index].clone();
            self.left = 50;
            let mut s = Scope { me: true, event: true, turns: true, ..Scope::new() };
            let mut parts = vec![t("verb "), g(&verb.name), self.label()];
            if verb.params.first().is_none_or(|param| !param.label.is_empty()) {
                parts.push(t("()"));
            }
            for param in &verb.params {
                let label = if param.label.is_empty() { " ".to_owned() } else { format!(" {} ", param.label) };
                parts.extend([t(label), Part::Bind(param.name.clone())]);
                parts.extend(self.w.typed(&param.ty));
                if param.default {
                    parts.push(t(" = me"));
                }
                s = s.with(&param.name, &param.ty);
            }
            parts.push(t(" "));
            let ctx = Ctx { s, verbs: index + 1, asks: verb.asks, depth: 2, arms: self.chance(30), ..Ctx::default() };
            parts.extend(block(self.stmts(&ctx, 3)));
            made.items.push(Node::other("verb", parts));
        }
    }

    pub fn rules(&mut self, made: &mut Items) {
        for name in self.w.rules.clone() {
            let mut parts = vec![t("rule "), g(&name)];
            if self.chance(30) {
                self.left = 20;
                let cond = self.term(&Ty::Flag, &Scope { order: 0, ..Scope::new() }, 2);
                parts.push(Part::Maybe(vec![t(" when "), op(1, cond)]));
            }
            let clauses = (0..1 + self.below(3)).filter_map(|_| self.clause(None, &Scope::new(), false)).collect();
            parts.push(t(" "));
            parts.extend(block(clauses));
            made.items.push(Node::other("rule", parts));
        }
        for kind in 3..self.w.kinds.len() {
            if self.chance(12)
                && let Some(clause) = self.clause(Some(kind), &Scope::new(), false)
            {
                made.members[kind].push(clause);
            }
            made.members[kind].extend(self.scheme_of(kind).into_iter().flatten());
            if self.chance(8) {
                self.left = 20;
                let this = Ty::Kind(kind);
                let s = Scope { this: Some(this.clone()), subject: Some(this), order: 0, ..Scope::new() };
                let cond = self.term(&Ty::Flag, &s, 1);
                made.members[kind].push(Node::other("stands", vec![t("stands when "), op(1, cond)]));
            }
        }
        for kind in 3..self.w.kinds.len() {
            for entry in self.w.kinds[kind].entries.clone() {
                let node = self.entry(kind, &entry);
                made.items.push(node);
            }
        }
    }

    pub fn setup(&mut self, made: &mut Items) {
        self.left = 60;
        let s = Scope::new();
        // Something to begin with on each board, and of each thing.
        for kind in 3..self.w.kinds.len() {
            if self.w.kinds[kind].root != CARD {
                for _ in 0..1 + self.below(3) {
                    let mut ctx = Ctx { s: s.clone(), asks: true, ..Ctx::default() };
                    let node = self.create_of(kind, &mut ctx);
                    made.setup.extend(node);
                }
            }
        }
        let ctx = Ctx { s, asks: self.chance(30), depth: 1, flow: false, ..Ctx::default() };
        let more = self.stmts(&ctx, 3);
        made.setup.extend(more);
    }

    pub fn create_of(&mut self, kind: usize, ctx: &mut Ctx) -> Option<Node> {
        for _ in 0..12 {
            let node = self.create(ctx)?;
            if node.line().contains(&format!("create {} ", self.w.kinds[kind].name)) {
                return Some(node);
            }
        }
        None
    }

    pub fn actions(&mut self, made: &mut Items) {
        for index in 0..2 + self.below(3) {
            let name = self.any_name(&["lay", "push", "jump", "trade", "grow"]);
            let mut s = Scope { me: true, turns: true, ..Scope::new() };
            let mut head = Vec::new();
            let mut params = Vec::new();
            if index > 0 && self.chance(35) {
                let ty = match self.some_type(&s) {
                    Ty::List(of) | Ty::Set(of) => *of,
                    other => other,
                };
                if !matches!(ty.bare(), Ty::Kind(_)) && !self.lies_apart(&ty) {
                    let local = self.local();
                    s = s.with(&local, &ty);
                    head.push(Node::other("param", [vec![Part::Bind(local)], self.w.typed(&ty)].concat()));
                    params.push(ty);
                }
            }
            let stmts = self.action_body(s, index);
            let mut parts = vec![t("action "), g(&name), self.label()];
            if !head.is_empty() {
                parts.extend([t("("), Part::List(", ", head), t(")")]);
            }
            parts.push(t(" "));
            parts.extend(block(stmts));
            made.items.push(Node::other("action", parts));
            self.w.actions.push(Action { name, params });
        }
        if self.w.opens {
            self.window(made);
        }
    }

    pub fn action_body(&mut self, s: Scope, index: usize) -> Vec<Node> {
        self.left = 70;
        let mut ctx = Ctx { s, asks: true, action: true, depth: 2, ..Ctx::default() };
        let mut stmts = Vec::new();
        if index > 0 && self.chance(30) {
            let cond = self.term(&Ty::Flag, &ctx.s, 2);
            let reason = if self.chance(50) { " \"not now\"" } else { "" };
            stmts.push(Node::other("requires", vec![t("requires "), super::choices::asked_of(cond), t(reason)]));
        }
        for _ in 0..[1, 1, 1, 2, 2, 3][self.below(6)] {
            stmts.extend(self.choose(&mut ctx));
        }
        if index == 0 && self.chance(50) {
            // Something that can be done nearly always.
            stmts = vec![Node::other("choose", vec![t("choose "), Part::Bind("n0".to_owned()), t(" in 0..2")])];
            ctx.s.locals = vec![("n0".to_owned(), Ty::Number.maybe())];
        }
        let rest = {
            let mut inner = ctx.clone();
            inner.asks = self.chance(50);
            self.stmts(&inner, 4)
        };
        if self.chance(15) && !stmts.iter().any(|stmt| stmt.line().contains("choose by")) {
            let cond = self.term(&Ty::Flag, &ctx.s, 2);
            let reason = if self.chance(50) { " \"not now\"" } else { "" };
            let ensure = Node::other("ensure", vec![t("ensure "), super::choices::asked_of(cond), t(reason)]);
            stmts.push(ensure);
        }
        stmts.extend(rest);
        // Where turns have texts, the conformance suite lists whole turns, which takes long.
        if self.chance(2) {
            let told = self.told(&ctx.s);
            stmts.push(Node::other("notation", vec![t("notation \"it: {"), told, t("}\"")]));
        }
        stmts
    }

    pub fn window(&mut self, made: &mut Items) {
        let name = self.any_name(&["answers"]);
        let mut parts = vec![t("window "), g(&name), t(" from seat(1) ")];
        if self.chance(40) {
            let cond = self.term(&Ty::Flag, &Scope { order: 0, ..Scope::new() }, 1);
            parts.push(Part::Maybe(vec![t("until "), op(9, cond), t(" ")]));
        }
        parts.push(t("{\n"));
        let s = Scope { me: true, ..Scope::new() };
        if self.chance(40) {
            self.left = 10;
            let cond = self.term(&Ty::Flag, &Scope { order: 0, ..s.clone() }, 1);
            parts.push(Part::Maybe(vec![t("silent when "), op(1, cond), t("\n")]));
        }
        let mut acts = Vec::new();
        for action in self.w.actions.clone() {
            let mut act = vec![t(if self.chance(30) { "quietly " } else { "" })];
            act.extend(self.act(&action.name, &action.params, &s));
            acts.push(Node::other("act", act));
        }
        parts.extend([Part::List("\n", acts), t("\n}")]);
        made.items.push(Node::other("window", parts));
        self.w.windows.push((name, Vec::new()));
    }

    pub fn act(&mut self, name: &str, params: &[Ty], s: &Scope) -> Vec<Part> {
        let mut parts = vec![g(name)];
        if !params.is_empty() {
            let args = params.iter().map(|ty| self.term(ty, s, 1)).collect();
            parts.extend([t("("), Part::List(", ", args), t(")")]);
        }
        parts
    }

    pub fn flow(&mut self, made: &mut Items) {
        self.left = 60;
        let rounds = 1 + self.below(3);
        let s = Scope { me: true, can: self.chance(40), turns: true, ..Scope::new() };
        let ctx = Ctx {
            s: s.clone(),
            asks: true,
            flow: true,
            windows: true,
            depth: 2,
            spans: vec!["turn".to_owned()],
            ..Ctx::default()
        };
        let mut stmts = if self.chance(40) { self.stmts(&ctx, 2) } else { Vec::new() };
        let actions = self.w.actions.clone();
        let split = if actions.len() > 1 && self.chance(35) { actions.len() - 1 } else { actions.len() };
        let mut lists = [Vec::new(), Vec::new()];
        for (index, action) in actions.iter().enumerate() {
            let act = self.act(&action.name, &action.params, &s);
            lists[usize::from(index >= split)].push(Node::other("act", act));
        }
        let [first, other] = lists;
        let mut choose = vec![t("choose action "), Part::List(", ", first)];
        if !other.is_empty() {
            choose.push(Part::Maybe(vec![t(" else "), Part::List(", ", other)]));
        }
        if self.chance(25) {
            let none = block(self.stmts(&ctx, 1));
            choose.push(Part::Maybe(std::iter::once(t(" else ")).chain(none).collect()));
        }
        stmts.push(Node::other("choose action", choose));
        if self.chance(30) {
            let more = self.stmts(&ctx, 2);
            stmts.extend(more);
        }
        let mut parts = vec![t(format!("flow {{\nturns turn from seat(1) until round > {rounds} "))];
        parts.extend(block(stmts));
        if self.w.score && self.chance(60) {
            parts.push(Part::Maybe(vec![t("\nend game")]));
        }
        parts.push(t("\n}"));
        made.items.push(Node::other("flow", parts));
        if self.w.score {
            self.left = 15;
            let s = Scope::new().with("p0", &Ty::Player);
            let score = self.term(&Ty::Number, &s, 2);
            made.items.push(Node::other(
                "define",
                vec![t("define score("), Part::Bind("p0".to_owned()), t(": player): number = "), op(0, score)],
            ));
        }
    }
}
