//! What is gathered from all rules before anything is compiled: the words that instructions need as constants, and the
//! boards whose repetitions are asked for.

use super::layout::{Layout, Repr, repr};
use super::sites::OfferSite;
use super::stmts::every_value;
use super::unions::few_numbers;
use super::walk::{each_expr, each_stmt};
use super::{NIL, ent};
use crate::model::rules::{
    Builtin, CreateValue, Expr, ExprKind, KindId, PropClass, RootKind, Rules, StmtKind, TemplatePart,
};
use std::collections::BTreeSet;

/// The boards whose repetitions are asked for.
pub(super) fn repeats(rules: &Rules) -> Vec<u16> {
    let mut boards = BTreeSet::new();
    for proc in &rules.procs {
        each_expr(proc, &mut |expr| {
            if let ExprKind::Builtin(Builtin::Repeats, args) = &expr.kind
                && let Some(ExprKind::Word(board)) = args.first().map(|arg| &arg.kind)
            {
                boards.insert(*board as u16);
            }
        });
    }
    boards.into_iter().collect()
}

/// Whether kind, owner and site say all that there is of a piece on which none lies.
pub(super) fn plain_pieces(rules: &Rules, layout: &Layout) -> bool {
    let is_piece = |kind: KindId| rules.kinds[kind.index()].root == RootKind::Piece;
    layout.entity_words == ent::PROPS && !rules.entries.iter().any(|entry| is_piece(entry.kind))
}

/// The word that an expression by itself is.
fn constant_of(rules: &Rules, expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Word(word) => Some(*word),
        ExprKind::Text(text) => rules.texts.value(text),
        _ => constant_mask(expr),
    }
}

/// The word that a set is whose members are written out, of the values of an enum, directions or players.
pub(super) fn constant_mask(expr: &Expr) -> Option<i64> {
    let ExprKind::List(items) = &expr.bare().kind else { return None };
    if repr(&expr.ty) != Repr::Mask || items.is_empty() {
        return None;
    }
    let bit = |item: &Expr| match item.kind {
        ExprKind::Word(word @ 0..64) => Some(1u64 << word),
        _ => None,
    };
    let mask = items.iter().try_fold(0, |mask, item| Some(mask | bit(item)?))?;
    Some(mask as i64)
}

/// All words that instructions may need as constants.
pub(super) fn collect_constants(rules: &Rules) -> Vec<i64> {
    let mut words: BTreeSet<i64> = (-1..=2).collect();
    words.insert(NIL);
    words.insert(i64::from(u16::MAX));
    let seats = u32::from(rules.players.1);
    words.extend(0..i64::from(seats));
    words.insert(((1u64 << seats) - 1) as i64);
    for option in &rules.options {
        words.insert(option.value);
    }
    for item in &rules.enums {
        words.insert(mask(item.values.len()));
    }
    words.extend(0..rules.boards.len() as i64);
    words.extend(rules.boards.iter().flat_map(|board| [board.geometry.used as i64, i64::from(board.geometry.origin)]));
    let instances: i64 = rules.zones.iter().map(|zone| if zone.per_player { i64::from(seats) } else { 1 }).sum();
    words.extend(0..instances.max(1));
    for proc in &rules.procs {
        each_expr(proc, &mut |expr| {
            words.extend(constant_of(rules, expr));
            words.extend(few_numbers(rules, expr).into_iter().flatten());
        });
        each_stmt(proc, &mut |stmt| {
            if let StmtKind::ChooseOption { arms, .. } = &stmt.kind {
                words.extend(0..arms.len() as i64);
            }
            if matches!(stmt.kind, StmtKind::Offer(_)) {
                words.extend(OfferSite::ACCEPT..=OfferSite::WITHDRAW);
            }
            if let StmtKind::Respond(respond) = &stmt.kind {
                words.extend(0..respond.acts.len() as i64);
            }
            if let StmtKind::Create { fields, .. } = &stmt.kind {
                for (prop, value) in fields {
                    if matches!(value, CreateValue::EveryValue) {
                        words.extend(every_value(rules, *prop));
                    }
                }
            }
        });
    }
    for part in rules.actions.iter().filter_map(|action| action.notation.as_ref()).flat_map(|text| &text.parts) {
        if let TemplatePart::Value(expr) = part {
            expr.walk(&mut |expr| {
                words.extend(constant_of(rules, expr));
            });
        }
    }
    for prop in &rules.props {
        if let (PropClass::Stat { .. }, Some((low, high))) = (&prop.class, prop.range) {
            words.extend([low, high.max(low)]);
        }
        if let PropClass::Counter { default: Some(expr) } | PropClass::Mark { default: Some(expr) } = &prop.class {
            expr.walk(&mut |expr| {
                words.extend(constant_of(rules, expr));
            });
        }
    }
    words.into_iter().collect()
}

/// The mask of the first `count` bits.
fn mask(count: usize) -> i64 {
    if count >= 64 { -1 } else { ((1u64 << count) - 1) as i64 }
}
