//! What scripts see of the game: cards in zones, what lies where, properties, the event at hand. All of it is worked out when
//! the script asks, and only as far as those know it for whom the script looks.

use super::fuel::Fuel;
use super::moves::entity_offset;
use super::plain::{Happening, Player, Spot, Thing, Whole};
use super::run::Run;
use super::script::{Called, Host, Made, Wrong};
use super::state::slot_of;
use super::straight;
use super::words::{Eyes, by_name};
use crate::base::nearest;
use crate::model::rules::{BuiltinProp, FieldValue, LookTarget, PropClass, PropId, Seen, Sight, Ty, ZoneOrder};
use crate::program::{NIL, PropHome, ent};
use rhai::{Array, Dynamic, Engine, EvalAltResult, Map};

type Result<T> = std::result::Result<T, Box<EvalAltResult>>;

/// Gives an engine what scripts look at the game with.
pub(super) fn register(engine: &mut Engine, host: &Host, fuel: &Fuel) {
    values(engine);
    texts(engine, fuel);
    members(engine, host);
    table(engine, host, fuel);
}

/// The types of their values, and when two are the same.
fn values(engine: &mut Engine) {
    engine.register_type_with_name::<Thing>("thing");
    engine.register_type_with_name::<Player>("player");
    engine.register_type_with_name::<Spot>("site");
    engine.register_type_with_name::<Whole>("game");
    engine.register_type_with_name::<Happening>("event");
    engine.register_type_with_name::<super::acts::Act>("act");
    macro_rules! compared {
        ($($value:ty),*) => { $(
            engine.register_fn("==", |one: $value, other: $value| one == other);
            engine.register_fn("!=", |one: $value, other: $value| one != other);
            engine.register_fn("==", |_: $value, (): ()| false);
            engine.register_fn("!=", |_: $value, (): ()| true);
            engine.register_fn("==", |(): (), _: $value| false);
            engine.register_fn("!=", |(): (), _: $value| true);
        )* };
    }
    compared!(Thing, Player, Spot, Happening);
}

/// What there is to ask of texts.
fn texts(engine: &mut Engine, fuel: &Fuel) {
    engine.register_fn("starts_with", |text: &str, part: &str| text.starts_with(part));
    engine.register_fn("ends_with", |text: &str, part: &str| text.ends_with(part));
    engine.register_fn("contains", |text: &str, part: &str| text.contains(part));
    engine.register_fn("to_lower", |text: &str| text.to_lowercase());
    engine.register_fn("to_upper", |text: &str| text.to_uppercase());
    engine.register_fn("len", |text: &str| text.chars().count() as i64);
    let meter = fuel.clone();
    engine.register_fn("split", move |text: &str, at: &str| -> Result<Array> {
        meter.pay(text.len() as u64)?;
        Ok(text.split(at).map(|part| Dynamic::from(part.to_owned())).collect())
    });
    engine.register_fn("to_string", |number: i64| number.to_string());
    engine.register_fn("+", |text: &str, number: i64| format!("{text}{number}"));
    engine.register_fn("+", |number: i64, text: &str| format!("{number}{text}"));
}

/// Properties of things, players and the game.
fn members(engine: &mut Engine, host: &Host) {
    let h = host.clone();
    engine.register_indexer_get(move |thing: &mut Thing, name: &str| {
        h.look(|run, called| thing_member(run, called, thing.0, name))
    });
    let h = host.clone();
    engine.register_indexer_get(move |player: &mut Player, name: &str| {
        h.look(|run, called| match name {
            "name" => Ok(run.seat_name(player.0).into()),
            _ => owned(run, called, LookTarget::Player, player.0, name),
        })
    });
    let h = host.clone();
    engine.register_indexer_get(move |_: &mut Whole, name: &str| {
        h.look(|run, called| owned(run, called, LookTarget::Game, NIL, name))
    });
    let h = host.clone();
    engine.register_indexer_get(move |_: &mut Happening, name: &str| h.look(|run, called| part(run, called, name)));
    let h = host.clone();
    engine.register_indexer_get(move |spot: &mut Spot, name: &str| {
        h.look(|run, _| match name {
            "name" => Ok(Dynamic::from(run.site_name(spot.board as usize, spot.site))),
            _ => seen(format!("a site has a `name`, and no `{name}`")),
        })
    });
}

/// What lies on the table, whose turn it is, and what happens.
fn table(engine: &mut Engine, host: &Host, fuel: &Fuel) {
    macro_rules! looks {
        ($name:literal, |$run:ident, $called:ident $(, $arg:ident: $ty:ty)*| $body:expr) => {
            let (h, meter) = (host.clone(), fuel.clone());
            engine.register_fn($name, move |$($arg: $ty),*| -> Result<Dynamic> {
                meter.pay(8)?;
                h.look(|$run, $called| {
                    if !$called.acts {
                        return seen(concat!("a script that gives a value sees what it is given, so there is no `", $name, "` for it"));
                    }
                    $body
                })
            });
        };
    }
    looks!("me", |_run, called| Ok(player(called.me)));
    looks!("source", |_run, called| Ok(thing(called.this)));
    looks!("mover", |run, _called| Ok(player(run.mover())));
    looks!("game", |_run, _called| Ok(Dynamic::from(Whole)));
    looks!("round", |run, _called| Ok(run.st.mem[usize::from(run.p.layout.round)].into()));
    looks!("turn", |run, _called| Ok((i64::from(run.st.turns) + 1).into()));
    looks!("players", |run, called| {
        let from = if called.me == NIL { run.mover() } else { called.me };
        let seats: Array = run.clockwise(from).into_iter().map(|seat| player(i64::from(seat))).collect();
        Ok(seats.into())
    });
    looks!("event", |run, called| {
        Ok(if run.event(called.event).is_some() { Dynamic::from(Happening) } else { Dynamic::UNIT })
    });
    looks!("cards", |run, called, zone: &str| cards(run, called, zone, None));
    looks!("cards", |run, called, zone: &str, of: Player| cards(run, called, zone, Some(of.0)));
    looks!("count", |run, _called, zone: &str| Ok((run.zone_order(instance(run, zone, None)?).len() as i64).into()));
    looks!("count", |run, _called, zone: &str, of: Player| {
        Ok((run.zone_order(instance(run, zone, Some(of.0))?).len() as i64).into())
    });
    looks!("in_play", |run, called, kind: &str| in_play(run, called, kind));
}

fn seen<T>(message: impl Into<String>) -> Made<T> {
    Err(Wrong::Seen(message.into()))
}

fn player(seat: i64) -> Dynamic {
    if seat == NIL { Dynamic::UNIT } else { Dynamic::from(Player(seat)) }
}

fn thing(entity: i64) -> Dynamic {
    if slot_of(entity).is_none() { Dynamic::UNIT } else { Dynamic::from(Thing(entity)) }
}

/// Words as a script gets them, without things in sets and lists that it does not know.
fn given(run: &Run<'_>, called: &Called, words: &[i64], ty: &Ty) -> Dynamic {
    let value = run.to_script(words, ty);
    if called.eyes == Eyes::All || !value.is_array() {
        return value;
    }
    let known = |item: &Dynamic| item.read_lock::<Thing>().is_none_or(|thing| run.is_seen(thing.0, called.eyes));
    value.into_array().map_or(Dynamic::UNIT, |items| items.into_iter().filter(known).collect::<Array>().into())
}

/// The zone of a name, and of a player.
fn instance(run: &Run<'_>, name: &str, of: Option<i64>) -> Made<usize> {
    let zones = &run.p.rules.zones;
    let Some(zone) = zones.iter().position(|zone| zone.name == name) else {
        let near = nearest(name, zones.iter().map(|zone| zone.name.as_str()));
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return seen(format!("there is no zone `{name}`{near}"));
    };
    match (zones[zone].per_player, of) {
        (true, None) => return seen(format!("each player has a `{name}`: say whose, `cards(\"{name}\", me())`")),
        (false, Some(_)) => return seen(format!("`{name}` belongs to no player")),
        _ => {}
    }
    let seat = of.and_then(|seat| u8::try_from(seat).ok());
    let found = run.p.layout.instances.iter().position(|info| info.zone.index() == zone && info.player == seat);
    found.map_or_else(|| seen(format!("there is no `{name}` of this player")), Ok)
}

/// What lies in a zone, as far as it is known: in its order where that is seen and settled, else by name.
fn cards(run: &mut Run<'_>, called: &Called, name: &str, of: Option<i64>) -> Made<Dynamic> {
    let at = instance(run, name, of)?;
    let mut order = run.zone_order(at);
    run.spend_on(order.len() * 4)?;
    let by_names = |run: &Run<'_>, cards: &mut [i64]| {
        cards.sort_by(|one, other| by_name(&run.entity_name(*one), &run.entity_name(*other)).then(one.cmp(other)));
    };
    // What is still shuffled has no order yet.
    let settled = |index: &usize| run.is_settled(at, *index);
    let above = (0..order.len()).take_while(settled).count();
    let below = (above..order.len()).rev().take_while(settled).count();
    let end = order.len() - below;
    by_names(run, &mut order[above..end]);
    let zone = &run.p.rules.zones[run.p.layout.instances[at].zone.index()];
    // What lies where nobody sees it is there for a script as far as all know it.
    let eyes = match (zone.seen, called.eyes) {
        (Seen::None | Seen::Top, Eyes::Of(_)) => Eyes::Of(None),
        (_, eyes) => eyes,
    };
    let visible = |index: usize, card: i64| match zone.seen {
        Seen::All => true,
        Seen::Top => called.eyes == Eyes::All || index == 0 && run.is_settled(at, 0),
        Seen::Holder | Seen::Others | Seen::None => run.is_seen(card, eyes),
    };
    let mut found: Vec<i64> =
        order.into_iter().enumerate().filter(|(index, card)| visible(*index, *card)).map(|(_, card)| card).collect();
    let open = called.eyes == Eyes::All || zone.order != ZoneOrder::None && matches!(zone.seen, Seen::All | Seen::Top);
    if !open {
        by_names(run, &mut found);
    }
    Ok(found.into_iter().map(thing).collect::<Array>().into())
}

/// What is in play of a kind.
fn in_play(run: &mut Run<'_>, called: &Called, name: &str) -> Made<Dynamic> {
    let kinds = &run.p.rules.kinds;
    let Some(kind) = kinds.iter().position(|kind| kind.name == name) else {
        let near = nearest(name, kinds.iter().map(|kind| kind.name.as_str()));
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return seen(format!("there is no kind `{name}`{near}"));
    };
    let set = usize::from(run.p.layout.kind_set(crate::model::rules::KindId(kind as u32)).0);
    let live = usize::from(run.p.layout.in_play);
    run.spend_on(run.p.layout.capacity)?;
    let mut found = Vec::new();
    for index in 0..run.p.layout.capacity.div_ceil(64) {
        let mut word = (run.st.mem[set + index] & run.st.mem[live + index]) as u64;
        while word != 0 {
            let entity = run.reference(index * 64 + word.trailing_zeros() as usize);
            word &= word - 1;
            if run.is_seen(entity, called.eyes) {
                found.push(thing(entity));
            }
        }
    }
    Ok(found.into())
}

/// A part of the event at hand: its verb, or the player of its turn or phase, who acts, and its arguments by their names.
/// Only names are asked for, so that the checker sees which.
fn part(run: &Run<'_>, called: &Called, name: &str) -> Made<Dynamic> {
    let Some(event) = run.event(called.event) else { return Ok(Dynamic::UNIT) };
    let words = run.event_args(event);
    let Some(verb) = run.p.rules.verbs.get(event.verb as usize) else {
        return match name {
            "player" | "actor" => Ok(player(words.first().copied().unwrap_or(NIL))),
            "verb" => Ok(Dynamic::UNIT),
            _ => seen(format!("a turn or phase has a `player`, and no `{name}`")),
        };
    };
    let mut at = 0;
    for param in &verb.params {
        let width = usize::from(run.p.layout.words(&param.ty));
        if param.name == name {
            return Ok(words.get(at..at + width).map_or(Dynamic::UNIT, |part| given(run, called, part, &param.ty)));
        }
        at += width;
    }
    match name {
        "verb" => Ok(verb.name.as_str().into()),
        "actor" => Ok(player(event.actor)),
        _ => seen(format!("`{}` has no `{name}`", verb.name)),
    }
}

/// A property of a thing, or what all things have.
fn thing_member(run: &mut Run<'_>, called: &Called, entity: i64, name: &str) -> Made<Dynamic> {
    let Some(slot) = slot_of(entity).filter(|slot| *slot < run.p.layout.capacity) else { return Ok(Dynamic::UNIT) };
    let rules = run.p.rules.clone();
    let kind = run.st.mem[run.p.layout.entity(slot) + ent::KIND].max(0) as usize;
    let known = run.is_seen(entity, called.eyes);
    // What is written of a card without a definition, and of one that is not seen, is a name for a script.
    if name == "name" {
        return Ok(run.name_for(entity, called.eyes).into());
    }
    let has = |prop: &&PropId| rules.props[prop.index()].name == name;
    if let Some(prop) = rules.kinds[kind].props.iter().find(has).copied() {
        let info = &rules.props[prop.index()];
        if !known && !info.open {
            return Ok(Dynamic::UNIT);
        }
        let printed = matches!(info.class, PropClass::Field { .. })
            || matches!(&info.class, PropClass::Table(items)
                if items.iter().all(|item| matches!(rules.props[item.index()].class, PropClass::Field { .. })));
        if !called.acts && !printed {
            return seen(format!("a script that gives a value sees only what is printed, and not `{name}`"));
        }
        let listed = run.shown_of_kind(kind).is_none_or(|shown| shown.contains(&prop));
        if !listed && !may_read(called, NIL, info.keeps) {
            return unlisted(name);
        }
        return value_of(run, called, entity, prop);
    }
    let current = run.record(entity).is_some_and(|(_, current)| current);
    match name {
        "kind" if known => Ok(rules.kinds[kind].name.as_str().into()),
        "known" => Ok(known.into()),
        "gone" => Ok((!current).into()),
        "kind" => Ok(Dynamic::UNIT),
        "zone" if called.acts && current => {
            let place = run.record(entity).map_or(NIL, |(record, _)| run.st.mem[record + ent::PLACE]);
            let zone = usize::try_from(place).ok().map(|at| run.p.layout.instances[at].zone.index());
            Ok(zone.map_or(Dynamic::UNIT, |zone| rules.zones[zone].name.as_str().into()))
        }
        "site" if called.acts && current => Ok(slot_of(entity)
            .and_then(|slot| run.lies_on(slot))
            .map_or(Dynamic::UNIT, |(board, site)| Dynamic::from(Spot { board: board as u32, site }))),
        "zone" | "site" => Ok(Dynamic::UNIT),
        _ => unknown(run, name),
    }
}

/// A name that nothing of another kind has is a slip.
fn unknown(run: &Run<'_>, name: &str) -> Made<Dynamic> {
    let props = &run.p.rules.props;
    if props.iter().any(|prop| prop.name == name) {
        return Ok(Dynamic::UNIT);
    }
    let near = nearest(name, props.iter().map(|prop| prop.name.as_str()));
    let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    seen(format!("nothing has a property `{name}`{near}"))
}

/// Whether a script may read what no look shows: what was not worked out from hidden cards everybody knows.
fn may_read(called: &Called, whose: i64, keeps: Sight) -> bool {
    match (keeps, called.eyes) {
        (Sight::Open, _) | (_, Eyes::All) => true,
        (Sight::Me, Eyes::Of(Some(seat))) => i64::from(seat) == whose,
        _ => false,
    }
}

fn unlisted<T>(name: &str) -> Made<T> {
    seen(format!(
        "no look shows `{name}`, and it may keep what not everybody knows, so a script sees it only if it `sees all`"
    ))
}

/// A property of a player or of the game.
fn owned(run: &mut Run<'_>, called: &Called, target: LookTarget, whose: i64, name: &str) -> Made<Dynamic> {
    let rules = run.p.rules.clone();
    let all = if target == LookTarget::Player { &rules.player_props } else { &rules.game_props };
    let Some(prop) = all.iter().find(|prop| rules.props[prop.index()].name == name).copied() else {
        return unknown(run, name);
    };
    if !called.acts {
        return seen(format!("a script that gives a value sees what it is given, and not `{name}`"));
    }
    let listed = run.shown_of(target).is_none_or(|shown| shown.contains(&prop));
    if !listed && !may_read(called, whose, rules.props[prop.index()].keeps) {
        return unlisted(name);
    }
    value_of(run, called, whose, prop)
}

/// The value of a property of something.
fn value_of(run: &mut Run<'_>, called: &Called, whose: i64, prop: PropId) -> Made<Dynamic> {
    let rules = run.p.rules.clone();
    let info = &rules.props[prop.index()];
    match &info.class {
        PropClass::Table(items) => {
            let mut map = Map::new();
            for (index, item) in items.iter().enumerate() {
                let key = if let Ty::Table(key, _) = info.ty { rules.key_label(key, index) } else { index.to_string() };
                let value = value_of(run, called, whose, *item)?;
                map.insert(key.into(), value);
            }
            Ok(map.into())
        }
        PropClass::Stat { .. } => {
            run.stat(whose, prop)?;
            let words = std::mem::take(&mut run.x.result);
            let value = given(run, called, &words, &info.ty);
            run.x.result = words;
            Ok(value)
        }
        PropClass::LinkMany(_) => {
            let linked: Vec<i64> = match linked_by(run, prop) {
                Some(one) => run.linked_slots(whose, one).into_iter().map(|slot| run.reference(slot)).collect(),
                None => Vec::new(),
            };
            Ok(linked.into_iter().filter(|card| run.is_seen(*card, called.eyes)).map(thing).collect::<Array>().into())
        }
        PropClass::Builtin(BuiltinProp::Holder) => Ok(player(run.holder(whose))),
        PropClass::Builtin(BuiltinProp::Owner) => Ok(player(straight::owner(&run.p.layout, &run.st.mem, whose))),
        PropClass::Builtin(BuiltinProp::Entered) => {
            Ok(run.record(whose).map_or(NIL, |(record, _)| run.st.mem[record + ent::ENTERED]).into())
        }
        PropClass::Builtin(BuiltinProp::Name) => Ok(run.name_for(whose, called.eyes).into()),
        PropClass::Builtin(BuiltinProp::Seat) => Ok((whose + 1).into()),
        PropClass::Builtin(BuiltinProp::Playing) => Ok(((run.playing() >> whose) & 1 == 1).into()),
        PropClass::Field { .. } | PropClass::Counter { .. } | PropClass::Mark { .. } | PropClass::LinkOne(_) => {
            Ok(stored(run, called, whose, prop))
        }
    }
}

/// The near end of the link whose far end a property is.
fn linked_by(run: &Run<'_>, many: PropId) -> Option<PropId> {
    run.p.rules.links.iter().find(|link| link.many == many).map(|link| link.one)
}

/// A property that lies in the memory, or is printed.
fn stored(run: &Run<'_>, called: &Called, whose: i64, prop: PropId) -> Dynamic {
    let info = &run.p.rules.props[prop.index()];
    let words = usize::from(run.p.layout.words(&info.ty));
    match run.p.layout.props[prop.index()] {
        PropHome::Player(offset) => {
            let start = run.p.layout.players + whose.max(0) as usize * run.p.layout.player_words + usize::from(offset);
            given(run, called, &run.st.mem[start..start + words], &info.ty)
        }
        PropHome::Game(start) => given(run, called, &run.st.mem[usize::from(start)..][..words], &info.ty),
        PropHome::Entity(_) => {
            let Some(offset) = entity_offset(run.p, prop) else { return Dynamic::UNIT };
            match run.record(whose) {
                Some((record, true)) => given(run, called, &run.st.mem[record + offset..][..words], &info.ty),
                Some((_, false)) => {
                    let last = |word| straight::last_prop(&run.p.layout, &run.st.mem, whose, (offset + word) as u16);
                    let words: Vec<i64> = (0..words).map(last).collect();
                    given(run, called, &words, &info.ty)
                }
                None => Dynamic::UNIT,
            }
        }
        PropHome::None => printed(run, called, whose, prop),
    }
}

/// What a definition says.
fn printed(run: &Run<'_>, called: &Called, entity: i64, prop: PropId) -> Dynamic {
    let info = &run.p.rules.props[prop.index()];
    let PropClass::Field { default } = &info.class else { return Dynamic::UNIT };
    let entry = run.entry_of(entity).map(|entry| &run.p.rules.entries[entry]);
    let found = entry.and_then(|entry| entry.fields.iter().find(|(own, _)| *own == prop));
    match found.and_then(|(_, value)| value.as_ref()).or(default.as_ref()) {
        Some(FieldValue::Word(word)) => given(run, called, &[*word], &info.ty),
        Some(FieldValue::Mask(mask)) => given(run, called, &[*mask as i64], &info.ty),
        Some(FieldValue::List(items)) => {
            let words: Vec<i64> = std::iter::once(items.len() as i64).chain(items.iter().copied()).collect();
            given(run, called, &words, &info.ty)
        }
        Some(FieldValue::Text(text)) => text.as_str().into(),
        Some(FieldValue::Proc(_)) | None => Dynamic::UNIT,
    }
}
