//! Statements.

use super::super::ast::{
    Act, ArmSpan, BinaryOp, Block, Choose, CreateAt, Created, EachMode, Expr, ExprKind, Ident, OfferPart, OptionArm,
    Place, Prep, Qty, RepeatTest, Showing, Stmt, StmtKind,
};
use super::super::grammar::{Kids, Part, Rule};
use super::Builder;
use crate::base::{Code, Span};

/// How many `else if` one `if` may have: each is a level of the tree.
const MOST_ELSE_IFS: usize = 64;

impl Builder<'_> {
    /// `{ statements }`
    pub(super) fn block(&mut self, part: Option<Part<'_>>) -> Block {
        let Some(part) = part else { return Block::default() };
        let span = self.span(&part);
        let stmts = Kids::of(part).list(Rule::stmt, |stmt| self.stmt(stmt));
        Block { stmts, span }
    }

    /// The block inside of a rule such as `else { ... }`.
    fn inner_block(&mut self, part: Option<Part<'_>>) -> Option<Block> {
        part.map(|part| self.block(Kids::of(part).next()))
    }

    /// The expression inside of a rule such as `by p`.
    pub(super) fn inner_expr(&mut self, part: Option<Part<'_>>) -> Option<Expr> {
        part.map(|part| self.expr(Kids::of(part).next()))
    }

    /// The name inside of a rule such as `as n`.
    pub(super) fn inner_ident(&self, part: Option<Part<'_>>) -> Option<Ident> {
        part.map(|part| self.ident(Kids::of(part).next()))
    }

    /// A statement.
    pub(in super::super) fn stmt(&mut self, part: Part<'_>) -> Stmt {
        let span = self.span(&part);
        let kind = Kids::of(part).next().map_or(StmtKind::Stop, |form| self.stmt_kind(form));
        Stmt { kind, span }
    }

    fn stmt_kind(&mut self, form: Part<'_>) -> StmtKind {
        match form.as_rule() {
            Rule::s_choose => self.choose_stmt(form),
            Rule::s_gate => self.gate(form),
            Rule::s_offer => self.offer(form),
            Rule::s_each | Rule::s_if | Rule::s_repeat | Rule::s_turns | Rule::s_phase => self.flow_stmt(form),
            Rule::s_move | Rule::s_create => self.moving_stmt(form),
            Rule::s_arm | Rule::s_do | Rule::s_proceed | Rule::s_call => self.acting_stmt(form),
            _ => self.plain_stmt(form),
        }
    }

    /// Statements of a word and a few expressions.
    fn plain_stmt(&mut self, form: Part<'_>) -> StmtKind {
        let rule = form.as_rule();
        let mut kids = Kids::of(form);
        match rule {
            Rule::s_let => {
                let name = self.ident(kids.next());
                StmtKind::Let { name, ty: self.of_type(&mut kids), value: self.expr(kids.next()) }
            }
            Rule::s_set => StmtKind::Set { target: self.expr(kids.next()), value: self.expr(kids.next()) },
            Rule::s_change => {
                let down = kids.has(Rule::k_decrease);
                StmtKind::Change { target: self.expr(kids.next()), by: self.expr(kids.next()), down }
            }
            Rule::s_leave => StmtKind::Leave { target: self.ident(kids.word(Rule::k_repeat).or_else(|| kids.next())) },
            Rule::s_link => StmtKind::Link { what: self.expr(kids.next()), to: self.expr(kids.next()) },
            Rule::s_unlink => StmtKind::Unlink { what: self.expr(kids.next()) },
            Rule::s_shuffle => StmtKind::Shuffle { zone: self.expr(kids.next()) },
            Rule::s_chance => {
                let roll = kids.has(Rule::k_roll);
                let (name, domain) = (self.ident(kids.next()), self.expr(kids.next()));
                if roll { StmtKind::Roll { name, domain } } else { StmtKind::Random { name, domain } }
            }
            Rule::s_reveal => {
                let hide = kids.has(Rule::k_hide);
                let what = self.expr(kids.next());
                let mut whom = kids.next().map(Kids::of);
                let to = whom.as_mut().map(|whom| self.expr(whom.next()));
                let quiet = whom.is_some_and(|mut whom| whom.has(Rule::k_quietly));
                let how = if hide {
                    Showing::Hides
                } else if quiet {
                    Showing::Quietly
                } else {
                    Showing::Openly
                };
                StmtKind::Reveal { what, to, how }
            }
            rule @ (Rule::s_ensure | Rule::s_requires) => {
                let mut cond = self.expr(kids.next());
                let reason = kids.next().map(|text| self.ident(Some(text)));
                let reason = reason.or_else(|| Self::trailing_text(&mut cond));
                match rule {
                    Rule::s_ensure => StmtKind::Ensure { cond, reason },
                    _ => StmtKind::Requires { cond, reason },
                }
            }
            Rule::s_notation => StmtKind::Notation { text: self.ident(kids.next()) },
            Rule::s_note => StmtKind::Note { text: self.ident(kids.next()) },
            Rule::s_outcome => {
                let lose = kids.has(Rule::k_lose);
                StmtKind::Outcome { lose, who: self.expr(kids.next()) }
            }
            Rule::s_open => {
                if kids.take(Rule::open_again).is_some() {
                    return StmtKind::OpenAgain;
                }
                let (window, args) = self.named_call(kids.next());
                StmtKind::Open { window, args }
            }
            Rule::s_draw => StmtKind::DrawGame,
            Rule::s_end => StmtKind::EndGame,
            Rule::s_settle => StmtKind::Settle,
            _ => StmtKind::Stop,
        }
    }

    fn choose_stmt(&mut self, form: Part<'_>) -> StmtKind {
        let whole = self.span(&form);
        let mut kids = Kids::of(form);
        let by = kids.take(Rule::by);
        let by = self.inner_expr(by);
        let Some(form) = kids.next() else { return StmtKind::Stop };
        let rule = form.as_rule();
        let mut kids = Kids::of(form);
        match rule {
            Rule::choose_action => {
                let acts = kids.list(Rule::act, |act| self.act(act));
                let before = kids.take(Rule::prompt);
                let or_else = kids.take(Rule::else_acts);
                let or_else = or_else.map(|acts| Kids::of(acts).list(Rule::act, |act| self.act(act)));
                let prompt = before.or_else(|| kids.take(Rule::prompt)).map(|text| self.ident(Some(text)));
                let none = kids.take(Rule::else_block);
                let none = self.inner_block(none);
                Self::choose_action(by, acts, or_else.unwrap_or_default(), prompt, none, whole)
            }
            Rule::choose_option => {
                let prompt = kids.take(Rule::prompt).map(|text| self.ident(Some(text)));
                let arms = kids.list(Rule::option_arm, |arm| self.option_arm(arm));
                StmtKind::ChooseOption { by, arms, prompt }
            }
            Rule::choose_order => {
                let (name, mut domain) = (self.ident(kids.next()), self.expr(kids.next()));
                let prompt = self.prompt(&mut kids, &mut domain);
                StmtKind::ChooseOrder { by, name, domain, prompt }
            }
            Rule::choose_split => {
                let name = self.ident(kids.next());
                let (items, mut among) = (self.expr(kids.next()), self.expr(kids.next()));
                let evenly = kids.has(Rule::k_evenly);
                let prompt = self.prompt(&mut kids, &mut among);
                StmtKind::ChooseSplit { by, name, items, among: Box::new(among), evenly, prompt }
            }
            _ => StmtKind::Choose(Box::new(self.choose_of(by, form, whole))),
        }
    }

    /// The prompt of a statement, which may have been taken for the end of the expression before it.
    fn prompt(&self, kids: &mut Kids<'_>, before: &mut Expr) -> Option<Ident> {
        let prompt = kids.take(Rule::prompt).map(|text| self.ident(Some(text)));
        prompt.or_else(|| Self::trailing_text(before))
    }

    pub(super) fn act(&mut self, part: Part<'_>) -> Act {
        let (name, args) = self.named_call(Some(part));
        Act { name, args }
    }

    fn option_arm(&mut self, part: Part<'_>) -> OptionArm {
        let mut kids = Kids::of(part);
        let text = self.ident(kids.next());
        let cond = kids.take(Rule::when_if);
        let cond = self.inner_expr(cond);
        OptionArm { text, cond, body: self.block(kids.next()) }
    }

    fn choose_of(&mut self, by: Option<Expr>, form: Part<'_>, span: Span) -> Choose {
        let mut kids = Kids::of(form);
        let qty = match kids.take(Rule::quantity) {
            Some(quantity) => self.quantity(quantity),
            None => Qty::One,
        };
        let name = self.ident(kids.next());
        let mut domain = self.expr(kids.next());
        let for_verb = self.inner_ident(kids.take(Rule::for_verb));
        let ignoring = self.ignoring(&mut kids);
        let prompt = match for_verb {
            None => self.prompt(&mut kids, &mut domain),
            Some(_) => kids.take(Rule::prompt).map(|text| self.ident(Some(text))),
        };
        Choose { by, qty, name, domain, for_verb, ignoring, prompt, span }
    }

    fn quantity(&mut self, part: Part<'_>) -> Qty {
        let mut kids = Kids::of(part);
        if kids.has(Rule::k_any) {
            return Qty::Any;
        }
        let Some(form) = kids.next() else { return Qty::One };
        let rule = form.as_rule();
        let mut kids = Kids::of(form);
        let first = self.expr(kids.next());
        match rule {
            Rule::up_to => Qty::UpTo(first),
            Rule::exactly => Qty::Exactly(first),
            _ => Qty::Between(first, self.expr(kids.next())),
        }
    }

    /// `choose action A, B else { ... }` asks if one of them can be done, and does the block if not.
    fn choose_action(
        by: Option<Expr>,
        acts: Vec<Act>,
        or_else: Vec<Act>,
        prompt: Option<Ident>,
        none: Option<Block>,
        span: Span,
    ) -> StmtKind {
        let Some(none) = none else { return StmtKind::ChooseAction { by, acts, or_else, prompt } };
        let me = by.clone().unwrap_or_else(|| Expr { kind: ExprKind::Name("me".to_owned()), span });
        let can = acts.iter().chain(&or_else).map(|act| {
            let (player, action, args) = (Box::new(me.clone()), act.name.clone(), act.args.clone());
            Expr { span: act.name.span, kind: ExprKind::Can { player, action, args } }
        });
        let either = |one: Expr, other: Expr| {
            let span = one.span.to(other.span);
            Expr { kind: ExprKind::Binary(BinaryOp::Or, Box::new(one), Box::new(other)), span }
        };
        let cond = can.reduce(either).unwrap_or(me);
        let asked = Stmt { kind: StmtKind::ChooseAction { by, acts, or_else, prompt }, span };
        StmtKind::If { cond, body: Block { stmts: vec![asked], span }, or_else: Some(none) }
    }

    fn ignoring(&mut self, kids: &mut Kids<'_>) -> Vec<Ident> {
        let names = kids.take(Rule::ignoring);
        names.map_or_else(Vec::new, |names| Kids::of(names).list(Rule::name, |name| self.ident(Some(name))))
    }

    fn gate(&mut self, form: Part<'_>) -> StmtKind {
        let mut kids = Kids::of(form);
        let must = kids.has(Rule::k_must);
        let by = kids.take(Rule::by);
        let by = self.inner_expr(by);
        let prompt = kids.take(Rule::prompt).map(|text| self.ident(Some(text)));
        let mut chooses = Vec::new();
        while let Some(choose) = kids.take(Rule::gate_choose) {
            let span = self.span(&choose);
            let mut inner = Kids::of(choose);
            let by = inner.take(Rule::by);
            let by = self.inner_expr(by);
            if let Some(form) = inner.next() {
                chooses.push(self.choose_of(by, form, span));
            }
        }
        let pay = kids.take(Rule::pay);
        let pay = self.inner_block(pay);
        let body = self.block(kids.next());
        let or_else = self.inner_block(kids.next());
        StmtKind::Gate { must, by, prompt, chooses, pay, body, or_else }
    }

    fn offer(&mut self, form: Part<'_>) -> StmtKind {
        let mut kids = Kids::of(form);
        let mut to = self.expr(kids.next());
        let prompt = self.prompt(&mut kids, &mut to);
        let parts = kids.list(Rule::offer_part, |part| self.offer_part(part)).into_iter().flatten().collect();
        let accepted = self.inner_block(kids.next()).unwrap_or_default();
        let refused = self.inner_block(kids.next());
        StmtKind::Offer { to, prompt, parts, accepted, refused }
    }

    fn offer_part(&mut self, part: Part<'_>) -> Option<OfferPart> {
        let span = self.span(&part);
        let form = Kids::of(part).next()?;
        let rule = form.as_rule();
        if rule == Rule::offer_terms {
            let mut terms = self.choose_of(None, form, span);
            if terms.qty == Qty::One {
                terms.qty = Qty::Any;
            }
            return Some(OfferPart::Terms(terms));
        }
        let value = self.expr(Kids::of(form).next());
        Some(if rule == Rule::offer_counters { OfferPart::Counters(value) } else { OfferPart::Valid(value) })
    }

    /// Statements that hold others.
    fn flow_stmt(&mut self, form: Part<'_>) -> StmtKind {
        let rule = form.as_rule();
        let mut kids = Kids::of(form);
        match rule {
            Rule::s_each => {
                let (name, domain) = (self.ident(kids.next()), self.expr(kids.next()));
                let mode = match kids.take(Rule::each_mode) {
                    Some(mode) if Kids::of(mode).has(Rule::k_secret) => EachMode::Secret,
                    Some(_) => EachMode::AtOnce,
                    None => EachMode::InTurn,
                };
                StmtKind::Each { name, domain, mode, body: self.block(kids.next()) }
            }
            Rule::s_if => self.if_stmt(kids),
            Rule::s_repeat => {
                let until = kids.take(Rule::until);
                let whilst = kids.take(Rule::while_part);
                let times = kids.take(Rule::times);
                let test = if let Some(cond) = self.inner_expr(until) {
                    RepeatTest::Until(cond)
                } else if let Some(cond) = self.inner_expr(whilst) {
                    RepeatTest::While(cond)
                } else {
                    self.inner_expr(times).map_or(RepeatTest::Forever, RepeatTest::Times)
                };
                StmtKind::Repeat { test, body: self.block(kids.next()) }
            }
            Rule::s_turns => {
                let (name, from) = (self.ident(kids.next()), self.expr(kids.next()));
                let among = kids.take(Rule::among);
                let among = self.inner_expr(among).map(Box::new);
                let next = kids.take(Rule::goes_to);
                let next = self.inner_expr(next).map(Box::new);
                let rounds = kids.take(Rule::rounds);
                let rounds = self.inner_expr(rounds).map(Box::new);
                let until = kids.take(Rule::until);
                let until = self.inner_expr(until).map(Box::new);
                StmtKind::Turns { name, from, among, next, rounds, until, body: self.block(kids.next()) }
            }
            _ => StmtKind::Phase { name: self.ident(kids.next()), body: self.block(kids.next()) },
        }
    }

    fn if_stmt(&mut self, mut kids: Kids<'_>) -> StmtKind {
        let cond = self.expr(kids.next());
        let body = self.block(kids.next());
        let mut arms = Vec::new();
        while let Some(arm) = kids.take(Rule::else_if) {
            let span = self.span(&arm);
            let mut inner = Kids::of(arm);
            arms.push((span, self.expr(inner.next()), self.block(inner.next())));
        }
        if let Some((span, ..)) = arms.get(MOST_ELSE_IFS) {
            let message = format!("one `if` may have {MOST_ELSE_IFS} times `else if`");
            self.report(Code::TooLong, *span, message, "put the rest into a verb, or use a definition");
            arms.truncate(MOST_ELSE_IFS);
        }
        let mut or_else = self.inner_block(kids.next());
        while let Some((span, cond, body)) = arms.pop() {
            let inside = or_else.as_ref().map_or(span, |block| span.to(block.span));
            let stmt = Stmt { kind: StmtKind::If { cond, body, or_else }, span: inside };
            or_else = Some(Block { stmts: vec![stmt], span: inside });
        }
        StmtKind::If { cond, body, or_else }
    }

    fn moving_stmt(&mut self, form: Part<'_>) -> StmtKind {
        let moves = form.as_rule() == Rule::s_move;
        let mut kids = Kids::of(form);
        if !moves {
            return self.create(kids);
        }
        let what = self.expr(kids.next());
        let riders = kids.take(Rule::riders);
        let riders = self.inner_expr(riders).map(Box::new);
        let to = self.expr(kids.next());
        let place = kids.take(Rule::place);
        let place = place.map(|place| if self.text(&place) == "top" { Place::Top } else { Place::Bottom });
        let turned = kids.take(Rule::turned);
        let turned = self.inner_expr(turned).map(Box::new);
        StmtKind::Move { what, riders, to, place, turned, name: self.inner_ident(kids.next()) }
    }

    fn create(&mut self, mut kids: Kids<'_>) -> StmtKind {
        let what = self.created(kids.next());
        let to = match kids.take(Rule::create_at) {
            None => CreateAt::Nowhere,
            Some(place) => {
                let mut inner = Kids::of(place);
                let on_site = inner.has(Rule::k_at);
                let place = self.expr(inner.next());
                if on_site { CreateAt::At(place) } else { CreateAt::In(place) }
            }
        };
        let fields = kids.take(Rule::with_fields).map_or_else(Vec::new, |with| {
            Kids::of(with).list(Rule::with_field, |field| {
                let mut inner = Kids::of(field);
                (self.ident(inner.next()), self.expr(inner.next()))
            })
        });
        StmtKind::Create { what, to, fields, name: self.inner_ident(kids.next()) }
    }

    fn created(&mut self, part: Option<Part<'_>>) -> Created {
        let Some(part) = part else { return Created::Kind { count: None, kind: self.ident(None), entry: None } };
        let copy = part.as_rule() == Rule::created_copy;
        let mut kids = Kids::of(part);
        let count = kids.take(Rule::created_count);
        let count = self.inner_expr(count).map(Box::new);
        if copy {
            return Created::Copy { count, of: Box::new(self.expr(kids.next())) };
        }
        let kind = self.ident(kids.next());
        Created::Kind { count, kind, entry: kids.next().map(|text| self.ident(Some(text))) }
    }

    fn acting_stmt(&mut self, form: Part<'_>) -> StmtKind {
        let rule = form.as_rule();
        let mut kids = Kids::of(form);
        match rule {
            Rule::s_arm => {
                let span_kind = match kids.take(Rule::arm_span) {
                    Some(span) => self.arm_span(span),
                    None => ArmSpan::WhileHere,
                };
                StmtKind::Arm { span_kind, clauses: self.clauses(&mut kids) }
            }
            Rule::s_do => {
                let what = self.expr(kids.next().and_then(|effect| Kids::of(effect).next()));
                let by = kids.take(Rule::by);
                StmtKind::Do { what, by: self.inner_expr(by) }
            }
            Rule::s_proceed => {
                let first = kids.take(Rule::first_arg);
                StmtKind::Proceed { first: self.inner_expr(first), args: self.prep_args(&mut kids) }
            }
            _ => {
                let verb = self.ident(kids.next());
                if let Some(listed) = kids.take(Rule::listed_args) {
                    return StmtKind::Listed { verb, args: self.exprs(&mut Kids::of(listed)) };
                }
                let first = kids.take(Rule::first_arg);
                let first = self.inner_expr(first);
                let args = self.prep_args(&mut kids);
                StmtKind::Call { verb, first, args, ignoring: self.ignoring(&mut kids) }
            }
        }
    }

    fn arm_span(&mut self, part: Part<'_>) -> ArmSpan {
        let Some(form) = Kids::of(part).next() else { return ArmSpan::ForGood };
        let rule = form.as_rule();
        let mut kids = Kids::of(form);
        match rule {
            Rule::span_end => ArmSpan::EndOf(self.ident(kids.next())),
            Rule::span_start => ArmSpan::StartOf(self.ident(kids.next()), self.expr(kids.next())),
            Rule::while_part => ArmSpan::While(self.expr(kids.next())),
            _ => ArmSpan::ForGood,
        }
    }

    fn prep_args(&mut self, kids: &mut Kids<'_>) -> Vec<(Prep, Expr)> {
        kids.list(Rule::prep_arg, |arg| {
            let mut inner = Kids::of(arg);
            let prep = self.prep(inner.next());
            (prep, self.expr(inner.next()))
        })
    }

    /// The preposition a rule stands for.
    pub(super) fn prep(&self, part: Option<Part<'_>>) -> Prep {
        let word = part.as_ref().map_or("", |part| self.text(part));
        Prep::ALL.into_iter().find(|prep| prep.word() == word).unwrap_or(Prep::By)
    }
}
