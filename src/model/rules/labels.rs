//! How players read names of the rules.

use super::{ExprKind, Key, ProcBody, ProcId, Rules, spoken};
use std::collections::BTreeSet;

impl Rules {
    /// What players read in the place of a name: its label, or the name in words. What is one of several has its key behind it.
    pub fn label(&self, name: &str) -> String {
        if let Some(words) = self.labels.get(name) {
            return words.clone();
        }
        let (head, key) = name.split_once(' ').map_or((name, None), |(head, key)| (head, Some(key)));
        let words = self.labels.get(head).cloned().unwrap_or_else(|| spoken(head));
        key.map_or_else(|| words.clone(), |key| format!("{words} {key}"))
    }

    /// What a condition waits for, as it is read: `when coins and hand`, by the properties and zones that it asks for, also in definitions, as
    /// they are declared. The words are those of `labels`, which may be in another language.
    pub fn waits_for(&self, cond: ProcId, labels: &Rules) -> String {
        const NAMED: usize = 2;
        let (mut props, mut zones) = (BTreeSet::new(), BTreeSet::new());
        let (mut left, mut seen) = (vec![cond], BTreeSet::new());
        while let Some(proc) = left.pop() {
            let body = self.procs.get(proc.index()).map(|proc| &proc.body);
            let Some(ProcBody::Expr(expr)) = body.filter(|_| seen.insert(proc)) else { continue };
            expr.walk(&mut |part| match &part.kind {
                ExprKind::Prop(_, id) | ExprKind::GameProp(id) => _ = props.insert(*id),
                ExprKind::Contents(zone, _) => _ = zones.insert(*zone),
                ExprKind::Call(proc, _) => left.push(*proc),
                _ => {}
            });
        }
        let props = props.iter().filter_map(|id| self.props.get(id.index())).map(|prop| &prop.name);
        let zones = zones.iter().filter_map(|id| self.zones.get(id.index())).map(|zone| &zone.name);
        let names: Vec<String> = props.chain(zones).map(|name| labels.label(name)).take(NAMED).collect();
        if names.is_empty() { "what has become so".to_owned() } else { format!("when {}", names.join(" and ")) }
    }

    /// How many keys a table has.
    pub fn key_count(&self, key: Key) -> usize {
        match key {
            Key::Enum(id) => self.enums.get(id.index()).map_or(0, |item| item.values.len()),
            Key::Range(low, high) => usize::try_from(i64::from(high) - i64::from(low) + 1).unwrap_or(0),
        }
    }

    /// How a key of a table is called.
    pub fn key_label(&self, key: Key, index: usize) -> String {
        match key {
            Key::Enum(id) => {
                let values = self.enums.get(id.index()).map_or(&[][..], |item| &item.values);
                values.get(index).map_or(String::new(), |value| value.label.clone())
            }
            Key::Range(low, _) => (i64::from(low) + index as i64).to_string(),
        }
    }
}
