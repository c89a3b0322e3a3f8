//! Breaks a value down: what it is the sum of, what each member brings, which branch holds, and what modifies it.
//!
//! What comes in: a name as people write it, and a seat. What goes out: the value with its parts, as far as that seat
//! sees them. What a stat comes to everybody sees; how it comes about, and anything else, only who sees all of it.

use super::clauses::Modifier;
use super::eval::{Answer, Env, Eyes, Slow, Val};
use super::places::Geometry;
use super::tables::spelt;
use crate::base::{Code, Span, listed, nearest, spoken};
use crate::engine::Machine;
use crate::engine::api::Seat;
use crate::engine::run::Run;
use crate::engine::state::State;
use crate::engine::tongue::Tongue;
use crate::engine::words;
use crate::model::rules::{
    BinaryOp, Builtin, ClauseHome, Expr, ExprKind, FoldOp, LookTarget, ProcBody, ProcId, PropClass, PropId, PropOwner,
    Rules, Sight, Ty, WordingPart,
};
use crate::program::{NIL, ent};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How deep a value is broken down, into how many parts, and how many expressions may be evaluated for it.
const DEEPEST: usize = 16;
pub(super) const MOST_PARTS: usize = 300;
const MOST_STEPS: u64 = 2_000_000;
/// So many members of a set that is counted are named.
const MOST_NAMES: usize = 8;

/// So many members that come to 0 are told of a sum of nothing else.
const MOST_ZEROS: usize = 4;

/// A value and what it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakdown {
    /// What it is; none where the text at its place says it.
    pub what: Option<String>,
    /// The value in words.
    pub value: String,
    /// The value, if it is a number.
    pub number: Option<i64>,
    /// Whether it is taken away from the sum of which it is a part.
    pub minus: bool,
    /// Where it comes from.
    pub span: Span,
    /// The condition because of which it is this value, and whether that holds.
    pub since: Option<(Span, bool)>,
    /// More about it.
    pub note: Option<String>,
    /// The counter or mark that it is, if it is one: of whom, and which.
    pub stored: Option<(i64, PropId)>,
    /// How its parts make it.
    pub join: Join,
    /// What it is made of.
    pub parts: Vec<Breakdown>,
}

/// How parts make a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// It is their sum. What is 0 is left out.
    Sum,
    /// It is that of its only part.
    Same,
    /// It is worked out from them.
    Uses,
}

impl Breakdown {
    /// Whether all sums in it come to what they should.
    pub fn adds_up(&self) -> bool {
        let added =
            self.parts.iter().filter_map(|part| part.number.map(|number| if part.minus { -number } else { number }));
        let right = match (self.join, self.number) {
            (Join::Sum, Some(number)) if !self.parts.is_empty() => added.sum::<i64>() == number,
            (Join::Same, number) => self.parts.iter().all(|part| part.number == number),
            _ => true,
        };
        right && self.parts.iter().all(Breakdown::adds_up)
    }
}

impl Machine {
    /// Breaks down what a name means for a seat, or for somebody who sees what all seats see: a definition, a property
    /// of the game or, with `of SUBJECT`, of a player or card: `total`, `strength of red`, `red.strength`.
    ///
    /// # Errors
    /// Words that say what is not there, or not for these eyes.
    pub fn break_down(&mut self, state: &State, seat: Option<Seat>, text: &str) -> Result<Breakdown, String> {
        self.telling(state, seat, |teller| {
            let ask = teller.question(text)?;
            teller.answer(&ask)
        })
    }

    /// Breaks down what a condition or another expression without parameters comes to, with nothing hidden: for tests.
    ///
    /// # Errors
    /// Words that say why it cannot be worked out.
    pub fn break_down_proc(&mut self, state: &State, proc: ProcId) -> Result<Breakdown, String> {
        self.telling(state, None, |teller| {
            teller.slow.eyes = None;
            teller.answer(&Ask::Proc(proc, Vec::new(), None))
        })
    }

    /// The numbers of a player or of a card that is seen, called by name, without those that are 0 if others are not. None if nobody is called so.
    pub fn numbers_of(&mut self, state: &State, seat: Option<Seat>, words: &str) -> Option<Vec<Breakdown>> {
        self.telling(state, seat, |teller| {
            let (player, subject) = teller.subject(words)?;
            let rules = teller.rules();
            let props = if player {
                &rules.player_props
            } else {
                let kind = teller.slow.st.mem[teller.slow.record(subject).0 + ent::KIND];
                &rules.kinds.get(usize::try_from(kind).ok()?)?.props
            };
            let shown = if player {
                let told = props.iter().copied().filter(|prop| teller.run().log_tells(LookTarget::Player, *prop));
                Some(told.collect())
            } else {
                let kind = teller.slow.st.mem[teller.slow.record(subject).0 + ent::KIND];
                teller.run().shown_of_kind(usize::try_from(kind).ok()?).map(<[PropId]>::to_vec)
            };
            let number = |prop: &&PropId| {
                let (id, prop) = (*prop, &rules.props[prop.index()]);
                let told = !matches!(prop.class, PropClass::Builtin(_) | PropClass::Field { default: Some(_) });
                is_number(&prop.ty) && told && shown.as_ref().is_none_or(|shown| shown.contains(id))
            };
            let mut names: Vec<&str> =
                props.iter().filter(number).map(|prop| rules.props[prop.index()].name.as_str()).collect();
            names.extend(rules.score.filter(|_| player).map(|score| rules.procs[score.index()].name.as_str()));
            names.dedup();
            let asks = names.into_iter().filter_map(|name| teller.named(name, Some((player, subject))));
            let asks: Vec<Ask> = asks.collect();
            let told = asks.iter().filter_map(|ask| teller.answer(ask).ok());
            let told: Vec<Breakdown> = told.filter(|told| told.number.is_some()).collect();
            let some = told.iter().any(|told| told.number != Some(0));
            Some(told.into_iter().filter(|told| !some || told.number != Some(0)).collect())
        })
    }

    /// Breaks down the numbers that the lines of the look of the game tell now.
    pub fn break_down_lines(&mut self, state: &State, seat: Option<Seat>) -> Vec<Breakdown> {
        let rules = Arc::clone(&self.program.rules);
        let looks = rules.looks.iter().filter(|look| look.target == LookTarget::Game);
        self.telling(state, seat, |teller| {
            let mut found: Vec<Breakdown> = Vec::new();
            for case in looks.flat_map(|look| &look.line) {
                let counts = case.when.is_none_or(|when| teller.holds(when));
                for part in case.value.iter().filter(|_| counts) {
                    let WordingPart::Value(proc) = part else { continue };
                    let told = teller.answer(&Ask::Proc(*proc, Vec::new(), None)).ok();
                    found.extend(told.filter(|told| told.number.is_some() && !found.contains(told)));
                }
            }
            found
        })
    }

    pub(super) fn telling<T>(
        &mut self,
        state: &State,
        seat: Option<Seat>,
        tell: impl FnOnce(&mut Teller<'_>) -> T,
    ) -> T {
        let program = Arc::clone(&self.program);
        let boards: Vec<Geometry<'_>> =
            program.rules.boards.iter().map(|board| Geometry::new(board, program.layout.seats)).collect();
        let slow = Slow {
            p: &program,
            st: state,
            scratch: &mut self.scratch,
            boards: &boards,
            forms: &mut BTreeSet::new(),
            eyes: Some(Eyes { seat, secret: false }),
            steps: MOST_STEPS,
            calls: 0,
        };
        tell(&mut Teller { slow, copy: state.clone(), seat, left: MOST_PARTS })
    }
}

/// What somebody wants to know.
enum Ask {
    /// A pure procedure with arguments, and what it is called.
    Proc(ProcId, Vec<Val>, Option<String>),
    /// What a line of each player tells under a name, and what it is called.
    Shown(i64, ProcId, String),
    /// A property of a player or card.
    Prop(i64, PropId),
    GameProp(PropId),
}

/// What a value is about, which need not be said again: a player or an entity.
pub(super) type About = Option<(bool, i64)>;

pub(super) struct Teller<'a> {
    pub slow: Slow<'a>,
    /// Names are asked of it.
    pub(super) copy: State,
    pub(super) seat: Option<Seat>,
    /// How many parts may still be told.
    pub(super) left: usize,
}

impl Teller<'_> {
    pub(super) fn rules(&self) -> Arc<Rules> {
        Arc::clone(&self.slow.p.rules)
    }

    pub(super) fn run(&mut self) -> Run<'_> {
        Run { p: self.slow.p, st: &mut self.copy, x: self.slow.scratch, tongue: Tongue::default() }
    }

    pub(super) fn secret(&self) -> bool {
        self.slow.eyes.is_some_and(|eyes| eyes.secret)
    }

    pub(super) fn set_secret(&mut self, secret: bool) {
        if let Some(eyes) = &mut self.slow.eyes {
            eyes.secret = secret;
        }
    }

    /// A value in words; a card that is not seen is a card.
    fn words(&mut self, value: &Val, ty: &Ty) -> String {
        let entities = matches!(ty.element().bare(), Ty::Entity(_));
        if entities && !value.items().iter().all(|item| self.slow.sees(*item)) {
            return "a card".to_owned();
        }
        let words = self.slow.encode(value, ty);
        self.run().value_words(&words, ty, words::Eyes::All)
    }

    fn name_of(&mut self, (player, subject): (bool, i64)) -> String {
        if player {
            return self.run().seat_name(subject);
        }
        let sees = self.slow.sees(subject);
        if sees { self.run().entity_name(subject) } else { "a card".to_owned() }
    }

    fn holds(&mut self, proc: ProcId) -> bool {
        let env = Env { locals: Vec::new(), me: None, this: None, event: None };
        let holds = self.slow.call(proc, Vec::new(), env).is_ok_and(|value| value.single() == Some(1));
        self.set_secret(false);
        holds
    }
}

// What a name means ----------------------------------------------------------------------------------------------

impl Teller<'_> {
    fn question(&mut self, text: &str) -> Result<Ask, String> {
        let text = text.trim().trim_end_matches('?');
        let mut splits: Vec<(&str, Option<&str>)> = vec![(text, None)];
        splits.extend(text.match_indices(" of ").map(|(at, word)| (&text[..at], Some(&text[at + word.len()..]))));
        splits.extend(text.rsplit_once('.').map(|(subject, name)| (name, Some(subject))));
        splits.extend(text.rsplit_once("'s ").map(|(subject, name)| (name, Some(subject))));
        splits.extend(text.strip_suffix(')').and_then(|text| text.split_once('(')).map(|(name, of)| (name, Some(of))));
        let mut reason = None;
        for (name, subject) in splits {
            let name = name.trim().replace(' ', "_").to_lowercase();
            let subject = match subject {
                None => None,
                Some(words) => match self.subject(words.trim()) {
                    Some(subject) => Some(subject),
                    None => {
                        let who = self.who();
                        reason.get_or_insert(format!(
                            "there is no player, and no card in sight, called `{}`; the players are {who}",
                            words.trim()
                        ));
                        continue;
                    }
                },
            };
            if let Some(ask) = self.named(&name, subject) {
                return Ok(ask);
            }
            if subject.is_some() {
                reason = Some(format!("`{text}` is nothing that has a value"));
            }
        }
        Err(reason.unwrap_or_else(|| self.unknown(text)))
    }

    fn unknown(&self, text: &str) -> String {
        let rules = self.rules();
        let name = |prop: &PropId| rules.props[prop.index()].name.as_str();
        let defines = rules.defines.iter().map(|proc| rules.procs[proc.index()].name.as_str());
        let props = rules.player_props.iter().chain(&rules.game_props).map(name);
        let kinds = rules.kinds.iter().flat_map(|kind| &kind.props).map(name);
        match nearest(text, defines.chain(props).chain(kinds)) {
            Some(best) => format!("nothing is called `{text}`; did you mean `{best}`?"),
            None => format!("nothing is called `{text}`"),
        }
    }

    /// The players' names, for whoever has asked for another.
    fn who(&mut self) -> String {
        let names: Vec<String> = (0..i64::from(self.slow.st.players)).map(|seat| self.run().seat_name(seat)).collect();
        listed(names.iter().map(String::as_str))
    }

    /// A player by the seat's name, or a card that is seen by its own: of several the one in play.
    fn subject(&mut self, words: &str) -> Option<(bool, i64)> {
        let seats = i64::from(self.slow.st.players);
        if matches!(words, "me" | "you") {
            return self.seat.map(|seat| (true, i64::from(seat)));
        }
        for seat in 0..seats {
            if self.run().seat_name(seat).eq_ignore_ascii_case(words) {
                return Some((true, seat));
            }
        }
        let mut seen = self.slow.existing(None);
        seen.retain(|found| self.slow.sees(*found));
        seen.sort_by_key(|found| !self.slow.in_play(*found));
        let lower = words.to_lowercase();
        let mut names: Vec<(i64, String)> = Vec::new();
        for found in seen {
            names.push((found, self.run().entity_name(found).to_lowercase()));
        }
        let exact = names.iter().find(|(_, name)| *name == lower);
        exact.or_else(|| names.iter().find(|(_, name)| name.starts_with(&lower))).map(|(found, _)| (false, *found))
    }

    /// What a name means of a subject; without one, of the game, or of whoever looks or is on turn.
    fn named(&mut self, name: &str, subject: Option<(bool, i64)>) -> Option<Ask> {
        let rules = self.rules();
        let define = rules.defines.iter().copied().find(|proc| rules.procs[proc.index()].name == name);
        let parameters = |proc: ProcId| {
            let proc = &rules.procs[proc.index()];
            &proc.locals[..usize::from(proc.params)]
        };
        let spelt = spelt(name);
        let prop =
            |props: &[PropId]| props.iter().copied().find(|prop| self::spelt(&rules.props[prop.index()].name) == spelt);
        let Some((player, subject)) = subject else {
            if let Some(proc) = define.filter(|proc| parameters(*proc).is_empty()) {
                return Some(Ask::Proc(proc, Vec::new(), Some(spoken(name))));
            }
            if let Some(prop) = prop(&rules.game_props) {
                return Some(Ask::GameProp(prop));
            }
            let mover = self.run().mover();
            let own = self.seat.map_or(mover, i64::from);
            return self.named(name, Some((true, own)));
        };
        if let Some(proc) = define {
            let fits = match parameters(proc) {
                [param] => match param.ty.bare() {
                    Ty::Player => player,
                    Ty::Entity(kind) => !player && self.slow.is_kind(subject, *kind),
                    _ => false,
                },
                _ => false,
            };
            let label = rules.label(name);
            let label = format!("{} of {}", label.trim_end_matches(" of"), self.name_of((player, subject)));
            return fits.then_some(Ask::Proc(proc, vec![Val::Word(Some(subject))], Some(label)));
        }
        if let Some(proc) = player.then(|| shown(&rules, name)).flatten() {
            let label = format!("{} of {}", spoken(name), self.name_of((player, subject)));
            return Some(Ask::Shown(subject, proc, label));
        }
        let found = if player {
            prop(&rules.player_props)
        } else {
            let kind = self.slow.st.mem[self.slow.record(subject).0 + ent::KIND];
            prop(&rules.kinds.get(usize::try_from(kind).ok()?)?.props)
        };
        let told = found.filter(|prop| !matches!(rules.props[prop.index()].ty, Ty::Effect(_) | Ty::Lambda(..)));
        told.map(|prop| Ask::Prop(subject, prop))
    }

    fn answer(&mut self, ask: &Ask) -> Result<Breakdown, String> {
        self.set_secret(false);
        let me = self.slow.eyes.is_none().then(|| self.run().mover());
        let env = Env { locals: Vec::new(), me, this: None, event: None };
        let told = match ask {
            Ask::Proc(proc, args, label) => self.called(*proc, args.clone(), label.clone(), env, 0),
            Ask::Shown(player, proc, label) => {
                let env = Env { me: Some(*player), this: Some(*player), ..env };
                self.called(*proc, Vec::new(), Some(label.clone()), env, 0)
            }
            Ask::Prop(subject, prop) => self.prop(*subject, *prop, None, 0),
            Ask::GameProp(prop) => self.game_prop(*prop),
        };
        let secret = self.secret();
        self.set_secret(false);
        match told {
            Ok(_) if secret => Err("this depends on what you do not see".to_owned()),
            Ok(told) => Ok(told),
            Err(Code::BudgetSpent) => Err("this takes too long to be worked out".to_owned()),
            Err(code) => Err(format!("this cannot be worked out now ({})", code.text())),
        }
    }
}

/// What the lines of players tell directly behind a name, where that is more than the property of this name.
fn shown(rules: &Rules, name: &str) -> Option<ProcId> {
    let words = spoken(name).to_lowercase();
    let looks = rules.looks.iter().filter(|look| look.target == LookTarget::Player);
    let parts: Vec<&[WordingPart]> = looks.flat_map(|look| &look.line).map(|case| case.value.as_slice()).collect();
    parts.iter().flat_map(|parts| parts.windows(2)).find_map(|pair| match pair {
        [WordingPart::Text(text), WordingPart::Value(proc)] => {
            let before = text.trim_end().trim_end_matches([':', '=']).to_lowercase();
            let whole = before.strip_suffix(&words).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
            let ProcBody::Expr(body) = &rules.procs[proc.index()].body else { return None };
            let plain = matches!(body.kind, ExprKind::Prop(_, prop) if rules.props[prop.index()].name == name);
            (whole && !plain).then_some(*proc)
        }
        _ => None,
    })
}

// How a value comes about ----------------------------------------------------------------------------------------

/// Whether it is written as a plain number, flag or the like.
fn is_plain(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Word(_) | ExprKind::Text(_) | ExprKind::Nothing | ExprKind::Empty)
}

fn is_number(ty: &Ty) -> bool {
    *ty.bare() == Ty::Number
}

/// Whom or what is spoken of where a member of a set is: a player or an entity.
fn about_member(over: &Expr, item: i64) -> About {
    match over.ty.element().bare() {
        Ty::Player => Some((true, item)),
        Ty::Entity(_) => Some((false, item)),
        _ => None,
    }
}

/// Whether it is a number or a flag, so that how it comes about can be told.
fn is_told(ty: &Ty) -> bool {
    matches!(ty.bare(), Ty::Number | Ty::Flag)
}

impl Teller<'_> {
    pub(super) fn leaf(&mut self, what: Option<String>, value: &Val, ty: &Ty, span: Span) -> Breakdown {
        self.left = self.left.saturating_sub(1);
        let number = value.single().filter(|_| is_number(ty));
        let value = self.words(value, ty);
        let (since, note) = (None, None);
        let (join, parts, stored) = (Join::Uses, Vec::new(), None);
        Breakdown { what, value, number, minus: false, span, since, note, stored, join, parts }
    }

    /// Puts what a nameless node is made of, or the node itself, into another.
    fn put(into: &mut Breakdown, inner: Breakdown, plain: bool) {
        into.since = into.since.or(inner.since);
        into.note = into.note.take().or(inner.note.clone().filter(|_| inner.what.is_none()));
        if plain {
            return;
        }
        if inner.what.is_none() {
            (into.join, into.parts) = (inner.join, inner.parts);
        } else {
            into.since = into.since.filter(|_| inner.since.is_none());
            (into.join, into.parts) = (Join::Same, vec![inner]);
        }
    }

    /// Where a sum has one nameless part, its parts are those of the sum.
    fn flatten(node: &mut Breakdown) {
        while let (Join::Sum, [only]) = (node.join, node.parts.as_mut_slice())
            && only.what.is_none()
            && !only.minus
            && only.join == Join::Sum
            && !only.parts.is_empty()
        {
            node.since = node.since.or(only.since);
            node.parts = std::mem::take(&mut only.parts);
        }
    }

    fn called(
        &mut self,
        proc: ProcId,
        args: Vec<Val>,
        what: Option<String>,
        env: Env,
        depth: usize,
    ) -> Answer<Breakdown> {
        let rules = self.rules();
        let proc = &rules.procs[proc.index()];
        let ProcBody::Expr(body) = &proc.body else { return Err(Code::WrongType) };
        let about = match (args.as_slice(), proc.locals.first().map(|local| local.ty.bare())) {
            ([Val::Word(Some(item))], Some(Ty::Player)) => Some((true, *item)),
            ([Val::Word(Some(item))], Some(Ty::Entity(_))) => Some((false, *item)),
            _ => None,
        };
        let mut locals = args;
        locals.resize(proc.locals.len().max(locals.len()), Val::Word(None));
        let mut env = Env { locals, ..env };
        let inner = self.node(body, &mut env, about, depth + 1)?;
        if what.is_none() {
            return Ok(inner);
        }
        let mut node = Breakdown {
            what,
            span: proc.span,
            minus: false,
            since: None,
            note: None,
            parts: Vec::new(),
            ..inner.clone()
        };
        Self::put(&mut node, inner, is_plain(body));
        Ok(node)
    }

    /// The value of an expression with its parts.
    pub(super) fn node(&mut self, expr: &Expr, env: &mut Env, about: About, depth: usize) -> Answer<Breakdown> {
        let rules = self.rules();
        let whole = self.slow.eval(expr, env)?;
        let mut node = self.leaf(None, &whole, &expr.ty, expr.span);
        let named = |name: &str| Some(spoken(name));
        match &expr.kind {
            ExprKind::GameProp(prop) => {
                node.what = named(&rules.props[prop.index()].name);
                node.stored = Some((NIL, *prop));
            }
            ExprKind::Option(option) => node.what = named(&rules.options[option.index()].name),
            _ => {}
        }
        if depth > DEEPEST || self.left == 0 || !is_told(&expr.ty) {
            return Ok(node);
        }
        match &expr.kind {
            ExprKind::Call(proc, args) => {
                let values = args.iter().map(|arg| self.slow.eval(arg, env)).collect::<Answer<Vec<Val>>>()?;
                let name = spoken(&rules.procs[proc.index()].name);
                let mut words = Vec::new();
                for (arg, value) in args.iter().zip(&values) {
                    words.push(self.words(value, &arg.ty));
                }
                let told = match (values.as_slice(), about) {
                    ([Val::Word(Some(item))], Some((_, own))) if *item == own => name,
                    ([], _) => name,
                    _ => format!("{} of {}", name.trim_end_matches(" of"), words.join(", ")),
                };
                return self.called(*proc, values, Some(told), env.clone(), depth);
            }
            ExprKind::Prop(of, prop) => {
                if let Val::Word(Some(subject)) = self.slow.eval(of, env)? {
                    return self.prop(subject, *prop, about, depth);
                }
            }
            ExprKind::If(cond, then, or_else) => {
                let rules = self.rules();
                let holds = self.slow.truth(cond, env)?;
                let mut inner = self.node(if holds { then } else { or_else }, env, about, depth + 1)?;
                // Which kinds give a stat anew is no news where none of them does.
                let anew = matches!(&cond.kind, ExprKind::Is(_, kind) if rules.kinds[kind.index()].span == cond.span);
                let told = holds || !anew;
                inner.since = inner.since.or(told.then_some((cond.span, holds)));
                return Ok(inner);
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) | ExprKind::Negate(_) if is_number(&expr.ty) => {
                node.join = Join::Sum;
                self.terms(expr, false, env, about, depth, &mut node.parts)?;
                Self::flatten(&mut node);
            }
            ExprKind::Fold { op, over, binder, body } => {
                node.join = if *op == FoldOp::Sum { Join::Sum } else { Join::Uses };
                let mut nothing = Vec::new();
                for item in self.slow.members(over, env)? {
                    env.locals[binder.index()] = Val::Word(Some(item));
                    let about = about_member(over, item);
                    let inner = self.node(body, env, about, depth + 1)?;
                    if inner.number.is_none() {
                        continue;
                    }
                    let zero = node.join == Join::Sum && inner.number == Some(0);
                    let item = self.words(&Val::Word(Some(item)), over.ty.element());
                    let direct = matches!(&body.kind, ExprKind::Prop(of, _) if of.is_local(*binder));
                    let mut part =
                        Breakdown { what: Some(item), since: None, note: None, parts: Vec::new(), ..inner.clone() };
                    part.what = part.what.filter(|_| about.is_some()).or(inner.what.clone());
                    let nameless = Breakdown { what: inner.what.filter(|_| !direct), ..inner };
                    Self::put(&mut part, nameless, is_plain(body));
                    if zero { &mut nothing } else { &mut node.parts }.push(part);
                }
                // Where all come to nothing, why they do is the answer.
                if node.parts.is_empty() && nothing.len() <= MOST_ZEROS {
                    node.parts = nothing;
                }
            }
            // The member that decides: one of which it does not hold, or the one of which it does.
            ExprKind::All { over, binder, cond } | ExprKind::Any { over, binder, cond } => {
                let decides = matches!(expr.kind, ExprKind::Any { .. });
                for item in self.slow.members(over, env)? {
                    env.locals[binder.index()] = Val::Word(Some(item));
                    if self.slow.truth(cond, env)? != decides {
                        continue;
                    }
                    let about = about_member(over, item);
                    let inner = self.node(cond, env, about, depth + 1)?;
                    let what = Some(self.words(&Val::Word(Some(item)), over.ty.element()));
                    let mut part = Breakdown { what, since: None, note: None, parts: Vec::new(), ..inner.clone() };
                    Self::put(&mut part, inner, is_plain(cond));
                    node.parts.push(part);
                    break;
                }
            }
            ExprKind::Count(of) => node.note = self.counted(of, env),
            ExprKind::Builtin(Builtin::Smaller | Builtin::Larger, args) => {
                for arg in args.iter().filter(|arg| !is_plain(arg)) {
                    let inner = self.node(arg, env, about, depth + 1)?;
                    if inner.number == node.number {
                        return Ok(inner);
                    }
                    node.parts.push(inner);
                }
            }
            ExprKind::Compare(_, a, b) | ExprKind::In(a, b) => {
                for side in [a, b].into_iter().filter(|side| !is_plain(side)) {
                    node.parts.push(self.node(side, env, about, depth + 1)?);
                }
            }
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                for side in [a, b].into_iter().filter(|side| !is_plain(side) && is_told(&side.ty)) {
                    // What would not have been asked for may have no value.
                    node.parts.extend(self.node(side, env, about, depth + 1).ok());
                }
            }
            // `no S`: its inside would be quoted with the same words.
            ExprKind::Not(inner) if inner.span == expr.span => {
                if let ExprKind::Some(of) = &inner.kind {
                    node.parts.extend(self.node(of, env, about, depth + 1).ok());
                }
            }
            ExprKind::Not(inner) => node.parts.extend(self.node(inner, env, about, depth + 1).ok()),
            _ => {}
        }
        Ok(node)
    }

    /// The terms of a sum; what is 0 is left out.
    fn terms(
        &mut self,
        expr: &Expr,
        minus: bool,
        env: &mut Env,
        about: About,
        depth: usize,
        out: &mut Vec<Breakdown>,
    ) -> Answer<()> {
        match &expr.kind {
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                self.terms(a, minus, env, about, depth, out)?;
                self.terms(b, minus != (*op == BinaryOp::Sub), env, about, depth, out)
            }
            ExprKind::Negate(a) => self.terms(a, !minus, env, about, depth, out),
            _ => {
                let mut part = self.node(expr, env, about, depth + 1)?;
                if is_plain(expr) {
                    part.what = Some("always".to_owned());
                }
                if part.number != Some(0) {
                    out.push(Breakdown { minus, ..part });
                }
                Ok(())
            }
        }
    }

    /// The names of what was counted, if they are seen and few.
    fn counted(&mut self, of: &Expr, env: &mut Env) -> Option<String> {
        let eyes = self.slow.eyes;
        let value = self.slow.eval(of, env).ok();
        let seen = !self.secret() || eyes.is_some_and(|eyes| eyes.secret);
        self.slow.eyes = eyes;
        let value = value.filter(|value| seen && (1..=MOST_NAMES).contains(&value.items().len()))?;
        Some(self.words(&value, &of.ty))
    }

    /// A property of a player or an entity.
    pub(super) fn prop(&mut self, subject: i64, prop: PropId, about: About, depth: usize) -> Answer<Breakdown> {
        let rules = self.rules();
        let info = &rules.props[prop.index()];
        let whose = (info.owner == PropOwner::Player, subject);
        let name = rules.label(&info.name);
        let what = if about == Some(whose) { name } else { format!("{name} of {}", self.name_of(whose)) };
        if let PropClass::Table(items) = &info.class {
            return self.table(what, prop, items, |teller, item| teller.prop(subject, item, Some(whose), depth + 1));
        }
        let value = self.slow.prop(Some(subject), prop)?;
        let mut node = self.leaf(Some(what), &value, &info.ty, info.span);
        if matches!(info.class, PropClass::Counter { .. } | PropClass::Mark { .. }) {
            node.stored = Some((subject, prop));
        }
        let PropClass::Stat { formula } = info.class else { return Ok(node) };
        if depth > DEEPEST || self.left == 0 {
            return Ok(node);
        }
        // What it comes to is open; how, only to who sees all of it.
        let before = self.secret();
        self.set_secret(false);
        let me = if whose.0 { Some(subject) } else { self.slow.holder(subject) };
        let parts = self.stat_parts(subject, prop, formula, me, depth)?;
        if self.secret() {
            node.note = Some("in part from what you do not see".to_owned());
        } else {
            node.join = if node.number.is_some() { Join::Sum } else { Join::Uses };
            node.parts = parts;
            Self::flatten(&mut node);
            self.keep_in_range(&mut node, info.range);
        }
        self.set_secret(before);
        Ok(node)
    }

    /// The formula of a stat, and what modifies it.
    fn stat_parts(
        &mut self,
        subject: i64,
        prop: PropId,
        formula: ProcId,
        me: Option<i64>,
        depth: usize,
    ) -> Answer<Vec<Breakdown>> {
        let rules = self.rules();
        let proc = &rules.procs[formula.index()];
        let ProcBody::Expr(body) = &proc.body else { return Ok(Vec::new()) };
        let about = Some((rules.props[prop.index()].owner == PropOwner::Player, subject));
        let mut env = self.slow.window(proc, &[]);
        (env.me, env.this) = (me, Some(subject));
        let mut parts = Vec::new();
        self.terms(body, false, &mut env, about, depth, &mut parts)?;
        for Modifier { live, to, by: (by, value) } in self.slow.modifiers(subject, prop, me)? {
            let clause = &rules.clauses[live.clause.index()];
            let what = match (live.source, clause.home) {
                (Some(source), _) => self.name_of((false, source)),
                (None, ClauseHome::Rule(group)) => spoken(&rules.groups[group.index()].name),
                _ => "an effect".to_owned(),
            };
            let proc = &rules.procs[by.index()];
            let ProcBody::Expr(body) = &proc.body else { continue };
            let mut part = self.leaf(Some(what), &value, &body.ty, clause.span);
            let mut env = self.slow.window(proc, &live.words);
            (env.me, env.this) = (live.me, live.source);
            let inner = self.node(body, &mut env, live.source.map(|source| (false, source)), depth + 1)?;
            // A field of the card itself says no more than the card's name.
            let own = inner.parts.is_empty() && matches!(body.kind, ExprKind::Prop(..));
            Self::put(&mut part, inner, own || is_plain(body));
            if to {
                parts.clear();
                part.note = Some("in the place of all before".to_owned());
            }
            if part.number != Some(0) {
                parts.push(part);
            }
        }
        Ok(parts)
    }

    /// A part for what the range of a stat takes or gives.
    fn keep_in_range(&mut self, node: &mut Breakdown, range: Option<(i64, i64)>) {
        let (Some((low, high)), Some(number), Join::Sum) = (range, node.number, node.join) else { return };
        let added =
            node.parts.iter().filter_map(|part| part.number.map(|number| if part.minus { -number } else { number }));
        let rest = number - added.sum::<i64>();
        if rest != 0 {
            let what = format!("kept within {low} and {high}");
            node.parts.push(self.leaf(Some(what), &Val::Word(Some(rest)), &Ty::Number, node.span));
        }
    }
}

impl Slow<'_> {
    /// Notes whether a property is read of a card that the eyes do not see, or one that no look shows and that may keep what they do not
    /// know.
    pub(super) fn looks_at(&mut self, of: Option<i64>, prop: PropId) {
        let info = &self.p.rules.props[prop.index()];
        if let (PropOwner::Kind(_), Some(of)) = (info.owner, of) {
            self.read(&[of]);
        }
        let Some(eyes) = self.eyes.as_mut() else { return };
        let shown_of =
            |target| self.p.rules.looks.iter().find(|look| look.target == target).and_then(|look| look.shown());
        let shown = match info.owner {
            PropOwner::Kind(kind) => self.p.rules.shown_of_kind(kind),
            PropOwner::Player => shown_of(LookTarget::Player),
            PropOwner::Game => shown_of(LookTarget::Game),
        };
        let own = info.owner == PropOwner::Player && of == eyes.seat.map(i64::from);
        let known = info.keeps == Sight::Open || info.keeps == Sight::Me && own;
        eyes.secret |= !known && shown.is_some_and(|shown| !shown.contains(&prop));
    }
}
