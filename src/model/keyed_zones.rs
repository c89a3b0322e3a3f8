//! Zones of which there is one for each value of an enum or each number of a range: `zone row per tier`. Each is a zone of its own,
//! `row[t]` is that of a key, and `row` alone what lies in all of them. Where play decides the key, what is said of the zone becomes
//! a conditional over the zones there are, so that nothing behind the checker knows of keys.

use super::body::Body;
use super::check::{Checker, broken};
use super::collect::Decl;
use super::rules::walk::{each_block_mut, stmt_exprs_mut};
use super::rules::{BinaryOp, Destination, Expr, ExprKind, Key, Stmt, StmtKind, Ty, Zone, ZoneId};
use super::tables::may_miss;
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast;
use std::collections::BTreeMap;

/// Which zones there are, by the first of them.
pub(super) type KeyedZones = BTreeMap<ZoneId, (Key, Vec<ZoneId>)>;

/// A zone whose key play decides. Until what it stands in is said for each key, the first zone stands for it.
pub(super) struct Chosen {
    head: ZoneId,
    /// Where the name of the zone ends.
    at: (crate::base::FileId, u32),
    key: Expr,
    /// Whether it is where something goes, or what is shuffled.
    place: bool,
}

fn end_of(span: Span) -> (crate::base::FileId, u32) {
    (span.file, span.end)
}

impl Checker<'_> {
    /// Makes a zone for each key. They have no settings yet.
    pub(super) fn key_zones(&mut self) {
        for (index, per) in std::mem::take(&mut self.items.zone_keys).into_iter().enumerate() {
            let Some(key) = per.and_then(|per| self.key_type(per)) else { continue };
            let head = ZoneId(index as u32);
            let Some(zone) = self.rules.zones.get(index).cloned() else { continue };
            let mut zones = vec![head];
            for _ in 1..self.key_count(key) {
                zones.push(ZoneId(self.rules.zones.len() as u32));
                self.rules.zones.push(zone.clone());
            }
            self.keyed_zones.insert(head, (key, zones));
        }
    }

    /// Gives the zones of all keys the settings of the first, and each its own name.
    pub(super) fn settle_keyed_zones(&mut self) {
        for (head, (key, zones)) in self.keyed_zones.clone() {
            let Some(zone) = self.rules.zones.get(head.index()).cloned() else { continue };
            if !zone.starts.is_empty() {
                let message = format!("cards begin in one zone, and `{}` is several", zone.name);
                let found = Diagnostic::new(Code::BadSetting, zone.span, message)
                    .help("let them begin in a pile of their own and deal them in `setup`");
                self.report(found);
            }
            let refills = zone.refill.and_then(|from| self.keyed_zones.get(&from).cloned());
            for (index, id) in zones.iter().enumerate() {
                let name = format!("{} {}", zone.name, self.rules.key_label(key, index));
                let refill = match &refills {
                    Some((_, from)) => from.get(index).copied(),
                    None => zone.refill,
                };
                if let Some(slot) = self.rules.zones.get_mut(id.index()) {
                    *slot = Zone { name, refill, ..zone.clone() };
                }
            }
        }
    }

    /// Whether a zone can be refilled from another: where that has keys, both have the same.
    pub(super) fn keys_agree(&self, zone: ZoneId, from: ZoneId) -> bool {
        let key = |zone: &ZoneId| self.keyed_zones.get(zone).map(|(key, _)| *key);
        key(&from).is_none() || key(&from) == key(&zone)
    }

    /// The zones that are declared together with one.
    pub(super) fn zones_with(&self, zone: ZoneId) -> Vec<ZoneId> {
        let all = self.keyed_zones.values().find(|(_, zones)| zones.contains(&zone));
        all.map_or(vec![zone], |(_, zones)| zones.clone())
    }

    /// What a zone is declared as, without its key.
    pub(super) fn declared_name(&self, zone: ZoneId) -> &str {
        let declared = self.names.iter().find(|(_, decl)| matches!(decl, Decl::Zone(id) if *id == zone));
        declared.map_or("", |(name, _)| name.as_str())
    }

    /// What lies in a zone; in all of them, if there is one for each key.
    pub(super) fn read_zone(&mut self, zone: ZoneId, of: Option<&Expr>, span: Span) -> Expr {
        let ty = self.zone_type(zone).set();
        let of = of.map(|of| Box::new(of.clone()));
        let one = |zone: &ZoneId| Expr { kind: ExprKind::Contents(*zone, of.clone()), ty: ty.clone(), span };
        let zones = self.zones_with(zone);
        zones.iter().for_each(|zone| _ = self.uses.zones_read.entry(*zone).or_insert(span));
        if self.named_zone == Some(end_of(span)) {
            return one(&zone);
        }
        let both = |left: Expr, right: Expr| {
            let kind = ExprKind::Binary(BinaryOp::Union, Box::new(left), Box::new(right));
            Expr { kind, ty: ty.clone(), span }
        };
        zones.iter().map(one).reduce(both).unwrap_or_else(|| broken(span))
    }

    /// The zone with keys that an expression names.
    pub(super) fn keyed_zone(&self, body: &Body, written: &ast::Expr) -> Option<ZoneId> {
        let name = match &written.kind {
            ast::ExprKind::Name(name) if body.find(name).is_none() => name,
            ast::ExprKind::Field(_, name) => &name.text,
            _ => return None,
        };
        match self.names.get(name) {
            Some(Decl::Zone(zone)) if self.keyed_zones.contains_key(zone) => Some(*zone),
            _ => None,
        }
    }

    /// `row[t]`: the zone of a key. Where play decides the key, whoever asks says it [for each](Checker::for_each_key).
    pub(super) fn zone_of_key(&mut self, body: &mut Body, written: &ast::Expr) -> Option<Expr> {
        let ast::ExprKind::Index(base, key) = &written.kind else { return None };
        let head = self.keyed_zone(body, base)?;
        let (of, zones) = self.keyed_zones.get(&head).cloned()?;
        let at = end_of(base.span);
        let before = self.named_zone.replace(at);
        let mut found = self.expr(body, base);
        self.named_zone = before;
        let Some(key) = self.key_expr(body, of, key) else { return Some(broken(written.span)) };
        match self.key_index(of, &key).and_then(|index| zones.get(index)) {
            Some(zone) => put_zone(&mut found, (head, at), *zone),
            None => self.chosen_zones.push(Chosen { head, at, key, place: false }),
        }
        Some(found)
    }

    /// Reports a place that is several zones.
    pub(super) fn which_zone(&mut self, zone: ZoneId, span: Span) -> Expr {
        let name = self.rules.zones.get(zone.index()).map_or("", |zone| zone.name.as_str());
        let message = "there is a zone for each key: which of them is meant?";
        let first = name.rsplit_once(' ').map_or(name.to_owned(), |(name, key)| format!("{name}[{key}]"));
        let found = Diagnostic::new(Code::NotAPlace, span, message).help(format!("say its key: `{first}`"));
        self.report(found);
        broken(span)
    }

    /// The zone of a key, as a place.
    pub(super) fn place_of_key(&mut self, body: &mut Body, written: &ast::Expr) -> Option<Expr> {
        let mark = self.chosen_zones.len();
        let found = self.zone_of_key(body, written)?;
        self.chosen_zones.iter_mut().skip(mark).for_each(|chosen| chosen.place = true);
        Some(found)
    }

    /// Says an expression for each key of the zones in it whose keys play decides: of those that were read since a mark.
    pub(super) fn for_each_key(&mut self, expr: Expr, mark: usize) -> Expr {
        let mut expr = expr;
        for chosen in self.chosen_since(mark) {
            let Some((key, zones)) = self.keyed_zones.get(&chosen.head) else { continue };
            let mut rest = may_miss(*key, &chosen.key).then(|| nothing_of(&expr));
            for (index, zone) in zones.iter().enumerate().rev() {
                let mut here = expr.clone();
                put_zone(&mut here, (chosen.head, chosen.at), *zone);
                rest = Some(match rest {
                    None => here,
                    Some(rest) => {
                        let cond = Box::new(self.is_key(*key, index, &chosen.key));
                        let kind = ExprKind::If(cond, Box::new(here), Box::new(rest));
                        Expr { kind, ty: expr.ty.clone(), span: expr.span }
                    }
                });
            }
            expr = rest.unwrap_or(expr);
        }
        expr
    }

    /// Says a statement for each key of the zones in it.
    pub(super) fn do_for_each_key(&mut self, body: &Body, kind: StmtKind, mark: usize, span: Span) -> StmtKind {
        let mut kind = kind;
        for chosen in self.chosen_since(mark) {
            let Some((key, zones)) = self.keyed_zones.get(&chosen.head) else { continue };
            let mut rest = may_miss(*key, &chosen.key).then(|| binds_nothing(body, &kind, span));
            for (index, zone) in zones.iter().enumerate().rev() {
                let mut here = Stmt { kind: kind.clone(), span };
                put_zones(&mut here, (chosen.head, chosen.at), *zone);
                if chosen.place {
                    put_place(&mut here.kind, chosen.head, *zone);
                }
                rest = Some(match rest {
                    None => vec![here],
                    Some(or_else) => {
                        let cond = self.is_key(*key, index, &chosen.key);
                        vec![Stmt { kind: StmtKind::If { cond, body: vec![here], or_else }, span }]
                    }
                });
            }
            kind = match rest.and_then(|mut stmts| stmts.pop()) {
                Some(stmt) => stmt.kind,
                None => kind,
            };
        }
        kind
    }

    /// The zones that were read since a mark, each once: an argument may have been looked at twice.
    fn chosen_since(&mut self, mark: usize) -> Vec<Chosen> {
        let mut found: Vec<Chosen> = Vec::new();
        for chosen in self.chosen_zones.split_off(mark.min(self.chosen_zones.len())) {
            if found.iter().all(|other| (other.head, other.at) != (chosen.head, chosen.at)) {
                found.push(chosen);
            }
        }
        found
    }
}

/// Does so in a statement, which may be one for each of several ways.
fn put_zones(stmt: &mut Stmt, of: (ZoneId, (crate::base::FileId, u32)), zone: ZoneId) {
    stmt_exprs_mut(stmt, &mut |expr| put_zone(expr, of, zone));
    each_block_mut(stmt, &mut |block| block.iter_mut().for_each(|stmt| put_zones(stmt, of, zone)));
}

/// Puts the zone of a key in the place of the first.
fn put_zone(expr: &mut Expr, of: (ZoneId, (crate::base::FileId, u32)), zone: ZoneId) {
    if let ExprKind::Contents(found, _) = &mut expr.kind
        && (*found, end_of(expr.span)) == of
    {
        *found = zone;
    }
    expr.each_part_mut(&mut |part| put_zone(part, of, zone));
}

fn put_place(kind: &mut StmtKind, head: ZoneId, zone: ZoneId) {
    match kind {
        StmtKind::Move { to: Destination::Zone { zone: to, .. }, .. }
        | StmtKind::Create { to: Destination::Zone { zone: to, .. }, .. }
        | StmtKind::Shuffle { zone: to, .. }
            if *to == head =>
        {
            *to = zone;
        }
        // A statement for several zones is one for each of them.
        StmtKind::If { body, or_else, .. } => {
            body.iter_mut().chain(or_else).for_each(|stmt| put_place(&mut stmt.kind, head, zone));
        }
        _ => {}
    }
}

/// What an expression of a zone gives where no key fits.
fn nothing_of(expr: &Expr) -> Expr {
    let kind = match &expr.ty {
        Ty::Set(_) | Ty::List(_) => ExprKind::Empty,
        Ty::Maybe(_) | Ty::Nothing => ExprKind::Nothing,
        _ => ExprKind::Word(0),
    };
    Expr { kind, ty: expr.ty.clone(), span: expr.span }
}

/// What a statement comes to where no key fits: its name is nothing.
fn binds_nothing(body: &Body, kind: &StmtKind, span: Span) -> Vec<Stmt> {
    if let StmtKind::If { body: stmts, .. } = kind {
        return stmts.first().map_or_else(Vec::new, |stmt| binds_nothing(body, &stmt.kind, span));
    }
    let (StmtKind::Move { local: Some(local), .. } | StmtKind::Create { local: Some(local), .. }) = kind else {
        return Vec::new();
    };
    let ty = body.local(*local).map_or(Ty::Nothing, |local| local.ty.clone());
    let value = nothing_of(&Expr { kind: ExprKind::Nothing, ty, span });
    vec![Stmt { kind: StmtKind::Local { local: *local, value }, span }]
}
