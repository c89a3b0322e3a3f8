//! What stands: modifiers of stats, hooks of events, rules that forbid.

use super::super::state::{Arm, Event, NONE, Until};
use super::eval::{Answer, Env, Slow, Val, binary};
use super::word;
use crate::model::rules::{
    BinaryOp, ClauseHome, ClauseId, ClauseKind, Expr, ExprKind, GroupId, HookEvent, LocalId, Proc, ProcBody, ProcId,
    Prop, PropClass, PropId, PropOwner, Stage, Ty, VerbId,
};
use crate::program::{NIL, ent};
use std::collections::BTreeSet;

/// A clause that stands.
pub(super) struct Live {
    pub clause: ClauseId,
    pub source: Option<i64>,
    pub me: Option<i64>,
    /// When what it stands on came into play, and its own stamp.
    entered: (i64, u32),
    pub words: Vec<i64>,
}

/// A modifier that applies to a stat.
pub(super) struct Modifier {
    pub live: Live,
    /// Whether it sets the value rather than adds to it.
    pub to: bool,
    /// What gives its value, and the value.
    pub by: (ProcId, Val),
}

impl Slow<'_> {
    /// A derived property: its formula, then what modifies it: `to` first, `by` after, then its range.
    pub fn stat(&mut self, subject: i64, prop: PropId) -> Answer<Val> {
        let p = self.p;
        let info = &p.rules.props[prop.index()];
        let PropClass::Stat { formula } = info.class else { return Ok(Val::missing(&info.ty)) };
        let me = match info.owner {
            PropOwner::Player => Some(subject),
            PropOwner::Game => None,
            PropOwner::Kind(_) => self.holder(subject),
        };
        let env = Env { locals: Vec::new(), me, this: Some(subject), event: None };
        let mut value = self.call(formula, Vec::new(), env)?;
        for Modifier { to, by: (_, by), .. } in self.deeper(|slow| slow.modifiers(subject, prop, me))? {
            value = match (to, value, by) {
                (true, _, by) => by,
                (false, Val::Word(a), Val::Word(b)) => binary(BinaryOp::Add, Val::Word(a), Val::Word(b))?,
                (false, a, b) => self.gathered([a.items(), b.items()].concat(), &info.ty),
            };
        }
        if let (Val::Word(Some(number)), Some((low, high))) = (&mut value, info.range) {
            *number = (*number).clamp(low, high.max(low));
        }
        Ok(value)
    }

    /// What the formula of a card's stat comes to alone, within its range.
    pub fn formula(&mut self, formula: ProcId, subject: i64, info: &Prop) -> Answer<Val> {
        let me = self.holder(subject);
        let env = Env { locals: Vec::new(), me, this: Some(subject), event: None };
        let value = self.call(formula, Vec::new(), env)?;
        Ok(match (value, info.range) {
            (Val::Word(Some(number)), Some((low, high))) => Val::Word(Some(number.clamp(low, high.max(low)))),
            (value, _) => value,
        })
    }

    /// What modifies a stat, in the order in which it counts.
    pub fn modifiers(&mut self, subject: i64, prop: PropId, me: Option<i64>) -> Answer<Vec<Modifier>> {
        let p = self.p;
        let mut live = Vec::new();
        for (index, clause) in p.rules.clauses.iter().enumerate() {
            if matches!(clause.kind, ClauseKind::Modify { stat, .. } if stat == prop) {
                live.extend(self.instances(ClauseId(index as u32), me)?);
            }
        }
        live.sort_by_key(|hook| hook.entered);
        let (mut setting, mut adding) = (Vec::new(), Vec::new());
        for hook in live {
            let clause = &p.rules.clauses[hook.clause.index()];
            let ClauseKind::Modify { of, to, value: by, when, .. } = &clause.kind else { continue };
            // What has left its place is still what it was, as `in` has it.
            let among = match p.rules.procs[of.index()].body {
                ProcBody::Expr(Expr { kind: ExprKind::EntitiesOf(entry), .. }) => {
                    self.field_entry(subject) == Some(entry.index())
                }
                _ => self.run(*of, &hook)?.items().contains(&subject),
            };
            if !among {
                continue;
            }
            if let Some(when) = when
                && self.run(*when, &hook)?.single() != Some(1)
            {
                continue;
            }
            let value = self.run(*by, &hook)?;
            let order = if *to { &mut setting } else { &mut adding };
            order.push(Modifier { live: hook, to: *to, by: (*by, value) });
        }
        setting.append(&mut adding);
        Ok(setting)
    }

    /// A procedure of a clause, outside of any event.
    fn run(&mut self, proc: ProcId, hook: &Live) -> Answer<Val> {
        let proc: &Proc = &self.p.rules.procs[proc.index()];
        let ProcBody::Expr(body) = &proc.body else { return Ok(Val::Word(None)) };
        let mut env = self.window(proc, &hook.words);
        (env.me, env.this) = (hook.me, hook.source);
        self.eval(body, &mut env)
    }

    /// Where a clause stands now, for rules in the name of a player.
    fn instances(&mut self, clause: ClauseId, me: Option<i64>) -> Answer<Vec<Live>> {
        let p = self.p;
        let mut found = Vec::new();
        match p.rules.clauses[clause.index()].home {
            ClauseHome::Rule(group) => {
                let live = Live { clause, source: None, me, entered: (i64::MIN, 0), words: Vec::new() };
                let stands = match p.rules.groups[group.index()].when {
                    Some(when) => self.run(when, &live)?.single() == Some(1),
                    None => true,
                };
                found.extend(stands.then_some(live));
            }
            ClauseHome::Entry(_) | ClauseHome::Kind(_) => {
                for source in self.existing(None) {
                    let bears = match p.rules.clauses[clause.index()].home {
                        ClauseHome::Entry(entry) => self.field_entry(source) == Some(entry.index()),
                        ClauseHome::Kind(kind) => self.is_kind(source, kind),
                        _ => false,
                    };
                    if !bears || !self.in_play(source) {
                        continue;
                    }
                    let record = self.record(source).0;
                    let entered = (self.st.mem[record + ent::ENTERED], NONE);
                    let live =
                        Live { clause, source: Some(source), me: self.holder(source), entered, words: Vec::new() };
                    let stands = match p.rules.kinds[self.st.mem[record + ent::KIND] as usize].stands_when {
                        Some(when) => self.run(when, &live)?.single() == Some(1),
                        None => true,
                    };
                    found.extend(stands.then_some(live));
                }
            }
            ClauseHome::Armed => {
                for arm in &self.st.arms {
                    if arm.clause as usize == clause.index() {
                        found.extend(self.armed(clause, arm)?);
                    }
                }
            }
        }
        Ok(found)
    }

    fn armed(&mut self, clause: ClauseId, arm: &Arm) -> Answer<Option<Live>> {
        let source = word(arm.source);
        let current = source.is_some_and(|source| self.record(source).1);
        if arm.void || (arm.bound && !current) {
            return Ok(None);
        }
        let holder = source.and_then(|source| self.holder(source)).filter(|_| arm.bound);
        let entered = match source.filter(|_| current) {
            Some(source) => self.st.mem[self.record(source).0 + ent::ENTERED],
            None => i64::from(arm.stamp),
        };
        let words = self.st.arm_words[arm.at as usize..][..usize::from(arm.words)].to_vec();
        let live = Live { clause, source, me: holder.or(word(arm.me)), entered: (entered, arm.stamp), words };
        match arm.until {
            Until::While(proc) if self.run(ProcId(proc), &live)?.single() != Some(1) => Ok(None),
            _ => Ok(Some(live)),
        }
    }

    /// The hooks of an event that stand: clause, card, and for whom.
    pub fn standing(&mut self, event: HookEvent, stage: Stage, actor: i64) -> Answer<BTreeSet<(u32, i64, i64)>> {
        let p = self.p;
        let mut found = BTreeSet::new();
        for (index, clause) in p.rules.clauses.iter().enumerate() {
            if matches!(&clause.kind, ClauseKind::Hook { event: on, stage: at, .. } if *on == event && *at == stage) {
                for live in self.instances(ClauseId(index as u32), word(actor))? {
                    found.insert((index as u32, live.source.unwrap_or(NIL), live.me.unwrap_or(NIL)));
                }
            }
        }
        Ok(found)
    }

    /// The arguments of a verb, with its defaults.
    fn given(&mut self, verb: VerbId, args: &[Option<Expr>], env: &mut Env) -> Answer<Vec<Val>> {
        let p = self.p;
        let mut given = Vec::new();
        for (index, param) in p.rules.verbs[verb.index()].params.iter().enumerate() {
            given.push(match (args.get(index).and_then(Option::as_ref), param.default) {
                (Some(arg), _) => self.eval(arg, env)?,
                (None, Some(default)) => {
                    let names = given[..usize::from(p.rules.procs[default.index()].params).min(index)].to_vec();
                    self.call(default, names, Env { locals: Vec::new(), ..env.clone() })?
                }
                (None, None) => Val::missing(&param.ty),
            });
        }
        Ok(given)
    }

    /// Whether an argument is missing that the call of a verb needs, of those that are known, as bits.
    pub fn lacks(&mut self, verb: VerbId, written: &[Option<Expr>], sure: u64, env: &mut Env) -> Answer<bool> {
        let p = self.p;
        let args = self.given(verb, written, env)?;
        let params = &p.rules.verbs[verb.index()].params;
        let mut known = args.iter().zip(params).take(64).enumerate().filter(|(index, _)| sure >> index & 1 == 1);
        Ok(known.any(|(_, (arg, param))| match (arg, &param.ty) {
            (_, Ty::Maybe(_) | Ty::Lambda(..)) => false,
            (Val::Word(None), _) => true,
            (Val::Word(Some(found)), Ty::Entity(_)) => !self.record(*found).1,
            _ => false,
        }))
    }

    /// The `cannot` that would stop a verb with these arguments, the first if there are several.
    pub fn stopping(
        &mut self,
        verb: VerbId,
        written: &[Option<Expr>],
        ignoring: &[GroupId],
        env: &mut Env,
    ) -> Answer<Option<ClauseId>> {
        let p = self.p;
        let args = self.given(verb, written, env)?;
        let params = p.rules.verbs[verb.index()].params.iter().enumerate();
        let unknown = params.filter(|(index, param)| match written.get(*index).and_then(Option::as_ref) {
            Some(arg) => matches!(arg.kind, ExprKind::Nothing | ExprKind::Empty),
            None => param.default.is_none(),
        });
        let unknown: Vec<usize> = unknown.map(|(index, _)| index).collect();
        let frame = self.st.frames.last().copied();
        let event = Event {
            verb: verb.index() as u32,
            args: 0,
            words: 0,
            cause: frame.map_or(1, |frame| frame.cause),
            changed: false,
            actor: env.me.unwrap_or(NIL),
            source: frame.map_or(NIL, |frame| frame.source),
            ignoring: 0,
            lineage: 0,
            done: false,
            part: 0,
            gone: 0,
        };
        for (index, clause) in p.rules.clauses.iter().enumerate() {
            let ClauseKind::Hook { event: HookEvent::Verb(on), stage: Stage::Cannot, cond, .. } = &clause.kind else {
                continue;
            };
            let supersedes = |group: &GroupId| {
                let entry = word(event.source).and_then(|source| self.field_entry(source));
                entry.is_some_and(|entry| p.rules.entries[entry].supersedes.contains(group))
            };
            let ignored =
                matches!(clause.home, ClauseHome::Rule(group) if ignoring.contains(&group) || supersedes(&group));
            if *on != verb || ignored {
                continue;
            }
            // What forbids by an argument that is not known yet is not asked.
            let names = |cond: &ProcId, local: usize| match &p.rules.procs[cond.index()].body {
                ProcBody::Expr(body) => body.mentions(LocalId(local as u32)),
                ProcBody::Block(_) => false,
            };
            if cond.is_some_and(|cond| unknown.iter().any(|local| names(&cond, *local))) {
                continue;
            }
            for live in self.instances(ClauseId(index as u32), env.me)? {
                let Some(cond) = cond else { return Ok(Some(ClauseId(index as u32))) };
                let params = &p.rules.verbs[verb.index()].params;
                let mut words: Vec<i64> = Vec::new();
                for (value, param) in args.iter().zip(params) {
                    words.extend(self.encode(value, &param.ty));
                }
                words.extend(&live.words);
                let proc = &p.rules.procs[cond.index()];
                let ProcBody::Expr(body) = &proc.body else { continue };
                let mut inner = self.window(proc, &words);
                (inner.me, inner.this, inner.event) = (live.me, live.source, Some(event));
                if self.truth(body, &mut inner)? {
                    return Ok(Some(ClauseId(index as u32)));
                }
            }
        }
        Ok(None)
    }
}
