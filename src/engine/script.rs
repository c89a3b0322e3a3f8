//! The sandbox for script functions, and calls of them: every limit set, nothing outside within reach. While a function
//! runs, the state is lent to the sandbox, so that what the function asks of the game is worked out when it asks.

use super::GameError;
use super::acts::{self, Act};
use super::fuel::{self, Fuel, meter};
use super::plain::Plain;
use super::run::{R, Run};
use super::scratch::Scratch;
use super::sight;
use super::state::{NONE, State};
use super::tongue::Tongue;
use super::words::Eyes;
use crate::base::{Code, Span, limits};
use crate::model::rules::{Script, Sight};
use crate::program::{NIL, Program};
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicIteratorPackage, BasicMapPackage, LogicPackage, Package,
};
use rhai::{AST, Dynamic, Engine, EvalAltResult, ParseErrorType, Position, Scope};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Operations of one call at the most.
pub const MAX_OPERATIONS: u64 = limits::SCRIPT_OPERATIONS;

/// The script engine and the compiled scripts, by script number.
#[derive(Default)]
pub(super) struct Scripts {
    sandbox: Option<Box<Sandbox>>,
    asts: Vec<Option<Compiled>>,
    /// For scripts that are called while one looks at the game.
    inner: Option<Box<Scripts>>,
}

/// A script engine, its meter, and what it looks at.
struct Sandbox {
    engine: Engine,
    fuel: Fuel,
    host: Host,
}

/// A compiled script and its functions: names and numbers of parameters.
#[derive(Clone)]
struct Compiled {
    ast: AST,
    functions: Functions,
}

type Functions = Arc<[(String, usize)]>;

impl fmt::Debug for Scripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scripts({})", self.asts.len())
    }
}

/// A call of a script.
#[derive(Clone, Debug)]
pub(super) struct Called {
    pub script: usize,
    /// Whether it acts: then it may look at the game.
    pub acts: bool,
    pub me: i64,
    pub this: i64,
    /// The event at hand.
    pub event: u32,
    /// Who knows what it sees.
    pub eyes: Eyes,
    pub functions: Functions,
}

/// What is wrong with what a script asks or gives back.
pub(super) enum Wrong {
    Act(String),
    Seen(String),
    Limit(String),
    Game(Box<GameError>),
}

impl From<Box<GameError>> for Wrong {
    fn from(error: Box<GameError>) -> Wrong {
        Wrong::Game(error)
    }
}

/// Something for a script, or what is wrong with its call.
pub(super) type Made<T> = Result<T, Wrong>;

/// An act that is none.
pub(super) fn wrong<T>(message: impl Into<String>) -> Made<T> {
    Err(Wrong::Act(message.into()))
}

/// The game at which a script looks while it runs, shared with the functions of the engine.
#[derive(Clone, Default)]
pub(super) struct Host(Arc<Mutex<Lent>>);

#[derive(Default)]
struct Lent {
    program: Option<Arc<Program>>,
    called: Option<Called>,
    state: State,
    scratch: Scratch,
    /// What was found wrong by a function of ours: its code, or an error of the game.
    code: Option<Code>,
    failed: Option<Box<GameError>>,
}

impl Host {
    fn lock(&self) -> MutexGuard<'_, Lent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the game for the script that runs.
    pub fn look<T>(&self, f: impl FnOnce(&mut Run<'_>, &Called) -> Made<T>) -> Result<T, Box<EvalAltResult>> {
        let lent = &mut *self.lock();
        let (Some(program), Some(called)) = (&lent.program, &lent.called) else {
            return Err("there is no game to look at".into());
        };
        let mut run = Run { p: program, st: &mut lent.state, x: &mut lent.scratch, tongue: Tongue::default() };
        let (code, message) = match f(&mut run, called) {
            Ok(found) => return Ok(found),
            Err(Wrong::Act(message)) => (Code::ScriptAct, message),
            Err(Wrong::Seen(message)) => (Code::ScriptFailed, message),
            Err(Wrong::Limit(message)) => (Code::ScriptLimit, message),
            Err(Wrong::Game(error)) => {
                let message = error.message.clone();
                lent.failed = Some(error);
                (Code::ScriptFailed, message)
            }
        };
        lent.code = Some(code);
        Err(message.into())
    }

    /// Lends it the game, or gives that back.
    fn exchange(&self, run: &mut Run<'_>, called: Option<Called>) -> (Option<Code>, Option<Box<GameError>>) {
        let lent = &mut *self.lock();
        std::mem::swap(&mut lent.state, run.st);
        std::mem::swap(&mut lent.scratch, run.x);
        lent.program = called.as_ref().and_then(|_| lent.scratch.program.clone());
        lent.called = called;
        (lent.code.take(), lent.failed.take())
    }
}

/// An engine that can compute and nothing else: no `eval`, no files, no clock, no chance, no printing.
pub fn sandbox() -> Engine {
    let mut engine = Engine::new_raw();
    LogicPackage::new().register_into_engine(&mut engine);
    ArithmeticPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicIteratorPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    engine.disable_symbol("eval");
    engine.disable_symbol("import");
    engine.disable_symbol("export");
    engine.set_strict_variables(true);
    engine.set_max_operations(MAX_OPERATIONS);
    engine.set_max_call_levels(limits::SCRIPT_CALLS);
    engine.set_max_expr_depths(64, 64);
    engine.set_max_functions(64);
    engine.set_max_variables(256);
    engine.set_max_string_size(limits::SCRIPT_TEXT);
    engine.set_max_array_size(limits::SCRIPT_ARRAY);
    engine.set_max_map_size(limits::SCRIPT_MAP);
    engine
}

impl Sandbox {
    fn new() -> Sandbox {
        let (mut engine, host) = (sandbox(), Host::default());
        let fuel = meter(&mut engine);
        sight::register(&mut engine, &host, &fuel);
        acts::register(&mut engine, &host);
        Sandbox { engine, fuel, host }
    }
}

/// What is wrong with a script, and where in it.
pub struct ScriptError {
    /// Its code.
    pub code: Code,
    /// In words.
    pub message: String,
    /// In the script, or at its declaration.
    pub span: Span,
}

/// Reads a script and checks that it declares its function with the right number of parameters.
///
/// # Errors
/// What is wrong, and where.
pub fn compile(engine: &Engine, script: &Script) -> Result<AST, ScriptError> {
    let wrong = |message: String| ScriptError { code: Code::ScriptFunction, message, span: script.span };
    let ast = engine.compile(&script.source).map_err(|error| {
        let message = match error.err_type() {
            ParseErrorType::VariableUndefined(name) => format!("there is no variable `{name}` here"),
            other if other.to_string().contains("'?'") => {
                "the script cannot be read: one of two values is `if a < b { a } else { b }`, and not `a < b ? a : b`"
                    .to_owned()
            }
            other => format!("the script cannot be read: {}", lower(&other.to_string())),
        };
        ScriptError { code: Code::ScriptSyntax, message, span: place(script, error.position()) }
    })?;
    let found = ast.iter_functions().find(|function| function.name == script.name);
    match found {
        None => Err(wrong(format!("`{}` has no function `{}`", script.file, script.name))),
        Some(function) if function.params.len() != script.params.len() => Err(wrong(format!(
            "function `{}` takes {} values, its declaration {}",
            script.name,
            function.params.len(),
            script.params.len()
        ))),
        Some(_) => Ok(ast),
    }
}

/// A place in a script as ours: its word, or its character.
fn place(script: &Script, position: Position) -> Span {
    let (line, column) = (position.line(), position.position());
    line.map_or(script.span, |line| place_at(script, line, column.unwrap_or(1)))
}

/// The word at a line and column of a script.
pub(super) fn place_at(script: &Script, line: usize, column: usize) -> Span {
    let Some(file) = script.text.filter(|_| line > 0) else { return script.span };
    let start: usize = script.source.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let rest = script.source.get(start..).unwrap_or("");
    let before: usize = rest.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum();
    let from = rest.get(before..).unwrap_or("");
    let word = from.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(from.len());
    let length = word.max(from.chars().next().map_or(0, char::len_utf8));
    Span::new(file, start + before, start + before + length)
}

/// A message as ours are written.
fn lower(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// What failed in a call, rather than the calls around it.
fn innermost(error: EvalAltResult) -> EvalAltResult {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => innermost(*inner),
        other => other,
    }
}

impl Run<'_> {
    /// The instruction that calls a script for its value.
    pub fn call_script(&mut self, d: usize, index: usize, args: usize) -> R<()> {
        let rules = self.p.rules.clone();
        let script = &rules.scripts[index];
        let mut at = args;
        let mut values = Vec::new();
        for (_, ty) in &script.params {
            let words = usize::from(self.p.layout.words(ty));
            values.push(self.to_script(&self.st.mem[at..at + words], ty));
            at += words;
        }
        let result = self.script_value(index, values)?;
        let fits = match Plain::of(&result) {
            Ok(value) => self.store(d, &value, &script.result)?,
            Err(_) => false,
        };
        if fits { Ok(()) } else { Err(self.not_declared(index, &result)) }
    }

    fn not_declared(&self, index: usize, result: &Dynamic) -> Box<GameError> {
        let name = &self.p.rules.scripts[index].name;
        self.error(Code::ScriptResult, format!("script `{name}` gave `{result}`, which is not what it declares"))
    }

    fn script_value(&mut self, index: usize, values: Vec<Dynamic>) -> R<Dynamic> {
        let functions = self.script_functions(index)?;
        let called = Called { script: index, acts: false, me: NIL, this: NIL, event: NONE, eyes: Eyes::All, functions };
        let rules = self.p.rules.clone();
        self.run_script(called, &rules.scripts[index].name, values)
    }

    /// Calls a script for its value and drops that, if it is of the type it should be.
    pub fn rehearse_value(&mut self, index: usize, values: &[Plain]) -> R<()> {
        let result = self.script_value(index, values.iter().map(Plain::to_script).collect())?;
        let rules = self.p.rules.clone();
        match Plain::of(&result) {
            Ok(value) if self.is_of(&value, &rules.scripts[index].result) => Ok(()),
            _ => Err(self.not_declared(index, &result)),
        }
    }

    /// Calls a function of a script that acts, for its acts, the last first.
    pub fn script_acts(&mut self, called: &Called, function: &str, values: Vec<Dynamic>) -> R<Vec<Act>> {
        let result = self.run_script(called.clone(), function, values)?;
        let mut acts = Vec::new();
        let found = gather(result, &mut acts);
        let rules = self.p.rules.clone();
        let script = &rules.scripts[called.script];
        if acts.len() > limits::SCRIPT_ACTS {
            let message = format!("script `{}` gave more than {} acts", script.name, limits::SCRIPT_ACTS);
            return Err(self.error(Code::ScriptLimit, message));
        }
        if let Err(other) = found {
            let message = format!("`{function}` of script `{}` gave `{other}`, which is no act", script.name);
            return Err(self.error(Code::ScriptAct, message));
        }
        acts.reverse();
        Ok(acts)
    }

    /// Asks a function of a script whether something goes off.
    pub fn script_says(&mut self, called: &Called, function: &str, values: Vec<Dynamic>) -> R<bool> {
        let result = self.run_script(called.clone(), function, values)?;
        match result.as_bool() {
            Ok(says) => Ok(says),
            Err(other) => {
                let name = &self.p.rules.scripts[called.script].name;
                let message = format!("`{function}` of script `{name}` gave `{other}`, and not true or false");
                Err(self.error(Code::ScriptResult, message))
            }
        }
    }

    /// A call of a script that acts, for a player and a card.
    pub fn script_call(&mut self, script: usize, me: i64, this: i64, event: u32) -> R<Called> {
        let functions = self.script_functions(script)?;
        let sees = self.p.rules.scripts[script].acting.as_ref().map(|acting| acting.sees);
        let eyes = match sees {
            Some(Sight::All) => Eyes::All,
            Some(Sight::Me) => Eyes::Of(u8::try_from(me).ok()),
            Some(Sight::Open) | None => Eyes::Of(None),
        };
        Ok(Called { script, acts: true, me, this, event, eyes, functions })
    }

    /// Compiles a script, if that was not done.
    fn script_functions(&mut self, index: usize) -> R<Functions> {
        let rules = self.p.rules.clone();
        let script = &rules.scripts[index];
        let scripts = &mut self.x.scripts;
        if let Some(Some(compiled)) = scripts.asts.get(index) {
            return Ok(Arc::clone(&compiled.functions));
        }
        let sandbox = scripts.sandbox.get_or_insert_with(|| Box::new(Sandbox::new()));
        match compile(&sandbox.engine, script) {
            Ok(ast) => {
                let functions: Functions =
                    ast.iter_functions().map(|function| (function.name.to_owned(), function.params.len())).collect();
                scripts.asts.resize(rules.scripts.len(), None);
                scripts.asts[index] = Some(Compiled { ast, functions: Arc::clone(&functions) });
                Ok(functions)
            }
            Err(found) => Err(self.script_error(script, &found)),
        }
    }

    fn run_script(&mut self, called: Called, function: &str, values: Vec<Dynamic>) -> R<Dynamic> {
        self.spend(values.iter().map(fuel::size).sum::<usize>() as u64 * 8)?;
        let (index, rules) = (called.script, self.p.rules.clone());
        let script = &rules.scripts[index];
        let mut scripts = std::mem::take(&mut self.x.scripts);
        let Scripts { sandbox: Some(sandbox), asts, inner } = &mut scripts else { return Ok(Dynamic::UNIT) };
        let Some(Some(compiled)) = asts.get(index) else { return Ok(Dynamic::UNIT) };
        if let Some(inner) = inner.take() {
            self.x.scripts = *inner;
        }
        let left = self.x.budget;
        sandbox.fuel.begin(left);
        sandbox.host.exchange(self, Some(called));
        let result = sandbox.engine.call_fn::<Dynamic>(&mut Scope::new(), &compiled.ast, function, values);
        let (code, failed) = sandbox.host.exchange(self, None);
        *inner = Some(Box::new(std::mem::take(&mut self.x.scripts)));
        let taken = sandbox.fuel.taken(left);
        self.x.scripts = scripts;
        self.spend(taken.min(self.x.budget))?;
        if taken == left {
            return Err(self.over_budget());
        }
        result.map_err(|error| match failed {
            Some(failed) => failed,
            None => self.script_failed(script, innermost(*error), code),
        })
    }

    /// The error of a call: its place in the script, its code, its words.
    fn script_failed(&self, script: &Script, mut error: EvalAltResult, code: Option<Code>) -> Box<GameError> {
        let code = code.unwrap_or(match error {
            EvalAltResult::ErrorTooManyOperations(_)
            | EvalAltResult::ErrorTerminated(..)
            | EvalAltResult::ErrorDataTooLarge(..)
            | EvalAltResult::ErrorTooManyVariables(_)
            | EvalAltResult::ErrorStackOverflow(_) => Code::ScriptLimit,
            _ => Code::ScriptFailed,
        });
        let span = place(script, error.take_position());
        let message = match &error {
            EvalAltResult::ErrorFunctionNotFound(called, _) => format!("there is no function `{called}`"),
            EvalAltResult::ErrorRuntime(message, _) if code != Code::ScriptFailed => message.to_string(),
            other => lower(&other.to_string()),
        };
        self.script_error(script, &ScriptError { code, message: format!("script `{}`: {message}", script.name), span })
    }

    /// An error that points into the script; its causes lead to the content line that called it.
    fn script_error(&self, script: &Script, found: &ScriptError) -> Box<GameError> {
        let mut error = self.error(found.code, found.message.clone());
        if found.span.file != script.span.file {
            error.span = found.span;
        }
        error
    }
}

/// Takes the acts out of what a script gave: nothing, one, or lists of them. The error is what is none.
fn gather(value: Dynamic, acts: &mut Vec<Act>) -> Result<(), Dynamic> {
    if value.is_unit() || acts.len() > limits::SCRIPT_ACTS {
        return Ok(());
    }
    if value.is_array() {
        let items = value.into_array().map_err(Dynamic::from)?;
        return items.into_iter().try_for_each(|item| gather(item, acts));
    }
    match value.clone().try_cast::<Act>() {
        Some(act) => {
            acts.push(act);
            Ok(())
        }
        None => Err(value),
    }
}
