//! Evaluates expressions by walking them.

use super::super::hooks::AS_STORED;
use super::super::ops::{pack, unpack};
use super::super::run::Run;
use super::super::scratch::Scratch;
use super::super::state::{Event, NONE, State, entity};
use super::super::straight::LastWhat;
use super::super::tongue::Tongue;
use super::places::Geometry;
use super::word;
use crate::base::Code;
use crate::model::rules::{
    BinaryOp, BuiltinProp, CollectOp, CompareOp, Expr, ExprKind, FieldValue, FoldOp, KindId, LocalId, ProcBody, ProcId,
    PropClass, PropId, Seen, Ty, ZoneId, ZoneOrder,
};
use crate::program::{NIL, Program, PropHome, Repr, ent, repr};
use std::collections::BTreeSet;
use std::fmt;

/// A value, as what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Val {
    Word(Option<i64>),
    Set(BTreeSet<i64>),
    List(Vec<i64>),
}

/// An answer, or the code of an error of play.
pub(super) type Answer<T> = Result<T, Code>;

/// Most calls inside of each other: more than definitions and stats can lead through, so that only a stored question that
/// asks itself meets it, before the stack ends.
const MOST_CALLS: usize = 100;

/// The names at hand.
#[derive(Clone, Debug)]
pub(super) struct Env {
    pub locals: Vec<Val>,
    pub me: Option<i64>,
    pub this: Option<i64>,
    pub event: Option<Event>,
}

/// The slow evaluator of one position.
pub(super) struct Slow<'a> {
    pub p: &'a Program,
    pub st: &'a State,
    pub scratch: &'a mut Scratch,
    pub boards: &'a [Geometry<'a>],
    pub forms: &'a mut BTreeSet<String>,
    /// For whom it works, if what somebody does not see must not be told.
    pub eyes: Option<Eyes>,
    /// How many expressions it may still evaluate.
    pub steps: u64,
    /// How many calls it is in.
    pub calls: usize,
}

/// For whom something is worked out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eyes {
    /// The seat; none: what all seats see.
    pub seat: Option<u8>,
    /// Whether something was read that it does not see.
    pub secret: bool,
}

impl Val {
    /// What a missing value of a type is.
    pub fn missing(ty: &Ty) -> Val {
        match ty {
            Ty::Set(_) => Val::Set(BTreeSet::new()),
            Ty::List(_) => Val::List(Vec::new()),
            Ty::Maybe(inner) => Val::missing(inner),
            _ => Val::Word(None),
        }
    }

    /// Its members; a single value is its own member.
    pub fn items(&self) -> Vec<i64> {
        match self {
            Val::Word(word) => word.iter().copied().collect(),
            Val::Set(set) => set.iter().copied().collect(),
            Val::List(list) => list.clone(),
        }
    }

    pub fn single(&self) -> Option<i64> {
        match self {
            Val::Word(word) => *word,
            _ => None,
        }
    }
}

impl fmt::Display for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::Word(None) => f.write_str("nothing"),
            Val::Word(Some(word)) => write!(f, "{word}"),
            Val::Set(set) => write!(f, "{set:?}"),
            Val::List(list) => write!(f, "{list:?}"),
        }
    }
}

/// The type of a member.
fn member_type(ty: &Ty) -> &Ty {
    match ty {
        Ty::Set(item) | Ty::List(item) => item,
        Ty::Maybe(inner) => member_type(inner),
        other => other,
    }
}

fn flag(truth: bool) -> Val {
    Val::Word(Some(i64::from(truth)))
}

fn is_set(ty: &Ty) -> bool {
    matches!(ty, Ty::Set(_)) || matches!(ty, Ty::Maybe(inner) if is_set(inner))
}

impl Slow<'_> {
    /// Values as a set or list, whichever the type is. Of what an entity was, a set knows only that it was before.
    pub fn gathered(&self, mut items: Vec<i64>, ty: &Ty) -> Val {
        if !is_set(ty) {
            return Val::List(items);
        }
        if let Ty::Entity(_) = member_type(ty) {
            for item in &mut items {
                let (record, current) = self.record(*item);
                if !current {
                    *item = entity((*item & 0xffff) as usize, self.st.mem[record + ent::GENERATION] - 1);
                }
            }
            items.retain(|item| self.p.layout.former || self.record(*item).1);
        }
        Val::Set(items.into_iter().collect())
    }

    /// A reference to what is in a slot now, or, above the slots, to what was there.
    pub fn reference(&self, bit: usize) -> i64 {
        let former = bit >= self.p.layout.capacity;
        let slot = if former { bit - self.p.layout.capacity } else { bit };
        entity(slot, self.st.mem[self.p.layout.entity(slot) + ent::GENERATION] - i64::from(former))
    }

    /// Where a set holds an entity.
    pub(super) fn bit(&self, item: i64) -> usize {
        let slot = (item & 0xffff) as usize;
        if self.record(item).1 { slot } else { slot + self.p.layout.capacity }
    }

    /// A value from its words.
    pub fn decode(&self, words: &[i64], ty: &Ty) -> Val {
        let bits = || {
            let all = words.iter().enumerate();
            all.flat_map(|(index, word)| {
                (0..64).filter(move |bit| (word >> bit) & 1 == 1).map(move |bit| index * 64 + bit)
            })
        };
        if let Ty::Split(..) = ty {
            // The things, then whose they are.
            let (things, takers) = words.split_at(words.len() / 2);
            let list = |words: &[i64]| words[1..].iter().take(words[0] as usize).copied().collect::<Vec<_>>();
            return Val::List([list(things), list(takers)].concat());
        }
        match repr(ty) {
            Repr::Word => Val::Word(words.first().copied().and_then(word)),
            Repr::Mask | Repr::Sites => Val::Set(bits().map(|bit| bit as i64).collect()),
            Repr::Entities => Val::Set(bits().map(|slot| self.reference(slot)).collect()),
            Repr::List => {
                let count = words.first().map_or(0, |count| *count as usize);
                self.gathered(words.iter().skip(1).take(count).copied().collect(), ty)
            }
        }
    }

    /// The words of a value.
    pub fn encode(&self, value: &Val, ty: &Ty) -> Vec<i64> {
        let mut words = vec![0; usize::from(self.p.layout.words(ty))];
        match repr(ty) {
            Repr::Word => words[0] = value.single().unwrap_or(NIL),
            Repr::List => {
                let items = value.items();
                words[0] = items.len() as i64;
                for (at, item) in items.into_iter().enumerate().take(words.len() - 1) {
                    words[at + 1] = item;
                }
            }
            kind => {
                for item in value.items() {
                    let bit = if kind == Repr::Entities { self.bit(item) } else { item as usize };
                    words[bit / 64] |= 1 << (bit % 64);
                }
            }
        }
        words
    }

    /// Members in the order in which the language goes through them.
    fn ordered(&self, value: &Val, ty: &Ty) -> Vec<i64> {
        let mut items = value.items();
        if let (Val::Set(_), Ty::Entity(kind)) = (value, member_type(ty)) {
            items.sort_by_key(|item| self.bit(*item));
            if self.p.layout.comes_as_shown(&self.p.rules, *kind) {
                let mut bits: Vec<(usize, i64)> = items.iter().map(|item| (self.bit(*item), *item)).collect();
                crate::engine::order::arrange(&self.p.layout, &self.st.mem, &mut bits, |(bit, _)| *bit);
                items = bits.into_iter().map(|(_, item)| item).collect();
            }
        }
        items
    }

    /// Whether a flag expression holds.
    pub fn truth(&mut self, expr: &Expr, env: &mut Env) -> Answer<bool> {
        Ok(self.eval(expr, env)?.single() == Some(1))
    }

    fn number(&mut self, expr: &Expr, env: &mut Env) -> Answer<Option<i64>> {
        Ok(self.eval(expr, env)?.single())
    }

    /// The members of an expression, in order.
    pub fn members(&mut self, expr: &Expr, env: &mut Env) -> Answer<Vec<i64>> {
        let value = self.eval(expr, env)?;
        Ok(self.ordered(&value, &expr.ty))
    }

    fn bound(&mut self, binder: LocalId, item: i64, body: &Expr, env: &mut Env) -> Answer<Val> {
        env.locals[binder.index()] = Val::Word(Some(item));
        self.eval(body, env)
    }

    fn seen(&mut self, form: &str) {
        if !self.forms.contains(form) {
            self.forms.insert(form.to_owned());
        }
    }

    /// Whether whoever it works for knows what an entity is.
    pub fn sees(&self, found: i64) -> bool {
        let known = self.st.mem[self.record(found).0 + ent::KNOWN];
        let knows = |seat: u8| (known >> seat) & 1 == 1;
        match self.eyes.map(|eyes| eyes.seat) {
            None => true,
            Some(Some(seat)) => knows(seat),
            Some(None) => (0..self.st.players).all(knows),
        }
    }

    /// Notes that something of entities is read.
    pub(super) fn read(&mut self, items: &[i64]) {
        let unseen = items.iter().any(|item| !self.sees(*item));
        if let Some(eyes) = &mut self.eyes {
            eyes.secret |= unseen;
        }
    }

    /// The value of an expression.
    pub fn eval(&mut self, expr: &Expr, env: &mut Env) -> Answer<Val> {
        self.steps = self.steps.checked_sub(1).ok_or(Code::BudgetSpent)?;
        self.seen(super::names::form(&expr.kind));
        let (mem, layout) = (&self.st.mem, &self.p.layout);
        Ok(match &expr.kind {
            ExprKind::Word(found) => Val::Word(word(*found)),
            ExprKind::Text(text) => Val::Word(self.p.rules.texts.value(text)),
            ExprKind::Nothing | ExprKind::Empty => Val::missing(&expr.ty),
            ExprKind::Local(local) => env.locals[local.index()].clone(),
            ExprKind::Me => Val::Word(env.me),
            ExprKind::This => Val::Word(env.this),
            ExprKind::Mover => Val::Word(word(mem[usize::from(layout.mover)])),
            ExprKind::Round => Val::Word(Some(mem[usize::from(layout.round)])),
            ExprKind::Flat(board) => flag(mem[usize::from(layout.boards[board.index()].covered)] == 0),
            ExprKind::Actor => Val::Word(env.event.and_then(|event| word(event.actor))),
            ExprKind::Source => Val::Word(env.event.and_then(|event| word(event.source))),
            ExprKind::Cause => Val::Word(Some(env.event.map_or_else(|| self.cause(), |event| i64::from(event.cause)))),
            ExprKind::Changed => flag(env.event.is_some_and(|event| event.changed)),
            ExprKind::Option(option) => Val::Word(Some(self.p.rules.options[option.index()].value)),
            ExprKind::GameProp(prop) => match layout.props[prop.index()] {
                PropHome::Game(at) => {
                    self.looks_at(None, *prop);
                    self.stored(usize::from(at), *prop)
                }
                _ => Val::missing(&expr.ty),
            },
            ExprKind::Players => Val::Set(self.playing().into_iter().collect()),
            ExprKind::Opponents => Val::Set(self.playing().into_iter().filter(|seat| Some(*seat) != env.me).collect()),
            ExprKind::InPlay(kind) => {
                let mut all = self.existing(Some(*kind));
                all.retain(|found| self.in_play(*found));
                self.read(&all);
                Val::Set(all.into_iter().collect())
            }
            ExprKind::EntitiesOf(entry) => {
                let mut all = self.existing(None);
                all.retain(|found| self.field_entry(*found) == Some(entry.index()));
                self.read(&all);
                Val::Set(all.into_iter().collect())
            }
            ExprKind::And(a, b) => flag(self.truth(a, env)? && self.truth(b, env)?),
            ExprKind::Or(a, b) => flag(self.truth(a, env)? || self.truth(b, env)?),
            ExprKind::Not(a) => flag(!self.truth(a, env)?),
            ExprKind::If(cond, yes, no) => {
                let branch = if self.truth(cond, env)? { yes } else { no };
                self.eval(branch, env)?
            }
            ExprKind::Call(proc, args) => {
                let args = args.iter().map(|arg| self.eval(arg, env)).collect::<Answer<Vec<Val>>>()?;
                self.call(*proc, args, env.clone())?
            }
            ExprKind::CallLambda(lambda, args) => self.call_lambda(lambda, args, &expr.ty, env)?,
            ExprKind::Lambda(proc) => Val::Word(Some(pack(*proc, env.me.unwrap_or(NIL), env.this.unwrap_or(NIL)))),
            ExprKind::CallScript(script, args) => self.call_script(script.index(), args, env)?,
            ExprKind::Can(player, action, args) => {
                let closed = self.p.rules.zones.iter().any(|zone| zone.seen != Seen::All);
                if let Some(eyes) = self.eyes.as_mut().filter(|_| closed) {
                    eyes.secret = true;
                }
                self.can(player, *action, args, env)?
            }
            ExprKind::Targetable { verb, args, sure, ignoring } => {
                flag(!self.lacks(*verb, args, *sure, env)? && self.stopping(*verb, args, ignoring, env)?.is_none())
            }
            ExprKind::Prop(of, prop) => self.prop_of(of, *prop, &expr.ty, env)?,
            ExprKind::Contents(zone, of) => {
                let of = of.as_ref().map(|of| self.eval(of, env)).transpose()?;
                let contents = self.contents(*zone, of, &expr.ty);
                self.read(&contents.items());
                contents
            }
            ExprKind::Builtin(builtin, args) => {
                self.seen(super::names::builtin(builtin));
                self.builtin(*builtin, args, &expr.ty, env)?
            }
            _ => self.of_sets(expr, env)?,
        })
    }

    /// Numbers, sets and lists.
    fn of_sets(&mut self, expr: &Expr, env: &mut Env) -> Answer<Val> {
        Ok(match &expr.kind {
            ExprKind::Seat(n) => {
                let n = self.number(n, env)?.filter(|n| (1..=i64::from(self.st.players)).contains(n));
                Val::Word(n.map(|n| n - 1))
            }
            ExprKind::ToSet(inner) => {
                let items = self.members(inner, env)?;
                self.gathered(items, &expr.ty)
            }
            ExprKind::ToList(inner) => match &inner.kind {
                ExprKind::Contents(zone, of) if self.p.rules.zones[zone.index()].order != ZoneOrder::None => {
                    let of = of.as_ref().map(|of| self.eval(of, env)).transpose()?;
                    let contents = self.contents(*zone, of, &expr.ty);
                    self.read(&contents.items());
                    contents
                }
                _ => Val::List(self.members(inner, env)?),
            },
            ExprKind::List(items) => {
                let values = items.iter().map(|item| self.number(item, env)).collect::<Answer<Vec<_>>>()?;
                self.gathered(values.into_iter().flatten().collect(), &expr.ty)
            }
            ExprKind::Negate(a) => Val::Word(self.number(a, env)?.map(|a| -a)),
            ExprKind::Count(a) => Val::Word(Some(self.counted(a, env)?)),
            ExprKind::Some(a) => flag(self.counted(a, env)? > 0),
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.eval(a, env)?, self.eval(b, env)?);
                binary(*op, left, right)?
            }
            ExprKind::Compare(op, a, b) => {
                let (left, right) = (self.eval(a, env)?, self.eval(b, env)?);
                flag(compare(*op, &left, &right))
            }
            // What has left its place is still what it was.
            ExprKind::In(a, set) if let ExprKind::EntitiesOf(entry) = set.kind => {
                let found = self.number(a, env)?;
                self.read(found.as_slice());
                flag(found.is_some_and(|found| self.field_entry(found) == Some(entry.index())))
            }
            ExprKind::In(a, set) => {
                let item = self.number(a, env)?;
                let members = self.eval(set, env)?.items();
                let item = self.gathered(item.into_iter().collect(), &set.ty).items();
                flag(item.first().is_some_and(|item| members.contains(item)))
            }
            ExprKind::Is(a, kind) => {
                let found = self.number(a, env)?;
                self.read(found.as_slice());
                flag(found.is_some_and(|found| self.is_kind(found, *kind)))
            }
            ExprKind::Range(a, b) => {
                let (low, high) = (self.number(a, env)?, self.number(b, env)?);
                let items = match (low, high) {
                    (Some(low), Some(high)) if high.saturating_sub(low) > 10_000 => return Err(Code::ListTooLong),
                    (Some(low), Some(high)) => (low..=high).collect(),
                    _ => Vec::new(),
                };
                self.gathered(items, &expr.ty)
            }
            ExprKind::Index(list, i) => {
                let (items, i) = (self.eval(list, env)?.items(), self.number(i, env)?);
                Val::Word(i.and_then(|i| usize::try_from(i).ok()).and_then(|i| items.get(i).copied()))
            }
            ExprKind::Side(of, prop, way) => {
                let (of, at) = (self.number(of, env)?, self.number(way, env)?);
                Val::Word(of.zip(at).and_then(|(of, at)| self.side(of, *prop, &way.ty, at)))
            }
            ExprKind::Part(split, whose) => {
                let (split, whose) = (self.eval(split, env)?.items(), self.number(whose, env)?);
                let (things, takers) = split.split_at(split.len() / 2);
                let part = things.iter().zip(takers).filter(|(_, taker)| Some(**taker) == whose);
                self.gathered(part.map(|(thing, _)| *thing).collect(), &expr.ty)
            }
            ExprKind::Where { over, binder, cond } => {
                let mut kept = Vec::new();
                for item in self.members(over, env)? {
                    if self.bound(*binder, item, cond, env)?.single() == Some(1) {
                        kept.push(item);
                    }
                }
                self.gathered(kept, &expr.ty)
            }
            ExprKind::Any { over, binder, cond } => {
                for item in self.members(over, env)? {
                    if self.bound(*binder, item, cond, env)?.single() == Some(1) {
                        return Ok(flag(true));
                    }
                }
                flag(false)
            }
            ExprKind::All { over, binder, cond } => {
                for item in self.members(over, env)? {
                    if self.bound(*binder, item, cond, env)?.single() != Some(1) {
                        return Ok(flag(false));
                    }
                }
                flag(true)
            }
            ExprKind::Fold { op, over, binder, body } => {
                let mut values = Vec::new();
                for item in self.members(over, env)? {
                    values.extend(self.bound(*binder, item, body, env)?.single());
                }
                Val::Word(Some(match op {
                    FoldOp::Min => values.into_iter().min().unwrap_or(0),
                    FoldOp::Max => values.into_iter().max().unwrap_or(0),
                    FoldOp::Sum => values.into_iter().try_fold(0i64, i64::checked_add).ok_or(Code::Arithmetic)?,
                }))
            }
            ExprKind::Collect { op: CollectOp::Gather | CollectOp::Values | CollectOp::Union, over, binder, body } => {
                let mut values = Vec::new();
                for item in self.members(over, env)? {
                    values.extend(self.bound(*binder, item, body, env)?.items());
                }
                self.gathered(values, &expr.ty)
            }
            ExprKind::Collect { op: CollectOp::Reach, over, binder, body } => {
                let mut found: Vec<i64> = Vec::new();
                let mut next = self.members(over, env)?;
                while let Some(item) = next.pop() {
                    if !found.contains(&item) {
                        found.push(item);
                        next.extend(self.bound(*binder, item, body, env)?.items());
                    }
                }
                self.gathered(found, &expr.ty)
            }
            ExprKind::Having { over, most, binder, body } => {
                let mut keyed = Vec::new();
                for item in self.members(over, env)? {
                    let key = self.bound(*binder, item, body, env)?;
                    if key != Val::Word(None) {
                        keyed.push((key, item));
                    }
                }
                let keys = keyed.iter().map(|(key, _)| key);
                let best = if *most { keys.max() } else { keys.min() }.cloned();
                let kept = keyed.into_iter().filter(|(key, _)| Some(key) == best.as_ref()).map(|(_, item)| item);
                self.gathered(kept.collect(), &expr.ty)
            }
            ExprKind::Sorted { over, down, binder, body } => {
                let mut keyed = Vec::new();
                for item in self.members(over, env)? {
                    keyed.push((self.bound(*binder, item, body, env)?, item));
                }
                if *down {
                    keyed.sort_by(|(a, _), (b, _)| b.cmp(a));
                } else {
                    keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
                }
                Val::List(keyed.into_iter().map(|(_, item)| item).collect())
            }
            // INVARIANT: `eval` has answered for the rest.
            _ => Val::missing(&expr.ty),
        })
    }

    /// How many members a set has. How many cards lie in a zone everybody sees.
    fn counted(&mut self, set: &Expr, env: &mut Env) -> Answer<i64> {
        let eyes = self.eyes;
        let count = self.eval(set, env)?.items().len() as i64;
        if let ExprKind::Contents(..) = set.kind {
            self.eyes = eyes;
        }
        Ok(count)
    }

    pub fn call(&mut self, proc: ProcId, args: Vec<Val>, env: Env) -> Answer<Val> {
        let proc = &self.p.rules.procs[proc.index()];
        let ProcBody::Expr(body) = &proc.body else { return Ok(Val::Word(None)) };
        let mut locals = args;
        locals.resize(proc.locals.len().max(locals.len()), Val::Word(None));
        self.deeper(|slow| slow.eval(body, &mut Env { locals, ..env }))
    }

    /// Does something that can lead to itself again.
    pub fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Answer<T>) -> Answer<T> {
        if self.calls == MOST_CALLS {
            return Err(Code::TooManyFrames);
        }
        self.calls += 1;
        let value = f(self);
        self.calls -= 1;
        value
    }

    /// A stored question; one that is missing says no, a missing amount is 0.
    fn call_lambda(&mut self, lambda: &Expr, args: &[Expr], ty: &Ty, env: &mut Env) -> Answer<Val> {
        let found = self.number(lambda, env)?;
        let args = args.iter().map(|arg| self.eval(arg, env)).collect::<Answer<Vec<Val>>>()?;
        let Some((proc, me, this)) = found.and_then(unpack) else {
            return Ok(if repr(ty) == Repr::Word { Val::Word(Some(0)) } else { Val::missing(ty) });
        };
        let this = word(super::super::identity::recalled(self.p, self.st, this));
        self.call(proc, args, Env { locals: Vec::new(), me: word(me), this, event: env.event })
    }

    fn prop_of(&mut self, of: &Expr, prop: PropId, ty: &Ty, env: &mut Env) -> Answer<Val> {
        let value = self.eval(of, env)?;
        if let Val::Word(found) = value {
            return self.prop(found, prop);
        }
        let mut all = Vec::new();
        for item in self.ordered(&value, &of.ty) {
            all.extend(self.prop(Some(item), prop)?.items());
        }
        Ok(self.gathered(all, ty))
    }

    /// Seats still in the game.
    pub fn playing(&self) -> Vec<i64> {
        (0..i64::from(self.st.players)).filter(|seat| !self.st.eliminated.contains(&(*seat as u8))).collect()
    }

    /// The record of an entity, and whether the reference is to what it is now.
    pub fn record(&self, found: i64) -> (usize, bool) {
        let record = self.p.layout.entity((found & 0xffff) as usize);
        (record, self.st.mem[record + ent::GENERATION] == found >> 16)
    }

    /// Whether something is, or was before it became something else, of a kind.
    pub fn is_kind(&self, found: i64, kind: KindId) -> bool {
        let (record, current) = self.record(found);
        let own = if current { Some(self.st.mem[record + ent::KIND] as usize) } else { self.last_what(found).kind() };
        own.is_some_and(|own| self.p.rules.is_below(KindId(own as u32), kind))
    }

    fn last_what(&self, found: i64) -> LastWhat {
        LastWhat(self.st.mem[self.p.layout.last((found & 0xffff) as usize) + LastWhat::AT])
    }

    /// On a board, in a zone that is in play, or a thing.
    pub fn in_play(&self, found: i64) -> bool {
        let (record, _) = self.record(found);
        match usize::try_from(self.st.mem[record + ent::PLACE]) {
            Ok(instance) => self.p.rules.zones[self.p.layout.instances[instance].zone.index()].in_play,
            Err(_) => self.st.mem[record + ent::PLACE] != ent::NOWHERE,
        }
    }

    pub fn field_entry(&self, found: i64) -> Option<usize> {
        match self.record(found) {
            (record, true) => usize::try_from(self.st.mem[record + ent::ENTRY]).ok(),
            _ => self.last_what(found).entry(),
        }
    }

    pub fn holder(&self, found: i64) -> Option<i64> {
        let (record, current) = self.record(found);
        if !current {
            let last = self.p.layout.last((found & 0xffff) as usize);
            return word(self.st.mem[last]);
        }
        match usize::try_from(self.st.mem[record + ent::PLACE]) {
            Ok(instance) => self.p.layout.instances[instance].player.map(i64::from),
            Err(_) => word(self.st.mem[record + ent::OWNER]),
        }
    }

    fn stored(&self, at: usize, prop: PropId) -> Val {
        let ty = &self.p.rules.props[prop.index()].ty;
        self.decode(&self.st.mem[at..at + usize::from(self.p.layout.words(ty))], ty)
    }

    /// A property of an entity or player.
    pub fn prop(&mut self, of: Option<i64>, prop: PropId) -> Answer<Val> {
        let p = self.p;
        let info = &p.rules.props[prop.index()];
        let Some(of) = of else {
            let playing = matches!(info.class, PropClass::Builtin(BuiltinProp::Playing));
            return Ok(if playing { flag(false) } else { Val::missing(&info.ty) });
        };
        self.looks_at(Some(of), prop);
        Ok(match (&info.class, p.layout.props[prop.index()]) {
            // What a stat comes to is open, whatever it reads.
            (PropClass::Stat { formula }, _) if p.layout.kept_stats[prop.index()] != 0 && !self.record(of).1 => {
                let offset = usize::from(p.layout.kept_stats[prop.index()]);
                match self.st.mem[p.layout.last((of & 0xffff) as usize) + offset] {
                    AS_STORED => self.formula(*formula, of, info)?,
                    kept => Val::Word(word(kept)),
                }
            }
            (PropClass::Stat { .. }, _) => {
                let eyes = self.eyes.take();
                let value = self.stat(of, prop);
                self.eyes = eyes;
                value?
            }
            (PropClass::Builtin(builtin), _) => match builtin {
                BuiltinProp::Holder => Val::Word(self.holder(of)),
                BuiltinProp::Owner => Val::Word(word(self.st.mem[self.record(of).0 + ent::OWNER])),
                BuiltinProp::Name => {
                    let name = self.field_entry(of).map_or("", |entry| p.rules.entries[entry].name.as_str());
                    Val::Word(p.rules.texts.value(name))
                }
                BuiltinProp::Seat => Val::Word(Some(of + 1)),
                BuiltinProp::Entered => Val::Word(Some(self.st.mem[self.record(of).0 + ent::ENTERED])),
                BuiltinProp::Playing => flag(self.playing().contains(&of)),
            },
            (PropClass::LinkMany(link), _) => {
                let link = &p.rules.links[link.index()];
                let mut linked = BTreeSet::new();
                for other in self.existing(Some(link.from_kind)) {
                    if self.prop(Some(other), link.one)? == Val::Word(Some(of)) {
                        linked.insert(other);
                    }
                }
                Val::Set(linked)
            }
            (_, PropHome::Player(offset)) => {
                self.stored(p.layout.players + of as usize * p.layout.player_words + usize::from(offset), prop)
            }
            (_, PropHome::Entity(offset)) => {
                let (record, current) = self.record(of);
                let last = p.layout.last((of & 0xffff) as usize) + 3 - ent::PROPS;
                self.stored(if current { record } else { last } + usize::from(offset), prop)
            }
            (PropClass::Field { default }, _) => {
                let fields = self.field_entry(of).map(|entry| &p.rules.entries[entry].fields);
                let given = fields.and_then(|fields| fields.iter().find(|(found, _)| *found == prop));
                match given.and_then(|(_, value)| value.as_ref()).or(default.as_ref()) {
                    Some(FieldValue::Word(found)) => Val::Word(word(*found)),
                    Some(FieldValue::Mask(mask)) => self.decode(&[*mask as i64], &info.ty),
                    Some(FieldValue::List(_)) if matches!(info.ty, Ty::PerDirection(_)) => {
                        Val::List(self.shown(of, prop))
                    }
                    Some(FieldValue::List(items)) => self.gathered(items.clone(), &info.ty),
                    Some(FieldValue::Proc(proc)) => Val::Word(Some(pack(*proc, self.holder(of).unwrap_or(NIL), of))),
                    Some(FieldValue::Text(text)) => Val::Word(p.rules.texts.value(text)),
                    None if info.ty == Ty::Flag => flag(false),
                    None => Val::missing(&info.ty),
                }
            }
            _ => Val::missing(&info.ty),
        })
    }

    /// What lies in a zone; in its order, the top or the oldest first, where the type is a list.
    fn contents(&self, zone: ZoneId, of: Option<Val>, ty: &Ty) -> Val {
        let seats = of.map(|of| of.items());
        let mut found = Vec::new();
        for (index, instance) in self.p.layout.instances.iter().enumerate() {
            let asked = match (&seats, instance.player) {
                (Some(seats), Some(player)) => seats.contains(&i64::from(player)),
                _ => true,
            };
            if instance.zone == zone && asked {
                found.extend(self.in_order(index));
            }
        }
        self.gathered(found, ty)
    }

    /// The cards of a zone instance, and how many at the top are known for sure.
    pub fn in_order(&self, instance: usize) -> Vec<i64> {
        let info = self.p.layout.instances[instance];
        let here = |found: &i64| self.st.mem[self.record(*found).0 + ent::PLACE] == instance as i64;
        let all: Vec<i64> = self.existing(None).into_iter().filter(here).collect();
        if info.list == 0 {
            return all;
        }
        let (length, bag) = (self.st.mem[info.list] as usize, self.st.mem[info.list + 1] as usize);
        let listed: Vec<i64> =
            self.st.mem[info.list + 2..][..length].iter().map(|slot| self.reference(*slot as usize)).collect();
        let mut order: Vec<i64> = listed[bag..].iter().rev().copied().collect();
        order.extend(all.into_iter().filter(|found| !listed.contains(found)));
        order.extend(listed[..bag].iter().rev());
        order
    }

    /// How many cards at the top of a zone instance are settled.
    pub fn settled(&self, instance: usize) -> usize {
        let info = self.p.layout.instances[instance];
        let all = self.in_order(instance).len();
        if info.list == 0 {
            return all;
        }
        let (length, bag) = (self.st.mem[info.list] as usize, self.st.mem[info.list + 1] as usize);
        if all > length { length - bag } else { all }
    }

    fn can(
        &mut self,
        player: &Expr,
        action: crate::model::rules::ActionId,
        args: &[Expr],
        env: &mut Env,
    ) -> Answer<Val> {
        let player = self.number(player, env)?.unwrap_or(NIL);
        let words = self.arguments(args, env)?;
        let mut copy = self.st.clone();
        let mut run = Run { p: self.p, st: &mut copy, x: self.scratch, tongue: Tongue::default() };
        let event = run.st.frames.last().map_or(NONE, |frame| frame.event);
        let at = run.st.mem.len();
        run.st.mem.extend_from_slice(&words);
        let mut found = Vec::new();
        let opened = run.openings(action, player, at, event, &mut found);
        opened.map(|()| flag(!found.is_empty())).map_err(|_| Code::DeadEnd)
    }

    fn call_script(&mut self, script: usize, args: &[Expr], env: &mut Env) -> Answer<Val> {
        let words = self.arguments(args, env)?;
        let mut copy = self.st.clone();
        let result = self.p.rules.scripts[script].result.clone();
        let width = usize::from(self.p.layout.words(&result));
        let mut run = Run { p: self.p, st: &mut copy, x: self.scratch, tongue: Tongue::default() };
        let d = run.st.mem.len();
        run.st.mem.resize(d + width, 0);
        run.st.mem.extend_from_slice(&words);
        let called = run.call_script(d, script, d + width);
        called.map_err(|_| Code::ScriptFailed)?;
        Ok(self.decode(&copy.mem[d..d + width], &result))
    }

    fn arguments(&mut self, args: &[Expr], env: &mut Env) -> Answer<Vec<i64>> {
        let mut words = Vec::new();
        for arg in args {
            let value = self.eval(arg, env)?;
            words.extend(self.encode(&value, &arg.ty));
        }
        Ok(words)
    }
}

/// Arithmetic, and the algebra of sets and lists.
pub(super) fn binary(op: BinaryOp, a: Val, b: Val) -> Answer<Val> {
    if let (Val::Word(a), Val::Word(b)) = (&a, &b) {
        let (Some(a), Some(b)) = (*a, *b) else { return Ok(Val::Word(None)) };
        let result = match op {
            BinaryOp::Add => a.checked_add(b),
            BinaryOp::Sub => a.checked_sub(b),
            BinaryOp::Mul => a.checked_mul(b),
            BinaryOp::Div => a.checked_div(b),
            BinaryOp::Rem => a.checked_rem(b),
            _ => None,
        };
        return result.filter(|result| *result != NIL).map(|result| Val::Word(Some(result))).ok_or(Code::Arithmetic);
    }
    let (left, right) = (a.items(), b.items());
    let items: Vec<i64> = match op {
        BinaryOp::Add | BinaryOp::Union => left.into_iter().chain(right).collect(),
        BinaryOp::Sub | BinaryOp::Difference => left.into_iter().filter(|item| !right.contains(item)).collect(),
        _ => left.into_iter().filter(|item| right.contains(item)).collect(),
    };
    Ok(if matches!(a, Val::List(_)) { Val::List(items) } else { Val::Set(items.into_iter().collect()) })
}

/// Nothing equals nothing alone, and has no order.
fn compare(op: CompareOp, a: &Val, b: &Val) -> bool {
    let there = |value: &Val| *value != Val::Word(None);
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => there(a) && there(b) && op.holds(a, b),
    }
}
