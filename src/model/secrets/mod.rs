//! What is derived from cards that somebody does not see: followed through locals, definitions, stats, the parameters of
//! verbs, actions and windows, and the marks and counters it is kept in, to what a player is shown. In come the rules as
//! a whole; out go the places where options, questions or lines of the log would tell a secret. What cards are called
//! there is not its business: the engine names only cards that the reader knows.
//!
//! The law it checks: what the rules do with hidden cards they do openly, so a condition may depend on them; a value
//! that is worked out from them is a secret wherever it is kept.
//!
//! Each procedure is looked at by itself, in terms of its parameters, which gives its [`Summary`]; where it is called,
//! the summary meets what is given to it. This is done again until nothing new is found.

mod about;
mod ahead;
mod borne;
mod ends;
mod fit;
mod flow;
mod happens;
mod lairs;
mod leads;
mod listed;
mod openly;
mod others;
mod scripts;
mod shown;
mod some_players;
mod steady;
mod told;
mod unseen;
mod values;

use super::check::Checker;
use super::hidden;
use super::rules::{
    ClauseId, Expr, KindId, LocalId, ProcBody, ProcId, ProcRole, PropId, PropOwner, RootKind, Rules, ScriptId, Seen,
    Sight, SpanId, Ty, VerbId, Zone, ZoneId,
};
use crate::base::{Code, Diagnostic, Span};
use about::About;
use fit::Fit;
use flow::{Facts, Flow, Keeper, Origin, Revealed, Sink, Source, Summary, Who};
use shown::Shown;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Everything is done again at most so often; each time something new must have been found.
const ROUNDS: usize = 64;

impl Checker<'_> {
    /// Reports where a player would be shown what is derived from cards that this player does not see.
    pub(super) fn check_secrets(&mut self) {
        if !self.rules.hides() {
            self.rules.openly = openly::questions(&self.rules).map(|(span, _)| span).collect();
            return;
        }
        // What a scenario lays out is no play: nobody reads of it.
        let staged = self.staged();
        let (rules, tops) = lairs::with_lairs(&self.rules, &staged);
        let about = About::new(&rules, &self.effect_procs, (staged, tops));
        let mut watch = Watch::new(&rules, &about);
        watch.settle();
        let data = std::mem::take(&mut watch.data);
        let props: Vec<(Sight, bool)> =
            (0..self.rules.props.len() as u32).map(|prop| watch.keeps_of(PropId(prop))).collect();
        let scripts = watch.told_by_scripts();
        let openly = watch.asked_openly();
        let found = std::mem::take(&mut watch.found);
        self.rules.openly = openly;
        let found: BTreeMap<(Span, String), Diagnostic> =
            found.into_iter().flatten().map(|found| ((found.span, found.message.clone()), found)).collect();
        found.into_values().chain(scripts).for_each(|found| self.report(found));
        for (prop, kept) in self.rules.props.iter_mut().zip(props) {
            (prop.keeps, prop.derived) = kept;
        }
        for (keeper, even_to_me) in data {
            let keeps = match keeper {
                Keeper::Script(script) => {
                    let script = self.rules.scripts.get_mut(script.index());
                    script.and_then(|script| script.acting.as_mut()).map(|acting| &mut acting.keeps)
                }
                Keeper::Clause(clause) => self.rules.clauses.get_mut(clause.index()).map(|clause| &mut clause.keeps),
            };
            if let Some(keeps) = keeps {
                *keeps = if even_to_me { Sight::All } else { (*keeps).max(Sight::Me) };
            }
        }
    }
}

/// What is found out about the rules, and about the procedure at hand.
struct Watch<'r> {
    rules: &'r Rules,
    about: &'r About<'r>,
    /// By procedure: what it does with what it is given.
    summaries: Vec<Summary>,
    /// What the results of definitions are derived from, once that was worked out.
    results: Vec<Option<Flow>>,
    /// What the texts of cards do, by field, once that was worked out.
    effects: BTreeMap<PropId, Summary>,
    /// By property: what it may have been set to comes from where, where that was done, and by which script.
    kept: BTreeMap<PropId, BTreeMap<Source, (Span, Option<ScriptId>)>>,
    /// By property: where the cards lie that it may have been set to.
    kept_cards: BTreeMap<PropId, BTreeSet<Source>>,
    /// Properties that were set to cards that are called by their names.
    kept_named: BTreeSet<PropId>,
    /// By armed clause that forbids or modifies, and local: what it may have captured comes from where, or which cards it is, and where it
    /// was armed.
    captured: BTreeMap<(ClauseId, LocalId, bool), BTreeMap<Source, Span>>,
    /// Of locals of the procedure at hand that are cards taken off a pile: how many.
    counted: BTreeMap<LocalId, &'r Expr>,
    /// Whether anything new was found in this round.
    changed: bool,
    /// Whether the procedure at hand depends on what others do.
    depends: bool,
    proc: ProcId,
    role: ProcRole,
    /// Whether an action has made its first choice.
    chosen: bool,
    /// Whether it has done something before that, whatever lies where.
    begun: bool,
    /// What decides whether it does something before that.
    before: Facts,
    /// Locals that a verb was given: the player may have come to see what they are.
    given: BTreeSet<LocalId>,
    /// What has been chosen for a verb, which nothing forbids of it.
    fit: Vec<Fit>,
    /// What was changed on the way.
    changes: ahead::Changes,
    /// What decides whether the action at hand is offered.
    offered: Facts,
    /// Choices under a condition that says that there is something to choose.
    promised: BTreeSet<Span>,
    /// Zones of which a verb may not have laid a card openly, with the statement, verb and procedure that are the cause.
    unlaid: BTreeSet<(ZoneId, Span, VerbId, ProcId)>,
    /// Whether nothing forbids the verb at hand.
    free: bool,
    /// Whether it is the text of a card, which may lie anywhere.
    text: bool,
    /// By local of the procedure at hand.
    locals: Vec<Flow>,
    /// By local of the procedure at hand, what the conditions are derived from under which it is declared.
    declared: Vec<Option<Facts>>,
    /// What is shown, kept or given away here.
    at: Span,
    /// What the conditions around the statement at hand are derived from.
    under: Facts,
    /// What was revealed on the way.
    shown: Shown<'r>,
    /// What was revealed by expressions that name some cards of a zone.
    naming: Vec<(&'r Expr, Vec<(shown::Named<'r>, bool)>)>,
    /// The conditions of the branches in which the expression at hand stands, where something was revealed in branches.
    within: Vec<(Expr, bool)>,
    /// The members of the sets around the expression at hand, and in whose zone all of them lie.
    held: Vec<(LocalId, Option<Who>)>,
    /// What was put into properties on the way, and what becomes of it.
    keeps: Vec<((Source, Origin), Sink, Option<Span>)>,
    /// Into which zones it puts cards, or shuffles them: those of an argument, or cards that not all know.
    stirs: BTreeSet<(ZoneId, Who, Option<usize>)>,
    /// Zones from which cards have gone to where not all see them, and arguments that have.
    takes: BTreeSet<Source>,
    /// Zones from which cards may have gone to where not all see them.
    emptied: BTreeSet<ZoneId>,
    /// Zones into which what acts by itself may put cards.
    ambient: BTreeSet<(ZoneId, Who)>,
    /// Where something was set apart, of which zone, and whether it left.
    versions: Vec<(Span, ZoneId, bool)>,
    /// Locals that stand for what lay in a zone when the procedure began.
    entry: BTreeSet<LocalId>,
    /// What is shown where a loop, turn or phase is left, and where the procedure stops.
    left: Vec<(Option<SpanId>, Shown<'r>)>,
    stopped: Vec<Shown<'r>>,
    /// What was revealed, and where, whether or not it still counts.
    revealed: Vec<(Revealed, Span)>,
    /// By procedure.
    found: Vec<Vec<Diagnostic>>,
    /// By procedure: what scripts would tell of what they see, each with what it is that tells it.
    by_scripts: Vec<BTreeSet<scripts::Told>>,
    /// What the conditions are derived from under which the procedure at hand has been left before.
    passed: Facts,
    /// Questions that tell, by being asked or by their answer, what not everybody sees.
    veiled: BTreeSet<Span>,
    /// Procedures that are called under a condition on what not everybody sees.
    guarded: BTreeSet<ProcId>,
    /// Scripts and armed clauses that may keep what not everybody knows, or not even the player for whom they are called.
    data: BTreeSet<(Keeper, bool)>,
}

impl<'r> Watch<'r> {
    fn new(rules: &'r Rules, about: &'r About<'r>) -> Watch<'r> {
        let procs = rules.procs.len();
        Watch {
            rules,
            about,
            summaries: vec![Summary::default(); procs],
            results: vec![None; procs],
            effects: BTreeMap::new(),
            kept: BTreeMap::new(),
            kept_cards: BTreeMap::new(),
            kept_named: BTreeSet::new(),
            captured: BTreeMap::new(),
            counted: BTreeMap::new(),
            changed: false,
            depends: false,
            proc: ProcId(0),
            role: ProcRole::Pure,
            chosen: false,
            begun: false,
            before: Facts::new(),
            given: BTreeSet::new(),
            fit: Vec::new(),
            changes: BTreeMap::new(),
            offered: Facts::new(),
            promised: BTreeSet::new(),
            unlaid: BTreeSet::new(),
            free: false,
            text: false,
            locals: Vec::new(),
            declared: Vec::new(),
            at: Span::default(),
            under: Facts::new(),
            shown: Shown::default(),
            naming: Vec::new(),
            within: Vec::new(),
            held: Vec::new(),
            keeps: Vec::new(),
            stirs: BTreeSet::new(),
            takes: BTreeSet::new(),
            emptied: BTreeSet::new(),
            ambient: BTreeSet::new(),
            versions: Vec::new(),
            entry: BTreeSet::new(),
            left: Vec::new(),
            stopped: Vec::new(),
            revealed: Vec::new(),
            found: vec![Vec::new(); procs + 1],
            by_scripts: vec![BTreeSet::new(); procs + 1],
            passed: Facts::new(),
            veiled: BTreeSet::new(),
            guarded: BTreeSet::new(),
            data: BTreeSet::new(),
        }
    }

    /// Looks at all procedures until there is nothing new.
    fn settle(&mut self) {
        let mut open = self.about.in_order(self.rules);
        for _ in 0..ROUNDS {
            self.changed = false;
            self.results.fill(None);
            self.effects.clear();
            self.ambient = self.stirred_by_itself();
            let taken = self.summaries.iter().flat_map(|summary| &summary.takes);
            self.emptied = taken.filter_map(|taken| Some(taken.zone()?.0)).collect();
            open.retain(|proc| self.procedure(*proc));
            if !self.changed {
                break;
            }
        }
        self.proc = ProcId(self.rules.procs.len() as u32);
        (self.role, self.text) = (ProcRole::Pure, false);
        self.shown = Shown::default();
        self.shown_stats();
        self.pictures();
    }

    /// Into which zones cards may come without a statement.
    fn stirred_by_itself(&self) -> BTreeSet<(ZoneId, Who)> {
        let summaries = self.about.waiting.iter().filter_map(|proc| self.summaries.get(proc.index()));
        summaries.flat_map(|summary| &summary.stirs).map(|(zone, ..)| (*zone, Who::Unknown)).collect()
    }

    /// Looks at one procedure. Whether it depends on what others do.
    fn procedure(&mut self, proc: ProcId) -> bool {
        let Some(found) = self.rules.procs.get(proc.index()) else { return false };
        let ProcBody::Block(stmts) = &found.body else { return false };
        let given = |local: usize| self.about.is_given(proc, found.params, local);
        let flow = |local: usize| {
            let id = LocalId(local as u32);
            match given(local) {
                true => Flow::argument(local, found.span),
                false => Flow::default().by(Who::Local(id)),
            }
        };
        self.locals = (0..found.locals.len()).map(flow).collect();
        let declared = |local: usize| given(local).then(Facts::new);
        self.declared = (0..found.locals.len()).map(declared).collect();
        (self.proc, self.role, self.depends) = (proc, found.role, false);
        self.text = self.about.texts.contains(&proc);
        self.under.clear();
        self.passed.clear();
        self.shown = Shown::default();
        self.shown.not_me = self.about.others.of(proc);
        self.naming.clear();
        (self.chosen, self.begun) = (false, false);
        self.before.clear();
        self.given.clear();
        self.counted.clear();
        if let Some(found) = self.found.get_mut(proc.index()) {
            found.clear();
        }
        if let Some(found) = self.by_scripts.get_mut(proc.index()) {
            found.clear();
        }
        self.fit.clear();
        self.changes.clear();
        self.stirs.clear();
        self.takes.clear();
        self.versions.clear();
        self.entry.clear();
        self.left.clear();
        self.stopped.clear();
        self.revealed.clear();
        for stmt in stmts {
            self.stmt(stmt);
            if self.role == ProcRole::Action && ahead::is_unforeseen(stmt) {
                self.changes.clear();
            }
        }
        self.notation();
        self.keep_all();
        for stopped in std::mem::take(&mut self.stopped) {
            self.shown.both(&stopped);
        }
        let lays = self.shown.laid.iter().filter_map(|source| match source {
            Source::Cards(index) if *index != flow::THIS => Some(*index),
            _ => None,
        });
        // Which cards a local of it is says nothing elsewhere, nor whom one names.
        let local = |who: Who| matches!(who, Who::Local(_));
        let reveals = self.shown.cards.iter().filter(|(source, reader)| {
            !matches!(source, Source::Picked(..))
                && !source.zone().is_some_and(|(_, who)| local(who))
                && !reader.is_some_and(local)
        });
        let (stirs, takes) = (self.stirs.clone(), self.takes.clone());
        let (lays, reveals) = (lays.collect(), reveals.copied().collect());
        let (changes, offered) = (self.changes.clone(), std::mem::take(&mut self.offered));
        let done = Summary { lays, reveals, stirs, takes, changes, offered, ..Summary::default() };
        self.learn(&done);
        self.depends
    }

    /// Takes up what the procedure at hand does.
    fn learn(&mut self, summary: &Summary) {
        if let Some(known) = self.summaries.get_mut(self.proc.index()) {
            self.changed |= known.join(summary);
        }
    }

    /// Whether all may read a property of cards that they do not see.
    fn is_open(&self, prop: PropId) -> bool {
        self.rules.props.get(prop.index()).is_some_and(|prop| prop.open)
    }

    /// Whether all are shown what a property of a player or of the game is.
    fn is_listed(&self, prop: PropId) -> bool {
        let owner = self.rules.props.get(prop.index()).map(|prop| prop.owner);
        matches!(owner, Some(PropOwner::Player | PropOwner::Game)) && !self.about.unlisted.contains(&prop)
    }

    /// Whether a property of a kind is shown with its cards or pieces: by those of some kind at or below it.
    fn is_on_cards(&self, prop: PropId, owner: PropOwner) -> bool {
        let PropOwner::Kind(owner) = owner else { return false };
        let kinds = (0..self.rules.kinds.len() as u32).map(KindId);
        let mut kinds = kinds.filter(|kind| self.rules.is_below(*kind, owner));
        let lies = |kind: KindId| self.rules.kinds.get(kind.index()).is_some_and(|kind| kind.root != RootKind::Thing);
        kinds.any(|kind| lies(kind) && self.rules.shown_of_kind(kind).is_none_or(|shown| shown.contains(&prop)))
    }

    /// Whether a property is one of a kind whose cards or pieces show it.
    fn is_shown_on_cards(&self, prop: PropId) -> bool {
        self.rules.props.get(prop.index()).is_some_and(|found| self.is_on_cards(prop, found.owner))
    }

    /// Whether what an expression is can lie where all see it.
    fn may_lie_open(&self, of: &Expr) -> bool {
        let Ty::Entity(kind) = of.ty.element().bare() else { return false };
        let fits = |held: &KindId| self.rules.is_below(*held, *kind) || self.rules.is_below(*kind, *held);
        let root = self.rules.kinds.get(kind.index()).map(|kind| kind.root);
        let open = |zone: &Zone| !zone.seen.is_closed();
        root == Some(RootKind::Piece) && self.lairs(*kind).is_empty()
            || self.rules.zones.iter().any(|zone| open(zone) && zone.holds.iter().any(fits))
    }

    fn local(&self, local: LocalId) -> Flow {
        self.locals.get(local.index()).cloned().unwrap_or_default()
    }

    fn bind(&mut self, local: LocalId, flow: Flow) {
        self.shown.stale.remove(&local);
        self.shown.gone.remove(&local);
        self.shown.players.retain(|(named, _)| !named.0.mentions(local));
        if let Some(found) = self.locals.get_mut(local.index()) {
            *found = Flow { who: flow.who.or(Some(Who::Local(local))), ..flow };
        }
        if let Some(declared @ None) = self.declared.get_mut(local.index()) {
            *declared = Some(self.under.clone());
        }
    }

    /// Whether a reader knows what comes from there: all read it, if there is none. None where only a call tells.
    fn knows(&self, source: Source, reader: Option<Who>) -> Option<bool> {
        let (zone, who) = source.zone()?;
        match (self.rules.zones.get(zone.index()).map(|zone| zone.seen), reader) {
            (Some(Seen::Holder), Some(reader)) if reader == who && who != Who::Unknown => Some(true),
            (Some(Seen::Others), Some(reader)) if self.about.others.differ(self.proc, who, reader) => Some(true),
            (Some(Seen::Holder | Seen::Others), Some(reader)) if reader != who && reader.may_be(who) => None,
            _ => Some(false),
        }
    }

    /// Reports what a reader is shown and does not know, and whether there is any; what only a call tells is left to the
    /// callers.
    fn refuse(&mut self, flow: &Flow, reader: Option<Who>, what: &'static str) -> bool {
        flow.facts
            .iter()
            .chain(&flow.order)
            .any(|(source, origin)| self.sink((*source, *origin), Sink::Told(reader, what), None))
    }

    /// What comes from a source meets what becomes of it: at `there`, if that is in a procedure that is called. Whether
    /// something was reported.
    fn sink(&mut self, (source, origin): (Source, Origin), sink: Sink, there: Option<Span>) -> bool {
        if let (ProcRole::Action, Sink::Told(Some(Who::Me), what)) = (self.role, sink)
            && told::OFFERS.contains(&what)
        {
            self.offered.entry(source.whole()).or_insert(origin);
        }
        let shown = match sink {
            // What lies open by now all have seen.
            Sink::Told(reader, _) => self.shown.covers(source, reader) || self.shown.is_among(&self.shown.laid, source),
            Sink::Data(_, reader) => self.shown.covers(source, reader),
            Sink::Captured(..) => self.shown.covers(source, None),
            Sink::Kept(..) | Sink::KeptCards(..) | Sink::KeptOn(..) => self.shown.covers_for_some(source),
        };
        if shown {
            return false;
        }
        let known = match sink {
            Sink::Told(reader, _) => self.knows(source, reader),
            // Whose it is must be sure, or it may be somebody else's.
            Sink::Data(_, reader) => source.zone().map(|_| self.knows(source, reader) == Some(true)),
            Sink::Kept(..) | Sink::KeptCards(..) | Sink::Captured(..) => source.zone().map(|_| false),
            Sink::KeptOn(..) => None,
        };
        let is_called = self.about.called.contains(&self.proc);
        let called = is_called && self.lay_at_entry(source);
        // Where nobody calls, `me` is any player.
        let known = known.or_else(|| (!is_called && source.zone().is_some()).then_some(false));
        match (known, sink) {
            (None, _) => self.demand(source, origin, sink, there),
            // What a caller has revealed counts.
            (Some(false), _) if called => self.demand(source, origin, sink, there),
            (Some(true), _) => false,
            (Some(false), Sink::Told(reader, what)) => self.finding(source, origin, reader, what, there),
            (Some(false), Sink::Kept(prop, owner)) => self.keep(source, origin, (prop, owner), there),
            (Some(false), Sink::KeptCards(prop, owner)) => {
                let source = owned(source, owner);
                self.changed |= self.kept_cards.entry(prop).or_default().insert(source);
                false
            }
            (Some(false), Sink::KeptOn(..)) => false,
            (Some(false), Sink::Captured(clause, local, cards)) => {
                let known = self.captured.entry((clause, local, cards)).or_default();
                self.changed |= known.insert(owned(source, None), there.unwrap_or(origin.span)).is_none();
                false
            }
            (Some(false), Sink::Data(keeper, reader)) => {
                self.data.insert((keeper, reader.is_some()));
                false
            }
        }
    }

    /// Leaves to the callers what becomes of something.
    fn demand(&mut self, source: Source, origin: Origin, sink: Sink, there: Option<Span>) -> bool {
        // Which player a local is says nothing elsewhere, but that it is another one than `me`.
        let source = match source.whole() {
            Source::Zone(zone, Who::Local(local)) if self.shown.not_me.contains(&local) => {
                Source::Zone(zone, Who::Other)
            }
            whole => whole,
        };
        let demands = BTreeMap::from([((source, sink, origin), there.unwrap_or(self.at))]);
        self.learn(&Summary { demands, ..Summary::default() });
        false
    }

    /// Whether what comes from there is about cards that lay there when the procedure began.
    fn lay_at_entry(&self, source: Source) -> bool {
        let stirred = |zone: ZoneId, who: Who| {
            self.shown.stirred.iter().any(|(stirred, whose)| *stirred == zone && whose.meets(who))
        };
        match source {
            Source::Zone(zone, who) => !stirred(zone, who),
            Source::Picked(zone, who, local) => self.entry.contains(&local) || !stirred(zone, who),
            Source::Cards(_) | Source::Facts(_) => true,
        }
    }

    fn keep(
        &mut self,
        source: Source,
        origin: Origin,
        (prop, owner): (PropId, Option<Who>),
        there: Option<Span>,
    ) -> bool {
        let set = there.unwrap_or(origin.span);
        let kept = self.kept.entry(prop).or_default();
        match kept.entry(owned(source, owner)) {
            Entry::Vacant(new) => {
                new.insert((set, origin.script));
                self.changed = true;
            }
            // What the rules do by themselves is said of them.
            Entry::Occupied(mut known) if known.get().1.is_some() && origin.script.is_none() => {
                known.insert((set, None));
                self.changed = true;
            }
            Entry::Occupied(mut known) if known.get().1 == origin.script => {
                known.insert((set, origin.script));
            }
            Entry::Occupied(_) => {}
        }
        false
    }

    /// Whether what comes from there may well be the reader's own: it was reached over a mark, and so from nobody's zone.
    fn may_be_own(&self, source: Source) -> bool {
        let Some((zone, Who::Unknown)) = source.zone() else { return false };
        let held = self.rules.zones.get(zone.index()).is_some_and(|zone| zone.seen == Seen::Holder);
        let kept = || self.kept_cards.values().flatten();
        held && kept().any(|kept| kept.zone().is_some_and(|(of, _)| of == zone))
    }

    fn finding(
        &mut self,
        source: Source,
        origin: Origin,
        reader: Option<Who>,
        what: &'static str,
        there: Option<Span>,
    ) -> bool {
        let Some((zone, _)) = source.zone() else { return false };
        if what == openly::ANSWER {
            self.veiled.insert(there.unwrap_or(self.at));
            return false;
        }
        if let Some(script) = origin.script {
            let at = there.or(origin.kept).unwrap_or(origin.span);
            if let Some(told) = self.by_scripts.get_mut(self.proc.index()) {
                told.insert(scripts::Told { script, zone, at, what, kept: origin.kept });
            }
            return true;
        }
        let name = declared_name(self.rules, zone);
        let told = match self.is_lair(source) {
            true => format!("what a `{name}` on a board is"),
            false => format!("what lies in `{name}`"),
        };
        let message = match reader {
            Some(_) => format!("{what} would tell {told}, which the player does not see"),
            None => format!("{what} would tell {told}, which not everybody sees"),
        };
        let mut found = Diagnostic::new(Code::HiddenFact, origin.span, message);
        if let Some(kept) = origin.kept {
            found = found.label(
                kept,
                match self.rules.clauses.iter().any(|clause| clause.span == kept) {
                    true => "this does so while its card is in play there",
                    false => "what was worked out from hidden cards is kept here",
                },
            );
        }
        let (at, last) = (origin.span.start, origin.span.end);
        let apart = |there: &Span| there.file != origin.span.file || at < there.start || there.end < last;
        if let Some(there) = there.filter(apart) {
            found = found.label(there, "it is told here");
        }
        if let Some((_, shown)) = self.revealed.iter().rev().find(|(shown, _)| Shown::of(*shown).covers(source, reader))
        {
            found = found.label(*shown, ENDED);
        }
        if let Some((since, verb)) = self.unlaid_in(zone, origin.span) {
            let why = format!("this may change what a `cannot {verb}` reads, which may then forbid it");
            let help = format!(
                "do this before the choice for `{verb}`, or behind `{verb}`; or `reveal` first what was chosen"
            );
            return self.found_here(found.label(since, why).help(help));
        }
        let own = self.may_be_own(source);
        let found = found.help(match what {
            _ if own && reader == Some(Who::Me) => {
                "if it is the player's own, begin with what `me` holds (`first(me.ZONE where ...)`); else reveal it first"
            }
            _ if self.is_lair(source) && reader == Some(Who::Me) => {
                "of the player's own, say first whose they are: `KIND where owner = me and ...`; reveal others first"
            }
            STAT => "a `define` is not shown by itself, nor is what the look of its owner does not `show`",
            PICTURE => "how many cards there are is no secret: `count`",
            told::LEADS_ON => {
                "let a verb ask: a choice in a verb is no dead end, so that nobody looks ahead of it; or reveal it first: `reveal ... to ...`"
            }
            told::ENSURED => "say behind it with `if` what happens, in the place of `ensure`; or let the clause act where all see its card",
            told::SHOWN => "show it so that nobody else reads to whom: `reveal ... to ... quietly`",
            SET => {
                "reveal it first, or move it to where all see it; to tell all no more than the value: `let n = ...  reveal n  set x = n`"
            }
            told::LINE | told::ASKED | NUMBER | PLACE => "reveal it first; to tell all no more than the value: `let n = ...  reveal n`, and then `n`",
            _ => "reveal it first: `reveal ... to ...`; to tell all no more than the value: `let n = ...  reveal n`, and then `n`",
        });
        self.found_here(found)
    }

    fn found_here(&mut self, found: Diagnostic) -> bool {
        if let Some(all) = self.found.get_mut(self.proc.index())
            && !all.contains(&found)
        {
            all.push(found);
        }
        true
    }
}

/// What a zone is declared as: `zone hand per 1..5` is one of five zones, for all of which one finding stands.
fn declared_name(rules: &Rules, zone: ZoneId) -> &str {
    let Some(found) = rules.zones.get(zone.index()) else { return "" };
    let others = rules.zones.iter().filter(|other| other.span == found.span).count() > 1;
    found.name.rsplit_once(' ').filter(|_| others).map_or(found.name.as_str(), |(name, _)| name)
}

/// A source as the player sees it in whose property something is kept.
fn owned(source: Source, owner: Option<Who>) -> Source {
    match source.whole() {
        Source::Zone(zone, who) if owner == Some(who) && who != Who::Unknown => Source::Zone(zone, Who::This),
        Source::Zone(zone, Who::Seat(seat)) => Source::Zone(zone, Who::Seat(seat)),
        Source::Zone(zone, _) => Source::Zone(zone, Who::Unknown),
        source => source,
    }
}

const STAT: &str = "a stat that all are shown";
const PICTURE: &str = "a picture";
const CARRIED: &str = "what stands on a card that is seen";
const SET: &str = "a counter or mark that all are shown";
const ENDED: &str = "this does not count there: not every way leads past it, or other cards have come since";
const PLACE: &str = "where something lies";
const NUMBER: &str = "how many there are";
