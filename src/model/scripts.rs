//! Scripts: their declarations and calls. A script either gives a value, and is called in expressions, or acts: then it is
//! a statement, and its declaration lists what it may do. For each of these things a procedure is made of the usual
//! statements, so that whatever looks for what the rules can change, ask or show finds it among the others.

use super::body::{Body, Callee};
use super::check::{Checker, broken};
use super::collect::{Decl, ScriptItem};
use super::index::Sort;
use super::rules::{
    Acting, BinaryOp, Clause, ClauseHome, ClauseId, ClauseKind, Expr, ExprKind, HookEvent, LocalId, MayArm, MayDo,
    MaySet, ProcId, ProcRole, PropClass, PropId, PropOwner, Script, ScriptId, Sight, Stmt, StmtKind, Ty, VerbId,
};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, Ident, MayKind, Prep, Stage};

impl Checker<'_> {
    /// Declares the script functions.
    pub(super) fn declare_scripts(&mut self) {
        for item in self.items.scripts.clone() {
            let ScriptItem { name, params, ty, sees, may, file } = item;
            let acts = ty.is_none() || sees.is_some() || !may.is_empty();
            let params: Vec<(String, Ty)> = params
                .iter()
                .map(|param| {
                    let ty = self.script_type(&param.ty);
                    self.declares_local(&param.name.text, param.name.span, &ty, Sort::Parameter);
                    (param.name.text.clone(), ty)
                })
                .collect();
            let result = ty.map_or(Ty::Nothing, |ty| self.script_result(ty));
            self.check_form(&item);
            let source = self.package_of(file.span).and_then(|package| package.scripts.get(&file.text));
            let leaves = file.text.starts_with('/') || file.text.split(['/', '\\']).any(|part| part == "..");
            if leaves {
                let found = Diagnostic::new(Code::BadPath, file.span, "a path may not leave the package")
                    .help("put the script into the folder of the game");
                self.report(found);
            } else if source.is_none() {
                let message = format!("there is no script file `{}`", file.text);
                self.error(Code::MissingFile, file.span, message);
            }
            let (text, source) = source.map_or((None, String::new()), |(id, source)| (Some(*id), source.clone()));
            let sees = self.sight(sees);
            let acting = acts.then(|| Acting {
                sees,
                keeps: sees,
                notes: may.iter().any(|may| may.kind == MayKind::Note),
                chooses: may.iter().any(|may| may.kind == MayKind::Choose),
                rolls: may.iter().any(|may| may.kind == MayKind::Roll),
                ..Acting::default()
            });
            let (name, span) = (name.text.clone(), name.span);
            let file = file.text.clone();
            self.rules.scripts.push(Script { name, params, result, acting, source, file, text, span });
        }
    }

    /// A script gives a value, or it does something.
    fn check_form(&mut self, item: &ScriptItem<'_>) {
        let name = item.name;
        let found = match (item.ty, item.may) {
            (Some(ty), [first, ..]) => Diagnostic::new(
                Code::ScriptForm,
                ty.span,
                format!("`{}` gives a value, and so it cannot act", name.text),
            )
            .label(first.span, "it acts here")
            .help("leave out the type, or what it may do: one script works something out, another acts"),
            (Some(ty), []) if item.sees.is_some() => {
                let message = format!("`{}` gives a value, so it sees nothing but what it is given", name.text);
                Diagnostic::new(Code::ScriptForm, ty.span, message).help("give it what it needs as arguments")
            }
            (None, []) => {
                let message = format!("`{}` neither gives a value nor may do anything", name.text);
                Diagnostic::new(Code::ScriptForm, name.span, message)
                    .help("say the type of its value, `: number`, or what it may do: `may note, set points`")
            }
            _ => return,
        };
        self.report(found);
    }

    fn sight(&mut self, sees: Option<&Ident>) -> Sight {
        match sees.map(|sees| (sees.text.as_str(), sees.span)) {
            None => Sight::Open,
            Some(("me", span)) => {
                self.means_builtin("me", span);
                Sight::Me
            }
            Some(("all", span)) => {
                self.means_word(span);
                Sight::All
            }
            Some((other, span)) => {
                let message = format!("a script sees what everybody knows, and not `{other}`");
                let found = Diagnostic::new(Code::ScriptForm, span, message)
                    .help("write `sees me` for what its player knows, `sees all` for everything");
                self.report(found);
                Sight::Open
            }
        }
    }

    /// A type that can be handed to a script.
    fn script_type(&mut self, written: &ast::Type) -> Ty {
        let ty = self.resolve_passed(written).ty;
        if plain(&ty) {
            return ty;
        }
        let what = self.type_name(&ty);
        let found = Diagnostic::new(Code::ScriptType, written.span, format!("a script cannot have {what}"))
            .note("it can have numbers, flags, enum values, players, sites, texts, cards and pieces, and sets and lists of them");
        self.report(found);
        Ty::Error
    }

    /// A type that a script can give: a text that it puts together is none of the game's.
    fn script_result(&mut self, written: &ast::Type) -> Ty {
        let ty = self.script_type(written);
        if *ty.element().bare() != Ty::Text {
            return ty;
        }
        let what = self.type_name(&ty);
        let found = Diagnostic::new(Code::ScriptType, written.span, format!("a script cannot give {what}"))
            .note("texts are given to scripts; a script gives numbers, flags, enum values, players, sites, cards and pieces, and sets and lists of them");
        self.report(found);
        Ty::Error
    }

    /// Calls a script function for its value.
    pub(super) fn call_script(&mut self, body: &mut Body, name: &str, span: Span, args: &[ast::Expr]) -> Expr {
        let Some(Decl::Script(id)) = self.names.get(name).copied() else { return broken(span) };
        let Some(script) = self.rules.scripts.get(id.index()) else { return broken(span) };
        let result = script.result.clone();
        if script.acting.is_some() {
            let found = Diagnostic::new(Code::ScriptForm, span, format!("`{name}` acts, so it has no value"))
                .label(script.span, "declared here")
                .help(format!("a script that acts stands where a statement does: `{name}(...)`"));
            self.report(found);
            return broken(span);
        }
        let args: Vec<&ast::Expr> = args.iter().collect();
        match self.script_args(body, id, span, &args) {
            Some(args) => Expr { kind: ExprKind::CallScript(id, args), ty: result, span },
            None => broken(span),
        }
    }

    /// Calls a script that acts.
    pub(super) fn script_stmt(
        &mut self,
        body: &mut Body,
        name: &Ident,
        args: &[&ast::Expr],
        labelled: &[(Prep, ast::Expr)],
    ) -> Option<StmtKind> {
        let Some(Decl::Script(script)) = self.names.get(&name.text).copied() else { return None };
        let found = self.rules.scripts.get(script.index())?;
        let Some(acting) = &found.acting else {
            let declared = found.span;
            let message = format!("`{}` gives a value, and nothing is done with it", name.text);
            let found = Diagnostic::new(Code::ScriptForm, name.span, message)
                .label(declared, "declared here")
                .help(format!("keep it: `let x = {}(...)`", name.text));
            self.report(found);
            return None;
        };
        let (asks, chance) = (acting.chooses, acting.rolls);
        if let Some((_, arg)) = labelled.first() {
            let found = Diagnostic::new(Code::UnknownLabel, arg.span, "a script has its arguments in brackets")
                .help(format!("write `{}(a, b)`", name.text));
            self.report(found);
            return None;
        }
        if asks || chance {
            body.suspends(name.span, "script");
        }
        // What a script does is not known beforehand.
        body.irrevocable.get_or_insert((name.span, "script"));
        body.calls(Callee::Script(script), name.span);
        let args = self.script_args(body, script, name.span, args)?;
        Some(StmtKind::Script { script, args, armed: false })
    }

    fn script_args(&mut self, body: &mut Body, id: ScriptId, span: Span, args: &[&ast::Expr]) -> Option<Vec<Expr>> {
        let script = self.rules.scripts.get(id.index())?;
        let (name, params, declared) = (script.name.clone(), script.params.clone(), script.span);
        if params.len() != args.len() {
            self.wrong_arity(&name, span, declared, params.len(), args.len());
            return None;
        }
        Some(params.iter().zip(args).map(|((_, ty), arg)| self.expr_of(body, arg, ty)).collect())
    }

    /// Makes the procedures of what scripts may do. All verbs and properties are known by now.
    pub(super) fn check_scripts(&mut self) {
        self.note_reads();
        for (index, item) in self.items.scripts.clone().into_iter().enumerate() {
            let script = ScriptId(index as u32);
            if self.rules.scripts.get(index).is_none_or(|script| script.acting.is_none()) {
                continue;
            }
            let (mut verbs, mut sets, mut arms) = (Vec::new(), Vec::new(), Vec::new());
            for may in item.may {
                match &may.kind {
                    MayKind::Note | MayKind::Choose | MayKind::Roll => {}
                    MayKind::Verb(name) => verbs.extend(self.may_do(script, name)),
                    MayKind::Set(name) => sets.extend(self.may_set(script, name)),
                    MayKind::Arm { stage, edge, name } => {
                        let pattern =
                            ast::EventPattern { edge: *edge, verb: name.clone(), first: None, args: Vec::new() };
                        arms.extend(self.may_arm(script, *stage, &pattern, may.span));
                    }
                }
            }
            if let Some(acting) = self.rules.scripts.get_mut(index).and_then(|script| script.acting.as_mut()) {
                (acting.verbs, acting.sets, acting.arms) = (verbs, sets, arms);
            }
        }
    }

    /// What the text of a script names may be read by it.
    fn note_reads(&mut self) {
        let named = |name: &str| self.rules.scripts.iter().any(|script| mentions(&script.source, name));
        let props = self.rules.props.iter().enumerate().filter(|(_, prop)| named(&prop.name));
        let props: Vec<PropId> = props.map(|(index, _)| PropId(index as u32)).collect();
        self.uses.props.extend(props);
    }

    /// A procedure of a script, where it is declared what it may do.
    fn act_body(&self, script: ScriptId, span: Span) -> Body {
        let name = self.rules.scripts.get(script.index()).map_or("", |script| script.name.as_str());
        Body::new(format!("script {name}"), ProcRole::Effect, span)
    }

    fn may_do(&mut self, script: ScriptId, name: &Ident) -> Option<MayDo> {
        let Some(verb) = self.verb_named(&name.text) else {
            self.unknown_verb(name);
            return None;
        };
        self.means(name);
        self.uses.verbs.insert(verb);
        let params = self.rules.verbs.get(verb.index())?.params.clone();
        if let Some(param) = params.iter().find(|param| !plain(&param.ty) && !matches!(param.ty, Ty::Error)) {
            let what = self.type_name(&param.ty);
            let found = Diagnostic::new(Code::ScriptType, name.span, format!("`{}` takes {what}", name.text))
                .note("a script has none to give");
            self.report(found);
            return None;
        }
        let least = params.iter().rposition(|param| param.default.is_none()).map_or(0, |last| last + 1);
        let procs = (least..=params.len()).map(|count| self.doing(script, verb, count, name.span)).collect();
        Some(MayDo { verb, procs, least })
    }

    /// Performs a verb with its first arguments.
    fn doing(&mut self, script: ScriptId, verb: VerbId, count: usize, span: Span) -> ProcId {
        let mut body = self.act_body(script, span);
        let params = self.rules.verbs.get(verb.index()).map(|verb| verb.params.clone()).unwrap_or_default();
        let mut args = Vec::new();
        for (index, param) in params.into_iter().enumerate() {
            let arg = (index < count).then(|| body.param(&param.name, param.ty.clone(), span, true));
            args.push(arg.map(|local| Expr { kind: ExprKind::Local(local), ty: param.ty, span }));
        }
        body.calls(Callee::Verb(verb), span);
        let kind = StmtKind::Call { verb, args, ignoring: Vec::new() };
        self.finish_block(body, vec![Stmt { kind, span }])
    }

    fn may_set(&mut self, script: ScriptId, name: &Ident) -> Vec<MaySet> {
        let named = |(index, prop): (usize, &super::rules::Prop)| {
            let stored = matches!(prop.class, PropClass::Counter { .. } | PropClass::Mark { .. });
            (prop.name == name.text && stored).then_some(PropId(index as u32))
        };
        let props: Vec<PropId> = self.rules.props.iter().enumerate().filter_map(named).collect();
        props.iter().for_each(|id| self.means_prop(*id, name.span));
        if props.is_empty() {
            let message = format!("there is no counter or mark `{}`", name.text);
            let found = Diagnostic::new(Code::CannotSet, name.span, message);
            let stored = self
                .rules
                .props
                .iter()
                .filter(|prop| matches!(prop.class, PropClass::Counter { .. } | PropClass::Mark { .. }));
            let found = self.suggest(found, &name.text, stored.map(|prop| prop.name.as_str()));
            self.report(found);
        }
        props.into_iter().filter_map(|prop| self.setting(script, prop, name.span)).collect()
    }

    /// Changes a counter or mark.
    fn setting(&mut self, script: ScriptId, prop: PropId, span: Span) -> Option<MaySet> {
        let (ty, owner) = self.rules.props.get(prop.index()).map(|prop| (prop.ty.clone(), prop.owner))?;
        if !plain(&ty) {
            let what = self.type_name(&ty);
            self.error(Code::ScriptType, span, format!("a script cannot give a value of {what}"));
            return None;
        }
        self.uses.props.insert(prop);
        let make = |checker: &mut Self, increase: bool| {
            let mut body = checker.act_body(script, span);
            let local = |local: LocalId, ty: Ty| Expr { kind: ExprKind::Local(local), ty, span };
            let of = match owner {
                PropOwner::Kind(kind) => Some(Ty::Entity(kind)),
                PropOwner::Player => Some(Ty::Player),
                PropOwner::Game => None,
            };
            let of = of.map(|ty| local(body.param("of", ty.clone(), span, true), ty));
            let value = local(body.param("value", ty.clone(), span, true), ty.clone());
            let value = match increase {
                true => {
                    let kind = match &of {
                        Some(of) => ExprKind::Prop(Box::new(of.clone()), prop),
                        None => ExprKind::GameProp(prop),
                    };
                    let read = Expr { kind, ty: ty.clone(), span };
                    let kind = ExprKind::Binary(BinaryOp::Add, Box::new(read), Box::new(value));
                    Expr { kind, ty: ty.clone(), span }
                }
                false => value,
            };
            let kind = match of {
                Some(of) => StmtKind::SetProp { of, prop, value },
                None => StmtKind::SetGameProp { prop, value },
            };
            checker.finish_block(body, vec![Stmt { kind, span }])
        };
        let set = make(self, false);
        let increase = (ty == Ty::Number).then(|| make(self, true));
        Some(MaySet { prop, set, increase })
    }

    fn may_arm(
        &mut self,
        script: ScriptId,
        stage: Option<Stage>,
        pattern: &ast::EventPattern,
        span: Span,
    ) -> Option<MayArm> {
        let event = self.event(pattern)?.event;
        let stage = match (stage, event) {
            (Some(Stage::After) | None, _) => Stage::After,
            (Some(Stage::Before), HookEvent::Verb(_)) => Stage::Before,
            (Some(_), _) => {
                let message = "a script waits for what comes after an event, or before a verb does its work";
                let found = Diagnostic::new(Code::PatternMismatch, span, message)
                    .help("write `arm after VERB`, `arm before VERB`, `arm end of SPAN`");
                self.report(found);
                return None;
            }
        };
        let clause = |checker: &mut Self, next: bool, announced: bool| {
            checker.armed(script, stage, event, (next, announced), span)
        };
        let pair =
            |checker: &mut Self, announced| [clause(checker, false, announced), clause(checker, true, announced)];
        let clauses = [pair(self, false), pair(self, true)];
        Some(MayArm { stage, event, clauses })
    }

    /// A clause that the script arms: it goes on with the script.
    fn armed(
        &mut self,
        script: ScriptId,
        stage: Stage,
        event: HookEvent,
        (next, announced): (bool, bool),
        span: Span,
    ) -> ClauseId {
        let mut body = self.act_body(script, span);
        body.event = true;
        let mut count = 1;
        match event {
            HookEvent::Verb(verb) => {
                count = self.rules.verbs.get(verb.index()).map_or(0, |verb| verb.params.len());
                self.verb_frame(&mut body, verb, |_| None);
            }
            HookEvent::Span(..) => {
                body.param("", Ty::Player, span, false);
            }
        }
        let stamp = body.param("stamp", Ty::Number, span, true);
        let acting = self.rules.scripts.get(script.index()).and_then(|script| script.acting.as_ref());
        if acting.is_some_and(|acting| acting.chooses || acting.rolls) {
            body.suspends(span, "script");
        }
        body.calls(Callee::Script(script), span);
        let arg = Expr { kind: ExprKind::Local(stamp), ty: Ty::Number, span };
        let kind = StmtKind::Script { script, args: vec![arg], armed: true };
        let body = Some(self.finish_block(body, vec![Stmt { kind, span }]));
        let kind = ClauseKind::Hook { next, announced, may: false, stage, even_gone: false, event, cond: None, body };
        let id = ClauseId(self.rules.clauses.len() as u32);
        let captures = vec![(LocalId(0), LocalId(count as u32))];
        self.rules.clauses.push(Clause {
            home: ClauseHome::Armed,
            kind,
            captures,
            keeps: Sight::Open,
            folded: false,
            span,
        });
        id
    }
}

/// Whether scripts can have values of a type that the game keeps.
fn plain(ty: &Ty) -> bool {
    let item = match ty {
        Ty::Maybe(inner) => inner.as_ref(),
        other => other.element().bare(),
    };
    matches!(
        item,
        Ty::Number | Ty::Flag | Ty::Text | Ty::Enum(_) | Ty::Player | Ty::Entity(_) | Ty::Site(_) | Ty::Error
    )
}

/// Whether a text has a word in it.
pub(super) fn mentions(text: &str, word: &str) -> bool {
    let part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

/// Whether a script may ask for a part of the event at hand: it can do so by its name only, `event().NAME`.
pub(super) fn asks_for(script: &str, name: &str) -> bool {
    let part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let asked =
        |(at, _): (usize, &str)| script[..at].ends_with(['.', '"']) && !script[at + name.len()..].starts_with(part);
    mentions(script, "event") && script.match_indices(name).any(asked)
}
