//! A readable form of the tree for snapshots: one line for a part, indented, without places. Expressions are written
//! with all their brackets, so that two trees have the same dump only if they are the same but for places.

use super::ast::*;
use std::fmt::Write;

mod exprs;

use exprs::{expr, ident, list, opt, quoted, ty};

/// Writes a tree down.
pub fn dump(file: &File) -> String {
    let mut out = Out { text: String::new(), depth: 0 };
    for item in &file.items {
        out.item(item);
    }
    out.text
}

/// Whether two trees are the same but for places.
pub fn same_tree(one: &File, other: &File) -> bool {
    dump(one) == dump(other)
}

fn of_target(target: &Target) -> String {
    format!("{}{}", ident(&target.sort), opt(" ", &target.name, quoted))
}

struct Out {
    text: String,
    depth: usize,
}

impl Out {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn inside<T>(&mut self, parts: &[T], each: impl Fn(&mut Self, &T)) {
        self.depth += 1;
        for part in parts {
            each(self, part);
        }
        self.depth -= 1;
    }

    fn block(&mut self, block: &Block) {
        self.inside(&block.stmts, Self::stmt);
    }

    fn named_block(&mut self, name: &str, block: Option<&Block>) {
        if let Some(block) = block {
            self.line(name);
            self.block(block);
        }
    }

    fn item(&mut self, item: &Item) {
        self.label(item.label.as_ref());
        match &item.kind {
            ItemKind::Enum { name, values } => {
                self.line(&format!("enum {}", ident(name)));
                self.inside(values, Self::enum_value);
            }
            ItemKind::Option { name, ty: of, default } => {
                self.line(&format!("option {}: {} = {}", ident(name), ty(of), expr(default)));
            }
            ItemKind::Kind { name, parent, members } => {
                self.line(&format!("kind {} : {}", ident(name), ident(parent)));
                self.inside(members, Self::member);
            }
            ItemKind::Player { members } => {
                self.line("player");
                self.inside(members, Self::member);
            }
            ItemKind::Game { members } => {
                self.line("game");
                self.inside(members, Self::member);
            }
            ItemKind::Zone { name, per_player, per, props } => {
                let per = per.as_ref().map_or(String::new(), |per| format!(" per {}", ty(per)));
                self.line(&format!("zone {}{}{per}", ident(name), if *per_player { " per player" } else { "" }));
                self.inside(props, Self::prop);
            }
            ItemKind::Board { name, per, props } => {
                let per = per.as_ref().map_or(String::new(), |per| format!(" per {}", ident(per)));
                self.line(&format!("board {}{per}", ident(name)));
                self.inside(props, Self::prop);
            }
            ItemKind::Look { name, props } => {
                self.line(&format!("look {}", ident(name)));
                self.inside(props, Self::prop);
            }
            ItemKind::Entry { kind, name, fields } => {
                self.line(&format!("definition {} {}", ident(kind), quoted(name)));
                self.inside(fields, Self::field);
            }
            ItemKind::Scenario { title, covers, steps } => {
                self.line(&format!("scenario {} covers [{}]", quoted(title), list(covers, ident)));
                self.inside(steps, Self::step);
            }
            ItemKind::Patch { target, change, swaps } => {
                self.line(&format!("patch {}", of_target(target)));
                self.change(change);
                for swap in swaps {
                    self.fragment("old", &swap.old);
                    self.fragment("new", &swap.new);
                }
            }
            ItemKind::Replace { with } => {
                self.line("replace");
                self.inside(std::slice::from_ref(with.as_ref()), Self::item);
            }
            ItemKind::Remove { target } => self.line(&format!("remove {}", of_target(target))),
            kind => self.rule_item(kind),
        }
    }

    fn change(&mut self, change: &Change) {
        let dropped = |out: &mut Self, name: &Ident| out.line(&format!("no {}", ident(name)));
        match change {
            Change::Fields { fields, drops } => {
                self.inside(drops, dropped);
                self.inside(fields, Self::field);
            }
            Change::Members { members, drops } => {
                self.inside(drops, dropped);
                self.inside(members, Self::member);
            }
            Change::Clauses { when, clauses, drops } => {
                self.inside(when.as_slice(), |out, when| out.line(&format!("when {}", expr(when))));
                self.inside(drops, dropped);
                self.inside(clauses, Self::clause);
            }
            Change::Props(props) => self.inside(props, Self::prop),
            Change::Parts(parts) => self.inside(parts, Self::window_part),
            Change::Turns { parts, drops, .. } => {
                self.inside(drops, dropped);
                self.inside(parts, |out, part| out.line(&format!("{} {}", ident(&part.word), expr(&part.value))));
            }
            Change::Values(values) => self.inside(values, Self::enum_value),
            Change::Default(default) => self.line(&format!("  default {}", expr(default))),
            Change::Stmts(body) => self.block(body),
            Change::Body => {}
        }
    }

    fn fragment(&mut self, word: &str, fragment: &Fragment) {
        match fragment {
            Fragment::Expr(of) => self.line(&format!("  {word} {}", expr(of))),
            Fragment::Stmts(body) => {
                self.line(&format!("  {word}"));
                self.block(body);
            }
        }
    }

    fn enum_value(&mut self, value: &EnumValue) {
        self.line(&format!("value {}{}", ident(&value.name), opt(" label ", &value.label, quoted)));
    }

    fn rule_item(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Link { from_kind, from_prop, to_kind, to_prop, orphan } => {
                let (from, to) = (format!("{}.{}", ident(from_kind), ident(from_prop)), ident(to_kind));
                self.line(&format!("link {from} to {to}.{}", ident(to_prop)));
                if let Some((name, block)) = orphan {
                    self.line(&format!("orphan {}", ident(name)));
                    self.block(block);
                }
            }
            ItemKind::Define { name, params, ty: of, body } => {
                self.line(&format!(
                    "define {}({}){} = {}",
                    ident(name),
                    list(params, param),
                    opt(": ", of, ty),
                    expr(body)
                ));
            }
            ItemKind::Verb { name, params, body } => {
                let params = list(params, |verb| {
                    format!(
                        "{}{}",
                        verb.prep.map_or(String::new(), |prep| format!("{} ", prep.word())),
                        param(&verb.param)
                    )
                });
                self.line(&format!("verb {}({params})", ident(name)));
                self.block(body);
            }
            ItemKind::Action { name, params, body } => {
                self.line(&format!("action {}({})", ident(name), list(params, param)));
                self.block(body);
            }
            ItemKind::Window { name, params, from, among, until, prompt, parts } => {
                let rest = format!(
                    "{}{}{}",
                    opt(" among ", among, expr),
                    opt(" until ", until, expr),
                    opt(" ", prompt, quoted)
                );
                self.line(&format!("window {}({}) from {}{rest}", ident(name), list(params, param), expr(from)));
                self.inside(parts, Self::window_part);
            }
            ItemKind::Setup { body } => self.named_block("setup", Some(body)),
            ItemKind::Flow { body } => self.named_block("flow", Some(body)),
            ItemKind::Rule { absolute, name, when, clauses } => {
                let absolute = if *absolute { "absolute " } else { "" };
                self.line(&format!("{absolute}rule {}{}", ident(name), opt(" when ", when, expr)));
                self.inside(clauses, Self::clause);
            }
            ItemKind::Script { name, params, ty: of, sees, may: parts, file } => {
                let sees = opt(" sees ", sees, ident);
                let may = if parts.is_empty() { String::new() } else { format!(" may {}", list(parts, may)) };
                let (head, of) = (format!("{}({})", ident(name), list(params, param)), opt(": ", of, ty));
                self.line(&format!("script {head}{of}{sees}{may} = {}", quoted(file)));
            }
            ItemKind::Cards { of, file } => {
                self.line(&format!("cards{} from {}", opt(" of ", of, ident), quoted(file)))
            }
            _ => {}
        }
    }

    fn window_part(&mut self, part: &WindowPart) {
        self.line(&match part {
            WindowPart::Silent(cond) => format!("silent when {}", expr(cond)),
            WindowPart::Acts { aside, quiet, acts } => {
                let (aside, quietly) = (if *aside { "aside " } else { "" }, if *quiet { "quietly " } else { "" });
                format!("{aside}{quietly}{}", list(acts, act))
            }
        });
    }

    fn label(&mut self, label: Option<&Ident>) {
        if let Some(label) = label {
            self.line(&format!("called {}", quoted(label)));
        }
    }

    fn member(&mut self, member: &Member) {
        self.label(member.label.as_ref());
        match &member.kind {
            MemberKind::Field { name, ty: of, default } => {
                self.line(&format!("field {}: {}{}", ident(name), ty(of), opt(" = ", default, expr)));
            }
            MemberKind::Counter { name, ty: of, how, default } => {
                let (ty, how) = (opt(": ", of, ty), keeping(*how));
                self.line(&format!("counter {}{ty}{how}{}", ident(name), opt(" = ", default, expr)));
            }
            MemberKind::Mark { name, ty: of, how, default } => {
                let how = keeping(*how);
                self.line(&format!("mark {}: {}{how}{}", ident(name), ty(of), opt(" = ", default, expr)));
            }
            MemberKind::Stat { name, ty: of, formula } => {
                self.line(&format!("stat {}: {} = {}", ident(name), ty(of), expr(formula)));
            }
            MemberKind::StandsWhen { cond } => self.line(&format!("stands when {}", expr(cond))),
            MemberKind::Seen { by } => self.line(&format!("seen: {}", by.text)),
            MemberKind::Notation { text } => self.line(&format!("notation {}", quoted(text))),
            MemberKind::Clause(clause) => self.clause(clause),
        }
    }

    fn prop(&mut self, prop: &Prop) {
        let values: Vec<String> = prop
            .values
            .iter()
            .zip(&prop.whens)
            .map(|(run, when)| {
                let when = when.as_ref().map_or(String::new(), |when| format!(" when {}", expr(when)));
                format!("{}{when}", run.iter().map(expr).collect::<Vec<_>>().join(" "))
            })
            .collect();
        self.line(&format!("{}: {}", ident(&prop.name), values.join(", ")));
    }

    fn field(&mut self, field: &EntryField) {
        match &field.kind {
            EntryFieldKind::Value { name, value } => self.line(&format!("{}: {}", ident(name), expr(value))),
            EntryFieldKind::Effect { name, body } => self.named_block(&format!("effect {}", ident(name)), Some(body)),
            EntryFieldKind::Clause(clause) => self.clause(clause),
            EntryFieldKind::Supersedes(name) => self.line(&format!("supersedes {}", ident(name))),
        }
    }

    fn clause(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Hook { next, announced, may, stage, even_gone, event, cond, body } => {
                let mut head = flags(&[(*next, "next"), (*announced, "announced"), (*may, "may")]);
                head += match stage {
                    Stage::Cannot => "cannot",
                    Stage::Instead => "instead",
                    Stage::Before => "before",
                    Stage::After => "after",
                };
                head += if *even_gone { " even gone " } else { " " };
                head += match event.edge {
                    Some(Edge::Start) => "start of ",
                    Some(Edge::End) => "end of ",
                    None => "",
                };
                let args = list(&event.args, |(prep, name)| format!("{} {}", prep.word(), ident(name)));
                let _ = write!(
                    head,
                    "{}({}{args}){}",
                    ident(&event.verb),
                    opt("", &event.first, |first| format!("{}; ", ident(first))),
                    opt(" where ", cond, expr)
                );
                self.line(&head);
                self.named_block("do", body.as_ref());
            }
            ClauseKind::Becomes { next, announced, cond, body } => {
                let head = flags(&[(*next, "next"), (*announced, "announced")]);
                self.named_block(&format!("{head}becomes {}", expr(cond)), Some(body));
            }
            ClauseKind::Modify { stat, at, of, to, value, when } => {
                let word = if *to { "to" } else { "by" };
                let at = at.as_ref().map(|at| format!("[{}]", expr(at))).unwrap_or_default();
                self.line(&format!(
                    "modify {}{at} of {} {word} {}{}",
                    ident(stat),
                    expr(of),
                    expr(value),
                    opt(" when ", when, expr)
                ));
            }
            ClauseKind::Check { cond, body } => self.named_block(&format!("check {}", expr(cond)), Some(body)),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Choose(form) => self.line(&choose(form)),
            StmtKind::ChooseAction { by, acts, or_else, prompt } => {
                self.line(&format!(
                    "choose{} action {} else [{}]{}",
                    opt(" by ", by, expr),
                    list(acts, act),
                    list(or_else, act),
                    opt(" ", prompt, quoted)
                ));
            }
            StmtKind::ChooseOption { by, arms, prompt } => {
                self.line(&format!("choose{} option{}", opt(" by ", by, expr), opt(" ", prompt, quoted)));
                self.inside(arms, |out, arm| {
                    out.named_block(&format!("{}{}", quoted(&arm.text), opt(" if ", &arm.cond, expr)), Some(&arm.body));
                });
            }
            StmtKind::Gate { must, by, prompt, chooses, pay, body, or_else } => {
                let word = if *must { "must" } else { "may" };
                self.line(&format!("{word}{}{}", opt(" by ", by, expr), opt(" ", prompt, quoted)));
                self.inside(chooses, |out, form| out.line(&choose(form)));
                self.named_block("pay", pay.as_ref());
                self.named_block("do", Some(body));
                self.named_block("else", or_else.as_ref());
            }
            StmtKind::Offer { to, prompt, parts, accepted, refused } => {
                self.line(&format!("offer to {}{}", expr(to), opt(" ", prompt, quoted)));
                self.inside(parts, |out, part| {
                    out.line(&match part {
                        OfferPart::Terms(form) => format!("terms {}", choose(form)),
                        OfferPart::Counters(count) => format!("counters {}", expr(count)),
                        OfferPart::Valid(cond) => format!("valid while {}", expr(cond)),
                    });
                });
                self.named_block("accepted", Some(accepted));
                self.named_block("refused", refused.as_ref());
            }
            StmtKind::Each { name, domain, mode, body } => {
                let mode = match mode {
                    EachMode::InTurn => "",
                    EachMode::AtOnce => " at once",
                    EachMode::Secret => " secret",
                };
                self.named_block(&format!("each {} in {}{mode}", ident(name), expr(domain)), Some(body));
            }
            StmtKind::If { cond, body, or_else } => {
                self.named_block(&format!("if {}", expr(cond)), Some(body));
                self.named_block("else", or_else.as_ref());
            }
            StmtKind::Repeat { test, body } => {
                let test = match test {
                    RepeatTest::Forever => String::new(),
                    RepeatTest::Until(cond) => format!(" until {}", expr(cond)),
                    RepeatTest::While(cond) => format!(" while {}", expr(cond)),
                    RepeatTest::Times(times) => format!(" {} times", expr(times)),
                };
                self.named_block(&format!("repeat{test}"), Some(body));
            }
            StmtKind::Turns { name, from, among, next, rounds, until, body } => {
                let rounds = rounds.as_ref().map_or(String::new(), |rounds| format!(" for {} rounds", expr(rounds)));
                let rest = format!(
                    "{}{}{rounds}{}",
                    opt(" among ", among, |among| expr(among)),
                    opt(" next ", next, |next| expr(next)),
                    opt(" until ", until, |until| expr(until))
                );
                self.named_block(&format!("turns {} from {}{rest}", ident(name), expr(from)), Some(body));
            }
            StmtKind::Phase { name, body } => self.named_block(&format!("phase {}", ident(name)), Some(body)),
            StmtKind::Arm { span_kind, clauses } => {
                self.line(&format!("arm{}", arm_span(span_kind)));
                self.inside(clauses, Self::clause);
            }
            kind => self.line(&plain(kind)),
        }
    }

    fn step(&mut self, step: &ScenarioStep) {
        let texts = |texts: &[Ident]| list(texts, quoted);
        let line = match &step.kind {
            ScenarioStepKind::Players(count) => format!("players {count}"),
            ScenarioStepKind::Seed(seed) => format!("seed {seed}"),
            ScenarioStepKind::Mover(who) => format!("mover {}", expr(who)),
            ScenarioStepKind::KeepOrder => "keep order".to_owned(),
            ScenarioStepKind::Alone => "alone".to_owned(),
            ScenarioStepKind::Option { name, value } => format!("option {} = {}", ident(name), expr(value)),
            ScenarioStepKind::Given(block) => return self.named_block("given", Some(block)),
            ScenarioStepKind::Chance(outcomes) => format!("chance {}", texts(outcomes)),
            ScenarioStepKind::FirstChance(outcomes) => format!("chance from start {}", texts(outcomes)),
            ScenarioStepKind::Play { by, keys } => format!("play{} {}", opt(" by ", by, expr), texts(keys)),
            ScenarioStepKind::Expect(value) => format!("expect {}", expr(value)),
            ScenarioStepKind::ExpectAsked { who, text } => {
                format!("expect {} asked{}", expr(who), opt(" ", text, quoted))
            }
            ScenarioStepKind::ExpectLegal { not, keys, because } => {
                format!(
                    "expect {} {}{}",
                    if *not { "illegal" } else { "legal" },
                    texts(keys),
                    opt(" because ", because, quoted)
                )
            }
            ScenarioStepKind::ExpectOptions(keys) => format!("expect options {}", texts(keys)),
            ScenarioStepKind::ExpectSees { who, not, text } => {
                format!("expect {} sees{} {}", expr(who), if *not { " no" } else { "" }, quoted(text))
            }
            ScenarioStepKind::ExpectTurns { depth, count } => format!("expect turns {depth} = {count}"),
            ScenarioStepKind::ExpectOver { winners } => format!("expect over{}", opt(" winners ", winners, expr)),
            ScenarioStepKind::Snapshot => "snapshot".to_owned(),
        };
        self.line(&line);
    }
}

fn param(param: &Param) -> String {
    format!("{}: {}{}", ident(&param.name), ty(&param.ty), opt(" = ", &param.default, expr))
}

fn may(may: &May) -> String {
    match &may.kind {
        MayKind::Verb(name) => ident(name),
        MayKind::Set(name) => format!("set {}", ident(name)),
        MayKind::Note => "note".to_owned(),
        MayKind::Choose => "choose".to_owned(),
        MayKind::Roll => "roll".to_owned(),
        MayKind::Arm { stage, edge, name } => {
            let stage = stage.map_or(String::new(), |stage| format!(" {}", format!("{stage:?}").to_lowercase()));
            let edge = match edge {
                Some(Edge::Start) => " start of",
                Some(Edge::End) => " end of",
                None => "",
            };
            format!("arm{stage}{edge} {}", ident(name))
        }
    }
}

fn act(act: &Act) -> String {
    format!("{}({})", ident(&act.name), list(&act.args, expr))
}

fn flags(flags: &[(bool, &str)]) -> String {
    flags.iter().filter(|(set, _)| *set).map(|(_, word)| format!("{word} ")).collect()
}

fn choose(form: &Choose) -> String {
    let qty = match &form.qty {
        Qty::One => String::new(),
        Qty::UpTo(most) => format!(" up to {}", expr(most)),
        Qty::Exactly(count) => format!(" exactly {}", expr(count)),
        Qty::Between(least, most) => format!(" {} to {}", expr(least), expr(most)),
        Qty::Any => " any".to_owned(),
    };
    let who = opt(" by ", &form.by, expr);
    let tail = format!(
        "{}{}{}",
        opt(" for ", &form.for_verb, ident),
        ignoring(&form.ignoring),
        opt(" ", &form.prompt, quoted)
    );
    format!("choose{who}{qty} {} in {}{tail}", ident(&form.name), expr(&form.domain))
}

fn ignoring(names: &[Ident]) -> String {
    if names.is_empty() { String::new() } else { format!(" ignoring {}", list(names, ident)) }
}

fn arm_span(span: &ArmSpan) -> String {
    match span {
        ArmSpan::WhileHere => String::new(),
        ArmSpan::EndOf(name) => format!(" until end of {}", ident(name)),
        ArmSpan::StartOf(name, player) => format!(" until start of {} of {}", ident(name), expr(player)),
        ArmSpan::While(cond) => format!(" while {}", expr(cond)),
        ArmSpan::ForGood => " for good".to_owned(),
    }
}

/// Statements of one line.
fn plain(kind: &StmtKind) -> String {
    let args = |args: &[(Prep, Expr)]| -> String {
        args.iter().map(|(prep, value)| format!(" {} {}", prep.word(), expr(value))).collect()
    };
    match kind {
        StmtKind::Let { name, ty: of, value } => format!("let {}{} = {}", ident(name), opt(": ", of, ty), expr(value)),
        StmtKind::Set { target, value } => format!("set {} = {}", expr(target), expr(value)),
        StmtKind::Change { target, by, down } => {
            format!("{} {} by {}", if *down { "decrease" } else { "increase" }, expr(target), expr(by))
        }
        StmtKind::ChooseOrder { by, name, domain, prompt } => {
            let (who, prompt) = (opt(" by ", by, expr), opt(" prompt ", prompt, quoted));
            format!("choose{who} order {} in {}{prompt}", ident(name), expr(domain))
        }
        StmtKind::ChooseSplit { by, name, items, among, evenly, prompt } => {
            let evenly = if *evenly { " evenly" } else { "" };
            let (who, prompt) = (opt(" by ", by, expr), opt(" prompt ", prompt, quoted));
            format!("choose{who} split {} in {} among {}{evenly}{prompt}", ident(name), expr(items), expr(among))
        }
        StmtKind::Open { window, args } => format!("open {}({})", ident(window), list(args, expr)),
        StmtKind::OpenAgain => "open again".to_owned(),
        StmtKind::Leave { target } => format!("leave {}", ident(target)),
        StmtKind::Stop => "stop".to_owned(),
        StmtKind::Move { what, riders, to, place, turned, name } => {
            let place = place.map_or("", |place| if place == Place::Top { " top" } else { " bottom" });
            let head =
                format!("move {}{} to {}{place}", expr(what), opt(" with ", riders, |riders| expr(riders)), expr(to));
            format!("{head}{}{}", opt(" turned ", turned, |turned| expr(turned)), opt(" as ", name, ident))
        }
        StmtKind::Create { what, to, fields, name } => {
            let what = match what {
                Created::Copy { count, of } => {
                    format!("{}copy of {}", opt("", count, |count| format!("{} * ", expr(count))), expr(of))
                }
                Created::Kind { count, kind, entry } => {
                    let count = count.as_ref().map_or(String::new(), |count| format!("{} * ", expr(count)));
                    format!("{count}{}{}", ident(kind), opt(" ", entry, quoted))
                }
            };
            let to = match to {
                CreateAt::Nowhere => String::new(),
                CreateAt::In(zone) => format!(" in {}", expr(zone)),
                CreateAt::At(site) => format!(" at {}", expr(site)),
            };
            let with = list(fields, |(name, value)| format!("{} = {}", ident(name), expr(value)));
            format!("create {what}{to} with [{with}]{}", opt(" as ", name, ident))
        }
        StmtKind::Link { what, to } => format!("link {} to {}", expr(what), expr(to)),
        StmtKind::Unlink { what } => format!("unlink {}", expr(what)),
        StmtKind::Shuffle { zone } => format!("shuffle {}", expr(zone)),
        StmtKind::Roll { name, domain } => format!("roll {} in {}", ident(name), expr(domain)),
        StmtKind::Random { name, domain } => format!("random {} in {}", ident(name), expr(domain)),
        StmtKind::Reveal { what, to, how } => {
            let (word, quiet) = match how {
                Showing::Openly => ("reveal", ""),
                Showing::Quietly => ("reveal", " quietly"),
                Showing::Hides => ("hide", ""),
            };
            format!("{word} {}{}{quiet}", expr(what), opt(" to ", to, expr))
        }
        StmtKind::Ensure { cond, reason } => format!("ensure {}{}", expr(cond), opt(" reason ", reason, quoted)),
        StmtKind::Requires { cond, reason } => format!("requires {}{}", expr(cond), opt(" reason ", reason, quoted)),
        StmtKind::Notation { text } => format!("notation {}", quoted(text)),
        StmtKind::Do { what, by } => format!("do {}{}", expr(what), opt(" by ", by, expr)),
        StmtKind::Listed { verb, args: given } => {
            format!("call {}({})", verb.text, given.iter().map(expr).collect::<Vec<_>>().join(", "))
        }
        StmtKind::Call { verb, first, args: given, ignoring: names } => {
            let first = first.as_ref().map_or(String::new(), expr);
            format!("call {}({first}){}{}", ident(verb), args(given), ignoring(names))
        }
        StmtKind::Proceed { first, args: given } => {
            format!("proceed({}){}", first.as_ref().map_or(String::new(), expr), args(given))
        }
        StmtKind::Outcome { lose, who } => format!("{} {}", if *lose { "lose" } else { "win" }, expr(who)),
        StmtKind::DrawGame => "draw game".to_owned(),
        StmtKind::EndGame => "end game".to_owned(),
        StmtKind::Settle => "settle".to_owned(),
        StmtKind::Note { text } => format!("note {}", quoted(text)),
        // Statements of several lines are written by `Out::stmt`.
        _ => String::new(),
    }
}

fn keeping(how: Keeping) -> String {
    let word = |has: bool, word: &'static str| if has { word } else { "" };
    format!("{}{}{}", word(how.clamped, " clamped"), word(how.open, " open"), word(how.aside, " aside"))
}
