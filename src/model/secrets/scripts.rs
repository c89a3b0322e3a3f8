//! What scripts that act may tell. Nothing is known of what a script makes of what it is given and sees, so all that it says
//! and does is taken to be derived from all of it.

use super::Watch;
use super::flow::{Flow, Sink, Source, Who};
use super::told::{ASKED, LINE, QUESTION};
use crate::base::Span;
use crate::model::rules::{Acting, Expr, ProcId, ScriptId, Seen, Sight, ZoneId};
use crate::model::scripts::asks_for;

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
        if acting.sees != Sight::Open {
            flow = flows.iter().fold(flow, |flow, arg| flow.read(arg, span));
        }
        flow.facts.extend(self.seen_by(acting).map(|source| (source, span.into())));
        let flow = self.set(flow);
        self.at = span;
        let cards = flows.iter().flat_map(|flow| &flow.cards).map(|source| (*source, span.into()));
        let heard: Vec<_> = flow.facts.iter().map(|(source, origin)| (*source, *origin)).chain(cards).collect();
        for from in heard {
            self.sink(from, Sink::Data(script, None), None);
            self.sink(from, Sink::Data(script, Some(Who::Me)), None);
        }
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
        }
    }

    /// Where lies what a script sees that not everybody does.
    fn seen_by(&self, acting: &Acting) -> impl Iterator<Item = Source> + use<'r> {
        let sees = acting.sees;
        let zones = self.rules.zones.iter().enumerate();
        zones.filter_map(move |(index, zone)| {
            let zone_id = ZoneId(index as u32);
            match (sees, zone.seen) {
                (Sight::All, Seen::Holder | Seen::None | Seen::Top) => Some(Source::Zone(zone_id, Who::Unknown)),
                (Sight::Me, Seen::Holder) => Some(Source::Zone(zone_id, Who::Me)),
                _ => None,
            }
        })
    }
}
