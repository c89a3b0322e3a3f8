//! What scripts cost. An operation of Rhai is a step of its evaluator, but one step can copy a whole array or sort it. So
//! variables are paid for by what they hold, and the functions that go through arrays and maps without steps of their own
//! are replaced by some that pay.

use super::budget::price;
use super::plain::{Player, Spot, Thing};
use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, Map, NativeCallContext, Position};
use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Units that one call may take.
const MOST: u64 = crate::base::limits::SCRIPT_WORK;

type Result<T> = std::result::Result<T, Box<EvalAltResult>>;

/// What the call at hand has taken, shared with the engine that runs it.
#[derive(Clone, Debug, Default)]
pub(super) struct Fuel(Arc<AtomicU64>);

impl Fuel {
    /// Begins a call, which may take no more than what is left of the step.
    pub fn begin(&self, left: u64) {
        self.0.store(MOST.min(left), Relaxed);
    }

    /// What the call has taken.
    pub fn taken(&self, left: u64) -> u64 {
        MOST.min(left) - self.0.load(Relaxed)
    }

    /// Pays, or says that it cannot be paid for.
    pub fn pay(&self, units: u64) -> Result<()> {
        let left = self.0.load(Relaxed);
        self.0.store(left.saturating_sub(units), Relaxed);
        if units <= left { Ok(()) } else { Err(EvalAltResult::ErrorTooManyOperations(Position::NONE).into()) }
    }
}

/// Lets an engine pay for what its scripts do.
pub(super) fn meter(engine: &mut Engine) -> Fuel {
    let fuel = Fuel::default();
    let meter = fuel.clone();
    engine.on_progress(move |_| meter.pay(price::OPERATION).err().map(|_| Dynamic::UNIT));
    let meter = fuel.clone();
    // Called whenever a variable is read, which may copy it.
    #[expect(deprecated, reason = "volatile, says its documentation; nothing else knows what a step works on")]
    engine.on_var(move |name, _, context| {
        if let Some(value) = context.scope().get(name) {
            meter.pay(size(value) as u64 / 2)?;
        }
        Ok(None)
    });
    // Native functions as values would be called without a step.
    engine.disable_symbol("Fn");
    comparisons(engine, &fuel);
    sorting(engine, &fuel);
    fuel
}

/// How many values there are in one, letters by sixteen.
pub(super) fn size(value: &Dynamic) -> usize {
    if let Ok(array) = value.as_array_ref() {
        return 1 + array.iter().map(size).sum::<usize>();
    }
    if let Ok(map) = value.as_map_ref() {
        return 1 + map.values().map(|value| 8 + size(value)).sum::<usize>();
    }
    value.as_immutable_string_ref().map_or(1, |text| 1 + text.len() / 16)
}

fn comparisons(engine: &mut Engine, fuel: &Fuel) {
    let both = |fuel: &Fuel, a: usize, b: usize| fuel.pay((a + b) as u64);
    let sizes = |array: &Array| array.iter().map(size).sum::<usize>();
    for (name, wanted) in [("==", true), ("!=", false)] {
        let meter = fuel.clone();
        engine.register_fn(name, move |one: &mut Array, other: Array| -> Result<bool> {
            both(&meter, sizes(one), sizes(&other))?;
            Ok((one.len() == other.len() && one.iter().zip(&other).all(|(one, other)| same(one, other))) == wanted)
        });
        let meter = fuel.clone();
        engine.register_fn(name, move |one: &mut Map, other: Map| -> Result<bool> {
            both(&meter, one.len(), other.len())?;
            let (one, other) = (Dynamic::from_map(one.clone()), Dynamic::from_map(other));
            both(&meter, size(&one), size(&other))?;
            Ok(same(&one, &other) == wanted)
        });
    }
    let meter = fuel.clone();
    engine.register_fn("contains", move |array: &mut Array, value: Dynamic| -> Result<bool> {
        meter.pay(sizes(array) as u64)?;
        Ok(array.iter().any(|other| same(other, &value)))
    });
    let meter = fuel.clone();
    engine.register_fn("index_of", move |array: &mut Array, value: Dynamic| -> Result<i64> {
        meter.pay(sizes(array) as u64)?;
        Ok(array.iter().position(|other| same(other, &value)).map_or(-1, |at| at as i64))
    });
    let meter = fuel.clone();
    engine.register_fn("pad", move |array: &mut Array, length: i64, value: Dynamic| -> Result<()> {
        let length = u64::try_from(length).unwrap_or(0).max(array.len() as u64);
        meter.pay(length.saturating_mul(size(&value) as u64))?;
        array.resize(usize::try_from(length).unwrap_or(usize::MAX), value);
        Ok(())
    });
    let meter = fuel.clone();
    engine.register_fn("dedup", move |array: &mut Array| -> Result<()> {
        meter.pay(sizes(array) as u64)?;
        array.dedup_by(|one, other| same(one, other));
        Ok(())
    });
}

fn sorting(engine: &mut Engine, fuel: &Fuel) {
    for (name, down) in [("sort", false), ("sort_desc", true)] {
        let meter = fuel.clone();
        engine.register_fn(name, move |array: &mut Array| sort(array, down, &meter));
    }
    for (name, down) in [("order", false), ("order_desc", true)] {
        let meter = fuel.clone();
        engine.register_fn(name, move |array: &mut Array| -> Result<Array> {
            let mut ordered = array.clone();
            sort(&mut ordered, down, &meter)?;
            Ok(ordered)
        });
    }
    for name in ["sort", "sort_by"] {
        let meter = fuel.clone();
        engine.register_fn(name, move |c: NativeCallContext, array: &mut Array, first: FnPtr| -> Result<()> {
            *array = sorted_by(&c, array, &first, &meter)?;
            Ok(())
        });
    }
    for name in ["order", "order_by"] {
        let meter = fuel.clone();
        engine.register_fn(name, move |c: NativeCallContext, array: &mut Array, first: FnPtr| {
            sorted_by(&c, array, &first, &meter)
        });
    }
    let meter = fuel.clone();
    engine.register_fn("dedup", move |c: NativeCallContext, array: &mut Array, same: FnPtr| -> Result<()> {
        meter.pay(array.iter().map(size).sum::<usize>() as u64)?;
        let mut kept = Array::new();
        for item in array.iter() {
            let again = match kept.last() {
                Some(last) => same.call_within_context::<bool>(&c, (Dynamic::clone(last), item.clone()))?,
                None => false,
            };
            if !again {
                kept.push(item.clone());
            }
        }
        *array = kept;
        Ok(())
    });
}

/// An array in an order of the script's own. The steps depend on what the comparisons say and on nothing else, whatever they
/// say: Rhai takes a comparison that fails for one by the number of a type, which no two builds share.
fn sorted_by(c: &NativeCallContext<'_>, array: &Array, first: &FnPtr, fuel: &Fuel) -> Result<Array> {
    let mut sorted = array.clone();
    let mut width = 1;
    while width < sorted.len() {
        fuel.pay(sorted.iter().map(size).sum::<usize>() as u64)?;
        let mut next = Array::with_capacity(sorted.len());
        for part in sorted.chunks(2 * width) {
            let (mut left, mut right) = part.split_at(width.min(part.len()));
            while let (Some(one), Some(other)) = (left.first(), right.first()) {
                if comes_later(c, first, one, other)? {
                    next.push(other.clone());
                    right = &right[1..];
                } else {
                    next.push(one.clone());
                    left = &left[1..];
                }
            }
            next.extend(left.iter().chain(right).cloned());
        }
        sorted = next;
        width *= 2;
    }
    Ok(sorted)
}

/// Whether a value stands behind the next one: the comparison gives a number above 0, or says that the other is the first.
fn comes_later(c: &NativeCallContext<'_>, first: &FnPtr, one: &Dynamic, other: &Dynamic) -> Result<bool> {
    let compared = first.call_within_context::<Dynamic>(c, (one.clone(), other.clone()))?;
    if let Ok(number) = compared.as_int() {
        return Ok(number > 0);
    }
    match compared.as_bool() {
        Ok(true) => Ok(false),
        // Neither may be the first: then they stay as they are.
        Ok(false) => first.call_within_context::<bool>(c, (other.clone(), one.clone())),
        Err(_) => Err("what compares two values gives a number, or whether the first one comes first".into()),
    }
}

fn sort(array: &mut Array, down: bool, fuel: &Fuel) -> Result<()> {
    fuel.pay(array.iter().map(size).sum::<usize>() as u64 * u64::from(usize::BITS - array.len().leading_zeros()))?;
    let comparable = array.windows(2).all(|pair| compare(&pair[0], &pair[1]).is_some());
    if !comparable {
        return Err("an array can be sorted where all of it are numbers, texts or flags".into());
    }
    array.sort_by(|one, other| {
        let order = compare(one, other).unwrap_or(Ordering::Equal);
        if down { order.reverse() } else { order }
    });
    Ok(())
}

/// The order of two values of one plain type.
fn compare(one: &Dynamic, other: &Dynamic) -> Option<Ordering> {
    if let (Ok(one), Ok(other)) = (one.as_int(), other.as_int()) {
        return Some(one.cmp(&other));
    }
    if let (Ok(one), Ok(other)) = (one.as_bool(), other.as_bool()) {
        return Some(one.cmp(&other));
    }
    if let (Ok(one), Ok(other)) = (one.as_char(), other.as_char()) {
        return Some(one.cmp(&other));
    }
    match (one.as_immutable_string_ref(), other.as_immutable_string_ref()) {
        (Ok(one), Ok(other)) => Some(one.as_str().cmp(other.as_str())),
        _ => None,
    }
}

/// Whether two values are the same, part by part.
fn same(one: &Dynamic, other: &Dynamic) -> bool {
    if let (Ok(one), Ok(other)) = (one.as_array_ref(), other.as_array_ref()) {
        return one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| same(one, other));
    }
    if let (Ok(one), Ok(other)) = (one.as_map_ref(), other.as_map_ref()) {
        return one.len() == other.len()
            && one.iter().zip(other.iter()).all(|((key, one), (name, other))| key == name && same(one, other));
    }
    if let (Some(one), Some(other)) = (one.read_lock::<Thing>(), other.read_lock::<Thing>()) {
        return *one == *other;
    }
    if let (Some(one), Some(other)) = (one.read_lock::<Player>(), other.read_lock::<Player>()) {
        return *one == *other;
    }
    if let (Some(one), Some(other)) = (one.read_lock::<Spot>(), other.read_lock::<Spot>()) {
        return *one == *other;
    }
    (one.is_unit() && other.is_unit()) || compare(one, other) == Some(Ordering::Equal)
}
