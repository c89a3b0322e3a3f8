//! A walk over the expressions, blocks and clauses of an item, to look at them or to exchange them.

use super::ast::{
    Act, ArmSpan, Block, Choose, Clause, ClauseKind, CreateAt, Created, EntryFieldKind, Expr, ExprKind, ItemKind,
    Member, MemberKind, OfferPart, Param, Qty, RepeatTest, Stmt, StmtKind, Type, TypeKind, WindowPart,
};

/// What is done at each place; the answer says whether to go on inside of it.
pub trait Visitor {
    /// At an expression.
    fn expr(&mut self, _expr: &mut Expr) -> bool {
        true
    }
    /// At a block.
    fn block(&mut self, _block: &mut Block) -> bool {
        true
    }
    /// At a clause.
    fn clause(&mut self, _clause: &mut Clause) -> bool {
        true
    }
}

type V<'v> = &'v mut dyn Visitor;

/// Walks over an item, in the order of its text.
pub fn walk_item(visitor: V<'_>, item: &mut ItemKind) {
    match item {
        ItemKind::Enum { .. }
        | ItemKind::Cards { .. }
        | ItemKind::Scenario { .. }
        | ItemKind::Remove { .. }
        | ItemKind::Patch { .. } => {}
        ItemKind::Option { ty, default, .. } => {
            walk_type(visitor, ty);
            expr(visitor, default);
        }
        ItemKind::Kind { members, .. } | ItemKind::Player { members } | ItemKind::Game { members } => {
            members.iter_mut().for_each(|member| walk_member(visitor, member));
        }
        ItemKind::Zone { per, props, .. } => {
            per.iter_mut().for_each(|per| walk_type(visitor, per));
            for prop in props {
                exprs(visitor, prop.values.iter_mut().flatten());
                exprs(visitor, prop.whens.iter_mut().flatten());
            }
        }
        ItemKind::Board { props, .. } | ItemKind::Look { props, .. } => {
            for prop in props {
                exprs(visitor, prop.values.iter_mut().flatten());
                exprs(visitor, prop.whens.iter_mut().flatten());
            }
        }
        ItemKind::Link { orphan, .. } => {
            if let Some((_, body)) = orphan {
                block(visitor, body);
            }
        }
        ItemKind::Define { params: of, body, .. } => {
            params(visitor, of);
            expr(visitor, body);
        }
        ItemKind::Verb { params, body, .. } => {
            params.iter_mut().for_each(|of| param(visitor, &mut of.param));
            block(visitor, body);
        }
        ItemKind::Action { params: of, body, .. } => {
            params(visitor, of);
            block(visitor, body);
        }
        ItemKind::Window { params: of, from, among, until, parts, .. } => {
            params(visitor, of);
            expr(visitor, from);
            exprs(visitor, among.iter_mut().chain(until));
            for part in parts {
                match part {
                    WindowPart::Silent(cond) => expr(visitor, cond),
                    WindowPart::Acts { acts: of, .. } => acts(visitor, of),
                }
            }
        }
        ItemKind::Setup { body } | ItemKind::Flow { body } => block(visitor, body),
        ItemKind::Rule { when, clauses: of, .. } => {
            exprs(visitor, when);
            clauses(visitor, of);
        }
        ItemKind::Script { params: of, ty, .. } => {
            params(visitor, of);
            ty.iter_mut().for_each(|ty| walk_type(visitor, ty));
        }
        ItemKind::Entry { fields, .. } => {
            for field in fields {
                match &mut field.kind {
                    EntryFieldKind::Value { value, .. } => expr(visitor, value),
                    EntryFieldKind::Effect { body, .. } => block(visitor, body),
                    EntryFieldKind::Clause(of) => clause(visitor, of),
                    EntryFieldKind::Supersedes(_) => {}
                }
            }
        }
        ItemKind::Replace { with } => walk_item(visitor, &mut with.kind),
    }
}

fn walk_member(visitor: V<'_>, member: &mut Member) {
    match &mut member.kind {
        MemberKind::Field { ty, default, .. } | MemberKind::Mark { ty, default, .. } => {
            walk_type(visitor, ty);
            exprs(visitor, default);
        }
        MemberKind::Counter { ty, default, .. } => {
            ty.iter_mut().for_each(|ty| walk_type(visitor, ty));
            exprs(visitor, default);
        }
        MemberKind::Stat { ty, formula, .. } => {
            walk_type(visitor, ty);
            expr(visitor, formula);
        }
        MemberKind::StandsWhen { cond } => expr(visitor, cond),
        MemberKind::Seen { .. } | MemberKind::Notation { .. } => {}
        MemberKind::Clause(of) => clause(visitor, of),
    }
}

fn walk_type(visitor: V<'_>, ty: &mut Type) {
    match &mut ty.kind {
        TypeKind::Range(from, to) => {
            expr(visitor, from);
            expr(visitor, to);
        }
        TypeKind::Set(inner) | TypeKind::List(inner) | TypeKind::Maybe(inner) => walk_type(visitor, inner),
        TypeKind::Effect(of) | TypeKind::Test(of) | TypeKind::Amount(of) => params(visitor, of),
        TypeKind::Per(inner, key) => {
            walk_type(visitor, inner);
            walk_type(visitor, key);
        }
        TypeKind::Name(_) | TypeKind::Of(..) => {}
    }
}

fn params(visitor: V<'_>, of: &mut [Param]) {
    of.iter_mut().for_each(|each| param(visitor, each));
}

fn param(visitor: V<'_>, param: &mut Param) {
    walk_type(visitor, &mut param.ty);
    exprs(visitor, &mut param.default);
}

fn exprs<'e>(visitor: V<'_>, of: impl IntoIterator<Item = &'e mut Expr>) {
    of.into_iter().for_each(|each| expr(visitor, each));
}

fn acts(visitor: V<'_>, of: &mut [Act]) {
    of.iter_mut().for_each(|act| exprs(visitor, &mut act.args));
}

fn clauses(visitor: V<'_>, of: &mut [Clause]) {
    of.iter_mut().for_each(|each| clause(visitor, each));
}

fn clause(visitor: V<'_>, clause: &mut Clause) {
    if !visitor.clause(clause) {
        return;
    }
    match &mut clause.kind {
        ClauseKind::Hook { cond, body, .. } => {
            exprs(visitor, cond);
            body.iter_mut().for_each(|body| block(visitor, body));
        }
        ClauseKind::Becomes { cond, body, .. } | ClauseKind::Check { cond, body } => {
            expr(visitor, cond);
            block(visitor, body);
        }
        ClauseKind::Modify { at, of, value, when, .. } => {
            exprs(visitor, at);
            expr(visitor, of);
            expr(visitor, value);
            exprs(visitor, when);
        }
    }
}

/// Walks over a block.
pub fn block(visitor: V<'_>, block: &mut Block) {
    if visitor.block(block) {
        block.stmts.iter_mut().for_each(|each| stmt(visitor, each));
    }
}

fn choose(visitor: V<'_>, choose: &mut Choose) {
    exprs(visitor, &mut choose.by);
    match &mut choose.qty {
        Qty::One | Qty::Any => {}
        Qty::UpTo(count) | Qty::Exactly(count) => expr(visitor, count),
        Qty::Between(from, to) => {
            expr(visitor, from);
            expr(visitor, to);
        }
    }
    expr(visitor, &mut choose.domain);
}

fn stmt(visitor: V<'_>, stmt: &mut Stmt) {
    match &mut stmt.kind {
        StmtKind::Choose(_)
        | StmtKind::ChooseAction { .. }
        | StmtKind::ChooseOption { .. }
        | StmtKind::ChooseOrder { .. }
        | StmtKind::ChooseSplit { .. }
        | StmtKind::Gate { .. }
        | StmtKind::Offer { .. } => asking(visitor, &mut stmt.kind),
        StmtKind::Each { domain, body, .. } => {
            expr(visitor, domain);
            block(visitor, body);
        }
        StmtKind::If { cond, body, or_else } => {
            expr(visitor, cond);
            block(visitor, body);
            or_else.iter_mut().for_each(|body| block(visitor, body));
        }
        StmtKind::Repeat { test, body } => {
            match test {
                RepeatTest::Forever => {}
                RepeatTest::Until(test) | RepeatTest::While(test) | RepeatTest::Times(test) => expr(visitor, test),
            }
            block(visitor, body);
        }
        StmtKind::Turns { from, among, next, rounds, until, body, .. } => {
            expr(visitor, from);
            exprs(visitor, among.iter_mut().chain(next).chain(rounds).chain(until).map(|each| &mut **each));
            block(visitor, body);
        }
        StmtKind::Phase { body, .. } => block(visitor, body),
        StmtKind::Arm { span_kind, clauses: of } => {
            match span_kind {
                ArmSpan::StartOf(_, until) | ArmSpan::While(until) => expr(visitor, until),
                ArmSpan::WhileHere | ArmSpan::EndOf(_) | ArmSpan::ForGood => {}
            }
            clauses(visitor, of);
        }
        kind => doing(visitor, kind),
    }
}

/// Statements that ask somebody.
fn asking(visitor: V<'_>, kind: &mut StmtKind) {
    match kind {
        StmtKind::Choose(of) => choose(visitor, of),
        StmtKind::ChooseAction { by, acts: of, or_else, .. } => {
            exprs(visitor, by);
            acts(visitor, of);
            acts(visitor, or_else);
        }
        StmtKind::ChooseOption { by, arms, .. } => {
            exprs(visitor, by);
            for arm in arms {
                exprs(visitor, &mut arm.cond);
                block(visitor, &mut arm.body);
            }
        }
        StmtKind::ChooseOrder { by, domain, .. } => {
            exprs(visitor, by);
            expr(visitor, domain);
        }
        StmtKind::ChooseSplit { by, items, among, .. } => {
            exprs(visitor, by);
            expr(visitor, items);
            expr(visitor, among);
        }
        StmtKind::Gate { by, chooses, pay, body, or_else, .. } => {
            exprs(visitor, by);
            chooses.iter_mut().for_each(|of| choose(visitor, of));
            pay.iter_mut().for_each(|pay| block(visitor, pay));
            block(visitor, body);
            or_else.iter_mut().for_each(|body| block(visitor, body));
        }
        StmtKind::Offer { to, parts, accepted, refused, .. } => {
            expr(visitor, to);
            for part in parts {
                match part {
                    OfferPart::Terms(of) => choose(visitor, of),
                    OfferPart::Counters(of) | OfferPart::Valid(of) => expr(visitor, of),
                }
            }
            block(visitor, accepted);
            refused.iter_mut().for_each(|body| block(visitor, body));
        }
        kind => doing(visitor, kind),
    }
}

/// Statements without blocks.
fn doing(visitor: V<'_>, kind: &mut StmtKind) {
    match kind {
        StmtKind::Let { value, ty, .. } => {
            ty.iter_mut().for_each(|ty| walk_type(visitor, ty));
            expr(visitor, value);
        }
        StmtKind::Set { target, value: other }
        | StmtKind::Change { target, by: other, .. }
        | StmtKind::Link { what: target, to: other } => {
            expr(visitor, target);
            expr(visitor, other);
        }
        StmtKind::Move { what, riders, to, turned, .. } => {
            expr(visitor, what);
            exprs(visitor, riders.iter_mut().map(|each| &mut **each));
            expr(visitor, to);
            exprs(visitor, turned.iter_mut().map(|each| &mut **each));
        }
        StmtKind::Create { what, to, fields, .. } => {
            match what {
                Created::Copy { count, of } => {
                    exprs(visitor, count.iter_mut().map(|each| &mut **each));
                    expr(visitor, of);
                }
                Created::Kind { count, .. } => exprs(visitor, count.iter_mut().map(|each| &mut **each)),
            }
            match to {
                CreateAt::Nowhere => {}
                CreateAt::In(place) | CreateAt::At(place) => expr(visitor, place),
            }
            exprs(visitor, fields.iter_mut().map(|(_, value)| value));
        }
        StmtKind::Reveal { what, to: other, .. } | StmtKind::Do { what, by: other } => {
            expr(visitor, what);
            exprs(visitor, other);
        }
        StmtKind::Call { first, args, .. } | StmtKind::Proceed { first, args } => {
            exprs(visitor, first);
            exprs(visitor, args.iter_mut().map(|(_, value)| value));
        }
        StmtKind::Open { args, .. } | StmtKind::Listed { args, .. } => exprs(visitor, args),
        StmtKind::Unlink { what: of }
        | StmtKind::Shuffle { zone: of }
        | StmtKind::Roll { domain: of, .. }
        | StmtKind::Random { domain: of, .. }
        | StmtKind::Ensure { cond: of, .. }
        | StmtKind::Requires { cond: of, .. }
        | StmtKind::Outcome { who: of, .. } => expr(visitor, of),
        // Words and texts, and what is walked over above.
        StmtKind::Leave { .. }
        | StmtKind::Stop
        | StmtKind::Notation { .. }
        | StmtKind::DrawGame
        | StmtKind::EndGame
        | StmtKind::OpenAgain
        | StmtKind::Settle
        | StmtKind::Note { .. }
        | StmtKind::Choose(_)
        | StmtKind::ChooseAction { .. }
        | StmtKind::ChooseOption { .. }
        | StmtKind::ChooseOrder { .. }
        | StmtKind::ChooseSplit { .. }
        | StmtKind::Gate { .. }
        | StmtKind::Offer { .. }
        | StmtKind::Each { .. }
        | StmtKind::If { .. }
        | StmtKind::Repeat { .. }
        | StmtKind::Turns { .. }
        | StmtKind::Phase { .. }
        | StmtKind::Arm { .. } => {}
    }
}

/// Walks over an expression.
pub fn expr(visitor: V<'_>, of: &mut Expr) {
    if !visitor.expr(of) {
        return;
    }
    match &mut of.kind {
        ExprKind::Num(_) | ExprKind::Text(_) | ExprKind::Name(_) | ExprKind::Entry { .. } | ExprKind::Error => {}
        ExprKind::List(all) => exprs(visitor, all),
        ExprKind::Field(one, _)
        | ExprKind::Unary(_, one)
        | ExprKind::As(one, _)
        | ExprKind::Amount(one, _)
        | ExprKind::PerKey { body: one, .. } => expr(visitor, one),
        ExprKind::Is { value: one, .. } | ExprKind::Quantified { over: one, .. } => expr(visitor, one),
        ExprKind::Call(one, all) | ExprKind::Can { player: one, args: all, .. } => {
            expr(visitor, one);
            exprs(visitor, all);
        }
        ExprKind::Index(one, other)
        | ExprKind::Binary(_, one, other)
        | ExprKind::Fold { body: one, over: other, .. }
        | ExprKind::Every { over: one, cond: other }
        | ExprKind::Where(one, other)
        | ExprKind::Having { over: one, body: other, .. }
        | ExprKind::Sorted { over: one, body: other, .. } => {
            expr(visitor, one);
            expr(visitor, other);
        }
        ExprKind::If(cond, then, or_else) => {
            for each in [cond, then, or_else] {
                expr(visitor, each);
            }
        }
    }
}
