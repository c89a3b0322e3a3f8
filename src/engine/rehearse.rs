//! Rehearsals: the functions of a script are called with values of the types that it declares, in a game that nobody plays.
//! Nothing can come of it but what fails.

use super::Machine;
use super::acts::{Act, Among, Then, What};
use super::api::GameError;
use super::plain::Plain;
use super::run::{R, Run};
use super::script::Called;
use super::state::{Event, NONE, State};
use crate::model::rules::{ClauseKind, HookEvent, ProcId, StmtKind, Ty, walk};
use crate::program::{NIL, Repr, ent, repr};
use rhai::Dynamic;
use std::collections::BTreeSet;

/// So often each script is called with other arguments, and so many calls follow in all.
const ROUNDS: usize = 4;
const CALLS: usize = 60;
/// A function that goes on with an answer may ask again so often.
const DEPTH: usize = 4;

impl Machine {
    /// What fails where the functions of a script are called with values of the types that it declares: each with its place.
    pub fn rehearse(&mut self, state: &State, script: usize) -> Vec<GameError> {
        self.look(state, |run| Rehearsal { run, script, left: CALLS, found: Vec::new() }.play())
    }
}

struct Rehearsal<'a, 'r> {
    run: &'a mut Run<'r>,
    script: usize,
    left: usize,
    found: Vec<GameError>,
}

impl Rehearsal<'_, '_> {
    fn play(mut self) -> Vec<GameError> {
        let rules = self.run.p.rules.clone();
        let script = &rules.scripts[self.script];
        for round in 0..ROUNDS {
            let values: Option<Vec<Plain>> =
                script.params.iter().map(|(_, ty)| value_of(self.run, ty, round)).collect();
            let Some(values) = values else { break };
            if script.acting.is_none() {
                let given = self.run.rehearse_value(self.script, &values);
                self.keep(given);
                continue;
            }
            let event = self.event(entered_by(self.run, self.script), round);
            let values = values.iter().map(Plain::to_script).collect();
            self.call(&script.name, values, event, round, 0);
        }
        self.found
    }

    fn keep<T>(&mut self, result: R<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                if !self.found.iter().any(|other| other.span == error.span) {
                    self.found.push(*error);
                }
                None
            }
        }
    }

    /// Calls a function, and those that go on with what it gives back.
    fn call(&mut self, function: &str, values: Vec<Dynamic>, event: u32, round: usize, depth: usize) {
        let Some(called) = self.called(event) else { return };
        let result = self.run.script_acts(&called, function, values);
        for act in self.keep(result).unwrap_or_default() {
            self.follow(&act, round, event, depth);
        }
    }

    fn called(&mut self, event: u32) -> Option<Called> {
        self.left = self.left.checked_sub(1)?;
        let this = (0..self.run.p.layout.capacity)
            .find(|slot| self.run.st.mem[self.run.p.layout.entity(*slot) + ent::PLACE] != ent::NOWHERE);
        let this = this.map_or(NIL, |slot| self.run.reference(slot));
        let called = self.run.script_call(self.script, 0, this, event);
        self.keep(called)
    }

    fn follow(&mut self, act: &Act, round: usize, event: u32, depth: usize) {
        let answers = |among: &Among| {
            let words = among.words();
            let mut picked: Vec<i64> = words.first().into_iter().chain(words.last()).copied().collect();
            picked.dedup();
            picked.into_iter().map(|word| among.value(word)).collect::<Vec<Plain>>()
        };
        let goes_on = |rehearsal: &mut Self, answers: Vec<Plain>, then: &Then| {
            for answer in answers.into_iter().filter(|_| depth < DEPTH) {
                let values = vec![answer.to_script(), then.data.to_script()];
                rehearsal.call(&then.function, values, event, round, depth + 1);
            }
        };
        match &act.what {
            What::Ask(ask) if ask.order => {
                let all = ask.among.words().into_iter().map(|word| ask.among.value(word)).collect();
                goes_on(self, vec![Plain::List(all)], &ask.then);
            }
            What::Ask(ask) => goes_on(self, answers(&ask.among), &ask.then),
            What::Chance { among, then } => goes_on(self, answers(among), then),
            What::Arm(arming) if depth < DEPTH => {
                let rules = self.run.p.rules.clone();
                let acting = rules.scripts[self.script].acting.as_ref();
                let waits = acting.and_then(|acting| acting.arms.get(arming.event as usize)).map(|may| may.event);
                let event = self.event(waits, round);
                let data = || vec![arming.then.data.to_script()];
                if let (Some(when), Some(called)) = (&arming.when, self.called(event)) {
                    let says = self.run.script_says(&called, when, data());
                    self.keep(says);
                }
                self.call(&arming.then.function, data(), event, round, depth + 1);
            }
            _ => {}
        }
    }

    /// An event with values of its types.
    fn event(&mut self, event: Option<HookEvent>, round: usize) -> u32 {
        let Some(event) = event else { return NONE };
        let args = self.run.st.mem.len();
        let verb = match event {
            HookEvent::Span(..) => {
                self.run.st.mem.push(0);
                NONE
            }
            HookEvent::Verb(verb) => {
                let rules = self.run.p.rules.clone();
                for param in &rules.verbs[verb.index()].params {
                    let d = self.run.st.mem.len();
                    self.run.st.mem.resize(d + usize::from(self.run.p.layout.words(&param.ty)), 0);
                    self.run.st.mem[d] = if repr(&param.ty) == Repr::Word { NIL } else { 0 };
                    if let Some(value) = value_of(self.run, &param.ty, round) {
                        let stored = self.run.store(d, &value, &param.ty);
                        self.keep(stored);
                    }
                }
                verb.index() as u32
            }
        };
        self.run.st.events.push(Event {
            verb,
            args: args as u32,
            words: (self.run.st.mem.len() - args) as u16,
            cause: 0,
            changed: false,
            actor: 0,
            source: NIL,
            ignoring: 0,
            lineage: NONE,
            done: false,
            part: 0,
            gone: 0,
        });
        self.run.st.events.len() as u32 - 1
    }
}

/// The event in whose clauses a script is called, if there is one.
fn entered_by(run: &Run<'_>, script: usize) -> Option<HookEvent> {
    let rules = &run.p.rules;
    let calls = |proc: ProcId| {
        let mut calls = false;
        walk::each_stmt(&rules.procs[proc.index()], &mut |stmt| {
            calls |=
                matches!(&stmt.kind, StmtKind::Script { script: found, armed: false, .. } if found.index() == script);
        });
        calls
    };
    rules.clauses.iter().find_map(|clause| match &clause.kind {
        ClauseKind::Hook { event, body: Some(body), .. } if calls(*body) => Some(*event),
        _ => None,
    })
}

/// A value of a type, another in each round; none if there is none.
fn value_of(run: &Run<'_>, ty: &Ty, round: usize) -> Option<Plain> {
    Some(match ty {
        Ty::Number => Plain::Number([1, 2, 5, 0][round % 4]),
        Ty::Flag => Plain::Flag(round.is_multiple_of(2)),
        Ty::Text => Plain::Text(["A", "b", "", "no such thing"][round % 4].to_owned()),
        Ty::Enum(id) => {
            let values = &run.p.rules.enums[id.index()].values;
            Plain::Text(values.get(round % values.len().max(1))?.name.clone())
        }
        Ty::Player => Plain::Player((round % usize::from(run.st.players.max(1))) as i64),
        Ty::Entity(kind) => {
            let there = |slot: &usize| {
                let place = run.st.mem[run.p.layout.entity(*slot) + ent::PLACE];
                place != ent::NOWHERE && run.is_kind(*slot, *kind)
            };
            let slots: Vec<usize> = (0..run.p.layout.capacity).filter(there).collect();
            Plain::Thing(run.reference(*slots.get(round * 7 % slots.len().max(1))?))
        }
        Ty::Site(board) if !board.endless() => Plain::Site(board.index() as u32, round as i64),
        Ty::Maybe(_) if round == 1 => Plain::Nothing,
        Ty::Maybe(inner) => return value_of(run, inner, round),
        Ty::Set(item) | Ty::List(item) => {
            let count = [2, 0, 1, 3][round % 4];
            let items: BTreeSet<usize> = (0..count).collect();
            Plain::List(items.into_iter().filter_map(|index| value_of(run, item, round + index)).collect())
        }
        _ => return None,
    })
}
