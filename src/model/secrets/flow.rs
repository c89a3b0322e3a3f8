//! What is known of a value: which cards it is, and from which cards it was worked out.

use super::ahead::Changes;
use crate::base::Span;
use crate::model::rules::{ClauseId, LocalId, PropId, ScriptId, ZoneId};
use std::collections::{BTreeMap, BTreeSet};

/// A player, as far as the text says which one: the same one is the same player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Who {
    Me,
    This,
    Seat(i64),
    Local(LocalId),
    /// The argument of a procedure.
    Param(usize),
    /// Whom a mark of the game names, within a definition.
    Mark(PropId),
    /// Every player, and all but `me`: whose zones were revealed.
    All,
    Others,
    /// Somebody who is not `me`.
    Other,
    Unknown,
}

impl Who {
    /// Whether a call settles which player it is.
    fn settles(self) -> bool {
        matches!(self, Who::Me | Who::Param(_))
    }

    /// Whether a text that names two players so may speak of one and the same.
    pub fn meets(self, other: Who) -> bool {
        match (self, other) {
            (Who::Seat(one), Who::Seat(other)) => one == other,
            (Who::Me, Who::Others | Who::Other) | (Who::Others | Who::Other, Who::Me) => false,
            _ => true,
        }
    }

    /// Whether what is said of these players holds of another one.
    pub fn includes(self, other: Who) -> bool {
        match self {
            Who::All => true,
            Who::Others => matches!(other, Who::Others | Who::Other),
            // Nobody says that it is the same one.
            Who::Other | Who::Unknown => false,
            Who::Me | Who::This | Who::Seat(_) | Who::Local(_) | Who::Param(_) | Who::Mark(_) => self == other,
        }
    }

    /// Whether two players may turn out to be one where the procedure is called.
    pub fn may_be(self, other: Who) -> bool {
        let named = |who: Who| matches!(who, Who::Me | Who::Param(_) | Who::Seat(_));
        named(self) && named(other) && (self.settles() || other.settles())
    }
}

/// Where something comes from that not everybody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    Zone(ZoneId, Who),
    /// Of the cards there those that a local is.
    Picked(ZoneId, Who, LocalId),
    /// The cards that an argument of a procedure is, or what it was derived from.
    Cards(usize),
    Facts(usize),
}

impl Source {
    /// The same without saying which cards of a zone.
    pub fn whole(self) -> Source {
        match self {
            Source::Picked(zone, who, _) => Source::Zone(zone, who),
            Source::Zone(..) | Source::Cards(_) | Source::Facts(_) => self,
        }
    }

    /// The same of a player whom the caller of a procedure names otherwise.
    pub fn of_player(self, named: impl FnOnce(Who) -> Who) -> Source {
        match self {
            Source::Zone(zone, who) => Source::Zone(zone, named(who)),
            Source::Picked(zone, who, local) => Source::Picked(zone, named(who), local),
            source => source,
        }
    }

    /// The same where somebody else is a player than was.
    pub fn of_another(self, who: Who) -> Source {
        self.of_player(|whose| if whose == who { Who::Unknown } else { whose })
    }

    /// The zone, and whose it is.
    pub fn zone(self) -> Option<(ZoneId, Who)> {
        match self {
            Source::Zone(zone, who) | Source::Picked(zone, who, _) => Some((zone, who)),
            Source::Cards(_) | Source::Facts(_) => None,
        }
    }
}

/// The argument that stands for `this`, the card whose text runs.
pub(super) const THIS: usize = usize::MAX;

/// Where the text reads something hidden, where it was put aside before, if it was, and which script has seen it, if one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin {
    pub span: Span,
    pub kept: Option<Span>,
    pub script: Option<ScriptId>,
}

impl From<Span> for Origin {
    fn from(span: Span) -> Origin {
        Origin { span, kept: None, script: None }
    }
}

/// What was revealed, and to whom: to all, if there is none.
pub(super) type Revealed = (Source, Option<Who>);

/// What something was derived from, and where.
pub(super) type Facts = BTreeMap<Source, Origin>;

/// How a value says which cards it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Called {
    /// By where they lie.
    #[default]
    Place,
    /// They were kept: they may have gone since to where not everybody sees them.
    Mark,
    /// By their names, wherever they lie.
    Name,
}

/// Adds what is not known yet.
pub(super) fn fill(facts: &mut Facts, more: impl IntoIterator<Item = (Source, Origin)>) {
    for (source, origin) in more {
        facts.entry(source).or_insert(origin);
    }
}

/// The same facts, one by one.
pub(super) fn each_fact(facts: &Facts) -> impl Iterator<Item = (Source, Origin)> + Clone {
    facts.iter().map(|(source, origin)| (*source, *origin))
}

/// What is known of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Flow {
    /// Where the cards lie that it is.
    pub cards: BTreeSet<Source>,
    pub facts: Facts,
    /// What the order of its members tells, and they themselves do not.
    pub order: Facts,
    pub called: Called,
    /// Which player it is.
    pub who: Option<Who>,
}

impl Flow {
    /// The same of a local where somebody else is a player than was: the local goes on naming who it named.
    pub fn of_another(self, local: usize, who: Who) -> Flow {
        let named = Who::Local(LocalId(local as u32));
        let of_another = |(source, origin): (Source, Origin)| (source.of_another(who), origin);
        Flow {
            cards: self.cards.into_iter().map(|source| source.of_another(who)).collect(),
            facts: self.facts.into_iter().map(of_another).collect(),
            order: self.order.into_iter().map(of_another).collect(),
            who: self.who.map(|own| if own == who { named } else { own }),
            ..self
        }
    }

    /// One of its members by its place among them.
    pub fn by_place(mut self) -> Flow {
        self.facts.extend(std::mem::take(&mut self.order));
        self
    }

    /// What an argument is, as seen from within the procedure.
    pub fn argument(index: usize, span: Span) -> Flow {
        Flow {
            cards: BTreeSet::from([Source::Cards(index)]),
            facts: Facts::from([(Source::Facts(index), span.into())]),
            ..Flow::default()
        }
        .by(Who::Param(index))
    }

    /// A value that is derived from all of these.
    pub fn derived<'f>(flows: impl IntoIterator<Item = &'f Flow>) -> Flow {
        let mut facts = Facts::new();
        for flow in flows {
            facts.extend(flow.facts.iter().map(|(source, origin)| (*source, *origin)));
        }
        Flow { facts, ..Flow::default() }
    }

    /// What was learnt of the cards that another value is.
    pub fn read(mut self, of: &Flow, span: Span) -> Flow {
        self.facts.extend(of.cards.iter().map(|source| (*source, span.into())));
        self
    }

    /// The same cards as another value is.
    pub fn like(mut self, other: &Flow) -> Flow {
        self.cards.extend(other.cards.iter().copied());
        self.order.extend(other.order.iter().map(|(source, origin)| (*source, *origin)));
        self.called = self.called.max(other.called);
        self
    }

    pub fn by(self, who: Who) -> Flow {
        Flow { who: Some(who), ..self }
    }

    /// A value that is the one or the other.
    pub fn or(self, other: &Flow) -> Flow {
        let who = if self.who == other.who { self.who } else { Some(Who::Unknown) };
        let mut flow = self.like(other);
        fill(&mut flow.facts, each_fact(&other.facts));
        Flow { who, ..flow }
    }
}

/// Two values of which it is asked whether they are, or have, the same cards: where the one says which cards it is other than by
/// where they lie, that tells what the other is.
pub(super) fn met(a: &Flow, b: &Flow, span: Span) -> Flow {
    let mut flow = Flow::derived([a, b]);
    if a.called > Called::Place {
        flow = flow.read(b, span);
    }
    if b.called > Called::Place {
        flow = flow.read(a, span);
    }
    flow
}

/// What becomes of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sink {
    /// A player reads it; all do, if there is none.
    Told(Option<Who>, &'static str),
    /// It is kept in a property of a player or of something else: the value, or which cards it is.
    Kept(PropId, Option<Who>),
    /// It is kept in a property of what an argument of the procedure is, which all read if that lies openly.
    KeptOn(PropId, usize),
    KeptCards(PropId, Option<Who>),
    /// It waits with a script or an armed clause: whether it is known to a player; to all, if there is none.
    Data(Keeper, Option<Who>),
    /// An armed clause that forbids a verb or modifies a stat has captured it: the value, or which cards it is.
    Captured(ClauseId, LocalId, bool),
}

/// What keeps a value for later, without a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keeper {
    /// A script that is given it may put it into its data.
    Script(ScriptId),
    /// An armed clause has captured it.
    Clause(ClauseId),
}

/// What a procedure does with what it is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Summary {
    /// What becomes of what, where it is read, and where that happens.
    pub demands: BTreeMap<(Source, Sink, Origin), Span>,
    /// What it has revealed when it ends, whatever way it went.
    pub reveals: BTreeSet<Revealed>,
    /// Zones into which it puts cards, or shuffles them: those of an argument, or cards that not all know.
    pub stirs: BTreeSet<(ZoneId, Who, Option<usize>)>,
    /// Zones from which it takes cards to where not all see them, and arguments that it puts there.
    pub takes: BTreeSet<Source>,
    /// Arguments that it lays where all see them.
    pub lays: BTreeSet<usize>,
    /// What it changes, and what decides whether it does.
    pub changes: Changes,
    /// Of an action: what decides whether it is offered, known to the player or not.
    pub offered: Facts,
}

impl Summary {
    /// Takes up what another procedure does. Whether there is anything new.
    pub fn join(&mut self, other: &Summary) -> bool {
        let facts = |of: &Summary| of.changes.values().map(|facts| facts.len() + 1).sum::<usize>();
        let size = |of: &Summary| {
            let zones = (of.reveals.len(), of.lays.len(), of.stirs.len(), of.takes.len());
            (of.demands.len(), zones, facts(of), of.offered.len())
        };
        let before = size(self);
        for (key, place) in &other.demands {
            self.demands.entry(*key).or_insert(*place);
        }
        for (change, facts) in &other.changes {
            fill(self.changes.entry(*change).or_default(), each_fact(facts));
        }
        fill(&mut self.offered, each_fact(&other.offered));
        self.stirs.extend(other.stirs.iter().copied());
        self.takes.extend(other.takes.iter().copied());
        self.reveals.extend(other.reveals.iter().copied());
        self.lays.extend(other.lays.iter().copied());
        before != size(self)
    }
}

/// A call, as far as it says which players and values those of the procedure are.
#[derive(Clone, Debug)]
pub(super) struct Call<'f> {
    /// By index of the argument.
    pub args: &'f [Flow],
    /// The card whose text runs.
    pub card: Option<&'f Flow>,
    pub me: Who,
    pub this: Who,
    pub span: Span,
}

impl Call<'_> {
    pub fn arg(&self, index: usize) -> Option<&Flow> {
        if index == THIS { self.card } else { self.args.get(index) }
    }

    /// Which player of the caller one of the procedure is.
    pub fn whom(&self, who: Who) -> Who {
        match who {
            Who::Me => self.me,
            Who::This => self.this,
            Who::Seat(_) | Who::All | Who::Mark(_) => who,
            Who::Others | Who::Other if self.me == Who::Me => who,
            Who::Param(index) => self.arg(index).and_then(|arg| arg.who).unwrap_or(Who::Unknown),
            Who::Local(_) | Who::Others | Who::Other | Who::Unknown => Who::Unknown,
        }
    }

    /// Where the caller has it from; `at` is where the procedure reads it.
    pub fn sources(&self, source: Source, at: Origin) -> Vec<(Source, Origin)> {
        let arg = |index| self.arg(index).into_iter();
        match source {
            Source::Zone(zone, who) | Source::Picked(zone, who, _) => {
                vec![(Source::Zone(zone, self.whom(who)), at)]
            }
            Source::Cards(index) => {
                arg(index).flat_map(|arg| &arg.cards).map(|source| (*source, self.span.into())).collect()
            }
            Source::Facts(index) => {
                arg(index).flat_map(|arg| &arg.facts).map(|(source, origin)| (*source, *origin)).collect()
            }
        }
    }
}
