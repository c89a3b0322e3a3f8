//! What scripts, armed clauses, counters and marks keep and not everybody knows. It is a secret like a card in somebody's
//! hand, but nothing says what else it could be, so that it cannot be drawn anew: in a state that is drawn anew for a seat,
//! what may have been made of such knowledge is forgotten.

use super::acts::{Kept, Then, What};
use super::api::Seat;
use super::hidden::locals_in;
use super::identity::live_sets;
use super::plain::Plain;
use super::run::Run;
use super::state::{Arm, Frame, FrameKind, PendingKind};
use super::words::Eyes;
use crate::model::rules::{Expr, ExprKind, Prop, PropId, Sight, StmtKind, Ty};
use crate::program::{NIL, PropHome, Repr, each_stmt, ent, repr};
use std::collections::BTreeSet;

impl Then {
    /// Goes on with nothing: with what, is not known.
    fn untold() -> Then {
        Then { function: String::new(), data: Plain::Nothing }
    }

    /// Whether it is known how it goes on.
    pub fn is_told(&self) -> bool {
        !self.function.is_empty()
    }
}

/// Whether a reader may know what was kept for a player.
fn knows(keeps: Sight, me: i64, eyes: Eyes) -> bool {
    match keeps {
        _ if eyes == Eyes::All => true,
        Sight::Open => true,
        Sight::Me => Seat::try_from(me).is_ok_and(|me| eyes == Eyes::Of(Some(me))),
        Sight::All => false,
    }
}

/// Whether values of a type are cards or pieces.
fn points(ty: &Ty) -> bool {
    matches!(ty.element().bare(), Ty::Entity(_))
}

/// Whether a mark goes on pointing at what lies there when cards change places.
fn follows(prop: &Prop) -> bool {
    points(&prop.ty) && (repr(&prop.ty) != Repr::Word || prop.keeps != Sight::Open)
}

/// Whether an expression gives cards by their names.
fn is_named(expr: &Expr) -> bool {
    let mut named = false;
    expr.walk(&mut |part| named |= matches!(part.kind, ExprKind::EntitiesOf(_)));
    named
}

/// What points at cards: words, and sets of cards.
#[derive(Default)]
pub(super) struct Pointing {
    pub words: Vec<usize>,
    pub sets: Vec<usize>,
}

impl Run<'_> {
    /// Whether a reader may know what a script keeps that was called for a player.
    pub fn may_know(&self, script: u32, me: i64, eyes: Eyes) -> bool {
        let acting = self.p.rules.scripts.get(script as usize).and_then(|script| script.acting.as_ref());
        acting.is_none_or(|acting| knows(acting.keeps, me, eyes))
    }

    /// Forgets what a seat may not know and nothing says what else it could be: what armed clauses have captured, what is in
    /// counters and marks, and what scripts keep.
    pub fn forget(&mut self, seat: Seat) {
        let eyes = Eyes::Of(Some(seat));
        let clauses = &self.p.rules.clauses;
        let known = |arm: &Arm| clauses.get(arm.clause as usize).is_none_or(|clause| knows(clause.keeps, arm.me, eyes));
        self.st.arms.retain(known);
        self.forget_values(seat);
        self.forget_data(seat);
    }

    /// Counters and marks that were worked out from what a seat does not see are as they were at the start. What points at
    /// cards stays where it goes with their places: see [`Run::references`].
    fn forget_values(&mut self, seat: Seat) {
        let layout = &self.p.layout;
        for (index, (prop, home)) in self.p.rules.props.iter().zip(&layout.props).enumerate() {
            let words = usize::from(layout.words(&prop.ty));
            if prop.keeps == Sight::Open || follows(prop) {
                continue;
            }
            match *home {
                PropHome::Player(offset) => {
                    let from = usize::from(offset);
                    let start = &self.p.player_defaults[from..from + words];
                    for player in 0..self.st.players {
                        if prop.keeps == Sight::Me && player == seat {
                            continue;
                        }
                        let at = layout.players + usize::from(player) * layout.player_words + from;
                        self.st.mem[at..at + words].copy_from_slice(start);
                    }
                }
                PropHome::Game(at) => {
                    let at = usize::from(at);
                    self.st.mem[at..at + words].fill(0);
                    let starts = self.p.game_defaults.iter().filter(|(to, _)| (at..at + words).contains(to));
                    starts.for_each(|(to, word)| self.st.mem[*to] = *word);
                }
                PropHome::Entity(offset) => {
                    self.forget_on_cards(PropId(index as u32), usize::from(offset), words, seat)
                }
                PropHome::None => {}
            }
        }
    }

    /// A counter or mark of cards is as it was at the start on those of which the seat does not read it.
    fn forget_on_cards(&mut self, prop: PropId, offset: usize, words: usize, seat: Seat) {
        let (p, at) = (self.p, offset - ent::PROPS);
        for slot in 0..p.layout.capacity {
            let record = p.layout.entity(slot);
            let kind = usize::try_from(self.st.mem[record + ent::KIND]).ok();
            let lies = self.st.mem[record + ent::PLACE] >= 0 || self.back_of(record).is_some();
            let Some(kind) = kind.filter(|_| lies) else { continue };
            let known = (self.st.mem[record + ent::KNOWN] >> seat) & 1 == 1;
            let has = self.has_prop(kind as i64, prop);
            if has && !(known && self.shown_of_kind(kind).is_none_or(|shown| shown.contains(&prop))) {
                let start = &p.kind_defaults[kind][at..at + words];
                self.st.mem[record + offset..record + offset + words].copy_from_slice(start);
            }
        }
    }

    /// What points at cards by the place where they lie, and goes with the place where cards change places: locals, but for those
    /// that are called by their names; marks for one card that not everybody may know, and sets and lists of cards.
    pub fn references(&self) -> Pointing {
        let layout = &self.p.layout;
        let mut pointing = Pointing::default();
        let props = (0..).map(PropId).zip(&self.p.rules.props);
        for (id, prop) in props.filter(|(_, prop)| points(&prop.ty)) {
            let (places, words) = (self.places_of(id), usize::from(layout.words(&prop.ty)));
            match repr(&prop.ty) {
                Repr::Entities => pointing.sets.extend(places),
                Repr::List => pointing.words.extend(places.into_iter().flat_map(|at| at + 1..at + words)),
                _ if follows(prop) => pointing.words.extend(places),
                _ => {}
            }
        }
        for frame in &self.st.frames {
            pointing.sets.extend(live_sets(self.p, frame).map(|(set, _)| set));
            pointing.words.extend(self.locals_that_point(frame));
        }
        pointing
    }

    /// Where the locals of a frame lie that point at cards, but for those that the text calls by their names: `let lamp = tool
    /// "Lantern"`.
    fn locals_that_point(&self, frame: &Frame) -> Vec<usize> {
        let runs = matches!(frame.kind, FrameKind::Proc | FrameKind::Eval);
        let Some(found) = self.p.rules.procs.get(frame.proc as usize).filter(|_| runs) else { return Vec::new() };
        let mut named = BTreeSet::new();
        each_stmt(found, &mut |stmt| match &stmt.kind {
            StmtKind::Local { local, value } if is_named(value) => _ = named.insert(local.index()),
            _ => {}
        });
        let base = frame.base as usize;
        let pointing = |(index, (ty, at, words)): (usize, (&Ty, usize, usize))| match repr(ty) {
            _ if !points(ty) || named.contains(&index) => base..base,
            Repr::Word => base + at..base + at + 1,
            Repr::List => base + at + 1..base + at + words,
            _ => base..base,
        };
        locals_in(&self.p.layout, found).enumerate().flat_map(pointing).collect()
    }

    /// Where a property lies of each player, of the game, or of each card that lies somewhere and has it.
    fn places_of(&self, prop: PropId) -> Vec<usize> {
        let layout = &self.p.layout;
        match layout.props[prop.index()] {
            PropHome::Player(offset) => (0..usize::from(self.st.players))
                .map(|player| layout.players + player * layout.player_words + usize::from(offset))
                .collect(),
            PropHome::Game(at) => vec![usize::from(at)],
            PropHome::Entity(offset) => (0..layout.capacity)
                .map(|slot| layout.entity(slot))
                .filter(|record| self.st.mem[record + ent::PLACE] >= 0 || self.back_of(*record).is_some())
                .filter(|record| self.has_prop(self.st.mem[record + ent::KIND], prop))
                .map(|record| record + usize::from(offset))
                .collect(),
            PropHome::None => Vec::new(),
        }
    }

    /// Whether cards of a kind have a property.
    pub fn has_prop(&self, kind: i64, prop: PropId) -> bool {
        let kind = usize::try_from(kind).ok().and_then(|kind| self.p.rules.kinds.get(kind));
        kind.is_some_and(|kind| kind.props.contains(&prop))
    }

    /// Forgets what scripts keep that a seat may not know: what they have armed, and what they have still to do. A question
    /// that is put stays; nothing follows from its answer.
    fn forget_data(&mut self, seat: Seat) {
        if self.st.scripts.is_empty() {
            return;
        }
        let eyes = Eyes::Of(Some(seat));
        let for_whom =
            |run: &Self, kept: &Kept| run.st.arms.iter().find(|arm| arm.stamp == kept.stamp).map_or(NIL, |arm| arm.me);
        let armed = self.st.scripts.armed.iter();
        let known: Vec<bool> = armed.map(|kept| self.may_know(kept.script, for_whom(self, kept), eyes)).collect();
        let stamps: Vec<u32> = self
            .st
            .scripts
            .armed
            .iter()
            .zip(&known)
            .filter(|(_, known)| !**known)
            .map(|(kept, _)| kept.stamp)
            .collect();
        self.st.arms.retain(|arm| !stamps.contains(&arm.stamp));
        self.st.scripts.armed.retain(|kept| !stamps.contains(&kept.stamp));
        self.forget_acts(eyes);
    }

    fn forget_acts(&mut self, eyes: Eyes) {
        let asks = matches!(self.st.pending.kind, PendingKind::Script | PendingKind::Fate);
        let top = self.st.frames.len().saturating_sub(1);
        let frames: Vec<_> = self.st.frames.iter().copied().enumerate().collect();
        for (depth, frame) in frames.into_iter().filter(|(_, frame)| frame.kind == FrameKind::Script) {
            if self.may_know(frame.proc, self.st.mem[frame.base as usize], eyes) {
                continue;
            }
            let Some(running) = self.st.scripts.running.get_mut(frame.cursor as usize) else { continue };
            let at_hand = running.acts.pop().filter(|_| asks && depth == top);
            running.acts.clear();
            running.acts.extend(at_hand.map(|mut act| {
                if let What::Ask(super::acts::Ask { then, .. }) | What::Chance { then, .. } = &mut act.what {
                    *then = Then::untold();
                }
                act
            }));
        }
    }
}
