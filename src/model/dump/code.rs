//! Expressions and statements as text.

use std::fmt::Write;

use super::super::rules::{
    Act, Choose, CompareOp, CreateValue, Created, Destination, Expr, ExprKind, Local, LocalId, ProcId, Qty, Rules,
    Showing, Stmt, StmtKind, Template, TemplatePart,
};
use super::{arm_span, name_at};

/// Prints code of one procedure.
pub(super) struct Code<'r> {
    pub rules: &'r Rules,
    pub locals: &'r [Local],
}

impl<'r> Code<'r> {
    /// Prints code of this procedure.
    pub fn of(rules: &'r Rules, proc: ProcId) -> Self {
        let locals = rules.procs.get(proc.index()).map_or(&[][..], |proc| proc.locals.as_slice());
        Code { rules, locals }
    }

    fn local(&self, id: LocalId) -> String {
        format!("{}{}", name_at(self.locals, id.index(), |local| &local.name), id.0)
    }

    fn list(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|expr| self.expr(expr)).collect::<Vec<_>>().join(", ")
    }

    fn prop(&self, id: super::PropId) -> String {
        name_at(&self.rules.props, id.index(), |prop| &prop.name)
    }

    fn groups(&self, ids: &[super::super::rules::GroupId]) -> String {
        let names: Vec<String> =
            ids.iter().map(|id| name_at(&self.rules.groups, id.index(), |group| &group.name)).collect();
        if names.is_empty() { String::new() } else { format!(" ignoring {}", names.join(", ")) }
    }

    /// An expression.
    pub fn expr(&self, expr: &Expr) -> String {
        let one = |word: &str, inner: &Expr| format!("{word}({})", self.expr(inner));
        match &expr.kind {
            ExprKind::Word(value) => match &expr.ty {
                super::Ty::Enum(id) => self
                    .rules
                    .enums
                    .get(id.index())
                    .and_then(|item| item.values.get(usize::try_from(*value).ok()?))
                    .map_or_else(|| value.to_string(), |value| value.name.clone()),
                super::Ty::Flag => if *value != 0 { "true" } else { "false" }.to_owned(),
                super::Ty::Cause => format!("cause#{value}"),
                _ => value.to_string(),
            },
            ExprKind::Text(text) => format!("{text:?}"),
            ExprKind::Nothing => "nothing".to_owned(),
            ExprKind::Empty => "[]".to_owned(),
            ExprKind::Local(id) => self.local(*id),
            ExprKind::Me => "me".to_owned(),
            ExprKind::This => "this".to_owned(),
            ExprKind::Mover => "mover".to_owned(),
            ExprKind::Actor => "actor".to_owned(),
            ExprKind::Source => "source".to_owned(),
            ExprKind::Cause => "cause".to_owned(),
            ExprKind::Changed => "changed".to_owned(),
            ExprKind::Round => "round".to_owned(),
            ExprKind::Flat(id) => format!("flat {}", name_at(&self.rules.boards, id.index(), |board| &board.name)),
            ExprKind::Players => "players".to_owned(),
            ExprKind::Opponents => "opponents".to_owned(),
            ExprKind::Option(id) => {
                format!("option {}", name_at(&self.rules.options, id.index(), |option| &option.name))
            }
            ExprKind::Prop(of, id) => format!("{}.{}", self.expr(of), self.prop(*id)),
            ExprKind::GameProp(id) => format!("game.{}", self.prop(*id)),
            ExprKind::InPlay(id) => format!("inplay {}", name_at(&self.rules.kinds, id.index(), |kind| &kind.name)),
            ExprKind::EntitiesOf(id) => {
                format!("entities {:?}", name_at(&self.rules.entries, id.index(), |entry| &entry.name))
            }
            ExprKind::Contents(zone, of) => {
                let name = name_at(&self.rules.zones, zone.index(), |zone| &zone.name);
                match of {
                    Some(of) => format!("{}.{name}", self.expr(of)),
                    None => format!("zone {name}"),
                }
            }
            ExprKind::Seat(inner) => one("seat", inner),
            ExprKind::ToSet(inner) => one("set", inner),
            ExprKind::ToList(inner) => one("list", inner),
            ExprKind::Not(inner) => one("not", inner),
            ExprKind::Negate(inner) => one("negate", inner),
            ExprKind::Count(inner) => one("count", inner),
            ExprKind::Some(inner) => one("some", inner),
            ExprKind::List(items) => format!("[{}]", self.list(items)),
            ExprKind::Binary(op, left, right) => format!("{op:?}({}, {})", self.expr(left), self.expr(right)),
            ExprKind::Compare(op, left, right) => {
                let op = match op {
                    CompareOp::Eq => "=",
                    CompareOp::Ne => "!=",
                    CompareOp::Lt => "<",
                    CompareOp::Le => "<=",
                    CompareOp::Gt => ">",
                    CompareOp::Ge => ">=",
                };
                format!("({} {op} {})", self.expr(left), self.expr(right))
            }
            ExprKind::And(left, right) => format!("({} and {})", self.expr(left), self.expr(right)),
            ExprKind::Or(left, right) => format!("({} or {})", self.expr(left), self.expr(right)),
            _ => self.larger(expr),
        }
    }

    fn larger(&self, expr: &Expr) -> String {
        let each = |word: &str, over: &Expr, binder: LocalId, body: &Expr| {
            format!("{word}({} in {}: {})", self.local(binder), self.expr(over), self.expr(body))
        };
        match &expr.kind {
            ExprKind::In(item, set) => format!("({} in {})", self.expr(item), self.expr(set)),
            ExprKind::Is(value, kind) => {
                format!("({} is {})", self.expr(value), name_at(&self.rules.kinds, kind.index(), |kind| &kind.name))
            }
            ExprKind::Can(player, action, args) => {
                let name = name_at(&self.rules.actions, action.index(), |action| &action.name);
                format!("can({}, {name}({}))", self.expr(player), self.list(args))
            }
            ExprKind::Targetable { verb, args, ignoring, .. } => {
                let name = name_at(&self.rules.verbs, verb.index(), |verb| &verb.name);
                let arg = |arg: &Option<Expr>| arg.as_ref().map_or("default".to_owned(), |arg| self.expr(arg));
                let args: Vec<String> = args.iter().map(arg).collect();
                format!("targetable({name}, {}{})", args.join(", "), self.groups(ignoring))
            }
            ExprKind::Range(low, high) => format!("{}..{}", self.expr(low), self.expr(high)),
            ExprKind::Where { over, binder, cond } => each("where", over, *binder, cond),
            ExprKind::Any { over, binder, cond } => each("any", over, *binder, cond),
            ExprKind::All { over, binder, cond } => each("all", over, *binder, cond),
            ExprKind::Fold { op, over, binder, body } => each(&format!("{op:?}").to_lowercase(), over, *binder, body),
            ExprKind::Collect { op, over, binder, body } => {
                each(&format!("{op:?}").to_lowercase(), over, *binder, body)
            }
            ExprKind::Having { over, most, binder, body } => {
                each(if *most { "most" } else { "least" }, over, *binder, body)
            }
            ExprKind::Sorted { over, down, binder, body } => {
                each(if *down { "sorted down" } else { "sorted" }, over, *binder, body)
            }
            ExprKind::If(cond, then, or_else) => {
                format!("(if {} then {} else {})", self.expr(cond), self.expr(then), self.expr(or_else))
            }
            ExprKind::Call(proc, args) => {
                let name = name_at(&self.rules.procs, proc.index(), |proc| &proc.name);
                format!("{name}#{}({})", proc.0, self.list(args))
            }
            ExprKind::CallLambda(callee, args) => format!("ask {}({})", self.expr(callee), self.list(args)),
            ExprKind::Lambda(proc) => {
                let inner = Code::of(self.rules, *proc);
                let text = match self.rules.procs.get(proc.index()).map(|proc| &proc.body) {
                    Some(super::ProcBody::Expr(expr)) => inner.expr(expr),
                    _ => String::new(),
                };
                format!("lambda#{} {{ {text} }}", proc.0)
            }
            ExprKind::CallScript(id, args) => {
                format!(
                    "script {}({})",
                    name_at(&self.rules.scripts, id.index(), |script| &script.name),
                    self.list(args)
                )
            }
            ExprKind::Builtin(builtin, args) => {
                let on = match expr.ty.element().bare() {
                    super::Ty::Site(board) | super::Ty::Direction(board) => {
                        format!("<{}>", name_at(&self.rules.boards, board.index(), |board| &board.name))
                    }
                    _ => String::new(),
                };
                format!("{builtin:?}{on}({})", self.list(args))
            }
            ExprKind::Part(split, whose) => format!("{}[{}]", self.expr(split), self.expr(whose)),
            ExprKind::Index(list, index) => format!("{}[{}]", self.expr(list), self.expr(index)),
            ExprKind::Side(of, prop, way) => {
                let name = name_at(&self.rules.props, prop.index(), |prop| &prop.name);
                format!("{}.{name}[{}]", self.expr(of), self.expr(way))
            }
            _ => String::new(),
        }
    }

    /// A text with what is filled in.
    pub fn template(&self, template: &Template) -> String {
        let parts: String = template
            .parts
            .iter()
            .map(|part| match part {
                TemplatePart::Text(text) => text.clone(),
                TemplatePart::Value(expr) => format!("{{{}}}", self.expr(expr)),
            })
            .collect();
        format!("\"{parts}\"")
    }

    /// Statements, each on its line.
    pub fn block(&self, stmts: &[Stmt], depth: usize, out: &mut String) {
        for stmt in stmts {
            self.stmt(stmt, depth, out);
        }
    }

    fn by(&self, by: Option<&Expr>) -> String {
        by.map_or(String::new(), |by| format!(" by {}", self.expr(by)))
    }

    fn prompt(&self, prompt: Option<&Template>) -> String {
        prompt.map_or(String::new(), |prompt| format!(" {}", self.template(prompt)))
    }

    fn choose(&self, choose: &Choose) -> String {
        let qty = match &choose.qty {
            Qty::One => String::new(),
            Qty::Between(low, high) => {
                format!(
                    " {} to {}",
                    self.expr(low),
                    high.as_ref().map_or_else(|| "any".to_owned(), |high| self.expr(high))
                )
            }
        };
        let mut text = format!(
            "choose{}{qty} {} in {}",
            self.by(choose.by.as_ref()),
            self.local(choose.local),
            self.expr(&choose.domain)
        );
        text.push_str(&self.prompt(choose.prompt.as_ref()));
        text
    }

    fn act(&self, act: &Act) -> String {
        let name = name_at(&self.rules.actions, act.action.index(), |action| &action.name);
        format!("{name}({})", self.list(&act.args))
    }

    fn destination(&self, to: &Destination) -> String {
        match to {
            Destination::Nowhere => "nowhere".to_owned(),
            Destination::Zone { zone, of, place } => {
                let name = name_at(&self.rules.zones, zone.index(), |zone| &zone.name);
                let of = of.as_ref().map_or(String::new(), |of| format!("{}.", self.expr(of)));
                let place = place.map_or(String::new(), |place| format!(" {place:?}").to_lowercase());
                format!("{of}{name}{place}")
            }
            Destination::Site { site, turned } => {
                let turned = turned.as_ref().map_or(String::new(), |turned| format!(" turned {}", self.expr(turned)));
                format!("site {}{turned}", self.expr(site))
            }
        }
    }

    fn name(&self, local: Option<LocalId>) -> String {
        local.map_or(String::new(), |local| format!(" as {}", self.local(local)))
    }

    fn args(&self, params: impl Iterator<Item = Option<Expr>>) -> String {
        params.map(|arg| arg.map_or_else(|| "_".to_owned(), |arg| self.expr(&arg))).collect::<Vec<_>>().join(", ")
    }

    fn stmt(&self, stmt: &Stmt, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        let mut line = |text: String| {
            out.push_str(&indent);
            out.push_str(&text);
            out.push('\n');
        };
        match &stmt.kind {
            StmtKind::Choose(choose) => line(self.choose(choose)),
            StmtKind::ChooseAction { by, acts, or_else, prompt } => {
                let offered = |acts: &[Act]| acts.iter().map(|act| self.act(act)).collect::<Vec<_>>().join(", ");
                let rest = if or_else.is_empty() { String::new() } else { format!(" else {}", offered(or_else)) };
                let prompt = self.prompt(prompt.as_ref());
                line(format!("choose{} action {}{rest}{prompt}", self.by(by.as_ref()), offered(acts)));
            }
            StmtKind::Open { window, args } => {
                let name = name_at(&self.rules.windows, window.index(), |window| &window.name);
                line(format!("open {name}({})", self.list(args)));
            }
            StmtKind::Respond(respond) => {
                let part = |word: &str, part: &Option<Expr>| {
                    part.as_ref().map_or(String::new(), |part| format!(" {word} {}", self.expr(part)))
                };
                let rest = [("among", &respond.among), ("until", &respond.until), ("silent when", &respond.silent)];
                let rest: String = rest.into_iter().map(|(word, expr)| part(word, expr)).collect();
                let prompt = respond.prompt.as_ref().map_or(String::new(), |text| format!(" {}", self.template(text)));
                line(format!("respond from {}{rest}{prompt}", self.expr(&respond.from)));
                for (act, (aside, quiet)) in respond.acts.iter().zip(respond.aside.iter().zip(&respond.quiet)) {
                    let (aside, quietly) = (if *aside { "aside " } else { "" }, if *quiet { "quietly " } else { "" });
                    let _ = writeln!(out, "{indent}  {aside}{quietly}{}", self.act(act));
                }
            }
            StmtKind::Offer(offer) => {
                let prompt = offer.prompt.as_ref().map_or(String::new(), |text| format!(" {}", self.template(text)));
                line(format!("offer to {} as {}{prompt}", self.expr(&offer.to), self.local(offer.maker)));
                for terms in &offer.terms {
                    let _ = writeln!(out, "{indent}  terms {}", self.choose(terms));
                }
                for (word, part) in [("counters", &offer.counters), ("valid while", &offer.valid)] {
                    if let Some(part) = part {
                        let _ = writeln!(out, "{indent}  {word} {}", self.expr(part));
                    }
                }
                for (word, block) in [("accepted", &offer.accepted), ("refused", &offer.refused)] {
                    let _ = writeln!(out, "{indent}  {word}");
                    self.block(block, depth + 2, out);
                }
            }
            StmtKind::ChooseOption { by, arms, prompt } => {
                line(format!("choose{} option{}", self.by(by.as_ref()), self.prompt(prompt.as_ref())));
                for arm in arms {
                    let cond = arm.cond.as_ref().map_or(String::new(), |cond| format!(" if {}", self.expr(cond)));
                    let _ = writeln!(out, "{indent}  {:?}{cond}", arm.text);
                    self.block(&arm.body, depth + 2, out);
                }
            }
            StmtKind::Gate { must, by, prompt, chooses, pay, body, or_else, .. } => {
                let (by, prompt) = (self.by(by.as_ref()), self.prompt(prompt.as_ref()));
                line(format!("{}{by}{prompt}", if *must { "must" } else { "may" }));
                for choose in chooses {
                    let _ = writeln!(out, "{indent}  {}", self.choose(choose));
                }
                for (word, block) in [("pay", pay.as_ref()), ("do", Some(body)), ("else", or_else.as_ref())] {
                    if let Some(block) = block {
                        let _ = writeln!(out, "{indent}  {word}");
                        self.block(block, depth + 2, out);
                    }
                }
            }
            StmtKind::Each { local, domain, at_once, body } => {
                let mode = if *at_once { " at once" } else { "" };
                line(format!("each {} in {}{mode}", self.local(*local), self.expr(domain)));
                self.block(body, depth + 1, out);
            }
            StmtKind::EachSecret { local, domain, choose, body } => {
                line(format!("each {} in {} secret", self.local(*local), self.expr(domain)));
                let _ = writeln!(out, "{indent}  {}", self.choose(choose));
                self.block(body, depth + 1, out);
            }
            StmtKind::If { cond, body, or_else } => {
                line(format!("if {}", self.expr(cond)));
                self.block(body, depth + 1, out);
                if !or_else.is_empty() {
                    let _ = writeln!(out, "{indent}else");
                    self.block(or_else, depth + 1, out);
                }
            }
            StmtKind::Repeat { until, body } => {
                line(
                    until
                        .as_ref()
                        .map_or_else(|| "repeat".to_owned(), |until| format!("repeat until {}", self.expr(until))),
                );
                self.block(body, depth + 1, out);
            }
            StmtKind::RepeatTimes { times, body } => {
                line(format!("repeat {} times", self.expr(times)));
                self.block(body, depth + 1, out);
            }
            StmtKind::Turns { span, from, among, next, rounds, until, body } => {
                let name = name_at(&self.rules.spans, span.index(), |span| &span.name);
                let among = among.as_ref().map_or(String::new(), |among| format!(" among {}", self.expr(among)));
                let next = next.as_ref().map_or(String::new(), |next| format!(" next {}", self.expr(next)));
                let until = until.as_ref().map_or(String::new(), |until| format!(" until {}", self.expr(until)));
                let rounds =
                    rounds.as_ref().map_or(String::new(), |rounds| format!(" for {} rounds", self.expr(rounds)));
                line(format!("turns {name} from {}{among}{next}{rounds}{until}", self.expr(from)));
                self.block(body, depth + 1, out);
            }
            StmtKind::Phase { span, body } => {
                line(format!("phase {}", name_at(&self.rules.spans, span.index(), |span| &span.name)));
                self.block(body, depth + 1, out);
            }
            _ => line(self.simple(stmt)),
        }
    }

    /// Statements without blocks.
    fn simple(&self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Local { local, value } => format!("{} = {}", self.local(*local), self.expr(value)),
            StmtKind::SetProp { of, prop, value } => {
                format!("{}.{} = {}", self.expr(of), self.prop(*prop), self.expr(value))
            }
            StmtKind::SetGameProp { prop, value } => format!("game.{} = {}", self.prop(*prop), self.expr(value)),
            StmtKind::ChooseOrder { by, local, domain, prompt } => {
                let (by, prompt) = (self.by(by.as_ref()), self.prompt(prompt.as_ref()));
                format!("choose{by} order {} in {}{prompt}", self.local(*local), self.expr(domain))
            }
            StmtKind::ChooseSplit { by, local, domain, among, evenly, prompt } => {
                let (by, evenly) = (self.by(by.as_ref()), if *evenly { " evenly" } else { "" });
                let (local, domain, among) = (self.local(*local), self.expr(domain), self.expr(among));
                format!("choose{by} split {local} in {domain} among {among}{evenly}{}", self.prompt(prompt.as_ref()))
            }
            StmtKind::LeaveRepeat => "leave repeat".to_owned(),
            StmtKind::LeaveSpan(span) => {
                format!("leave {}", name_at(&self.rules.spans, span.index(), |span| &span.name))
            }
            StmtKind::Stop => "stop".to_owned(),
            StmtKind::Move { what, riders, to, local } => {
                let riders = riders.as_ref().map_or(String::new(), |riders| format!(" with {}", self.expr(riders)));
                format!("move {}{riders} to {}{}", self.expr(what), self.destination(to), self.name(*local))
            }
            StmtKind::Create { what, to, fields, local } => self.create(what, to, fields, *local),
            StmtKind::Link { what, to, .. } => format!("link {} to {}", self.expr(what), self.expr(to)),
            StmtKind::Unlink { what, .. } => format!("unlink {}", self.expr(what)),
            StmtKind::Shuffle { zone, of } => {
                let of = of.as_ref().map_or(String::new(), |of| format!("{}.", self.expr(of)));
                format!("shuffle {of}{}", name_at(&self.rules.zones, zone.index(), |zone| &zone.name))
            }
            StmtKind::Roll { local, low, high } => {
                format!("roll {} in {}..{}", self.local(*local), self.expr(low), self.expr(high))
            }
            StmtKind::Random { local, domain } => format!("random {} in {}", self.local(*local), self.expr(domain)),
            StmtKind::Reveal { what, to, how } => {
                let to = to.as_ref().map_or(String::new(), |to| format!(" to {}", self.expr(to)));
                let word = if *how == Showing::Hides { "hide" } else { "reveal" };
                let quiet = if *how == Showing::Quietly { " quietly" } else { "" };
                format!("{word} {}{to}{quiet}", self.expr(what))
            }
            StmtKind::Ensure { cond, reason: None } => format!("ensure {}", self.expr(cond)),
            StmtKind::Ensure { cond, reason: Some(reason) } => format!("ensure {} {reason:?}", self.expr(cond)),
            StmtKind::Requires { cond, reason, .. } => format!("requires {} {reason:?}", self.expr(cond)),
            StmtKind::Arm { span, clauses } => {
                let ids: Vec<String> = clauses.iter().map(|id| id.0.to_string()).collect();
                format!("arm {} clauses {}", arm_span(self.rules, span, self), ids.join(" "))
            }
            StmtKind::Do { of, field, args, by } => {
                let by = by.as_ref().map_or(String::new(), |by| format!(" by {}", self.expr(by)));
                format!("do {}.{}({}){by}", self.expr(of), self.prop(*field), self.list(args))
            }
            StmtKind::Script { script, args, armed } => {
                let name = name_at(&self.rules.scripts, script.index(), |script| &script.name);
                format!("{}script {name}({})", if *armed { "armed " } else { "" }, self.list(args))
            }
            StmtKind::Call { verb, args, ignoring } => {
                let name = name_at(&self.rules.verbs, verb.index(), |verb| &verb.name);
                format!("{name} {}{}", self.args(args.iter().cloned()), self.groups(ignoring))
            }
            StmtKind::Proceed { args } => format!("proceed {}", self.args(args.iter().cloned())),
            StmtKind::Win(who) => format!("win {}", self.expr(who)),
            StmtKind::Lose(who) => format!("lose {}", self.expr(who)),
            StmtKind::DrawGame => "draw game".to_owned(),
            StmtKind::EndGame => "end game".to_owned(),
            StmtKind::OpenAgain => "open again".to_owned(),
            StmtKind::Settle => "settle".to_owned(),
            StmtKind::Note(template) => format!("note {}", self.template(template)),
            _ => String::new(),
        }
    }

    fn create(
        &self,
        what: &Created,
        to: &Destination,
        fields: &[(super::PropId, CreateValue)],
        local: Option<LocalId>,
    ) -> String {
        let count =
            |count: &Option<Expr>| count.as_ref().map_or(String::new(), |count| format!("{} * ", self.expr(count)));
        let what = match what {
            Created::CopyOf { count: amount, of } => format!("{}copy of {}", count(amount), self.expr(of)),
            Created::Kind { count: amount, kind } => {
                format!("{}{}", count(amount), name_at(&self.rules.kinds, kind.index(), |kind| &kind.name))
            }
            Created::Entry { count: amount, entry } => {
                format!("{}{:?}", count(amount), name_at(&self.rules.entries, entry.index(), |entry| &entry.name))
            }
        };
        let fields: Vec<String> = fields
            .iter()
            .map(|(prop, value)| match value {
                CreateValue::Value(value) => format!("{} = {}", self.prop(*prop), self.expr(value)),
                CreateValue::EveryValue => format!("{} = every value", self.prop(*prop)),
                CreateValue::AnyValue => format!("{} = any value", self.prop(*prop)),
            })
            .collect();
        let fields = if fields.is_empty() { String::new() } else { format!(" with {}", fields.join(", ")) };
        format!("create {what} to {}{fields}{}", self.destination(to), self.name(local))
    }
}
