//! Items: the outermost level of a file.

use super::super::ast::{
    Block, Change, EntryField, EntryFieldKind, EnumValue, Fragment, Ident, Item, ItemKind, May, MayKind, Member, Prop,
    Stage, Swap, Target, TurnsPart, WindowPart,
};
use super::super::grammar::{Kids, Part, Rule};
use super::Builder;

impl Builder<'_> {
    /// An item.
    pub(in super::super) fn item(&mut self, part: Part<'_>) -> Option<Item> {
        let span = self.span(&part);
        let form = Kids::of(part).next()?;
        let kind = self.item_kind(form);
        Some(Item { kind, label: self.label.take(), span })
    }

    /// One of the things that a script may do.
    fn may_part(&mut self, part: Part<'_>) -> May {
        let span = self.span(&part);
        let mut kids = Kids::of(part);
        let kind = if kids.has(Rule::k_note) {
            MayKind::Note
        } else if kids.has(Rule::k_choose) {
            MayKind::Choose
        } else if kids.has(Rule::k_roll) {
            MayKind::Roll
        } else if let Some(set) = kids.take(Rule::may_set) {
            MayKind::Set(self.ident(Kids::of(set).next()))
        } else if let Some(arm) = kids.take(Rule::may_arm) {
            let mut kids = Kids::of(arm);
            let stage = kids.take(Rule::stage);
            let stage = stage.map(|stage| match self.text(&stage) {
                "instead" => Stage::Instead,
                "before" => Stage::Before,
                _ => Stage::After,
            });
            MayKind::Arm { stage, edge: self.edge(&mut kids), name: self.ident(kids.next()) }
        } else {
            MayKind::Verb(self.ident(kids.next()))
        };
        May { kind, span }
    }

    fn item_kind(&mut self, form: Part<'_>) -> ItemKind {
        let rule = form.as_rule();
        let mut kids = Kids::of(form);
        match rule {
            Rule::i_enum => {
                let name = self.named(&mut kids);
                ItemKind::Enum { name, values: kids.list(Rule::enum_value, |value| self.enum_value(value)) }
            }
            Rule::i_option => ItemKind::Option {
                name: self.ident(kids.next()),
                ty: self.ty(kids.next()),
                default: self.expr(kids.next()),
            },
            Rule::i_kind => {
                let (name, parent) = (self.named(&mut kids), self.ident(kids.next()));
                ItemKind::Kind { name, parent, members: self.members(&mut kids) }
            }
            Rule::i_player => ItemKind::Player { members: self.members(&mut kids) },
            Rule::i_game => ItemKind::Game { members: self.members(&mut kids) },
            Rule::i_zone => {
                let name = self.named(&mut kids);
                let per_player = kids.take(Rule::per_player).is_some();
                let per = kids.take(Rule::ty_per).map(|per| self.ty(Some(per)));
                ItemKind::Zone { name, per_player, per, props: self.props(&mut kids) }
            }
            Rule::i_board => {
                let name = self.named(&mut kids);
                let per = kids.take(Rule::board_per).map(|per| {
                    let mut inner = Kids::of(per);
                    let player = inner.word(Rule::k_player);
                    self.ident(player.or_else(|| inner.next()))
                });
                ItemKind::Board { name, per, props: self.props(&mut kids) }
            }
            Rule::i_look => {
                let word = kids.word(Rule::k_player).or_else(|| kids.word(Rule::k_game));
                let name = word.or_else(|| kids.next());
                ItemKind::Look { name: self.ident(name), props: self.props(&mut kids) }
            }
            Rule::i_entry => {
                let (kind, name) = (self.ident(kids.next()), self.ident(kids.next()));
                let fields = kids.list(Rule::entry_field, |field| self.entry_field(field));
                ItemKind::Entry { kind, name, fields }
            }
            Rule::i_scenario => self.scenario(kids),
            Rule::i_patch | Rule::i_replace | Rule::i_remove => self.change_item(rule, kids),
            _ => self.rule_item(rule, kids),
        }
    }

    /// Items that change the items of other packages.
    fn change_item(&mut self, rule: Rule, mut kids: Kids<'_>) -> ItemKind {
        let Some(form) = kids.next() else {
            let sort = self.ident(None);
            return ItemKind::Remove { target: Target { sort, name: None } };
        };
        match rule {
            Rule::i_patch => self.patch(form),
            Rule::i_replace => {
                let span = self.span(&form);
                let kind = Kids::of(form).next().map(|item| self.item_kind(item));
                // The grammar has said that there is one.
                let kind = kind.unwrap_or(ItemKind::Setup { body: self.block(None) });
                ItemKind::Replace { with: Box::new(Item { kind, label: self.label.take(), span }) }
            }
            _ => ItemKind::Remove { target: self.target(&form) },
        }
    }

    /// The first words of a change.
    fn target(&self, form: &Part<'_>) -> Target {
        let words = Kids::of(*form).everything();
        let words = words.take_while(|part| !matches!(part.as_rule(), Rule::lbrace));
        let mut words = words.take(2);
        let sort = self.ident(words.next());
        let name = words.next().filter(|_| sort.text != "setup").map(|name| self.dotted(name));
        Target { sort, name }
    }

    /// A name, or the two names of the end of a link without space between them.
    fn dotted(&self, part: Part<'_>) -> Ident {
        if part.as_rule() != Rule::link_end {
            return self.ident(Some(part));
        }
        let span = self.span(&part);
        let (kind, prop) = self.link_end(Some(part));
        Ident { text: format!("{}.{}", kind.text, prop.text), span }
    }

    fn patch(&mut self, form: Part<'_>) -> ItemKind {
        let target = self.target(&form);
        let rule = form.as_rule();
        let parts: Vec<Part<'_>> = Kids::of(form).everything().collect();
        let of = |wanted: Rule| parts.iter().filter(move |part| part.as_rule() == wanted).copied();
        let drops = || of(Rule::drop).map(|drop| self.ident(Kids::of(drop).everything().nth(1))).collect::<Vec<_>>();
        let change = match rule {
            Rule::p_entry => {
                let drops = drops();
                Change::Fields { fields: of(Rule::entry_field).map(|field| self.entry_field(field)).collect(), drops }
            }
            Rule::p_members => {
                let drops = drops();
                Change::Members { members: of(Rule::member).map(|member| self.member(member)).collect(), drops }
            }
            Rule::p_rule => {
                let drops = drops();
                let when = of(Rule::when).next();
                let when = self.inner_expr(when);
                Change::Clauses { when, clauses: of(Rule::clause).map(|clause| self.clause(clause)).collect(), drops }
            }
            Rule::p_props => Change::Props(of(Rule::prop).map(|prop| self.prop(prop)).collect()),
            Rule::p_window => Change::Parts(of(Rule::window_part).filter_map(|part| self.window_part(part)).collect()),
            Rule::p_turns => {
                let word = |drop: &Part<'_>| self.ident(Kids::of(*drop).everything().nth(1));
                let drops = of(Rule::turns_drop).map(|drop| word(&drop)).collect();
                let heads = of(Rule::turns_part).filter_map(|part| self.turns_part(part)).collect();
                Change::Turns { name: self.ident(parts.get(1).copied()), parts: heads, drops }
            }
            Rule::p_enum => Change::Values(of(Rule::enum_value).map(|value| self.enum_value(value)).collect()),
            Rule::p_option => Change::Default(self.expr(parts.last().copied())),
            Rule::p_setup => {
                let stmts = of(Rule::stmt).map(|stmt| self.stmt(stmt)).collect();
                Change::Stmts(Block { stmts, span: self.span(&form) })
            }
            _ => Change::Body,
        };
        let swaps = of(Rule::swap).map(|swap| self.swap(swap)).collect();
        ItemKind::Patch { target, change, swaps }
    }

    fn turns_part(&mut self, part: Part<'_>) -> Option<TurnsPart> {
        let form = Kids::of(part).next()?;
        let mut kids = Kids::of(form).everything();
        Some(TurnsPart { word: self.ident(kids.next()), value: self.expr(kids.next()) })
    }

    fn swap(&mut self, part: Part<'_>) -> Swap {
        let span = self.span(&part);
        let mut kids = Kids::of(part);
        let mut fragment = |kid: Option<Part<'_>>| match kid.map(|kid| kid.as_rule()) {
            Some(Rule::block) => Fragment::Stmts(self.block(kid)),
            _ => Fragment::Expr(self.expr(kid)),
        };
        Swap { old: fragment(kids.next()), new: fragment(kids.next()), span }
    }

    /// Items that say what happens.
    fn rule_item(&mut self, rule: Rule, mut kids: Kids<'_>) -> ItemKind {
        match rule {
            Rule::i_link => {
                let (from_kind, from_prop) = self.link_end(kids.next());
                let (to_kind, to_prop) = self.link_end(kids.next());
                let orphan = kids.take(Rule::orphan).map(|orphan| {
                    let mut inner = Kids::of(orphan);
                    (self.ident(inner.next()), self.block(inner.next()))
                });
                ItemKind::Link { from_kind, from_prop, to_kind, to_prop, orphan }
            }
            Rule::i_define => {
                let name = self.ident(kids.next());
                let params = self.params(&mut kids);
                let ty = self.of_type(&mut kids);
                ItemKind::Define { name, params, ty, body: self.expr(kids.next()) }
            }
            Rule::i_verb => {
                let name = self.named(&mut kids);
                let params = self.verb_params(&mut kids);
                ItemKind::Verb { name, params, body: self.block(kids.next()) }
            }
            Rule::i_action => {
                let name = self.named(&mut kids);
                let params = self.params(&mut kids);
                ItemKind::Action { name, params, body: self.block(kids.next()) }
            }
            Rule::i_window => self.window(kids),
            Rule::i_setup => ItemKind::Setup { body: self.block(kids.next()) },
            Rule::i_rule => {
                let absolute = kids.has(Rule::k_absolute);
                let name = self.ident(kids.next());
                let when = kids.take(Rule::when);
                let when = self.inner_expr(when);
                ItemKind::Rule { absolute, name, when, clauses: self.clauses(&mut kids) }
            }
            Rule::i_script => {
                let name = self.ident(kids.next());
                let params = self.params(&mut kids);
                let ty = self.of_type(&mut kids);
                let sees = kids.take(Rule::script_sees).map(|sees| self.ident(Kids::of(sees).next()));
                let may = kids.take(Rule::script_may);
                let mut parts = may.map(Kids::of);
                let mut may = Vec::new();
                while let Some(part) = parts.as_mut().and_then(|parts| parts.take(Rule::may_part)) {
                    may.push(self.may_part(part));
                }
                ItemKind::Script { name, params, ty, sees, may, file: self.ident(kids.next()) }
            }
            Rule::i_cards => {
                let of = kids.take(Rule::cards_of).map(|of| self.ident(Kids::of(of).next()));
                ItemKind::Cards { of, file: self.ident(kids.next()) }
            }
            _ => ItemKind::Flow { body: self.block(kids.next()) },
        }
    }

    fn window(&mut self, mut kids: Kids<'_>) -> ItemKind {
        let name = self.ident(kids.next());
        let params = self.params(&mut kids);
        let mut from = self.expr(kids.next());
        let among = kids.take(Rule::among);
        let mut among = self.inner_expr(among);
        let until = kids.take(Rule::until);
        let mut until = self.inner_expr(until);
        let prompt = kids.take(Rule::prompt).map(|text| self.ident(Some(text)));
        // A text after a name has been read as that of a definition.
        let last = until.as_mut().or(among.as_mut()).unwrap_or(&mut from);
        let prompt = prompt.or_else(|| Self::trailing_text(last));
        let parts = kids.list(Rule::window_part, |part| self.window_part(part)).into_iter().flatten().collect();
        ItemKind::Window { name, params, from, among, until, prompt, parts }
    }

    fn window_part(&mut self, part: Part<'_>) -> Option<WindowPart> {
        let form = Kids::of(part).next()?;
        let rule = form.as_rule();
        let mut kids = Kids::of(form);
        if rule == Rule::window_silent {
            return Some(WindowPart::Silent(self.expr(kids.next())));
        }
        let (aside, quiet) = (kids.has(Rule::k_aside), kids.has(Rule::k_quietly));
        Some(WindowPart::Acts { aside, quiet, acts: kids.list(Rule::act, |act| self.act(act)) })
    }

    fn enum_value(&mut self, part: Part<'_>) -> EnumValue {
        let mut kids = Kids::of(part);
        EnumValue { name: self.ident(kids.next()), label: kids.next().map(|label| self.ident(Some(label))) }
    }

    fn link_end(&self, part: Option<Part<'_>>) -> (Ident, Ident) {
        let Some(part) = part else { return (self.ident(None), self.ident(None)) };
        let mut kids = Kids::of(part);
        (self.ident(kids.next()), self.ident(kids.next()))
    }

    fn members(&mut self, kids: &mut Kids<'_>) -> Vec<Member> {
        kids.list(Rule::member, |member| self.member(member))
    }

    fn props(&mut self, kids: &mut Kids<'_>) -> Vec<Prop> {
        kids.list(Rule::prop, |prop| self.prop(prop))
    }

    /// A field or clause of a definition.
    pub(in super::super) fn entry_field(&mut self, part: Part<'_>) -> EntryField {
        let span = self.span(&part);
        let form = Kids::of(part).next();
        let kind = match form {
            None => EntryFieldKind::Supersedes(self.ident(None)),
            Some(form) => self.entry_field_kind(form),
        };
        EntryField { kind, span }
    }

    fn entry_field_kind(&mut self, form: Part<'_>) -> EntryFieldKind {
        let rule = form.as_rule();
        if rule == Rule::clause {
            return EntryFieldKind::Clause(Box::new(self.clause(form)));
        }
        let mut kids = Kids::of(form);
        let name = self.ident(kids.next());
        if rule == Rule::f_supersedes {
            return EntryFieldKind::Supersedes(name);
        }
        match kids.take(Rule::f_value) {
            Some(value) => EntryFieldKind::Value { name, value: self.expr(Kids::of(value).next()) },
            None => EntryFieldKind::Effect { name, body: self.block(kids.next()) },
        }
    }
}
