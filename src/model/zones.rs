//! Zones: their settings.

use super::body::Body;
use super::check::Checker;
use super::collect::Decl;
use super::rules::{KindId, ProcRole, Seen, Ty, Zone, ZoneId, ZoneOrder};
use crate::base::{Code, Diagnostic, Span, nearest};
use crate::syntax::ast::{self, Expr, ExprKind};
use crate::syntax::setting_for;

const ZONE_SETTINGS: [&str; 9] = ["holds", "order", "seen", "limit", "refill", "refills", "starts", "inplay", "memory"];

/// The plain word that an expression is, if it is one.
pub(super) fn word(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        _ => None,
    }
}

impl<'a> Checker<'a> {
    /// Reads the settings of all zones.
    pub(super) fn check_zones(&mut self) {
        self.key_zones();
        for (index, props) in std::mem::take(&mut self.items.zones).into_iter().enumerate() {
            let Some(mut zone) = self.rules.zones.get(index).cloned() else { continue };
            self.check_settings(props, &ZONE_SETTINGS, "a zone");
            self.check_always(props, "a zone");
            for prop in props {
                self.zone_setting(&mut zone, prop);
            }
            if let Some(from) = zone.refill.filter(|from| !self.keys_agree(ZoneId(index as u32), *from)) {
                let name = self.rules.zones.get(from.index()).map_or("", |zone| zone.name.as_str());
                let message = format!("`{name}` is a zone for each key, and `{}` has not the same keys", zone.name);
                self.error(Code::BadSetting, zone.span, message);
            }
            let has = |name: &str| props.iter().any(|prop| prop.name.text == name);
            if !has("holds") {
                let found = Diagnostic::new(
                    Code::MissingSetting,
                    zone.span,
                    format!("`{}` does not say what it holds", zone.name),
                )
                .help("add `holds:` with the kinds that may lie in it");
                self.report(found);
            }
            self.check_zone(&zone, props);
            if !zone.starts.is_empty() {
                self.uses.filled.insert(ZoneId(index as u32));
            }
            if let Some(slot) = self.rules.zones.get_mut(index) {
                *slot = zone;
            }
        }
        self.settle_keyed_zones();
        // A zone that is refilled gets what lies in the other, so it is filled if that one is.
    }

    /// Reports settings with a `when`, which only looks have.
    pub(super) fn check_always(&mut self, props: &[ast::Prop], what: &str) {
        if let Some(when) = props.iter().flat_map(|prop| &prop.whens).flatten().next() {
            self.error(Code::BadSetting, when.span, format!("a setting of {what} always holds; only looks change"));
        }
    }

    /// Reports unknown and repeated settings.
    pub(super) fn check_settings(&mut self, props: &[ast::Prop], known: &[&str], what: &str) {
        for (index, prop) in props.iter().enumerate() {
            let name = prop.name.text.as_str();
            if self.is_asked(name) {
                let given = |known: &&str| !props.iter().any(|prop| prop.name.text == **known);
                self.could_be_word(known.iter().copied().filter(given));
            }
            if !known.contains(&name) {
                let mut found =
                    Diagnostic::new(Code::UnknownSetting, prop.name.span, format!("{what} has no setting `{name}`"));
                found = match nearest(name, known.iter().copied()) {
                    Some(best) => found.did_you_mean(best),
                    None => match setting_for(name, known) {
                        Some(help) => found.help(help),
                        None => found.help(format!("its settings are: {}", known.join(", "))),
                    },
                };
                self.report(found);
            }
            let first = props.iter().take(index).find(|other| other.name.text == name);
            if let Some(first) = first {
                let found = Diagnostic::new(Code::Duplicate, prop.name.span, format!("`{name}` is given twice"))
                    .label(first.name.span, "first given here");
                self.report(found);
            }
        }
    }

    fn zone_setting(&mut self, zone: &mut Zone, prop: &'a ast::Prop) {
        match prop.name.text.as_str() {
            "holds" => {
                zone.holds = self.kinds_in(prop);
                self.uses.kinds.extend(zone.holds.iter().copied());
            }
            "starts" => zone.starts = self.kinds_in(prop),
            "order" => {
                let found = self.one_of(prop, &["pile", "queue", "none"]);
                zone.order = match found {
                    Some("none") => ZoneOrder::None,
                    Some("queue") => ZoneOrder::Queue,
                    // What has some other order is not said to have none.
                    _ => ZoneOrder::Pile,
                };
            }
            "seen" => {
                let found = self.one_of(prop, &["all", "holder", "others", "top", "none"]);
                zone.seen = match found {
                    Some("holder") => Seen::Holder,
                    Some("others") => Seen::Others,
                    Some("top") => Seen::Top,
                    Some("none") => Seen::None,
                    _ => Seen::All,
                };
            }
            "inplay" => zone.in_play = self.one_of(prop, &["true", "false"]) == Some("true"),
            "refills" => zone.refills_late = self.one_of(prop, &["emptied", "drawn"]) == Some("drawn"),
            "memory" => zone.memory = self.one_of(prop, &["all", "none"]) != Some("none"),
            "limit" => {
                for value in &prop.values {
                    self.limit(zone, value, prop.span);
                }
            }
            "refill" => zone.refill = self.refill(zone.per_player, prop),
            _ => {}
        }
    }

    fn kinds_in(&mut self, prop: &ast::Prop) -> Vec<KindId> {
        let mut kinds = Vec::new();
        for value in &prop.values {
            for expr in value {
                let Some(name) = word(expr) else {
                    let found =
                        Diagnostic::new(Code::UnknownKind, expr.span, "a zone holds kinds, and this is no name of one");
                    self.report(found.help("several kinds are separated by commas: `holds: tool, charm`"));
                    continue;
                };
                match self.names.get(name).copied() {
                    Some(Decl::Kind(kind)) => {
                        self.means_global(name, expr.span);
                        self.means_builtin(name, expr.span);
                        kinds.push(kind);
                    }
                    Some(other) => {
                        let message = format!("`{name}` is {}, not a kind", other.noun());
                        self.error(Code::NotAKind, expr.span, message);
                    }
                    None if super::types::TYPE_WORDS.contains(&name) => {
                        let message = format!("`{name}` is a type, not a kind of card or piece");
                        self.error(Code::NotAKind, expr.span, message);
                    }
                    None => {
                        let mut found =
                            Diagnostic::new(Code::UnknownKind, expr.span, format!("there is no kind `{name}`"));
                        found = self
                            .or_declared(found, name, "kinds", |decl| matches!(decl, super::collect::Decl::Kind(_)));
                        self.report(found);
                    }
                }
            }
        }
        kinds
    }

    /// The single word of a setting, which must be one of these.
    fn one_of<'w>(&mut self, prop: &ast::Prop, words: &[&'w str]) -> Option<&'w str> {
        let given = match prop.values.as_slice() {
            [value] => match value.as_slice() {
                [expr] => word(expr),
                _ => None,
            },
            _ => None,
        };
        if given.is_some_and(|given| self.is_asked(given)) {
            self.could_be_word(words.iter().copied());
        }
        let found = given.and_then(|given| words.iter().copied().find(|word| *word == given));
        if found.is_none() {
            let span = prop.values.first().and_then(|value| value.first()).map_or(prop.span, |expr| expr.span);
            let message = format!("`{}` is one of: {}", prop.name.text, words.join(", "));
            let found = Diagnostic::new(Code::BadSetting, span, message);
            self.report(match given {
                Some("owner" | "owners" | "player") if words.contains(&"holder") => found.did_you_mean("holder"),
                Some("nobody") if words.contains(&"none") => found.did_you_mean("none"),
                _ => found.suggest(given.unwrap_or(""), words.iter().copied()),
            });
        }
        found
    }

    /// `limit: 5 tool` or `limit: 5`.
    fn limit(&mut self, zone: &mut Zone, value: &'a [Expr], span: Span) {
        let (number, kind) = match value {
            [number] => (number, None),
            [number, kind] => (number, Some(kind)),
            _ => {
                let found = Diagnostic::new(Code::BadSetting, span, "a limit is a number and a kind")
                    .help("for example `limit: 5 tool`");
                self.report(found);
                return;
            }
        };
        if let Some(none @ ("none" | "nothing" | "unlimited" | "all")) = word(number) {
            let found = Diagnostic::new(Code::BadSetting, number.span, format!("`{none}` is no number"))
                .help("leave `limit` out: then the zone has none");
            self.report(found);
            return;
        }
        let Some(number) = self.constant_number(number) else { return };
        match kind {
            Some(kind) => match word(kind).and_then(|name| self.kind_named(name)) {
                Some(id) => {
                    self.means_global(word(kind).unwrap_or_default(), kind.span);
                    zone.limits.push((id, number));
                }
                None => self.error(Code::NotAKind, kind.span, "a limit is a number and a kind"),
            },
            None => {
                let roots: Vec<KindId> = self.held_kind(&zone.holds).into_iter().collect();
                zone.limits.extend(roots.into_iter().map(|kind| (kind, number)));
            }
        }
    }

    /// A zone of each player is filled from another of the same player, or from a shared one.
    fn refill(&mut self, per_player: bool, prop: &'a ast::Prop) -> Option<ZoneId> {
        let expr = prop.values.first().and_then(|value| value.first())?;
        let zone = word(expr).and_then(|name| self.zone_named(name));
        let found = zone.and_then(|zone| self.rules.zones.get(zone.index()));
        if !found.is_some_and(|zone| !zone.per_player || per_player) {
            let name = word(expr).unwrap_or("");
            let message = match zone {
                Some(_) => {
                    format!("`refill` of a shared zone names a shared zone, and every player has an own `{name}`")
                }
                None => "`refill` names a zone".to_owned(),
            };
            let mut found = Diagnostic::new(Code::BadSetting, expr.span, message);
            if let Some(best) = self.nearest_of(name, |decl| matches!(decl, Decl::Zone(_))).filter(|_| zone.is_none()) {
                found = found.did_you_mean(best);
            }
            self.report(found);
            return None;
        }
        self.means_global(word(expr).unwrap_or_default(), expr.span);
        zone
    }

    fn check_zone(&mut self, zone: &Zone, props: &[ast::Prop]) {
        let span_of = |name: &str| props.iter().find(|prop| prop.name.text == name).map_or(zone.span, |prop| prop.span);
        let named =
            props.iter().filter(|prop| prop.name.text == "holds").flat_map(|prop| &prop.values).flatten().count();
        // Of what cannot be read or is no kind was told.
        let known = zone.holds.len() == named && named > 0;
        for kind in &zone.starts {
            let other = self.rules.zones.iter().find(|other| other.starts.contains(kind) && other.name != zone.name);
            if let Some(other) = other {
                let name = self.kind_name(*kind);
                let message = format!("each `{name}` begins in `{}` already", other.name);
                let found = Diagnostic::new(Code::BadSetting, span_of("starts"), message)
                    .label(other.span, "which says so, too")
                    .help("cards begin in one zone: name the kind in one of them, and move in `setup` what begins elsewhere; a kind below it may begin in another");
                self.report(found);
            }
        }
        for kind in zone.starts.iter().filter(|_| known) {
            if !zone.holds.iter().any(|held| self.rules.is_below(*kind, *held)) {
                let message = format!("`{}` does not hold `{}`", zone.name, self.kind_name(*kind));
                let found = Diagnostic::new(Code::KindNotHeld, span_of("starts"), message)
                    .label(span_of("holds"), "it holds these");
                self.report(found);
            }
        }
        if zone.per_player && !zone.starts.is_empty() {
            let found = Diagnostic::new(
                Code::BadSetting,
                span_of("starts"),
                "cards begin in a shared zone, not in one per player",
            )
            .help("let them begin in a pile and deal them in `setup`");
            self.report(found);
        }
        if matches!(zone.seen, Seen::Holder | Seen::Others) && !zone.per_player {
            let found = Diagnostic::new(Code::BadSetting, span_of("seen"), "only zones per player have a holder").help(
                match zone.starts.is_empty() && zone.refill.is_none() {
                    true => "write `seen: none`, or `per player` after the name",
                    false => "write `seen: none`, or `seen: top`: only a shared zone has `starts` and `refill`",
                },
            );
            self.report(found);
        }
        if zone.seen == Seen::Top && zone.order == ZoneOrder::None {
            let found = Diagnostic::new(Code::NoOrder, span_of("seen"), "a zone without an order has no top")
                .help("add `order: pile`");
            self.report(found);
        }
        if !zone.holds.is_empty() && self.held_kind(&zone.holds).is_none() {
            self.error(Code::BadSetting, span_of("holds"), "a zone holds either cards or pieces");
        }
        for kind in &zone.holds {
            if self.rules.is_below(*kind, super::rules::THING) {
                let message = format!("a `{}` is a thing and has no place", self.kind_name(*kind));
                self.error(Code::BadSetting, span_of("holds"), message);
            }
        }
    }

    /// The kind of everything in a zone that holds these.
    pub(super) fn held_kind(&self, holds: &[KindId]) -> Option<KindId> {
        let (first, rest) = holds.split_first()?;
        rest.iter().try_fold(*first, |common, kind| self.common_kind(common, *kind))
    }

    /// The type of the members of a zone.
    pub(super) fn zone_type(&self, zone: ZoneId) -> Ty {
        let held = self.rules.zones.get(zone.index()).and_then(|zone| self.held_kind(&zone.holds));
        held.map_or(Ty::Error, Ty::Entity)
    }

    /// A procedure body for a rule's or the game's own pure expressions.
    pub(super) fn pure(name: &str, span: Span) -> Body {
        Body::new(name, ProcRole::Pure, span)
    }
}
