//! What cards do while they are in play: which of their clauses modify a stat or forbid a verb, and what that tells where not
//! everybody sees that the card is there.

use super::Watch;
use super::ahead::is_about_me;
use super::flow::{Call, Flow, Keeper, Origin, Sink, Source, Who};
use crate::base::Span;
use crate::model::inplay::said_to_be_this;
use crate::model::rules::{
    Clause, ClauseHome, ClauseId, ClauseKind, Expr, ExprKind, LocalId, ProcBody, ProcId, Rules, Seen, Stage, Zone,
    ZoneId,
};

/// A clause that modifies a stat or forbids a verb.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// What it asks, who is `me` there, and the armed clause that has captured what it asks of.
    pub asks: Vec<(ProcId, Who, Option<ClauseId>)>,
    /// Zones that not everybody sees and in which its card may be in play, and whether it tells anything that it is there.
    lies: Vec<(ZoneId, bool)>,
    about: Whose,
    span: Span,
}

/// Whom what a card does is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// The card, or what it lies on: who does not see the card does not see that either.
    Itself,
    /// The player who holds it.
    Holder,
    Anything,
}

impl Said {
    pub fn new(rules: &Rules, clause: &Clause, asks: Vec<(ProcId, Who, Option<ClauseId>)>) -> Said {
        let about = match &clause.kind {
            _ if matches!(clause.home, ClauseHome::Rule(_) | ClauseHome::Armed) => Whose::Anything,
            ClauseKind::Modify { of, .. } => body(rules, *of).map_or(Whose::Anything, |of| whose(rules, of)),
            _ if is_about_itself(rules, clause) => Whose::Itself,
            _ => Whose::Anything,
        };
        Said { asks, lies: hidden_in_play(rules, clause.home), about, span: clause.span }
    }

    /// The same of a hook or check: what a player's own cards do this player sees.
    pub fn of_hook(
        rules: &Rules,
        clause: &Clause,
        cond: Option<ProcId>,
        asks: Vec<(ProcId, Who, Option<ClauseId>)>,
    ) -> Said {
        let said = Said::new(rules, clause, asks);
        let own = cond.and_then(|cond| body(rules, cond)).is_some_and(is_about_me);
        if own { Said { lies: Vec::new(), ..said } } else { said }
    }

    /// What it tells that the card is in play, as a card: of whom the stat is that it modifies, if it does, `of` says. None where it
    /// tells nothing.
    fn card(&self, of: Option<Who>, span: Span) -> Option<Flow> {
        let who = match self.about {
            Whose::Itself => return None,
            Whose::Holder => of.unwrap_or(Who::Unknown),
            Whose::Anything => Who::Unknown,
        };
        let origin = Origin { kept: Some(self.span), ..span.into() };
        let told = self.lies.iter().filter(|(_, told)| *told).map(|(zone, _)| (Source::Zone(*zone, who), origin));
        let cards = self.lies.iter().map(|(zone, _)| Source::Zone(*zone, who)).collect();
        Some(Flow { cards, facts: told.collect(), ..Flow::default() }.by(who))
    }
}

impl Watch<'_> {
    /// What clauses come to that modify a stat, of whom `of` says, or that would stop a verb with these arguments.
    pub(super) fn said(&mut self, clauses: &[Said], args: &[Flow], of: Option<Who>, span: Span) -> Flow {
        let mut flow = Flow::default();
        for said in clauses {
            let card = said.card(of, span);
            for (proc, me, armed) in &said.asks {
                let holder = card.as_ref().and_then(|card| card.who).unwrap_or(*me);
                let me = if *me == Who::Unknown { holder } else { *me };
                let with = armed.map(|clause| self.with_captured(clause, args, span));
                let args = with.as_deref().unwrap_or(args);
                let asked = self.called(*proc, (args, card.as_ref()), (me, None), span);
                flow = Flow::derived([&flow, &asked]).like(&asked);
            }
            match &card {
                Some(card) => flow = Flow::derived([&flow, card]).like(&flow),
                // Whether it stops what is done to it tells what that is.
                None => flow = args.iter().fold(flow, |flow, arg| flow.read(arg, span)),
            }
        }
        flow
    }

    /// Arguments, and behind them what an armed clause has captured, wherever it was armed.
    fn with_captured(&self, clause: ClauseId, args: &[Flow], span: Span) -> Vec<Flow> {
        let mut all = args.to_vec();
        for ((_, local, cards), sources) in
            self.captured.range((clause, LocalId(0), false)..=(clause, LocalId(u32::MAX), true))
        {
            if all.len() <= local.index() {
                all.resize(local.index() + 1, Flow::default());
            }
            let Some(flow) = all.get_mut(local.index()) else { continue };
            for (source, set) in sources {
                match cards {
                    true => _ = flow.cards.insert(*source),
                    false => _ = flow.facts.insert(*source, Origin { kept: Some(*set), ..span.into() }),
                }
            }
        }
        all
    }
}

/// The expression of a procedure.
pub(super) fn body(rules: &Rules, proc: ProcId) -> Option<&Expr> {
    match &rules.procs.get(proc.index())?.body {
        ProcBody::Expr(body) => Some(body),
        ProcBody::Block(_) => None,
    }
}

/// Whose stat a card modifies.
fn whose(rules: &Rules, of: &Expr) -> Whose {
    match &of.kind {
        ExprKind::ToSet(of) | ExprKind::ToList(of) => whose(rules, of),
        ExprKind::This => Whose::Itself,
        ExprKind::Me => Whose::Holder,
        // It lies where its host lies.
        ExprKind::Prop(of, prop) if rules.links.iter().any(|link| link.one == *prop) => match whose(rules, of) {
            Whose::Itself => Whose::Itself,
            Whose::Holder | Whose::Anything => Whose::Anything,
        },
        _ => Whose::Anything,
    }
}

/// Zones that not everybody sees, in which cards of a definition or kind are in play, and whether that one lies there tells what it is.
pub(super) fn hidden_in_play(rules: &Rules, home: ClauseHome) -> Vec<(ZoneId, bool)> {
    let (kind, of_kind) = match home {
        ClauseHome::Kind(kind) => (kind, true),
        ClauseHome::Entry(entry) => match rules.entries.get(entry.index()) {
            Some(entry) => (entry.kind, false),
            None => return Vec::new(),
        },
        ClauseHome::Rule(_) | ClauseHome::Armed => return Vec::new(),
    };
    let closed = |zone: &&Zone| zone.in_play && zone.seen.is_closed();
    let zones = (0..).map(ZoneId).zip(&rules.zones).filter(|(_, zone)| closed(zone));
    let zones = zones.filter_map(|(id, zone)| {
        let below = |held: &&_| rules.is_below(**held, kind);
        let holds = zone.holds.iter().any(|held| below(&held) || rules.is_below(kind, *held));
        holds.then(|| (id, !of_kind || !zone.holds.iter().all(|held| below(&held))))
    });
    zones.collect()
}

/// Whether a clause of a card stops only what happens to that card, which lies in play where all see it: what comes from
/// elsewhere it cannot keep from being laid openly.
pub(super) fn stops_only_itself(rules: &Rules, clause: &Clause) -> bool {
    let open = rules.zones.iter().filter(|zone| zone.in_play).all(|zone| zone.seen == Seen::All);
    open && is_about_itself(rules, clause)
}

/// Whether a clause of a card is about an argument that is the card itself.
fn is_about_itself(rules: &Rules, clause: &Clause) -> bool {
    match (clause.home, &clause.kind) {
        (ClauseHome::Entry(_) | ClauseHome::Kind(_), ClauseKind::Hook { cond: Some(cond), .. }) => {
            body(rules, *cond).is_some_and(|cond| !said_to_be_this(cond).is_empty())
        }
        _ => false,
    }
}

/// The procedures of clauses of cards: what they ask of `this` they ask of a card in play.
pub(super) fn asks_of_card(clause: &Clause) -> impl Iterator<Item = ProcId> {
    let card = matches!(clause.home, ClauseHome::Entry(_) | ClauseHome::Kind(_));
    let procs = clause.kind.procs();
    procs.filter(move |_| card && matches!(clause.kind, ClauseKind::Modify { .. } | ClauseKind::Hook { .. }))
}

impl Watch<'_> {
    /// What an armed clause has captured it may show later.
    pub(super) fn arm(&mut self, id: ClauseId, span: Span) {
        let Some(clause) = self.rules.clauses.get(id.index()) else { return };
        let most = clause.captures.iter().map(|(_, inner)| inner.index() + 1).max().unwrap_or(0);
        let mut args = vec![Flow::default(); most];
        for (outer, inner) in &clause.captures {
            if let Some(arg) = args.get_mut(inner.index()) {
                *arg = self.local(*outer);
            }
        }
        let captured = args.iter().flat_map(|arg| {
            let cards = arg.cards.iter().map(|source| (*source, span.into()));
            arg.facts.iter().map(|(source, origin)| (*source, *origin)).chain(cards)
        });
        self.waits(Keeper::Clause(id), captured.collect());
        // What forbids a verb or modifies a stat shows what it has captured by what it does.
        if matches!(
            clause.kind,
            ClauseKind::Modify { .. } | ClauseKind::Hook { stage: Stage::Cannot | Stage::Instead, .. }
        ) {
            for (_, inner) in &clause.captures {
                let flow = self.untold(args[inner.index()].clone());
                let facts = flow.facts.iter().map(|(source, origin)| ((*source, *origin), false));
                let cards = flow.cards.iter().map(|source| ((*source, span.into()), true));
                let kept =
                    facts.chain(cards).map(|(from, cards)| (from, Sink::Captured(id, *inner, cards), Some(span)));
                self.keeps.extend(kept.collect::<Vec<_>>());
            }
        }
        for proc in clause.kind.procs() {
            let Some(mut summary) = self.summaries.get(proc.index()).cloned() else { continue };
            // What it reads when it acts is asked where it does.
            if self.about.called.contains(&proc) {
                summary.demands.retain(|(source, ..), _| source.zone().is_none());
            }
            self.give(&summary, &Call { args: &args, card: None, me: Who::Unknown, this: Who::Unknown, span });
        }
    }
}
