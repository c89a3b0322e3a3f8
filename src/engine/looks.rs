//! How things are drawn: what the looks of the content say of a state. Only views use it, of what a seat sees.

use super::api::{Look, Side};
use super::run::Run;
use super::state::{NONE, slot_of};
use crate::base::Colour;
use crate::model::rules::{
    self, Case, LookTarget, ProcBody, ProcId, PropClass, PropId, Tint, Ty, Wording, WordingPart, ZoneId,
};
use crate::program::{NIL, ent};

/// What a look is worked out for: `this`, and the parameter of its procedures.
#[derive(Clone, Copy)]
struct Subject {
    this: i64,
    site: Option<i64>,
}

impl Run<'_> {
    /// How a card or piece is drawn: of each setting, what the look of its kind says, or of the nearest kind above.
    pub fn card_look(&mut self, card: i64) -> Look {
        let rules = self.words();
        if rules.looks.is_empty() {
            return Look::default();
        }
        let record = self.p.layout.entity(slot_of(card).unwrap_or(0));
        let mut drawn = Look::default();
        for kind in rules.kinds_from(rules::KindId(self.st.mem[record + ent::KIND] as u32)) {
            if let Some(look) = rules.looks.iter().find(|look| look.target == LookTarget::Kind(kind)) {
                self.add_look(&mut drawn, look, Subject { this: card, site: None });
            }
        }
        drawn
    }

    /// How the back of a piece is drawn, of which no more is seen than of which kind it is at least: by what its look says without asking
    /// for more.
    pub fn back_look(&mut self, piece: i64, kind: rules::KindId) -> Look {
        let rules = self.words();
        let mut drawn = Look::default();
        for kind in rules.kinds_from(kind) {
            if let Some(look) = rules.looks.iter().find(|look| look.target == LookTarget::Kind(kind)) {
                let open = look.of_back(&|proc| rules.asks_of_backs(proc));
                self.add_look(&mut drawn, &open, Subject { this: piece, site: None });
            }
        }
        drawn
    }

    /// How a site is drawn.
    pub fn site_look(&mut self, board: usize, site: i64) -> Look {
        let rules = self.words();
        let here = LookTarget::Board(rules.board_id(board));
        let mut drawn = Look::default();
        if let Some(look) = rules.looks.iter().find(|look| look.target == here) {
            let subject = Subject { this: NIL, site: Some(site) };
            drawn.colour = self.tint(&look.colour, subject);
            drawn.label = self.wording(&look.label, subject);
            drawn.marks = self.holding(&look.mark, subject);
        }
        drawn
    }

    /// What a table of a board is headed by. Where the content has the same words for all of them, the owner is said.
    pub fn board_title(&mut self, board: usize, whose: i64, owner: Option<&str>) -> Option<String> {
        let rules = self.words();
        let here = LookTarget::Board(rules.board_id(board));
        let look = rules.looks.iter().find(|look| look.target == here)?;
        let subject = Subject { this: whose, site: None };
        let parts = self.chosen_case(&look.title, subject)?;
        let title = self.worded(parts, subject)?;
        let alike = parts.iter().all(|part| matches!(part, WordingPart::Text(_)));
        Some(match owner {
            Some(owner) if alike => format!("{title} of {owner}"),
            _ => title,
        })
    }

    /// How a zone is drawn.
    pub fn zone_look(&mut self, zone: ZoneId) -> Look {
        let rules = self.words();
        let mut drawn = Look::default();
        if let Some(look) = rules.looks.iter().find(|look| look.target == LookTarget::Zone(zone)) {
            self.add_look(&mut drawn, look, Subject { this: NIL, site: None });
        }
        drawn
    }

    /// The colour of a seat: what the look of players says, else the one its name says, else one by its number.
    pub fn seat_colour(&mut self, seat: i64) -> Colour {
        let rules = self.words();
        let look = rules.looks.iter().find(|look| look.target == LookTarget::Player);
        let said = look.and_then(|look| self.tint(&look.colour, Subject { this: seat, site: None }));
        said.or_else(|| self.unspoken(|run| Colour::named(&run.seat_name(seat))))
            .unwrap_or_else(|| Colour::nth(usize::try_from(seat).unwrap_or(0)))
    }

    /// What the look of the game, or of players for one of them, tells in a glance: every line that counts.
    pub fn look_lines(&mut self, target: LookTarget, whose: i64) -> Vec<String> {
        let rules = self.words();
        let Some(look) = rules.looks.iter().find(|look| look.target == target) else { return Vec::new() };
        let subject = Subject { this: whose, site: None };
        let counts: Vec<_> = look.line.iter().filter(|case| self.counts(case, subject)).collect();
        counts.into_iter().filter_map(|case| self.worded(&case.value, subject)).collect()
    }

    /// Which properties the look of a kind lists, or of the nearest kind above; none if no look says so.
    pub fn shown_of_kind(&self, kind: usize) -> Option<&[PropId]> {
        self.p.rules.shown_of_kind(rules::KindId(kind as u32))
    }

    /// Which properties of the game or of players are listed, if their look says so.
    pub fn shown_of(&self, target: LookTarget) -> Option<&[PropId]> {
        self.p.rules.looks.iter().find(|look| look.target == target).and_then(rules::Look::shown)
    }

    /// Whether the log tells what happens to a property of the game or of players. Their looks say so where they have a
    /// `show` or a `line`: it is named in one of them. Else all are told but marks, which are the rules' own notes.
    pub fn log_tells(&self, target: LookTarget, prop: PropId) -> bool {
        let told =
            || self.p.rules.props.get(prop.index()).is_some_and(|prop| !matches!(prop.class, PropClass::Mark { .. }));
        self.p.rules.lists(target, prop).unwrap_or_else(told)
    }

    /// Fills in what is still open.
    fn add_look(&mut self, drawn: &mut Look, look: &rules::Look, subject: Subject) {
        drawn.shape = drawn.shape.or_else(|| self.chosen_case(&look.shape, subject).copied());
        drawn.colour = drawn.colour.or_else(|| self.tint(&look.colour, subject));
        if drawn.size.is_none()
            && let Some(size) = self.chosen_case(&look.size, subject)
        {
            let size = self.look_words(*size, subject).and_then(|words| words.first().copied());
            drawn.size = size.filter(|size| *size != NIL).and_then(|size| u16::try_from(size.clamp(1, 1000)).ok());
        }
        let texts = [
            (&mut drawn.glyph, &look.glyph),
            (&mut drawn.label, &look.label),
            (&mut drawn.title, &look.title),
            (&mut drawn.text, &look.text),
        ];
        for (text, cases) in texts {
            if text.is_none() {
                *text = self.wording(cases, subject);
            }
        }
        if drawn.art.is_none() {
            // The path of a file.
            drawn.art = self.unspoken(|run| run.wording(&look.art, subject));
        }
        if drawn.marks.is_empty() {
            drawn.marks = self.holding(&look.mark, subject);
        }
        if drawn.sides.is_empty()
            && let Some(sides) = self.chosen_case(&look.sides, subject)
        {
            drawn.sides = self.sides(*sides, subject);
        }
    }

    /// The sides of a tile, as it lies.
    fn sides(&mut self, proc: ProcId, subject: Subject) -> Vec<Side> {
        let Ty::PerDirection(inner) = self.look_type(proc) else { return Vec::new() };
        let (Ty::Enum(id), Some(words)) = (*inner, self.look_words(proc, subject)) else { return Vec::new() };
        let values = words.iter().skip(1).take(words.first().map_or(0, |count| *count as usize));
        let side = |value: &i64| {
            let info = self.words().enums[id.index()].values.get(usize::try_from(*value).ok()?)?;
            let (name, thickness) = (info.name.clone(), info.thickness);
            Some(Side { name, colour: self.value_colour(id, *value)?, thickness })
        };
        values.filter_map(side).collect()
    }

    /// The words of a procedure of a look; none if it fails.
    fn look_words(&mut self, proc: ProcId, subject: Subject) -> Option<Vec<i64>> {
        let me = self.mover();
        let args: Vec<i64> = subject.site.into_iter().collect();
        self.eval(proc, me, subject.this, NONE, &args).ok()?;
        Some(self.x.result.clone())
    }

    fn counts<T>(&mut self, case: &Case<T>, subject: Subject) -> bool {
        if let (Some(sites), Some(site)) = (case.sites, subject.site)
            && let Some(found) = self.among_sites(sites, site)
        {
            return found;
        }
        match case.when {
            None => true,
            Some(when) => self.look_words(when, subject).is_some_and(|words| words.first() == Some(&1)),
        }
    }

    /// Whether a site is in a set that is worked out once for a view; none if that fails, for all sites or one.
    fn among_sites(&mut self, sites: ProcId, site: i64) -> Option<bool> {
        if !self.x.looked.contains_key(&sites) {
            let me = self.mover();
            let set = self.eval(sites, me, NIL, NONE, &[]).ok().map(|_| self.x.result.clone());
            self.x.looked.insert(sites, set);
        }
        let set = self.x.looked.get(&sites)?.as_ref()?;
        let word = set.get(usize::try_from(site).ok()? / 64)?;
        Some((word >> (site % 64)) & 1 == 1)
    }

    fn chosen_case<'c, T>(&mut self, cases: &'c [Case<T>], subject: Subject) -> Option<&'c T> {
        cases.iter().find(|case| self.counts(case, subject)).map(|case| &case.value)
    }

    fn holding<T: Copy>(&mut self, cases: &[Case<T>], subject: Subject) -> Vec<T> {
        cases.iter().filter(|case| self.counts(case, subject)).map(|case| case.value).collect()
    }

    fn look_type(&self, proc: ProcId) -> Ty {
        match &self.p.rules.procs[proc.index()].body {
            ProcBody::Expr(expr) => expr.ty.clone(),
            ProcBody::Block(_) => Ty::Nothing,
        }
    }

    fn tint(&mut self, cases: &[Case<Tint>], subject: Subject) -> Option<Colour> {
        match self.chosen_case(cases, subject)? {
            Tint::Fixed(colour) => Some(*colour),
            Tint::Of(proc) => {
                let value = *self.look_words(*proc, subject)?.first()?;
                match self.look_type(*proc).bare() {
                    _ if value == NIL => None,
                    Ty::Enum(id) => self.value_colour(*id, value),
                    Ty::Player => Some(self.seat_colour(value)),
                    _ => None,
                }
            }
        }
    }

    /// The colour of an enum's value: what the look of the enum says, else the one it is called, else one by its number.
    fn value_colour(&self, id: rules::EnumId, value: i64) -> Option<Colour> {
        let index = usize::try_from(value).ok()?;
        let value = self.p.rules.enums[id.index()].values.get(index)?;
        value.colour.or_else(|| Colour::named(&value.name)).or_else(|| Some(Colour::nth(index)))
    }

    fn wording(&mut self, cases: &[Case<Wording>], subject: Subject) -> Option<String> {
        let parts = self.chosen_case(cases, subject)?;
        self.worded(parts, subject)
    }

    fn worded(&mut self, parts: &Wording, subject: Subject) -> Option<String> {
        let mut text = String::new();
        for part in parts {
            match part {
                WordingPart::Text(part) => text.push_str(part),
                WordingPart::Field(field) => text.push_str(&self.field_words(subject.this, *field).unwrap_or_default()),
                WordingPart::Value(proc) => {
                    let words = self.look_words(*proc, subject)?;
                    text.push_str(&self.value_words(&words, &self.look_type(*proc), self.x.eyes));
                }
            }
        }
        Some(text)
    }
}
