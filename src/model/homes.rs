//! On which board the pieces of a kind lie, where a game has several and `site(p)` names none: on that to which its rules bring them.

use super::check::Checker;
use super::rules::walk::each_stmt;
use super::rules::{BoardId, Created, Destination, Expr, KindId, Rules, StmtKind, Ty};
use crate::base::{Code, Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The boards to which the rules bring things of a kind.
pub(super) type Homes = BTreeMap<KindId, BTreeSet<BoardId>>;

/// What all statements say that bring a thing to a site.
pub(super) fn homes(rules: &Rules) -> Homes {
    let mut found = Homes::new();
    for proc in &rules.procs {
        each_stmt(proc, &mut |stmt| {
            let (kinds, to) = match &stmt.kind {
                StmtKind::Move { what, riders, to, .. } => {
                    (std::iter::once(what).chain(riders).filter_map(kind_of).collect::<Vec<_>>(), to)
                }
                StmtKind::Create { what, to, .. } => (made(rules, what).into_iter().collect(), to),
                _ => return,
            };
            if let Destination::Site { site, .. } = to
                && let Ty::Site(board) = site.ty.bare()
            {
                kinds.into_iter().for_each(|kind| _ = found.entry(kind).or_default().insert(*board));
            }
        });
    }
    found
}

/// The kind of what is made.
pub(super) fn made(rules: &Rules, what: &Created) -> Option<KindId> {
    match what {
        Created::Kind { kind, .. } => Some(*kind),
        Created::Entry { entry, .. } => rules.entries.get(entry.index()).map(|entry| entry.kind),
        Created::CopyOf { of, .. } => kind_of(of),
    }
}

/// The kind of the things that an expression gives.
pub(super) fn kind_of(expr: &Expr) -> Option<KindId> {
    match expr.ty.element().bare() {
        Ty::Entity(kind) => Some(*kind),
        _ => None,
    }
}

impl Checker<'_> {
    /// The board on which a piece lies that is asked for its site. While nobody knows, it is asked for once more when all rules
    /// have been read.
    pub(super) fn home_of(&mut self, piece: Option<&Ty>, span: Span) -> Option<BoardId> {
        let Some(Ty::Entity(kind)) = piece.map(|ty| ty.element().bare()) else { return self.only_board(span) };
        if self.rules.boards.len() < 2 {
            return self.only_board(span);
        }
        let Some(homes) = &self.homes else {
            self.asked_home = true;
            return None;
        };
        let akin = |other: KindId| self.rules.is_below(other, *kind) || self.rules.is_below(*kind, other);
        let boards: BTreeSet<BoardId> =
            homes.iter().filter(|(other, _)| akin(**other)).flat_map(|(_, boards)| boards.iter().copied()).collect();
        match (boards.first(), boards.len()) {
            (Some(only), 1) => Some(*only),
            (Some(one), _) => {
                let name = self.rules.boards.get(one.index()).map_or("", |board| board.name.as_str());
                let message = format!("a `{}` lies on several boards: which one is meant?", self.kind_name(*kind));
                let many = piece.is_some_and(Ty::is_many);
                let help = match many {
                    true => format!(
                        "say it with a type, `let s: set of {name} = sites(S)`, or join it with sites of the board, `sites(S) & sites({name})`"
                    ),
                    false => format!("say it with a type: `let s: maybe of {name} = site(p)`"),
                };
                self.report(Diagnostic::new(Code::UnknownType, span, message).help(help));
                None
            }
            _ => self.only_board(span),
        }
    }
}
