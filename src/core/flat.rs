//! What lies on a site where no piece lies on another: `top(s).owner = p` then means that `s` is one of the sites of the pieces
//! of `p`, and as many pieces lie on some sites as these have members in common with the sites of all. The state keeps such
//! sets, and filters of sites, counts of neighbours and what looks ahead are worked out with them.
//!
//! Whether pieces lie on each other shows only while a game is played, and the state keeps how many do. So what is asked in
//! this way becomes two: one that is worked out where none do, and what was written where some do.

use super::canonical::Canonical;
use super::lower::Lower;
use super::term::{Ambient, Each, Form, Read, Term, Terms, Unary};
use super::whole::{Sure, Whole};
use crate::model::rules::{
    BinaryOp, BoardId, Builtin, BuiltinProp, CompareOp, Destination, Expr, ExprKind, KindId, ProcBody, PropClass,
    PropId, Rules, Stmt, StmtKind, Ty,
};
use std::collections::{BTreeSet, HashMap};

/// Makes the terms of a procedure such as are worked out where no piece lies on another.
pub struct Flat<'t> {
    rules: &'t Rules,
    whole: &'t Whole<'t>,
    terms: &'t mut Terms,
    sure: &'t Sure,
    done: HashMap<Term, Term>,
    /// The boards on which no piece may lie on another.
    boards: BTreeSet<BoardId>,
    /// Players that must be somebody.
    players: BTreeSet<Term>,
}

impl<'t> Flat<'t> {
    /// For terms of one site.
    pub fn new(rules: &'t Rules, whole: &'t Whole<'t>, terms: &'t mut Terms, sure: &'t Sure) -> Flat<'t> {
        let (boards, players) = (BTreeSet::new(), BTreeSet::new());
        Flat { rules, whole, terms, sure, done: HashMap::new(), boards, players }
    }

    /// The term that means the same and asks first whether pieces lie on each other, if that is of use.
    pub fn term(mut self, term: Term) -> Option<Term> {
        let flat = self.flat(term);
        if flat == term {
            return None;
        }
        let flat = Canonical::new(self.rules, self.whole, self.terms, self.sure).term(flat);
        let span = self.terms.span(term);
        let mut asked: Vec<Term> = Vec::new();
        for board in self.boards {
            asked.push(self.terms.make(Form::Ambient(Ambient::Flat(board)), Ty::Flag, span));
        }
        for player in self.players {
            asked.push(self.terms.make(Form::Unary(Unary::Some, player), Ty::Flag, span));
        }
        let all =
            asked.into_iter().reduce(|first, second| self.terms.make(Form::And(first, second), Ty::Flag, span))?;
        let ty = self.terms.ty(term).clone();
        Some(self.terms.make(Form::If(all, flat, term), ty, span))
    }

    fn flat(&mut self, term: Term) -> Term {
        if let Some(done) = self.done.get(&term) {
            return *done;
        }
        let asked = self.of_pieces(term).unwrap_or(term);
        let parts = self.terms.parts(asked).into_iter().map(|(part, _)| self.flat(part)).collect();
        let whole = self.terms.with_parts(asked, parts);
        let made = self.step(whole).unwrap_or(whole);
        self.done.insert(term, made);
        made
    }

    /// `sites(S) as s where P(s, top(s))` as `sites(S where P(site(it), it))`.
    fn of_pieces(&mut self, term: Term) -> Option<Term> {
        let Form::Each(Each::Where, over, cond) = *self.terms.form(term) else { return None };
        let board = self.board(over)?;
        if !matches!(self.terms.ty(over), Ty::Set(_)) || !tops(self.terms, cond, 0) {
            return None;
        }
        let over = match self.terms.form(over).clone() {
            Form::Call(proc, args) if self.whole.opens(proc) => {
                let ProcBody::Expr(body) = &self.rules.procs[proc.index()].body else { return None };
                let body = Lower::new(self.terms).expr(body);
                self.terms.put_args(body, &args)
            }
            _ => over,
        };
        let Form::Function(Builtin::SitesOf, args) = self.terms.form(over) else { return None };
        let pieces = *args.first()?;
        let Ty::Entity(kind) = *self.terms.ty(pieces).element().bare() else { return None };
        // What lies elsewhere is asked now, too.
        if !lies_on_board(self.rules, kind) && self.whole.can_fail(self.terms, cond) {
            return None;
        }
        let cond = self.of_piece(cond, (board, kind));
        let (ty, span) = (self.terms.ty(pieces).clone(), self.terms.span(term));
        let such = self.terms.make(Form::Each(Each::Where, pieces, cond), ty, span);
        self.boards.insert(board);
        Some(self.sites_of(term, such, board))
    }

    /// What is asked of a site and of what lies on it, of that.
    fn of_piece(&mut self, cond: Term, (board, kind): (BoardId, KindId)) -> Term {
        self.terms.replaced(cond, 0, &mut |terms, term, depth| {
            if !terms.binds_in(term, depth) {
                return Some(term);
            }
            let (top, span) = (is_top(terms, term, depth), terms.span(term));
            if !top && *terms.form(term) != Form::Bound(depth) {
                return None;
            }
            let piece = terms.make(Form::Bound(depth), Ty::Entity(kind), span);
            let site =
                |terms: &mut Terms| terms.make(Form::Function(Builtin::SiteOf, vec![piece]), Ty::Site(board), span);
            Some(if top { piece } else { site(terms) })
        })
    }

    fn step(&mut self, term: Term) -> Option<Term> {
        match *self.terms.form(term) {
            Form::Compare(op @ (CompareOp::Eq | CompareOp::Ne), a, b) => {
                let (owner, player) = if self.owner_on_top(a).is_some() { (a, b) } else { (b, a) };
                let (prop, (site, board, kind)) = self.owner_on_top(owner)?;
                if !self.is_somebody(player) {
                    return None;
                }
                let asked = |owner, player| Form::Compare(CompareOp::Eq, owner, player);
                let owned = self.owned(term, (prop, kind), player, &asked, (site, board));
                Some(if op == CompareOp::Eq { owned } else { self.flag(term, Form::Unary(Unary::Not, owned)) })
            }
            Form::In(owner, players) => {
                let (prop, (site, board, kind)) = self.owner_on_top(owner)?;
                if self.terms.innermost(players, 0).is_some() || self.whole.can_fail(self.terms, players) {
                    return None;
                }
                let asked = |owner, players| Form::In(owner, players);
                Some(self.owned(term, (prop, kind), players, &asked, (site, board)))
            }
            Form::And(..) => self.without_some(term),
            Form::Unary(Unary::Is(kind), top) => {
                let (site, board, _) = self.topmost(top)?;
                let such = self.of_kind(term, kind);
                let sites = self.sites_of(term, such, board);
                Some(self.on(term, site, sites, board))
            }
            Form::Unary(Unary::Count, set) => {
                // How many there are in all is counted as fast.
                let (common, board) = sites_where(self.whole, self.terms, set)?;
                self.boards.insert(board);
                let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
                Some(self.terms.make(Form::Unary(Unary::Count, common), ty, span))
            }
            _ => None,
        }
    }

    /// `top(SITE).owner`, of a site that a loop goes through or leads to.
    fn owner_on_top(&self, owner: Term) -> Option<(PropId, (Term, BoardId, KindId))> {
        let Form::Read(Read::Prop(prop), of) = self.terms.form(owner) else { return None };
        let is_owner = matches!(self.rules.props[prop.index()].class, PropClass::Builtin(BuiltinProp::Owner));
        if is_owner { Some((*prop, self.topmost(*of.first()?)?)) } else { None }
    }

    /// Whether a site is one of those of the pieces of whose owners something is asked that does not hold of nobody.
    fn owned(
        &mut self,
        term: Term,
        (prop, kind): (PropId, KindId),
        whose: Term,
        asked: &dyn Fn(Term, Term) -> Form,
        (site, board): (Term, BoardId),
    ) -> Term {
        let all = self.of_kind(term, kind);
        let span = self.terms.span(term);
        let member = self.terms.make(Form::Bound(0), Ty::Entity(kind), span);
        let owner = Form::Read(Read::Prop(prop), vec![member]);
        let owner = self.terms.make(owner, Ty::Maybe(Box::new(Ty::Player)), span);
        let whose = self.terms.lifted(whose, 1, 0);
        let is_theirs = self.flag(term, asked(owner, whose));
        let such = self.terms.make(Form::Each(Each::Where, all, is_theirs), Ty::Entity(kind).set(), span);
        let sites = self.sites_of(term, such, board);
        self.on(term, site, sites, board)
    }

    /// What is asked besides whether something lies on a site, which is so on all sites of some pieces. Where something lies that
    /// is none of them, it is one of the others.
    fn without_some(&mut self, term: Term) -> Option<Term> {
        let mut parts = self.terms.joined(term, true);
        let before = parts.len();
        let mut index = 0;
        while index < parts.len() {
            match self.lies_on(parts[index]).and_then(|(site, lying)| self.among(&parts, site, lying)) {
                Some((other, said)) => {
                    parts[other] = said;
                    parts.remove(index);
                }
                None => index += 1,
            }
        }
        if parts.len() == before {
            return None;
        }
        parts.into_iter().reduce(|first, second| self.flag(term, Form::And(first, second)))
    }

    /// The site of `some top(SITE)` and `some pieces(SITE)`, and what can lie there.
    fn lies_on(&self, term: Term) -> Option<(Term, KindId)> {
        let Form::Unary(Unary::Some, lying) = *self.terms.form(term) else { return None };
        let Form::Function(Builtin::TopOn | Builtin::PiecesOn, args) = self.terms.form(lying) else { return None };
        let Ty::Entity(kind) = *self.terms.ty(lying).element().bare() else { return None };
        let site = match *self.terms.form(*args.first()?) {
            Form::Unary(Unary::ToSet, site) => site,
            _ => *args.first()?,
        };
        (!self.terms.ty(site).is_many()).then_some((site, kind))
    }

    /// Which of some conditions says of a site that it is one of those of some pieces, or that it is none of those of a player's;
    /// and what it says where something lies there.
    fn among(&mut self, parts: &[Term], site: Term, lying: KindId) -> Option<(usize, Term)> {
        let sites_of = |this: &Self, part: Term| match *this.terms.form(part) {
            Form::In(member, set) if member == site => match this.terms.form(set) {
                Form::Function(Builtin::SitesOf, args) => args.first().copied(),
                _ => None,
            },
            _ => None,
        };
        if let Some(index) = parts.iter().position(|part| sites_of(self, *part).is_some()) {
            return Some((index, parts[index]));
        }
        let board = self.board(site)?;
        parts.iter().enumerate().find_map(|(index, part)| {
            let Form::Unary(Unary::Not, inner) = *self.terms.form(*part) else { return None };
            let such = sites_of(self, inner)?;
            let Form::Each(Each::Where, all, cond) = *self.terms.form(such) else { return None };
            let Form::Read(Read::InPlay(kind), _) = *self.terms.form(all) else { return None };
            if !self.rules.is_below(lying, kind) {
                return None;
            }
            let not = self.flag(cond, Form::Unary(Unary::Not, cond));
            let (ty, span) = (self.terms.ty(such).clone(), self.terms.span(such));
            let others = self.terms.make(Form::Each(Each::Where, all, not), ty, span);
            let sites = self.sites_of(*part, others, board);
            Some((index, self.on(*part, site, sites, board)))
        })
    }

    /// Whether a player is never nobody, or is asked about first.
    fn is_somebody(&mut self, player: Term) -> bool {
        if self.whole.is_value(self.terms, player, self.sure) {
            return true;
        }
        let first = *self.terms.ty(player).bare() == Ty::Player
            && self.terms.innermost(player, 0).is_none()
            && !self.whole.can_fail(self.terms, player);
        if first {
            self.players.insert(player);
        }
        first
    }

    /// The site of which a term is what lies on top, its board, and what kind of thing lies there.
    fn topmost(&self, top: Term) -> Option<(Term, BoardId, KindId)> {
        let Form::Function(Builtin::TopOn, args) = self.terms.form(top) else { return None };
        let site = *args.first()?;
        let Ty::Entity(kind) = *self.terms.ty(top).bare() else { return None };
        let board = self.board(site)?;
        self.terms.innermost(site, 0)?;
        Some((site, board, kind))
    }

    /// The board of some sites, if it has an end.
    fn board(&self, sites: Term) -> Option<BoardId> {
        board(self.rules, self.terms, sites)
    }

    fn of_kind(&mut self, like: Term, kind: KindId) -> Term {
        let span = self.terms.span(like);
        self.terms.make(Form::Read(Read::InPlay(kind), Vec::new()), Ty::Entity(kind).set(), span)
    }

    fn sites_of(&mut self, like: Term, set: Term, board: BoardId) -> Term {
        let span = self.terms.span(like);
        self.terms.make(Form::Function(Builtin::SitesOf, vec![set]), Ty::Site(board).set(), span)
    }

    fn on(&mut self, like: Term, site: Term, sites: Term, board: BoardId) -> Term {
        self.boards.insert(board);
        self.flag(like, Form::In(site, sites))
    }

    fn flag(&mut self, like: Term, form: Form) -> Term {
        let span = self.terms.span(like);
        self.terms.make(form, Ty::Flag, span)
    }
}

/// Whether it is what lies on the site that a loop goes through.
fn is_top(terms: &Terms, term: Term, depth: u32) -> bool {
    matches!(terms.form(term), Form::Function(Builtin::TopOn, args) if *terms.form(args[0]) == Form::Bound(depth))
}

/// Whether something is asked of what lies on the site that a loop goes through.
fn tops(terms: &Terms, term: Term, depth: u32) -> bool {
    is_top(terms, term, depth) || terms.parts(term).into_iter().any(|(part, bound)| tops(terms, part, depth + bound))
}

/// `S & sites(KIND where P)` of `pieces(S) where P`: the sites where something of that sort lies; and their board.
pub(super) fn sites_where(whole: &Whole, terms: &mut Terms, set: Term) -> Option<(Term, BoardId)> {
    let Form::Each(Each::Where, over, cond) = *terms.form(set) else { return None };
    let Form::Function(Builtin::PiecesOn, args) = terms.form(over) else { return None };
    let sites = *args.first()?;
    let board = board(whole.rules, terms, sites).filter(|_| matches!(terms.ty(sites), Ty::Set(_)))?;
    let Ty::Entity(kind) = *terms.ty(over).element().bare() else { return None };
    if whole.can_fail(terms, cond) || terms.innermost(cond, 1).is_some() {
        return None;
    }
    let span = terms.span(set);
    let all = terms.make(Form::Read(Read::InPlay(kind), Vec::new()), Ty::Entity(kind).set(), span);
    let such = terms.make(Form::Each(Each::Where, all, cond), Ty::Entity(kind).set(), span);
    let taken = terms.make(Form::Function(Builtin::SitesOf, vec![such]), Ty::Site(board).set(), span);
    Some((terms.make(Form::Binary(BinaryOp::Both, sites, taken), Ty::Site(board).set(), span), board))
}

/// `sites(KIND where P)` of `KIND where P`, of things that all lie on one board.
pub(super) fn sites_in_play(whole: &Whole, terms: &mut Terms, set: Term) -> Option<Term> {
    let Form::Each(Each::Where, over, cond) = *terms.form(set) else { return None };
    let Form::Read(Read::InPlay(kind), _) = *terms.form(over) else { return None };
    let ends = !whole.rules.boards.first()?.endless();
    if !ends || !lies_on_board(whole.rules, kind) || whole.can_fail(terms, cond) || terms.innermost(cond, 1).is_some() {
        return None;
    }
    Some(terms.make(Form::Function(Builtin::SitesOf, vec![set]), Ty::Site(BoardId(0)).set(), terms.span(set)))
}

/// Whether all things of a kind that are in play lie on one board.
pub(super) fn lies_on_board(rules: &Rules, kind: KindId) -> bool {
    rules.boards.len() == 1 && rules.has_no_zone_in_play(kind)
}

/// Whether a condition asks only whose the member of its loop is, or of which kind: the state keeps sets of these.
pub(super) fn is_kept(rules: &Rules, terms: &Terms, cond: Term) -> bool {
    let is_owner = |term: Term| match terms.form(term) {
        Form::Read(Read::Prop(prop), of) => {
            matches!(rules.props[prop.index()].class, PropClass::Builtin(BuiltinProp::Owner))
                && of.first().is_some_and(|of| *terms.form(*of) == Form::Bound(0))
        }
        _ => false,
    };
    match *terms.form(cond) {
        Form::Compare(CompareOp::Eq | CompareOp::Ne, a, b) => is_owner(a) != is_owner(b),
        Form::In(owner, _) => is_owner(owner),
        Form::Unary(Unary::Is(_), member) => *terms.form(member) == Form::Bound(0),
        _ => false,
    }
}

fn board(rules: &Rules, terms: &Terms, sites: Term) -> Option<BoardId> {
    let Ty::Site(board) = *terms.ty(sites).element().bare() else { return None };
    (!rules.boards[board.index()].endless()).then_some(board)
}

/// The rules as they are where no piece lies on another; none if that is asked nowhere.
pub fn flattened(rules: &Rules) -> Option<Rules> {
    let mut found = false;
    let mut rules = rules.clone();
    for proc in &mut rules.procs {
        match &mut proc.body {
            ProcBody::Expr(expr) => found |= flatten(expr),
            ProcBody::Block(stmts) => {
                super::each_expr_mut(stmts, &mut |expr| found |= flatten(expr));
                stmts.iter_mut().for_each(|stmt| found |= move_at_once(stmt));
            }
        }
    }
    found.then_some(rules)
}

/// Makes a loop that moves each piece of one site the move of all of them: where no piece lies on another there is but one.
fn move_at_once(stmt: &mut Stmt) -> bool {
    let StmtKind::Each { local, domain, body, .. } = &mut stmt.kind else { return false };
    let [only] = body.as_mut_slice() else { return false };
    let StmtKind::Move { what, riders: None, to, local: None } = &mut only.kind else { return false };
    let stays = match to {
        Destination::Nowhere => true,
        Destination::Site { site, turned: None } => !site.mentions(*local),
        _ => false,
    };
    let member = match &what.kind {
        ExprKind::ToSet(member) => member,
        _ => &*what,
    };
    let each = matches!(member.kind, ExprKind::Local(moved) if moved == *local);
    let Some(there) = lying_on(domain).filter(|_| stays && each) else { return false };
    *what = there;
    stmt.kind = only.kind.clone();
    true
}

/// All that lies on one site, if that is what an expression is.
fn lying_on(expr: &Expr) -> Option<Expr> {
    match &expr.kind {
        ExprKind::ToSet(inner) | ExprKind::ToList(inner) => lying_on(inner),
        ExprKind::Builtin(Builtin::PiecesOn, args) => {
            matches!(args.first()?.kind, ExprKind::ToSet(_)).then(|| expr.clone())
        }
        ExprKind::Builtin(Builtin::Stack, args) => {
            let site = args.first()?;
            let sites =
                Expr { kind: ExprKind::ToSet(Box::new(site.clone())), ty: site.ty.clone().set(), span: site.span };
            let kind = ExprKind::Builtin(Builtin::PiecesOn, vec![sites]);
            Some(Expr { kind, ty: expr.ty.element().clone().set(), span: expr.span })
        }
        _ => None,
    }
}

/// Leaves of each expression that asks whether pieces lie on each other the one for where they do not.
fn flatten(expr: &mut Expr) -> bool {
    if let ExprKind::If(cond, yes, _) = &mut expr.kind
        && asks_flat(cond)
    {
        *expr = std::mem::replace(yes, Expr { kind: ExprKind::Nothing, ty: Ty::Nothing, span: expr.span });
        return true;
    }
    let mut found = false;
    expr.each_part_mut(&mut |part| found |= flatten(part));
    found
}

/// Whether it is a part of a condition that no piece lies on another.
pub fn asks_flat(cond: &Expr) -> bool {
    match &cond.kind {
        ExprKind::And(a, b) => asks_flat(a) || asks_flat(b),
        ExprKind::Flat(_) => true,
        _ => false,
    }
}
