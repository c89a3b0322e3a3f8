//! What is never in play, cards in play that nobody holds, and clauses that stand elsewhere than their author has meant or
//! tell by asking that a hidden card is there.

use super::check::Checker;
use super::rules::walk::{each_block, each_expr, each_stmt, stmt_exprs};
use super::rules::{
    BinaryOp, BuiltinProp, Clause, ClauseHome, ClauseKind, CollectOp, CompareOp, Destination, Expr, ExprKind,
    HookEvent, KindId, LocalId, ProcBody, ProcId, PropClass, PropId, RootKind, Seen, Showing, Stage, Stmt, StmtKind,
    Ty, VerbId, Zone, ZoneId,
};
use crate::base::{Code, Diagnostic, Span};
use std::collections::BTreeMap;

impl Checker<'_> {
    pub(super) fn check_in_play(&mut self) {
        let mut found = self.never_in_play();
        found.extend(self.not_yet_in_play());
        for clause in &self.rules.clauses {
            found.extend(self.held_by_nobody(clause));
            found.extend(self.holder_before(clause));
            found.extend(self.asked_unseen(clause));
            found.extend(self.stands_elsewhere(clause));
            found.extend(self.gone_by_then(clause));
            found.extend(self.lies_nowhere(clause));
        }
        found.into_iter().for_each(|found| self.report(found));
    }

    /// Kinds alone, which mean what is in play, where nothing of the kind ever is.
    fn never_in_play(&self) -> Vec<Diagnostic> {
        let mut read: BTreeMap<KindId, (Span, usize)> = BTreeMap::new();
        for proc in &self.rules.procs {
            each_expr(proc, &mut |expr| {
                if let ExprKind::InPlay(kind) = expr.kind {
                    read.entry(kind).or_insert((expr.span, 0)).1 += 1;
                }
            });
        }
        let never =
            read.into_iter().filter(|(kind, _)| !self.is_open(&Ty::Entity(*kind)) && !self.comes_into_play(*kind));
        never.map(|(kind, (span, times))| self.empty_kind(kind, span, times)).collect()
    }

    fn empty_kind(&self, kind: KindId, span: Span, times: usize) -> Diagnostic {
        let name = self.kind_name(kind);
        let message = format!("`{name}` alone means those in play, and no `{name}` ever is: this is always empty");
        let zones: Vec<String> = self.zones_of(kind).map(|(_, zone)| whole(zone)).take(4).collect();
        let mark = "`inplay: true` to the zone whose cards are in play";
        let root = self.rules.kinds.get(kind.index()).map(|kind| kind.root);
        let found = Diagnostic::new(Code::NeverInPlay, span, message).help(match (root, zones.is_empty()) {
            (Some(RootKind::Thing), _) => format!("nothing makes one: `create {name}`"),
            (Some(RootKind::Piece), true) => format!("nothing lays one on a board: `create {name} at ...`"),
            (_, true) => format!("add {mark}"),
            (_, false) => format!("say where they lie: {}; or add {mark}", zones.join(", ")),
        });
        match times {
            1 => found,
            _ => found.note(format!("it is read in {times} places")),
        }
    }

    /// Kinds alone that `setup` reads before anything can have come into play.
    fn not_yet_in_play(&self) -> Vec<Diagnostic> {
        let setup = self.rules.setup.and_then(|proc| self.rules.procs.get(proc.index())).map(|proc| &proc.body);
        let mut read = Vec::new();
        if let Some(ProcBody::Block(stmts)) = setup {
            read_before_moves(stmts, &mut read);
        }
        let begins = |kind: KindId| {
            let lies = |held: &KindId| self.rules.is_below(kind, *held) || self.rules.is_below(*held, kind);
            self.zones_of(kind).any(|(_, zone)| zone.in_play && zone.starts.iter().any(lies))
        };
        let card =
            |kind: KindId| self.rules.kinds.get(kind.index()).is_some_and(|kind| matches!(kind.root, RootKind::Card));
        let early = |(kind, _): &(KindId, Span)| {
            card(*kind) && !self.is_open(&Ty::Entity(*kind)) && self.comes_into_play(*kind) && !begins(*kind)
        };
        let found = read.into_iter().filter(early).map(|(kind, span)| {
            let name = self.kind_name(kind);
            let message = format!("`{name}` alone means those in play, and here no `{name}` is yet: this is empty");
            let zones: Vec<String> = self.zones_of(kind).map(|(_, zone)| whole(zone)).take(4).collect();
            Diagnostic::new(Code::NeverInPlay, span, message).help(format!("say where they lie: {}", zones.join(", ")))
        });
        found.collect()
    }

    /// Whether something of a kind can be in play: on a board, in a zone whose cards are, or without any place.
    fn comes_into_play(&self, kind: KindId) -> bool {
        let zone = || self.zones_of(kind).any(|(_, zone)| zone.in_play);
        let made = |other: &KindId| self.akin(*other, kind);
        match self.rules.kinds.get(kind.index()).map(|kind| kind.root) {
            Some(RootKind::Card) => zone(),
            Some(RootKind::Piece) => zone() || self.laid.keys().any(made),
            Some(RootKind::Thing) => {
                let entries = self.created_entries.iter().filter_map(|entry| self.rules.entries.get(entry.index()));
                self.created.iter().any(made) || entries.map(|entry| entry.kind).any(|other| made(&other))
            }
            None => true,
        }
    }

    /// The zones that hold something of a kind.
    pub(super) fn zones_of(&self, kind: KindId) -> impl Iterator<Item = (ZoneId, &Zone)> {
        let holds = move |zone: &Zone| {
            let related = |held: &KindId| self.rules.is_below(kind, *held) || self.rules.is_below(*held, kind);
            zone.holds.is_empty() || zone.holds.iter().any(related)
        };
        let zones = self.rules.zones.iter().enumerate().map(|(index, zone)| (ZoneId(index as u32), zone));
        zones.filter(move |(_, zone)| holds(zone))
    }

    /// The kind of the cards that have a clause printed on them.
    fn kind_with(&self, clause: &Clause) -> Option<KindId> {
        match clause.home {
            ClauseHome::Entry(entry) => Some(self.rules.entries.get(entry.index())?.kind),
            ClauseHome::Kind(kind) => Some(kind),
            ClauseHome::Rule(_) | ClauseHome::Armed => None,
        }
    }

    /// A clause that asks the holder of its card, which lies where others do not see it: all notice who is asked.
    fn asked_unseen(&self, clause: &Clause) -> Option<Diagnostic> {
        let word = match &clause.kind {
            ClauseKind::Hook { announced: true, .. } | ClauseKind::Becomes { announced: true, .. } => "announced",
            ClauseKind::Hook { may: true, .. } => "may",
            _ => return None,
        };
        let kind = self.kind_with(clause)?;
        let back = self.rules.kinds.get(kind.index()).and_then(|kind| kind.back);
        if let Some(back) = back
            && !matches!(clause.home, ClauseHome::Kind(of) if self.rules.is_below(back.kind, of))
        {
            let message = format!("who is asked would tell which `{}` is which", self.kind_name(back.kind));
            return Some(
                Diagnostic::new(Code::HiddenFact, clause.span, message)
                    .help("open a `window` that asks every player, whatever they have; or let the clause act unasked"),
            );
        }
        let told = |(_, zone): &(ZoneId, &Zone)| {
            // How many cards lie somewhere is no secret: where all have the clause, being asked tells nothing.
            let alike = matches!(clause.home, ClauseHome::Kind(_))
                && zone.holds.iter().all(|held| self.rules.is_below(*held, kind));
            zone.in_play && zone.seen != Seen::All && !alike
        };
        let (_, zone) = self.zones_of(kind).find(told)?;
        let message = format!("who is asked would tell what lies in `{}`, which not everybody sees", zone.name);
        Some(
            Diagnostic::new(Code::HiddenFact, clause.span, message)
                .label(zone.span, format!("`{word}` asks the holder of a card that stands here"))
                .help("open a `window` that asks every player, whatever they hold; or let the clause act unasked"),
        )
    }

    /// A clause that never acts, or acts only where all see its card although it reveals it: the author has meant another place.
    fn stands_elsewhere(&self, clause: &Clause) -> Option<Diagnostic> {
        let kind = self.kind_with(clause)?;
        if self.is_open(&Ty::Entity(kind)) {
            return None;
        }
        let name = self.kind_name(kind);
        if !self.comes_into_play(kind) {
            let message = format!("no `{name}` is ever in play, so this never acts");
            let help = match self.rules.kinds.get(kind.index()).map(|kind| kind.root) {
                Some(RootKind::Thing) => format!("nothing makes one: `create {name}`"),
                _ => "clauses of cards act in zones with `inplay: true`: add it to the zone where this one should"
                    .to_owned(),
            };
            return Some(Diagnostic::new(Code::ActsElsewhere, clause.span, message).help(help));
        }
        if self.zones_of(kind).any(|(_, zone)| zone.in_play && zone.seen != Seen::All) {
            return None;
        }
        let span = clause.kind.procs().find_map(|proc| self.reveals_this(proc))?;
        let hidden = self.zones_of(kind).find(|(_, zone)| zone.seen != Seen::All)?.1;
        let message = format!("this acts only where all see the `{name}`, so there is nothing to reveal");
        Some(Diagnostic::new(Code::ActsElsewhere, span, message).help(format!(
            "clauses of cards act in zones with `inplay: true`, not in `{}`: what is played from there needs a `window`",
            hidden.name
        )))
    }

    /// A clause that waits for what always takes its own card out of play, and does not act then.
    fn gone_by_then(&self, clause: &Clause) -> Option<Diagnostic> {
        let ClauseKind::Hook {
            stage: Stage::After,
            even_gone: false,
            event: HookEvent::Verb(verb),
            cond: Some(cond),
            ..
        } = clause.kind
        else {
            return None;
        };
        self.kind_with(clause)?;
        let verb = self.rules.verbs.get(verb.index())?;
        let (ProcBody::Expr(cond), ProcBody::Block(stmts)) =
            (&self.rules.procs.get(cond.index())?.body, &self.rules.procs.get(verb.body.index())?.body)
        else {
            return None;
        };
        let own = said_to_be_this(cond);
        let leaves = |stmt: &Stmt| {
            let StmtKind::Move { what, to, .. } = &stmt.kind else { return false };
            let leaves = match to {
                Destination::Nowhere => true,
                Destination::Zone { zone, .. } => self.rules.zones.get(zone.index()).is_some_and(|zone| !zone.in_play),
                Destination::Site { .. } => false,
            };
            leaves && matches!(what.bare().kind, ExprKind::Local(local) if own.contains(&local))
        };
        let leaves = stmts.iter().find(|stmt| leaves(stmt))?;
        let message = format!("when `{}` is done, this card has left play, so this never acts", verb.name);
        let help = format!("a clause of what has left acts with `even gone`: `after even gone {} ...`", verb.name);
        Some(Diagnostic::new(Code::ActsElsewhere, clause.span, message).label(leaves.span, "it leaves here").help(help))
    }

    /// `after gain c where c in me.discard`, where `gain` moves `c` to where it is another card: `c` is what it was before.
    fn lies_nowhere(&self, clause: &Clause) -> Option<Diagnostic> {
        let ClauseKind::Hook {
            stage: Stage::After,
            even_gone: false,
            event: HookEvent::Verb(verb),
            cond: Some(cond),
            ..
        } = clause.kind
        else {
            return None;
        };
        let verb = self.rules.verbs.get(verb.index())?;
        let (ProcBody::Expr(cond), ProcBody::Block(stmts)) =
            (&self.rules.procs.get(cond.index())?.body, &self.rules.procs.get(verb.body.index())?.body)
        else {
            return None;
        };
        let moved = |stmt: &Stmt| {
            let StmtKind::Move { what, to: Destination::Zone { zone, .. }, .. } = &stmt.kind else { return None };
            let ExprKind::Local(local) = what.bare().kind else { return None };
            let stays = self.rules.zones.get(zone.index()).is_none_or(|zone| zone.in_play);
            (local.index() < verb.params.len() && !stays).then_some((local, *zone, stmt.span))
        };
        let (local, to, span) = stmts.iter().find_map(moved)?;
        let mut asked = None;
        cond.walk(&mut |part| {
            if let ExprKind::In(one, all) = &part.kind
                && matches!(one.bare().kind, ExprKind::Local(read) if read == local)
                && asked.is_none()
                && let Some(zones) = zones_of_set(all)
            {
                asked = Some((part.span, zones));
            }
        });
        let (asked, zones) = asked?;
        let (name, param) = (&verb.name, &verb.params.get(local.index())?.name);
        let to_name = &self.rules.zones.get(to.index())?.name;
        let message = match zones.contains(&to) {
            true => format!(
                "`{param}` is here what it was before `{name}` moved it: it is in `{to_name}` only if it lay there already"
            ),
            false => format!(
                "`{param}` is here what it was before `{name}` moved it, and lies nowhere any more: it is never in there"
            ),
        };
        let help = match zones.contains(&to) {
            true => format!(
                "`{name}` has moved it to `{to_name}`: leave the condition out, or ask where it lies before: `before {name} {param} where ...`"
            ),
            false => format!(
                "ask where it lay before it is moved: `before {name} {param} where ...`, or `after even gone {name} {param} where ...`"
            ),
        };
        let found = Diagnostic::new(Code::ActsElsewhere, asked, message);
        Some(found.label(span, "it is another card from here on").help(help))
    }

    /// Where a procedure reveals the card whose text it is, while that lies where it was.
    fn reveals_this(&self, proc: ProcId) -> Option<Span> {
        let this = |expr: &Expr| matches!(expr.bare().kind, ExprKind::This);
        let (mut found, mut moved) = (None, false);
        each_stmt(self.rules.procs.get(proc.index())?, &mut |stmt| {
            moved |= matches!(&stmt.kind, StmtKind::Move { what, .. } if this(what));
            if matches!(&stmt.kind, StmtKind::Reveal { what, how, .. } if *how != Showing::Hides && this(what)) {
                found = found.or(Some(stmt.span));
            }
        });
        found.filter(|_| !moved)
    }

    /// `me` in a clause of a card that is in play in shared zones only.
    fn held_by_nobody(&self, clause: &Clause) -> Option<Diagnostic> {
        let kind = self.kind_with(clause)?;
        let root = self.rules.kinds.get(kind.index())?.root;
        if root == RootKind::Thing || root == RootKind::Piece && !self.rules.boards.is_empty() {
            return None;
        }
        let places: Vec<&Zone> = self.zones_of(kind).map(|(_, zone)| zone).filter(|zone| zone.in_play).collect();
        if places.is_empty() || places.iter().any(|zone| zone.per_player) {
            return None;
        }
        let span = clause.kind.procs().find_map(|proc| self.first_me(proc))?;
        let names: Vec<String> = places.iter().map(|zone| format!("`{}`", zone.name)).collect();
        let message = format!(
            "`me` is nobody here: a card's `me` is its holder, and nobody holds what lies in {}",
            names.join(", ")
        );
        let hook = matches!(clause.kind, ClauseKind::Hook { event: HookEvent::Verb(_), .. });
        let help = match hook {
            true => "write `actor` for who does it, `mover` for who is on turn, or let a `rule` have the clause",
            false => "write `mover` for who is on turn, or let a `rule` have the clause",
        };
        Some(Diagnostic::new(Code::HeldByNobody, span, message).help(help))
    }

    /// The first `me` that stands in a procedure.
    fn first_me(&self, proc: ProcId) -> Option<Span> {
        let mut found: Option<Span> = None;
        each_expr(self.rules.procs.get(proc.index())?, &mut |expr| {
            if matches!(expr.kind, ExprKind::Me) && found.is_none_or(|found| expr.span.start < found.start) {
                found = Some(expr.span);
            }
        });
        found
    }

    /// `after build b where b.holder = me`, where `build` moves what nobody held: `b` is what it was before.
    fn holder_before(&self, clause: &Clause) -> Option<Diagnostic> {
        let ClauseKind::Hook { stage: Stage::After, event: HookEvent::Verb(verb), .. } = &clause.kind else {
            return None;
        };
        let (local, moved) = self.param_it_moves(*verb)?;
        let read = clause.kind.procs().find_map(|proc| self.holder_of(proc, local))?;
        let name = &self.rules.verbs.get(verb.index())?.name;
        let message = format!("nobody held this before `{name}` moved it, and its holder is who held it then");
        let help = "write `actor` for who did it, or look at the other arguments of the verb for whose it is now";
        Some(
            Diagnostic::new(Code::HeldByNobody, read, message)
                .label(moved, "it is another card from here on")
                .help(help),
        )
    }

    /// The first parameter of a verb whose last statements move it to a zone per player, from where nobody held it.
    fn param_it_moves(&self, verb: VerbId) -> Option<(LocalId, Span)> {
        let verb = self.rules.verbs.get(verb.index())?;
        let ProcBody::Block(stmts) = &self.rules.procs.get(verb.body.index())?.body else { return None };
        stmts.iter().find_map(|stmt| {
            let StmtKind::Move { what, to: Destination::Zone { zone, .. }, .. } = &stmt.kind else { return None };
            let ExprKind::Local(local) = what.bare().kind else { return None };
            let param = verb.params.get(local.index())?;
            let Ty::Entity(kind) = param.ty.bare() else { return None };
            let held_before = |(id, from): (ZoneId, &Zone)| from.per_player && id != *zone;
            let card = self.rules.kinds.get(kind.index())?.root == RootKind::Card;
            let own = self.rules.zones.get(zone.index())?.per_player;
            (card && own && !self.zones_of(*kind).any(held_before)).then_some((local, stmt.span))
        })
    }

    /// Where a procedure asks for the holder of a local.
    fn holder_of(&self, proc: ProcId, local: LocalId) -> Option<Span> {
        let mut found = None;
        each_expr(self.rules.procs.get(proc.index())?, &mut |expr| {
            if let ExprKind::Prop(of, prop) = &expr.kind
                && matches!(of.bare().kind, ExprKind::Local(read) if read == local)
                && self.is_holder(*prop)
            {
                found = found.or(Some(expr.span));
            }
        });
        found
    }

    pub(super) fn is_holder(&self, prop: PropId) -> bool {
        let prop = self.rules.props.get(prop.index());
        prop.is_some_and(|prop| matches!(prop.class, PropClass::Builtin(BuiltinProp::Holder)))
    }
}

/// How all of a zone is written.
pub(super) fn whole(zone: &Zone) -> String {
    match zone.per_player {
        true => format!("`union {} of players`", zone.name),
        false => format!("`{}`", zone.name),
    }
}

/// The zones of which an expression gives cards, where nothing else is in it.
fn zones_of_set(set: &Expr) -> Option<Vec<ZoneId>> {
    match &set.kind {
        ExprKind::Contents(zone, _) => Some(vec![*zone]),
        ExprKind::ToSet(of) | ExprKind::ToList(of) => zones_of_set(of),
        ExprKind::Where { over, .. } => zones_of_set(over),
        ExprKind::Collect { op: CollectOp::Union, body, .. } => zones_of_set(body),
        ExprKind::Binary(BinaryOp::Difference | BinaryOp::Both, of, _) => zones_of_set(of),
        ExprKind::Binary(BinaryOp::Union, one, other) => Some([zones_of_set(one)?, zones_of_set(other)?].concat()),
        _ => None,
    }
}

/// The arguments of which a condition says that they are the card whose text it is.
pub(super) fn said_to_be_this(cond: &Expr) -> Vec<LocalId> {
    said_to_be(cond, |kind| matches!(kind, ExprKind::This))
}

/// The locals of which a condition says that they are what `is` knows.
pub(super) fn said_to_be(cond: &Expr, is: fn(&ExprKind) -> bool) -> Vec<LocalId> {
    match &cond.kind {
        ExprKind::And(a, b) => [said_to_be(a, is), said_to_be(b, is)].concat(),
        ExprKind::Compare(CompareOp::Eq, a, b) => match (&a.kind, &b.kind) {
            (ExprKind::Local(local), other) | (other, ExprKind::Local(local)) if is(other) => vec![*local],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Finds the kinds alone that statements read before the first that could bring something into play. Says whether one was come to.
fn read_before_moves(stmts: &[Stmt], read: &mut Vec<(KindId, Span)>) -> bool {
    stmts.iter().any(|stmt| {
        stmt_exprs(stmt, &mut |expr| {
            expr.walk(&mut |part| {
                if let ExprKind::InPlay(kind) = part.kind {
                    read.push((kind, part.span));
                }
            });
        });
        let mut brings = matches!(
            stmt.kind,
            StmtKind::Move { .. }
                | StmtKind::Create { .. }
                | StmtKind::Call { .. }
                | StmtKind::Do { .. }
                | StmtKind::Script { .. }
        );
        each_block(stmt, &mut |block| brings = brings || read_before_moves(block, read));
        brings
    })
}
