//! How things look. A setting of a look has values; one with `when` counts while its condition holds, and the first
//! that counts is used. What a look says goes to the viewer through the engine's views, so it may read only what lies
//! open.

use super::body::{Body, Place, Subject};
use super::check::Checker;
use super::collect::Decl;
use super::hidden;
use super::rules::{
    Builtin, Case, EnumId, Expr, ExprKind, LocalId, Look, LookTarget, Per, ProcId, ProcRole, PropClass, PropId,
    TemplatePart, Tint, Ty, Wording, WordingPart,
};
use super::zones::word;
use crate::base::{COLOURS, Code, Colour, Diagnostic, SHAPES, Shape, Span, ZONE_SHAPES, nearest};
use crate::syntax::ast::{self, Ident};

/// Settings of kinds.
const OF_KINDS: [&str; 11] =
    ["shape", "colour", "size", "glyph", "label", "title", "text", "art", "mark", "sides", "show"];
/// Settings of zones.
const OF_ZONES: [&str; 3] = ["title", "shape", "colour"];
/// Settings of boards: of each of its sites, and of the board as a whole.
const OF_BOARDS: [&str; 4] = ["title", "colour", "label", "mark"];
/// Settings of players.
const OF_PLAYERS: [&str; 3] = ["colour", "line", "show"];
/// Settings of the game as a whole.
const OF_THE_GAME: [&str; 2] = ["line", "show"];

/// How thick an edge can be drawn.
const THICKEST: i64 = 5;

/// A value of a setting with the condition after its `when`.
type Given<'v> = (&'v [ast::Expr], Option<&'v ast::Expr>);

impl Checker<'_> {
    /// Checks all looks.
    pub(super) fn check_looks(&mut self) {
        for (name, props, span) in std::mem::take(&mut self.items.looks) {
            let decl = self.names.get(&name.text).copied();
            self.means(name);
            let (target, known): (LookTarget, &[&str]) = match decl {
                Some(Decl::Kind(kind)) => (LookTarget::Kind(kind), &OF_KINDS),
                Some(Decl::Zone(zone)) => (LookTarget::Zone(zone), &OF_ZONES),
                Some(Decl::Board(board)) => (LookTarget::Board(board), &OF_BOARDS),
                Some(Decl::Enum(id)) => {
                    self.enum_look(id, props);
                    continue;
                }
                _ if name.text == "player" => (LookTarget::Player, &OF_PLAYERS),
                _ if name.text == "game" => (LookTarget::Game, &OF_THE_GAME),
                _ => {
                    self.no_target(name);
                    continue;
                }
            };
            if let Some(first) = self.rules.looks.iter().find(|look| look.target == target) {
                let message = format!("`{}` has a look already", name.text);
                let found = Diagnostic::new(Code::Duplicate, name.span, message).label(first.span, "first given here");
                self.report(found);
            }
            let mut look = Look::new(target, span);
            self.check_settings(props, known, "this look");
            for prop in props.iter().filter(|prop| known.contains(&prop.name.text.as_str())) {
                if prop.name.text == "show" {
                    look.show = Some(self.shown(target, prop));
                    continue;
                }
                for (value, when) in prop.values.iter().zip(&prop.whens) {
                    self.look_value(&mut look, prop, (value, when.as_ref()));
                }
            }
            if let LookTarget::Zone(zone) = target {
                let others = self.zones_with(zone).into_iter().filter(|other| *other != zone);
                let looks = others.map(|other| Look { target: LookTarget::Zone(other), ..look.clone() });
                self.rules.looks.extend(looks);
            }
            self.rules.looks.push(look);
        }
    }

    fn no_target(&mut self, name: &Ident) {
        let can = |decl: &Decl| matches!(decl, Decl::Kind(_) | Decl::Zone(_) | Decl::Board(_) | Decl::Enum(_));
        let names = self.names.iter().filter(|(_, decl)| can(decl)).map(|(name, _)| name.as_str());
        let message = format!("there is no kind, zone, board or enum `{}`", name.text);
        let found = self.suggest(Diagnostic::new(Code::UnknownName, name.span, message), &name.text, names);
        self.report(found);
    }

    /// `look ENUM { value: colour thickness }`
    fn enum_look(&mut self, id: EnumId, props: &[ast::Prop]) {
        let Some(values) = self.rules.enums.get(id.index()).map(|item| item.values.clone()) else { return };
        let names: Vec<&str> = values.iter().map(|value| value.name.as_str()).collect();
        self.check_settings(props, &names, "this look");
        for prop in props {
            let Some(index) = names.iter().position(|name| *name == prop.name.text) else { continue };
            self.means_value(id, index as i64, prop.name.span);
            let run = prop.values.first().map_or(&[][..], Vec::as_slice);
            let (colour, thickness) = match run {
                [colour] => (self.plain_colour(colour), Some(1)),
                [colour, thickness] => (self.plain_colour(colour), self.constant_number(thickness)),
                _ => (None, None),
            };
            let thickness = thickness.filter(|thickness| (0..=THICKEST).contains(thickness));
            let (Some(colour), Some(thickness), [_]) = (colour, thickness, prop.values.as_slice()) else {
                let message = format!("a value is drawn in one colour, and as an edge 0 to {THICKEST} thick");
                let found = Diagnostic::new(Code::BadSetting, prop.span, message).help(format!(
                    "for example `{}: red 3`; {}",
                    prop.name.text,
                    colours_help()
                ));
                self.report(found);
                continue;
            };
            if let Some(value) = self.rules.enums.get_mut(id.index()).and_then(|item| item.values.get_mut(index)) {
                value.colour = Some(colour);
                value.thickness = thickness as u8;
            }
        }
    }

    fn plain_colour(&self, written: &ast::Expr) -> Option<Colour> {
        match &written.kind {
            ast::ExprKind::Text(text) => Colour::parse(text),
            _ => word(written).and_then(|name| COLOURS.iter().find(|(known, _)| *known == name)).map(|found| found.1),
        }
    }

    fn look_value(&mut self, look: &mut Look, prop: &ast::Prop, given: Given<'_>) {
        let target = look.target;
        // Words of looks are no values: one or the other of them is two cases.
        if let ([written], "shape" | "mark" | "colour") = (given.0, prop.name.text.as_str())
            && let ast::ExprKind::If(cond, yes, no) = &written.kind
        {
            let not = ast::ExprKind::Unary(ast::UnaryOp::Not, cond.clone());
            let not = ast::Expr { kind: not, span: cond.span };
            for (value, holds) in [(yes, (**cond).clone()), (no, not)] {
                let when = match given.1 {
                    Some(when) => {
                        let both = ast::ExprKind::Binary(ast::BinaryOp::And, Box::new(when.clone()), Box::new(holds));
                        ast::Expr { kind: both, span: cond.span }
                    }
                    None => holds,
                };
                self.look_value(look, prop, (std::slice::from_ref(&**value), Some(&when)));
            }
            return;
        }
        // The title is the whole board's, not a site's.
        let whole = matches!(target, LookTarget::Board(_)) && prop.name.text == "title";
        let mut sites = None;
        let when = given.1.map(|when| {
            let mut body = self.look_body(target, whole, when.span);
            let cond = self.flag(&mut body, when);
            sites = self.sites_that_count(target, whole, &body, &cond);
            self.look_proc(body, cond)
        });
        let [written] = given.0 else {
            let span = given.0.first().map_or(prop.span, |first| first.span);
            let found = Diagnostic::new(Code::BadSetting, span, format!("`{}` takes one value here", prop.name.text))
                .help("separate several by commas, and say `when` each of them counts");
            self.report(found);
            return;
        };
        let span = written.span;
        let shapes = if matches!(target, LookTarget::Zone(_)) { &ZONE_SHAPES[..] } else { &SHAPES[..] };
        match prop.name.text.as_str() {
            "shape" => {
                look.shape.extend(self.shape_word(written, shapes).map(|value| Case { value, when, sites, span }))
            }
            "mark" => look.mark.extend(self.shape_word(written, shapes).map(|value| Case { value, when, sites, span })),
            "colour" => look.colour.extend(self.tint(target, written).map(|value| Case { value, when, sites, span })),
            "size" => {
                let mut body = self.look_body(target, whole, written.span);
                let value = self.expr_of(&mut body, written, &Ty::Number);
                look.size.push(Case { value: self.look_proc(body, value), when, sites, span });
            }
            "sides" => look.sides.extend(self.sides(target, written).map(|value| Case { value, when, sites, span })),
            name => {
                let value = self.wording(target, whole, written);
                let case = value.map(|value| Case { value, when, sites, span });
                match name {
                    "glyph" => look.glyph.extend(case),
                    "label" => look.label.extend(case),
                    "title" => look.title.extend(case),
                    "art" => look.art.extend(case),
                    "line" => look.line.extend(case),
                    _ => look.text.extend(case),
                }
            }
        }
    }

    /// `show: NAME, NAME`: the properties that are listed.
    fn shown(&mut self, target: LookTarget, prop: &ast::Prop) -> Vec<PropId> {
        if let Some(when) = prop.whens.iter().flatten().next() {
            self.error(Code::BadSetting, when.span, "what is listed is always listed; a `line` can have a `when`");
        }
        let known = match target {
            LookTarget::Kind(kind) => self.rules.kinds.get(kind.index()).map_or(Vec::new(), |kind| kind.props.clone()),
            LookTarget::Player => self.rules.player_props.clone(),
            _ => self.rules.game_props.clone(),
        };
        let mut shown = Vec::new();
        if let [run] = prop.values.as_slice()
            && let [written] = run.as_slice()
            && word(written) == Some("nothing")
        {
            return shown;
        }
        for run in &prop.values {
            let name = match run.as_slice() {
                [written] => word(written),
                _ => None,
            };
            let found = known.iter().copied().find(|id| Some(self.prop_name(*id)) == name);
            if let Some(found) = found {
                run.iter().for_each(|written| self.means_prop(found, written.span));
                self.uses.props.insert(found);
                shown.extend(self.family(found));
                continue;
            }
            if name.is_some_and(|name| self.is_asked(name)) {
                self.could_be_props(&known, None);
            }
            let span = run.first().map_or(prop.span, |first| first.span);
            if let Some(zone) =
                run.first().and_then(|first| zone_in(first)).filter(|zone| self.zone_named(zone).is_some())
            {
                let message = format!("`{zone}` is a zone, and `show` takes names of properties");
                let help = "leave it out: zones are shown by themselves, to those that their `seen` names";
                self.report(Diagnostic::new(Code::BadSetting, span, message).help(help));
                continue;
            }
            let names = known.iter().map(|id| self.prop_name(*id));
            let found = match name {
                Some(name) => {
                    let message = format!("there is no property `{name}` to be listed here");
                    self.suggest(Diagnostic::new(Code::UnknownName, span, message), name, names)
                }
                None => Diagnostic::new(Code::BadSetting, span, "`show` takes names of properties")
                    .help("for example `show: level, gold`; a `line` can tell anything"),
            };
            self.report(found);
        }
        shown
    }

    /// A body for something in a look: what is drawn is `this` and the subject.
    fn look_body(&mut self, target: LookTarget, whole: bool, span: Span) -> Body {
        let this = match target {
            LookTarget::Kind(kind) => Some(Ty::Entity(kind)),
            LookTarget::Player => Some(Ty::Player),
            LookTarget::Board(board) if whole => match self.rules.boards.get(board.index()).map(|board| board.per) {
                Some(Per::Player) => Some(Ty::Player),
                Some(Per::Kind(kind)) => Some(Ty::Entity(kind)),
                _ => None,
            },
            LookTarget::Zone(_) | LookTarget::Board(_) | LookTarget::Game => None,
        };
        let mut body = Body::new("look", ProcRole::Pure, span).with_this(this).with_subject();
        body.me = false;
        if let (LookTarget::Board(board), false) = (target, whole) {
            let ty = Ty::Site(board);
            let site = body.param("site", ty.clone(), span, false);
            body.subjects.push(Subject { place: Place::Local(site), ty });
        }
        body
    }

    /// A procedure for all sites at once of which a condition holds: a set that it asks for is worked out once.
    fn sites_that_count(&mut self, target: LookTarget, whole: bool, body: &Body, cond: &Expr) -> Option<ProcId> {
        let LookTarget::Board(id) = target else { return None };
        let board = self.rules.boards.get(id.index())?;
        if whole || board.endless() || board.per != Per::Game || cond.ty != Ty::Flag {
            return None;
        }
        let (ty, span) = (Ty::Site(id).set(), cond.span);
        let over = Box::new(Expr { kind: ExprKind::Builtin(Builtin::AllSites, Vec::new()), ty: ty.clone(), span });
        let cond = Box::new(cond.clone());
        let kind = ExprKind::Where { over, binder: LocalId(0), cond };
        Some(self.finish_expr(body.clone().without_params(), Expr { kind, ty, span }))
    }

    fn look_proc(&mut self, body: Body, value: Expr) -> ProcId {
        if let Some((span, zone)) = hidden::told(&self.rules, &value) {
            let message = format!("a picture cannot tell {}", hidden::told_words(zone.as_ref()));
            let mut found = Diagnostic::new(Code::HiddenFact, span, message);
            if let Some(zone) = zone {
                found = found.help(format!("it can tell how many cards lie there: `count {zone}`"));
            }
            self.report(found);
        }
        self.finish_expr(body, value)
    }

    fn shape_word(&mut self, written: &ast::Expr, shapes: &[(&str, Shape)]) -> Option<Shape> {
        let name = word(written).unwrap_or("");
        if self.is_asked(name) {
            self.could_be_word(shapes.iter().map(|(name, _)| *name));
        }
        let found = shapes.iter().find(|(known, _)| *known == name).map(|(_, shape)| *shape);
        if found.is_none() {
            let names: Vec<&str> = shapes.iter().map(|(name, _)| *name).collect();
            let mut found = Diagnostic::new(Code::BadSetting, written.span, "this is no shape");
            found = match nearest(name, names.iter().copied()) {
                Some(best) => found.did_you_mean(best),
                None => found.help(format!("shapes are: {}", names.join(", "))),
            };
            self.report(found);
        }
        found
    }

    /// A colour by name or as `"#rrggbb"`, or that of a player or enum value.
    fn tint(&mut self, target: LookTarget, written: &ast::Expr) -> Option<Tint> {
        // What is declared counts only where it has a colour: a flag or zone called `black` does not hide the colour.
        let coloured = |ty: &Ty| matches!(ty.bare(), Ty::Player | Ty::Enum(_));
        let declared = word(written).is_some_and(|name| {
            matches!(self.names.get(name), Some(Decl::Define(_)))
                || self.enum_values.contains_key(name)
                || self.rules.props.iter().any(|prop| prop.name == name && coloured(&prop.ty))
        });
        if !declared && let Some(colour) = self.plain_colour(written) {
            return Some(Tint::Fixed(colour));
        }
        if let ast::ExprKind::Text(text) = &written.kind {
            let found = Diagnostic::new(Code::BadSetting, written.span, format!("`{text}` is no colour"));
            self.report(found.help(colours_help()));
            return None;
        }
        if word(written).is_some_and(|name| self.is_asked(name)) {
            self.could_be_word(COLOURS.iter().map(|(name, _)| *name));
        }
        let known = |name: &&str| self.rules.props.iter().any(|prop| prop.name == *name);
        let builtin = |name: &&str| super::collect::BUILTIN_NAMES.contains(name);
        if let Some(name) = word(written).filter(|name| !declared && !builtin(name) && !known(name)) {
            let names = COLOURS.iter().map(|(name, _)| *name);
            let mut found = Diagnostic::new(Code::BadSetting, written.span, format!("`{name}` is no colour"));
            found = match nearest(name, names) {
                Some(best) => found.did_you_mean(best),
                None => found.help(colours_help()),
            };
            self.report(found);
            return None;
        }
        let mut body = self.look_body(target, false, written.span);
        let value = self.expr(&mut body, written);
        match value.ty.bare() {
            // The look of players is what says which colour a player has.
            Ty::Player if target == LookTarget::Player => {
                let found =
                    Diagnostic::new(Code::BadSetting, written.span, "a player's colour is not that of a player")
                        .help(colours_help());
                self.report(found);
                None
            }
            Ty::Player | Ty::Enum(_) => {
                if let Ty::Enum(id) = value.ty.bare() {
                    self.uses.enums.insert(*id);
                }
                Some(Tint::Of(self.look_proc(body, value)))
            }
            Ty::Error => None,
            other => {
                let what = self.type_name(other);
                let message = format!("{what} has no colour");
                let found = Diagnostic::new(Code::BadSetting, written.span, message)
                    .help("a colour is that of a player or of an enum's value, or one by itself")
                    .note(colours_help());
                self.report(found);
                None
            }
        }
    }

    /// What a tile shows at its sides.
    fn sides(&mut self, target: LookTarget, written: &ast::Expr) -> Option<ProcId> {
        let mut body = self.look_body(target, false, written.span);
        let value = self.expr(&mut body, written);
        match &value.ty {
            Ty::PerDirection(inner) => {
                if let Ty::Enum(id) = inner.as_ref() {
                    self.uses.enums.insert(*id);
                    return Some(self.look_proc(body, value));
                }
            }
            Ty::Error => return None,
            _ => {}
        }
        let what = self.type_name(&value.ty);
        let found = Diagnostic::new(Code::BadSetting, written.span, format!("{what} is not what lies at the sides"))
            .help("sides are an enum's values per direction: `field side: edge per direction` and `sides: side`");
        self.report(found);
        None
    }

    /// A text with `{...}`, or an expression that is written.
    fn wording(&mut self, target: LookTarget, whole: bool, written: &ast::Expr) -> Option<Wording> {
        let span = written.span;
        let ast::ExprKind::Text(text) = &written.kind else {
            let mut body = self.look_body(target, whole, span);
            let value = self.expr(&mut body, written);
            if matches!(value.ty, Ty::Lambda(..) | Ty::Effect(_)) {
                let what = self.type_name(&value.ty);
                self.error(Code::BadSetting, span, format!("{what} cannot be written"));
                return None;
            }
            return Some(vec![self.wording_value(body, value)]);
        };
        let mut body = self.look_body(target, whole, span);
        let template = self.template(&mut body, &Ident { text: text.clone(), span });
        let mut wording = Wording::new();
        for part in template.parts {
            match part {
                TemplatePart::Text(text) => wording.push(WordingPart::Text(text)),
                TemplatePart::Value(value) => wording.push(self.wording_value(body.clone(), value)),
            }
        }
        Some(wording)
    }

    fn wording_value(&mut self, body: Body, value: Expr) -> WordingPart {
        match &value.kind {
            ExprKind::Text(text) => WordingPart::Text(text.clone()),
            ExprKind::Prop(of, prop)
                if value.ty == Ty::Text
                    && matches!(of.kind, ExprKind::This)
                    && matches!(self.class_of(*prop), Some(PropClass::Field { .. })) =>
            {
                WordingPart::Field(*prop)
            }
            _ => WordingPart::Value(self.look_proc(body, value)),
        }
    }
}

fn colours_help() -> String {
    let names: Vec<&str> = COLOURS.iter().map(|(name, _)| *name).collect();
    format!("colours are \"#rrggbb\", or: {}", names.join(", "))
}

/// The name of what is written with or without a key: `row`, `row[1]`.
fn zone_in(written: &ast::Expr) -> Option<&str> {
    match &written.kind {
        ast::ExprKind::Index(of, _) => zone_in(of),
        _ => word(written),
    }
}
