//! Warnings about what does something else than it reads.

use super::check::Checker;
use super::rules::walk::{each_block, each_in};
use super::rules::{
    ArmSpan, Builtin, Destination, EntryId, Expr, ExprKind, FieldValue, LocalId, ProcBody, ProcId, PropId, Rules, Stmt,
    StmtKind, VerbId, ZoneId,
};
use crate::base::{Code, Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

impl Checker<'_> {
    pub(super) fn check_traps(&mut self) {
        let mut found = Vec::new();
        let mut ends: BTreeMap<PropId, bool> = BTreeMap::new();
        let losing = losing_verbs(&self.rules);
        for proc in &self.rules.procs {
            if let ProcBody::Block(stmts) = &proc.body {
                self.moved_again(stmts, &mut found);
                self.passed_on(stmts, &mut found);
                self.effects_that_end(stmts, &mut ends);
                self.leaves_itself(stmts, false, &mut found);
                lose_in_turn(stmts, &losing, &mut found);
                self.columns_turned(proc, stmts, &mut found);
            }
        }
        let gone: Vec<PropId> = ends.into_iter().filter(|(_, ends)| *ends).map(|(prop, _)| prop).collect();
        for entry in &self.rules.entries {
            for (prop, value) in &entry.fields {
                if let (true, Some(FieldValue::Proc(proc))) = (gone.contains(prop), value) {
                    self.armed_in_vain(*proc, *prop, &mut found);
                }
            }
        }
        found.into_iter().for_each(|found| self.report(found));
    }

    /// `move first(lantern "Candle") to ...` twice moves the same card.
    fn moved_again(&self, stmts: &[Stmt], found: &mut Vec<Diagnostic>) {
        let mut moved: Vec<(EntryId, Span)> = Vec::new();
        for stmt in stmts {
            if let StmtKind::Move { what, .. } = &stmt.kind
                && let Some(entry) = first_of(what)
                && let Some(info) = self.rules.entries.get(entry.index()).filter(|entry| entry.copies > 1)
            {
                match moved.iter().find(|(other, _)| *other == entry) {
                    Some((_, before)) => found.push(
                        Diagnostic::new(Code::MovedAgain, what.span, "this is the same card again")
                            .label(*before, "it is moved here")
                            .help(format!(
                                "say where the other is: `first({} & ZONE)`",
                                self.named(info.kind, &info.name)
                            )),
                    ),
                    None => moved.push((entry, what.span)),
                }
            }
            each_block(stmt, &mut |inner| self.moved_again(inner, found));
        }
    }

    /// `each p in players { move p.hand to first(players_after(p)).hand }`: each hand goes on with what has come to it, so that they run
    /// together.
    fn passed_on(&self, stmts: &[Stmt], found: &mut Vec<Diagnostic>) {
        each_in(stmts, &mut |stmt| {
            let StmtKind::Each { local, domain, at_once: false, body } = &stmt.kind else { return };
            let all = matches!(domain.bare().kind, ExprKind::Players | ExprKind::Builtin(Builtin::Clockwise, _));
            for inner in body.iter().filter(|_| all) {
                if let StmtKind::Move { what, to: Destination::Zone { zone: to, of: Some(of), .. }, .. } = &inner.kind
                    && let ExprKind::Contents(from, Some(whose)) = &what.bare().kind
                    && (from == to, whose.is_local(*local), self.is_neighbour(of, *local)) == (true, true, true)
                    && let Some(zone) = self.rules.zones.get(to.index())
                {
                    let message = format!(
                        "each `{0}` goes on with the `{0}` that has come to it, so they run together",
                        zone.name
                    );
                    found.push(Diagnostic::new(Code::MovedAgain, inner.span, message).help(
                        "pass them on through a zone between: in one loop all go there, in a second one they come from there",
                    ));
                }
            }
        });
    }

    /// Whether an expression is the player at a distance from another one.
    fn is_neighbour(&self, of: &Expr, from: LocalId) -> bool {
        match &of.bare().kind {
            ExprKind::Builtin(Builtin::First, args) => args.iter().all(|of| self.is_neighbour(of, from)),
            ExprKind::Builtin(Builtin::After, args) => args.iter().any(|of| of.is_local(from)),
            ExprKind::Seat(number) => number.mentions(from),
            ExprKind::Call(proc, args) => match self.rules.procs.get(proc.index()).map(|proc| &proc.body) {
                Some(ProcBody::Expr(body)) => {
                    let own = |of: &Expr| matches!(of.bare().kind, ExprKind::Builtin(..) | ExprKind::Seat(_));
                    args.len() == 1 && args[0].is_local(from) && own(body) && self.is_neighbour(body, LocalId(0))
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn named(&self, kind: super::rules::KindId, name: &str) -> String {
        format!("{} \"{name}\"", self.kind_name(kind))
    }

    /// Effects of cards that leave play as soon as the effect is done, wherever it is done.
    fn effects_that_end(&self, stmts: &[Stmt], ends: &mut BTreeMap<PropId, bool>) {
        for (index, stmt) in stmts.iter().enumerate() {
            if let StmtKind::Do { of, field, .. } = &stmt.kind {
                let leaves = stmts[index + 1..].iter().any(|later| self.leaves(later, of));
                let all = ends.entry(*field).or_insert(true);
                *all = *all && leaves;
            }
            each_block(stmt, &mut |inner| self.effects_that_end(inner, ends));
        }
    }

    /// Whether a statement moves a card to where no text of it acts.
    fn leaves(&self, stmt: &Stmt, card: &Expr) -> bool {
        let StmtKind::Move { what, to, .. } = &stmt.kind else { return false };
        let same = match (&what.kind, &card.kind) {
            (ExprKind::Local(one), ExprKind::Local(two)) => one == two,
            _ => false,
        };
        same && self.is_out(to)
    }

    /// Whether no text of a card acts there.
    fn is_out(&self, to: &Destination) -> bool {
        match to {
            Destination::Nowhere => true,
            Destination::Zone { zone, .. } => !self.in_play(*zone),
            Destination::Site { .. } => false,
        }
    }

    /// Clauses armed by a text that then moves its own card out of play; `leaves` where that is done behind the block.
    fn leaves_itself(&self, stmts: &[Stmt], leaves: bool, found: &mut Vec<Diagnostic>) {
        let moves_itself = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Move { what, to, .. } => is_this(what) && self.is_out(to),
            _ => false,
        };
        for (index, stmt) in stmts.iter().enumerate() {
            let leaves = leaves || stmts[index + 1..].iter().any(moves_itself);
            if let (StmtKind::Arm { span: ArmSpan::WhileHere, .. }, true) = (&stmt.kind, leaves) {
                let message = "this ends at once: the card leaves as soon as its text is done";
                found.push(Diagnostic::new(Code::ArmedInVain, stmt.span, message).help(FOR_GOOD));
            }
            each_block(stmt, &mut |inner| self.leaves_itself(inner, leaves, found));
        }
    }

    fn in_play(&self, zone: ZoneId) -> bool {
        self.rules.zones.get(zone.index()).is_some_and(|zone| zone.in_play)
    }

    fn armed_in_vain(&self, proc: ProcId, prop: PropId, found: &mut Vec<Diagnostic>) {
        let Some(proc) = self.rules.procs.get(proc.index()) else { return };
        let ProcBody::Block(stmts) = &proc.body else { return };
        let name = self.rules.props.get(prop.index()).map_or("", |prop| prop.name.as_str());
        arms(stmts, &mut |span| {
            let message = format!("this ends at once: the card leaves as soon as its `{name}` is done");
            if found.iter().all(|other| (other.code, other.span) != (Code::ArmedInVain, span)) {
                found.push(Diagnostic::new(Code::ArmedInVain, span, message).help(FOR_GOOD));
            }
        });
    }
}

const FOR_GOOD: &str = "say how long it lasts, whatever becomes of the card: `arm for good { ... }`";

fn is_this(what: &Expr) -> bool {
    match &what.kind {
        ExprKind::This => true,
        ExprKind::ToSet(inner) | ExprKind::ToList(inner) => is_this(inner),
        _ => false,
    }
}

/// The definition of which a move takes the first card, wherever that is.
fn first_of(what: &Expr) -> Option<EntryId> {
    match &what.kind {
        ExprKind::ToSet(inner) | ExprKind::ToList(inner) => first_of(inner),
        ExprKind::Builtin(Builtin::First, args) => match &args.first()?.kind {
            ExprKind::EntitiesOf(entry) => Some(*entry),
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) => match inner.kind {
                ExprKind::EntitiesOf(entry) => Some(entry),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// What is armed for as long as its card is here.
fn arms(stmts: &[Stmt], f: &mut dyn FnMut(Span)) {
    for stmt in stmts {
        if let StmtKind::Arm { span: ArmSpan::WhileHere, .. } = &stmt.kind {
            f(stmt.span);
        }
        each_block(stmt, &mut |inner| arms(inner, f));
    }
}

/// `each p in players where ... { lose p }`: the last of them would win.
fn lose_in_turn(stmts: &[Stmt], losing: &BTreeSet<(VerbId, usize)>, found: &mut Vec<Diagnostic>) {
    each_in(stmts, &mut |stmt| {
        let StmtKind::Each { local, body, .. } = &stmt.kind else { return };
        each_in(body, &mut |inner| {
            if !loses(inner, *local, losing) {
                return;
            }
            let message = "they lose one after another, so that the last of them is left and wins";
            let help = match inner.kind {
                StmtKind::Lose(_) => "who loses in one statement loses together: `lose players where ...`",
                _ => {
                    "let the verb do the rest, and behind the loop all lose in one statement: `lose players where ...`"
                }
            };
            found.push(Diagnostic::new(Code::LoseInTurn, inner.span, message).help(help));
        });
    });
}

/// Whether a statement lets the player of a local lose, by itself or by a verb that does.
fn loses(stmt: &Stmt, local: LocalId, losing: &BTreeSet<(VerbId, usize)>) -> bool {
    let is_it = |who: &Expr| who.bare().is_local(local);
    match &stmt.kind {
        StmtKind::Lose(who) => is_it(who),
        StmtKind::Call { verb, args, .. } => {
            let it =
                |(at, arg): (usize, &Option<Expr>)| arg.as_ref().is_some_and(is_it) && losing.contains(&(*verb, at));
            args.iter().enumerate().any(it)
        }
        _ => false,
    }
}

/// Verbs that let the player lose whom they are given in any case, each with the number of that parameter.
fn losing_verbs(rules: &Rules) -> BTreeSet<(VerbId, usize)> {
    let mut losing = BTreeSet::new();
    loop {
        let before = losing.len();
        for (index, verb) in rules.verbs.iter().enumerate() {
            let Some(ProcBody::Block(stmts)) = rules.procs.get(verb.body.index()).map(|proc| &proc.body) else {
                continue;
            };
            for at in 0..verb.params.len() {
                // Under a condition it is something else that the verb is for.
                if stmts.iter().any(|stmt| loses(stmt, LocalId(at as u32), &losing)) {
                    losing.insert((VerbId(index as u32), at));
                }
            }
        }
        if losing.len() == before {
            return losing;
        }
    }
}
