//! Links: an entity is linked to another, and rides with it.

use super::moves::{Goal, entity_offset};
use super::run::{R, Run};
use crate::model::rules::PropId;
use crate::program::{NIL, ent, prop_bit};

impl Run<'_> {
    /// Links an entity to another, or to none.
    pub fn link(&mut self, linked: i64, host: i64, one: PropId) -> R<()> {
        let (Some((record, true)), Some(offset)) = (self.record(linked), entity_offset(self.p, one)) else {
            return Ok(());
        };
        let host =
            if host == NIL || self.record(host).is_some_and(|(_, current)| current) { host } else { return Ok(()) };
        let before = self.st.mem[record + offset];
        self.st.mem[record + offset] = host;
        self.st.touch(prop_bit(one));
        self.trace_prop(Some(linked), None, one, before, host);
        // What is linked rides in its host's zone.
        let Some((host_record, true)) = self.record(host) else { return Ok(()) };
        let (own, hosts) = (self.st.mem[record + ent::PLACE], self.st.mem[host_record + ent::PLACE]);
        if let (Ok(from), Ok(to)) = (usize::try_from(own), usize::try_from(hosts))
            && from != to
            && self.p.layout.is_one_declaration(from, to)
        {
            self.move_entity(linked, Goal::Zone(to, None), &[])?;
        }
        Ok(())
    }
}
