//! What scripts that act may tell. Nothing is known of what a script makes of what it is given and sees, so all that it says
//! and does is taken to be derived from all of it.

use super::Watch;
use super::flow::{Call, Flow, Keeper, Origin, Source, Who};
use super::told::{ASKED, LINE, QUESTION};
use crate::base::{Code, Diagnostic, Span, listed};
use crate::model::rules::{Acting, Expr, ProcId, PropClass, PropId, PropOwner, ScriptId, Seen, Sight, ZoneId};
use crate::model::scripts::asks_for;
use std::collections::{BTreeMap, BTreeSet};

/// Most places at which one script tells something that are named.
const PLACES: usize = 4;

/// What a script sees and somebody would be told who does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Told {
    pub script: ScriptId,
    /// Where it lies.
    pub zone: ZoneId,
    /// Where it is told, and what tells it.
    pub at: Span,
    pub what: &'static str,
    /// Where it was put aside before, if it was.
    pub kept: Option<Span>,
}

impl<'r> Watch<'r> {
    /// A script that acts: its lines, its questions, and what it does.
    pub(super) fn script(&mut self, script: ScriptId, args: &'r [Expr], armed: bool, span: Span) {
        let rules = self.rules;
        let Some(found) = rules.scripts.get(script.index()) else { return };
        let Some(acting) = &found.acting else { return };
        let mut flows = if armed { Vec::new() } else { self.all(args) };
        // Of the event at hand it gets what it asks for by name.
        let event = self.about.events.get(&self.proc).and_then(|verb| rules.verbs.get(verb.index()));
        let params = event.iter().flat_map(|verb| &verb.params).zip(&self.locals);
        flows.extend(params.filter(|(param, _)| asks_for(&found.source, &param.name)).map(|(_, flow)| flow.clone()));
        let mut flow = Flow::derived(&flows);
        // What it sees by itself is its own doing, wherever it comes to light.
        let own = Origin { span, kept: None, script: Some(script) };
        if acting.sees != Sight::Open {
            let given = flows.iter().flat_map(|flow| &flow.cards);
            flow.facts.extend(given.map(|source| (*source, own)));
        }
        flow.facts.extend(self.seen_by(acting).map(|source| (source, own)));
        let flow = self.set(flow);
        self.at = span;
        let cards = flows.iter().flat_map(|flow| &flow.cards).map(|source| (*source, span.into()));
        let heard: Vec<_> = flow.facts.iter().map(|(source, origin)| (*source, *origin)).chain(cards).collect();
        self.waits(Keeper::Script(script), heard);
        if acting.notes {
            self.refuse(&flow, None, LINE);
        }
        if acting.chooses {
            self.keep_all();
            // One that sees what its player knows asks nobody else.
            let reader = if acting.sees == Sight::Me { Who::Me } else { Who::Unknown };
            self.refuse(&flow, Some(reader), QUESTION);
            if acting.sees == Sight::All {
                self.refuse(&flow, None, ASKED);
            }
        }
        for proc in acting.procs().collect::<Vec<ProcId>>() {
            let params = rules.procs.get(proc.index()).map_or(0, |proc| usize::from(proc.params));
            let given = vec![Flow { who: None, ..flow.clone() }; params];
            self.call(proc, &given, None, Who::Me, span);
            let cards = || flows.iter().flat_map(|flow| flow.cards.iter().copied()).collect();
            let given: Vec<Flow> = given.into_iter().map(|given| Flow { cards: cards(), ..given }).collect();
            self.stir(proc, &Call { args: &given, card: None, me: Who::Unknown, this: Who::Unknown, span });
        }
    }

    /// For each script what it would tell of what it sees, at its declaration.
    pub(super) fn told_by_scripts(&self) -> Vec<Diagnostic> {
        let mut all: BTreeMap<ScriptId, Vec<Told>> = BTreeMap::new();
        for told in self.by_scripts.iter().flatten() {
            all.entry(told.script).or_default().push(*told);
        }
        all.into_iter().filter_map(|(script, told)| self.tells(script, &told)).collect()
    }

    fn tells(&self, script: ScriptId, told: &[Told]) -> Option<Diagnostic> {
        let script = self.rules.scripts.get(script.index())?;
        let zones: BTreeSet<ZoneId> = told.iter().map(|told| told.zone).collect();
        let zones = zones.iter().filter_map(|zone| self.rules.zones.get(zone.index())).map(|zone| zone.name.as_str());
        let places: BTreeMap<Span, &str> = told.iter().map(|told| (told.at, told.what)).collect();
        let message = format!("what `{}` does would tell what lies in {}", script.name, listed(zones));
        let mut found = Diagnostic::new(Code::HiddenFact, script.span, message);
        if places.len() > PLACES {
            found = found.note(format!("in {} places; the first {PLACES} are shown", places.len()));
        }
        for kept in told.iter().filter_map(|told| told.kept).collect::<BTreeSet<_>>() {
            found = found.label(kept, "what it sees may be kept here");
        }
        for (at, what) in places.iter().take(PLACES) {
            found = found.label(*at, format!("{what} would tell it here"));
        }
        let sees = match script.acting.as_ref().map(|acting| acting.sees) {
            Some(Sight::All) => "sees all",
            _ => "sees me",
        };
        Some(found.help(format!(
            "leave out `{sees}`: then it sees what everybody knows; or let it only move cards, and keep numbers that no look shows"
        )))
    }

    /// Whether what is in a property, or a stat is worked out from, may be what not everybody knows, or only its player; and
    /// whether it is more than which card that is.
    pub(super) fn keeps_of(&mut self, prop: PropId) -> (Sight, bool) {
        let Some(found) = self.rules.props.get(prop.index()) else { return (Sight::Open, false) };
        let owner = found.owner;
        let kept = self.kept.get(&prop).into_iter().flat_map(BTreeMap::keys);
        let mut derived = kept.clone().any(|source| source.zone().is_some());
        let mut sources: Vec<Source> = kept.chain(self.kept_cards.get(&prop).into_iter().flatten()).copied().collect();
        if let PropClass::Stat { .. } = found.class {
            let stat = self.stat(prop, Some(Who::This), found.span).unwrap_or_default();
            derived |= stat.facts.keys().any(|source| source.zone().is_some());
            sources.extend(stat.facts.into_keys().chain(stat.cards));
        }
        let sights = sources.into_iter().filter_map(|source| {
            let (zone, who) = source.zone()?;
            let seen = self.rules.zones.get(zone.index())?.seen;
            Some(match (seen, who, owner) {
                (Seen::Holder, Who::This, PropOwner::Player) => Sight::Me,
                _ => Sight::All,
            })
        });
        (sights.max().unwrap_or(Sight::Open), derived)
    }

    /// Where lies what a script sees that not everybody does.
    fn seen_by(&self, acting: &Acting) -> impl Iterator<Item = Source> + use<'r> {
        let sees = acting.sees;
        let zones = self.rules.zones.iter().enumerate();
        zones.filter_map(move |(index, zone)| {
            let zone_id = ZoneId(index as u32);
            match (sees, zone.seen) {
                (Sight::All, Seen::Holder | Seen::Others | Seen::None | Seen::Top) => {
                    Some(Source::Zone(zone_id, Who::Unknown))
                }
                (Sight::Me, Seen::Holder) => Some(Source::Zone(zone_id, Who::Me)),
                (Sight::Me, Seen::Others) => Some(Source::Zone(zone_id, Who::Others)),
                _ => None,
            }
        })
    }
}
