//! Scripts, and what those that act may see and do.

use super::{ClauseId, HookEvent, ProcId, PropId, Stage, Ty, VerbId};
use crate::base::{FileId, Span};

/// A script function.
#[derive(Clone, Debug)]
pub struct Script {
    pub name: String,
    pub params: Vec<(String, Ty)>,
    /// What it gives; [`Ty::Nothing`] for one that acts.
    pub result: Ty,
    /// What it may see and do, for one that acts.
    pub acting: Option<Acting>,
    /// The text of the script file.
    pub source: String,
    /// Path within the package.
    pub file: String,
    /// The script file among the sources, if it was read.
    pub text: Option<FileId>,
    pub span: Span,
}

/// What a script that acts may see and do. Each thing it may do is a procedure of its own, so that whoever looks for what
/// the rules can change finds it there.
#[derive(Clone, Debug, Default)]
pub struct Acting {
    pub sees: Sight,
    /// Who knows all that it may put into its data, as far as the rules tell: everybody, its player, or nobody for certain.
    pub keeps: Sight,
    pub notes: bool,
    pub chooses: bool,
    pub rolls: bool,
    pub verbs: Vec<MayDo>,
    pub sets: Vec<MaySet>,
    pub arms: Vec<MayArm>,
}

impl Acting {
    /// The procedures of all that it may do.
    pub fn procs(&self) -> impl Iterator<Item = ProcId> {
        let verbs = self.verbs.iter().flat_map(|may| may.procs.iter().copied());
        verbs.chain(self.sets.iter().flat_map(|may| std::iter::once(may.set).chain(may.increase)))
    }
}

/// Whose knowledge a script is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sight {
    /// What everybody knows.
    #[default]
    Open,
    /// What the player knows for whom it is called.
    Me,
    All,
}

/// A verb that a script may perform.
#[derive(Clone, Debug)]
pub struct MayDo {
    pub verb: VerbId,
    /// Performs it with its first so many arguments, from `least` on.
    pub procs: Vec<ProcId>,
    pub least: usize,
}

/// A counter or mark that a script may change. The procedures take whose it is, unless it is the game's, and a value.
#[derive(Clone, Debug)]
pub struct MaySet {
    pub prop: PropId,
    pub set: ProcId,
    pub increase: Option<ProcId>,
}

/// An event that a script may wait for.
#[derive(Clone, Debug)]
pub struct MayArm {
    pub stage: Stage,
    pub event: HookEvent,
    /// Its clauses: each time or once, plain or announced.
    pub clauses: [[ClauseId; 2]; 2],
}
