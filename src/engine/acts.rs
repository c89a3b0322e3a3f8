//! Acts: what a script gives back. They are plain data, made by functions that the script calls (`act`, `set`, `ask_one`,
//! `arm` and their like), which say at once what is wrong with them, at the line of the script.

use super::plain::{Plain, Unfit};
use super::run::Run;
use super::script::{Called, Host, Made, Wrong, wrong};
use super::state::slot_of;
use crate::base::limits;
use crate::model::rules::{Acting, Edge, HookEvent, PropOwner, Script, Sight, SpanId, Stage};
use rhai::{Array, Dynamic, Engine, EvalAltResult, Map, NativeCallContext};
use serde::{Deserialize, Serialize};

/// What waits of scripts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Waiting {
    /// Scripts whose acts are carried out, the innermost last.
    pub running: Vec<Running>,
    /// What scripts have armed, with the data they go on with. Each belongs to an armed clause, by its stamp.
    pub armed: Vec<Kept>,
}

impl Waiting {
    pub fn is_empty(&self) -> bool {
        self.running.is_empty() && self.armed.is_empty()
    }

    /// Whether anything that waits has this thing in it.
    pub fn mentions(&self, thing: i64) -> bool {
        let acts = self.running.iter().flat_map(|running| &running.acts);
        acts.into_iter().any(|act| act.what.mentions(thing)) || self.armed.iter().any(|kept| kept.data.mentions(thing))
    }

    /// The act of the innermost script that is at hand.
    pub fn at_hand(&self) -> Option<&Act> {
        self.running.last()?.acts.last()
    }

    /// Whether a script asks yes or no.
    pub fn asks_yes_or_no(&self) -> bool {
        matches!(self.at_hand().map(|act| &act.what), Some(What::Ask(Ask { among: Among::YesNo, .. })))
    }
}

/// A script whose acts are carried out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Running {
    pub script: u32,
    /// What is still to do, the next last.
    pub acts: Vec<Act>,
    /// Where the act at hand stands in the script.
    pub at: At,
}

/// A line and a column of a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct At {
    pub line: u32,
    pub column: u32,
}

/// Something that a script has armed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub stamp: u32,
    pub script: u32,
    /// What the script calls it, to cancel it.
    pub name: String,
    /// The event among those that the script may wait for.
    pub event: u32,
    /// Whose turn or doing it waits for; missing for anybody's.
    pub of: Option<i64>,
    /// How many turns or phases it waits for, and how many are left.
    pub every: u32,
    pub left: u32,
    /// The function that says whether it goes off.
    pub when: Option<String>,
    /// The function that goes on.
    pub then: String,
    pub data: Plain,
    pub at: At,
}

/// An act of a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Act {
    pub what: What,
    pub at: At,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum What {
    /// Performs a verb: which of those the script may.
    Do {
        verb: u32,
        args: Vec<Plain>,
    },
    /// Changes a counter or mark: which of those the script may.
    Set {
        prop: u32,
        of: Plain,
        value: Plain,
        increase: bool,
    },
    /// A line for the log.
    Note(Vec<Plain>),
    Ask(Ask),
    Chance {
        among: Among,
        then: Then,
    },
    Arm(Box<Arming>),
    /// Ends what this script has armed under a name.
    Cancel(String),
}

impl What {
    fn mentions(&self, thing: i64) -> bool {
        let any = |values: &[Plain]| values.iter().any(|value| value.mentions(thing));
        match self {
            What::Do { args, .. } => any(args),
            What::Set { of, value, .. } => of.mentions(thing) || value.mentions(thing),
            What::Note(parts) => any(parts),
            What::Ask(Ask { prompt, among, then, .. }) => {
                any(prompt) || among.mentions(thing) || then.data.mentions(thing)
            }
            What::Chance { among, then } => among.mentions(thing) || then.data.mentions(thing),
            What::Arm(arming) => arming.then.data.mentions(thing),
            What::Cancel(_) => false,
        }
    }
}

/// A question to a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Ask {
    pub who: i64,
    pub prompt: Vec<Plain>,
    pub among: Among,
    /// Whether all are put in order.
    pub order: bool,
    pub then: Then,
}

/// What an answer or an outcome is one of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Among {
    Values(Vec<Plain>),
    Numbers(i64, i64),
    YesNo,
}

impl Among {
    fn mentions(&self, thing: i64) -> bool {
        matches!(self, Among::Values(values) if values.iter().any(|value| value.mentions(thing)))
    }

    /// The words that stand for them among the options of a decision.
    pub fn words(&self) -> Vec<i64> {
        match self {
            Among::Values(values) => (0..values.len() as i64).collect(),
            Among::Numbers(low, high) => (*low..=*high).collect(),
            Among::YesNo => vec![1, 0],
        }
    }

    /// What such a word stands for.
    pub fn value(&self, word: i64) -> Plain {
        match self {
            Among::Values(values) => {
                usize::try_from(word).ok().and_then(|at| values.get(at)).cloned().unwrap_or_default()
            }
            Among::Numbers(..) => Plain::Number(word),
            Among::YesNo => Plain::Flag(word == 1),
        }
    }
}

/// With which function a script goes on, and with which data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Then {
    pub function: String,
    pub data: Plain,
}

/// What a script arms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Arming {
    /// Which of the events that the script may wait for.
    pub event: u32,
    pub of: Option<i64>,
    pub turns: u32,
    pub when: Option<String>,
    pub until: Lasts,
    pub once: bool,
    pub announced: bool,
    pub name: String,
    pub then: Then,
}

/// How long something stays armed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Lasts {
    /// For good.
    Always,
    /// As long as the card is what it is.
    Here,
    EndOf(u32),
    StartOf(u32, i64),
}

type Result<T> = std::result::Result<T, Box<EvalAltResult>>;

/// Gives an engine the functions that make acts.
pub(super) fn register(engine: &mut Engine, host: &Host) {
    changes(engine, host);
    questions(engine, host);
    let h = host.clone();
    engine.register_fn("arm", move |c: NativeCallContext, when: Map, then: &str, data: Dynamic| {
        h.act(&c, |run, called| arm(run, called, &when, then, &data))
    });
    let h = host.clone();
    engine.register_fn("cancel", move |c: NativeCallContext, name: &str| {
        h.act(&c, |_, _| Ok(What::Cancel(name.to_owned())))
    });
}

fn changes(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_fn("act", move |c: NativeCallContext, verb: &str, args: Array| {
        h.act(&c, |run, called| perform(run, called, verb, &args))
    });
    let h = host.clone();
    engine.register_fn("act", move |c: NativeCallContext, verb: &str| {
        h.act(&c, |run, called| perform(run, called, verb, &[]))
    });
    for (name, increase) in [("set", false), ("increase", true)] {
        let h = host.clone();
        engine.register_fn(name, move |c: NativeCallContext, of: Dynamic, prop: &str, value: Dynamic| {
            h.act(&c, |run, called| change(run, called, (&of, prop), &value, increase))
        });
    }
    let h = host.clone();
    engine.register_fn("note", move |c: NativeCallContext, text: &str| {
        h.act(&c, |run, called| note(run, called, vec![Plain::Text(text.to_owned())]))
    });
    let h = host.clone();
    engine.register_fn("note", move |c: NativeCallContext, parts: Array| {
        h.act(&c, |run, called| note(run, called, all(&parts)?))
    });
}

fn questions(engine: &mut Engine, host: &Host) {
    for (name, order) in [("ask_one", false), ("ask_order", true)] {
        let h = host.clone();
        engine.register_fn(
            name,
            move |c: NativeCallContext, who: Dynamic, prompt: Dynamic, among: Array, then: &str, data: Dynamic| {
                h.act(&c, |run, called| {
                    ask(run, called, (&who, &prompt), Among::Values(all(&among)?), order, (then, &data))
                })
            },
        );
    }
    let h = host.clone();
    engine.register_fn(
        "ask_yes_no",
        move |c: NativeCallContext, who: Dynamic, prompt: Dynamic, then: &str, data: Dynamic| {
            h.act(&c, |run, called| ask(run, called, (&who, &prompt), Among::YesNo, false, (then, &data)))
        },
    );
    let h = host.clone();
    engine.register_fn(
        "ask_number",
        move |c: NativeCallContext, who: Dynamic, prompt: Dynamic, among: Array, then: &str, data: Dynamic| {
            h.act(&c, |run, called| {
                let among = range(&among)?;
                ask(run, called, (&who, &prompt), among, false, (then, &data))
            })
        },
    );
    let h = host.clone();
    engine.register_fn("roll", move |c: NativeCallContext, low: i64, high: i64, then: &str, data: Dynamic| {
        h.act(&c, |run, called| {
            let among = numbers(low, high)?;
            chance(run, called, among, (then, &data))
        })
    });
    let h = host.clone();
    engine.register_fn("pick", move |c: NativeCallContext, among: Array, then: &str, data: Dynamic| {
        h.act(&c, |run, called| {
            let among = Among::Values(all(&among)?);
            chance(run, called, among, (then, &data))
        })
    });
}

fn plain(value: &Dynamic) -> Made<Plain> {
    Plain::of(value).map_err(|unfit| match unfit {
        Unfit::Large => Wrong::Limit(format!(
            "this has more than {} values, or more than {} lists and maps inside of each other",
            limits::grouped(limits::SCRIPT_DATA as u64),
            limits::SCRIPT_DEPTH
        )),
        Unfit::Runs => Wrong::Act(format!("`{}` cannot be kept: only plain values can", value.type_name())),
    })
}

fn all(values: &[Dynamic]) -> Made<Vec<Plain>> {
    match plain(&values.to_vec().into())? {
        Plain::List(values) => Ok(values),
        _ => Ok(Vec::new()),
    }
}

fn numbers(low: i64, high: i64) -> Made<Among> {
    let count = high.checked_sub(low).filter(|count| (0..limits::VALUES as i64).contains(count));
    match count {
        Some(_) => Ok(Among::Numbers(low, high)),
        None if high < low => wrong(format!("there is no number from {low} to {high}")),
        None => wrong(format!(
            "from {low} to {high} there are more than {} numbers",
            limits::grouped(limits::VALUES as u64)
        )),
    }
}

/// The least and the greatest of an answer.
fn range(among: &[Dynamic]) -> Made<Among> {
    match among {
        [low, high] => match (low.as_int(), high.as_int()) {
            (Ok(low), Ok(high)) => numbers(low, high),
            _ => wrong("a number is asked for between two numbers: `[1, 6]`".to_owned()),
        },
        _ => wrong("a number is asked for between two numbers: `[1, 6]`".to_owned()),
    }
}

fn declared<'r>(run: &'r Run<'_>, called: &Called) -> Made<(&'r Script, &'r Acting)> {
    let script = &run.p.rules.scripts[called.script];
    match &script.acting {
        Some(acting) => Ok((script, acting)),
        None => wrong(format!("`{}` gives a value, so it cannot act", script.name)),
    }
}

fn refused(script: &Script, what: &str) -> String {
    format!("`{}` may not {what}: its declaration does not say so", script.name)
}

fn perform(run: &Run<'_>, called: &Called, verb: &str, args: &[Dynamic]) -> Made<What> {
    let args = all(args)?;
    let (script, acting) = declared(run, called)?;
    let rules = &run.p.rules;
    let found = acting.verbs.iter().position(|may| rules.verbs[may.verb.index()].name == verb);
    let Some(index) = found else { return wrong(refused(script, &format!("`{verb}`"))) };
    let may = &acting.verbs[index];
    let params = &rules.verbs[may.verb.index()].params;
    if args.len() < may.least || args.len() > params.len() {
        let least = if may.least < params.len() { format!("{} to ", may.least) } else { String::new() };
        return wrong(format!("`{verb}` takes {least}{} arguments, and {} are given", params.len(), args.len()));
    }
    for (arg, param) in args.iter().zip(params) {
        if !run.is_of(arg, &param.ty) {
            let told = run.told(arg, called.eyes);
            return wrong(format!("`{told}` cannot be the `{}` of `{verb}`: it is of another type", param.name));
        }
    }
    Ok(What::Do { verb: index as u32, args })
}

fn change(run: &Run<'_>, called: &Called, (of, prop): (&Dynamic, &str), value: &Dynamic, increase: bool) -> Made<What> {
    let (of, value) = (plain(of)?, plain(value)?);
    let (script, acting) = declared(run, called)?;
    let rules = &run.p.rules;
    let has = |owner: PropOwner| match (&of, owner) {
        (Plain::Player(_), PropOwner::Player) | (Plain::Game, PropOwner::Game) => true,
        (Plain::Thing(thing), PropOwner::Kind(kind)) => slot_of(*thing)
            .is_some_and(|slot| run.record(*thing).is_none_or(|(_, now)| !now) || run.is_kind(slot, kind)),
        _ => false,
    };
    let named = |may: &crate::model::rules::MaySet| rules.props[may.prop.index()].name == prop;
    let fitting = |may: &crate::model::rules::MaySet| named(may) && has(rules.props[may.prop.index()].owner);
    let Some(index) = acting.sets.iter().position(fitting) else {
        if acting.sets.iter().any(named) {
            return wrong(format!("`{}` has no `{prop}`", run.told(&of, called.eyes)));
        }
        return wrong(refused(script, &format!("set `{prop}`")));
    };
    let ty = &rules.props[acting.sets[index].prop.index()].ty;
    if !run.is_of(&value, ty) {
        return wrong(format!("`{}` cannot be `{prop}`: it is of another type", run.told(&value, called.eyes)));
    }
    if increase && acting.sets[index].increase.is_none() {
        return wrong(format!("`{prop}` is no number, so it cannot be increased"));
    }
    Ok(What::Set { prop: index as u32, of, value, increase })
}

fn note(run: &Run<'_>, called: &Called, parts: Vec<Plain>) -> Made<What> {
    let (script, acting) = declared(run, called)?;
    if acting.notes { Ok(What::Note(parts)) } else { wrong(refused(script, "note")) }
}

/// The function with which a script goes on.
fn then(run: &Run<'_>, called: &Called, function: &str, values: usize, data: &Dynamic) -> Made<Then> {
    goes_on(run, called, function, values)?;
    Ok(Then { function: function.to_owned(), data: plain(data)? })
}

fn goes_on(run: &Run<'_>, called: &Called, function: &str, values: usize) -> Made<()> {
    if called.functions.iter().any(|(name, count)| name == function && *count == values) {
        return Ok(());
    }
    let script = &run.p.rules.scripts[called.script];
    let form = if values == 1 { "data" } else { "answer, data" };
    wrong(format!("`{}` has no function `{function}({form})` to go on with", script.file))
}

fn ask(
    run: &Run<'_>,
    called: &Called,
    (who, prompt): (&Dynamic, &Dynamic),
    among: Among,
    order: bool,
    (function, data): (&str, &Dynamic),
) -> Made<What> {
    let (script, acting) = declared(run, called)?;
    if !acting.chooses {
        return wrong(refused(script, "choose"));
    }
    let Plain::Player(who) = plain(who)? else { return wrong("a question is put to a player".to_owned()) };
    if acting.sees == Sight::Me && who != called.me {
        return wrong(format!("`{}` sees what its player knows, so it asks nobody else", script.name));
    }
    let prompt = match plain(prompt)? {
        Plain::List(parts) => parts,
        part => vec![part],
    };
    let then = then(run, called, function, 2, data)?;
    Ok(What::Ask(Ask { who, prompt, among, order, then }))
}

fn chance(run: &Run<'_>, called: &Called, among: Among, (function, data): (&str, &Dynamic)) -> Made<What> {
    let (script, acting) = declared(run, called)?;
    if !acting.rolls {
        return wrong(refused(script, "roll"));
    }
    let then = then(run, called, function, 2, data)?;
    Ok(What::Chance { among, then })
}

/// What `arm` understands.
const KEYS: [&str; 9] = ["at", "of", "turns", "when", "ends", "ends_of", "each", "announced", "name"];

fn arm(run: &Run<'_>, called: &Called, map: &Map, function: &str, data: &Dynamic) -> Made<What> {
    let (script, acting) = declared(run, called)?;
    if let Some(key) = map.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return wrong(format!("`arm` does not understand `{key}`; it knows {}", KEYS.join(", ")));
    }
    let text = |key: &str| match map.get(key) {
        None => Ok(None),
        Some(value) => match value.as_immutable_string_ref() {
            Ok(text) => Ok(Some(text.to_string())),
            Err(_) => wrong(format!("`{key}` of `arm` is a text")),
        },
    };
    let player = |key: &str| match map.get(key).map(plain) {
        None => Ok(None),
        Some(Ok(Plain::Player(seat))) => Ok(Some(seat)),
        Some(_) => wrong(format!("`{key}` of `arm` is a player")),
    };
    let flag = |key: &str| match map.get(key).map(Dynamic::as_bool) {
        None => Ok(false),
        Some(Ok(flag)) => Ok(flag),
        Some(Err(_)) => wrong(format!("`{key}` of `arm` is true or false")),
    };
    let Some(at) = text("at")? else { return wrong("`arm` needs `at`: `#{ at: \"end of turn\" }`".to_owned()) };
    let named = |(stage, event): (Stage, HookEvent)| event_words(run, stage, event);
    let event = acting.arms.iter().position(|may| named((may.stage, may.event)) == at);
    let Some(event) = event else { return wrong(refused(script, &format!("arm `{at}`"))) };
    let turns = match map.get("turns").map(Dynamic::as_int) {
        None => 1,
        Some(Ok(turns)) if (1..=10_000).contains(&turns) => turns as u32,
        Some(_) => return wrong("`turns` of `arm` is a number from 1 to 10000".to_owned()),
    };
    if turns > 1 && matches!(acting.arms[event].event, HookEvent::Verb(_)) {
        return wrong("`turns` of `arm` counts turns and phases".to_owned());
    }
    let when = text("when")?;
    if let Some(when) = &when {
        goes_on(run, called, when, 1)?;
    }
    let until = lasts(run, text("ends")?.as_deref(), player("ends_of")?)?;
    let (name, of) = (text("name")?.unwrap_or_default(), player("of")?);
    let (once, announced) = (!flag("each")?, flag("announced")?);
    let then = then(run, called, function, 1, data)?;
    Ok(What::Arm(Box::new(Arming { event: event as u32, of, turns, when, until, once, announced, name, then })))
}

fn lasts(run: &Run<'_>, until: Option<&str>, of: Option<i64>) -> Made<Lasts> {
    let span = |name: &str| {
        let found = run.p.rules.spans.iter().position(|span| span.name == name);
        found
            .map(|index| SpanId(index as u32).0)
            .ok_or_else(|| Wrong::Act(format!("there is no turn or phase `{name}`")))
    };
    match (until, of) {
        (None, None) => Ok(Lasts::Always),
        (Some("gone"), None) => Ok(Lasts::Here),
        (Some(until), of) => match (until.strip_prefix("end of "), until.strip_prefix("start of "), of) {
            (Some(name), _, None) => span(name).map(Lasts::EndOf),
            (_, Some(name), Some(of)) => span(name).map(|span| Lasts::StartOf(span, of)),
            _ => wrong("`ends` of `arm` is `gone`, `end of SPAN`, or `start of SPAN` with `ends_of`".to_owned()),
        },
        (None, Some(_)) => wrong("`ends_of` of `arm` belongs to `ends`".to_owned()),
    }
}

/// An event as scripts name it: `after steal`, `end of turn`.
pub(super) fn event_words(run: &Run<'_>, stage: Stage, event: HookEvent) -> String {
    let rules = &run.p.rules;
    match event {
        HookEvent::Verb(verb) => {
            let stage = if stage == Stage::Before { "before" } else { "after" };
            format!("{stage} {}", rules.verbs[verb.index()].name)
        }
        HookEvent::Span(edge, span) => {
            let edge = if edge == Edge::Start { "start" } else { "end" };
            format!("{edge} of {}", rules.spans[span.index()].name)
        }
    }
}

impl Host {
    /// Makes an act, which stands where the script calls for it.
    fn act(&self, context: &NativeCallContext<'_>, make: impl FnOnce(&Run<'_>, &Called) -> Made<What>) -> Result<Act> {
        let place = context.call_position();
        let at = At { line: place.line().unwrap_or(0) as u32, column: place.position().unwrap_or(0) as u32 };
        let what = self.look(|run, called| make(run, called))?;
        Ok(Act { what, at })
    }
}
