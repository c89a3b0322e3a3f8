//! The sandbox for script functions: pure functions of their arguments with every limit set.

use super::GameError;
use super::fuel::{self, Fuel, meter};
use super::run::{R, Run};
use super::state::slot_of;
use crate::base::{Code, Span, limits};
use crate::model::rules::{FieldValue, PropClass, Script, Ty};
use crate::program::{NIL, Repr, ent, repr};
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicIteratorPackage, BasicMapPackage, LogicPackage, Package,
};
use rhai::{AST, Array, Dynamic, Engine, EvalAltResult, Map, ParseErrorType, Position, Scope};
use std::fmt;

/// Operations of one call at the most.
pub const MAX_OPERATIONS: u64 = limits::SCRIPT_OPERATIONS;

/// The script engine and the compiled scripts, by script number.
#[derive(Default)]
pub(super) struct Scripts {
    engine: Option<(Engine, Fuel)>,
    asts: Vec<Option<AST>>,
}

impl fmt::Debug for Scripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scripts({})", self.asts.len())
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
    let (Some(file), Some(line)) = (script.text, position.line()) else { return script.span };
    let start: usize = script.source.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = script.source.get(start..).unwrap_or("");
    let before: usize = rest.chars().take(position.position().unwrap_or(1).saturating_sub(1)).map(char::len_utf8).sum();
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
    /// The instruction that calls a script.
    pub fn call_script(&mut self, d: usize, index: usize, args: usize) -> R<()> {
        let rules = self.p.rules.clone();
        let script = &rules.scripts[index];
        let mut at = args;
        let mut values = Vec::new();
        for (_, ty) in &script.params {
            let words = usize::from(self.p.layout.words(ty));
            values.push(self.to_script(at, words, ty));
            at += words;
        }
        self.spend(values.iter().map(fuel::size).sum::<usize>() as u64 * 8)?;
        let result = self.run_script(index, script, values)?;
        self.read_result(d, result, script)
    }

    fn run_script(&mut self, index: usize, script: &Script, values: Vec<Dynamic>) -> R<Dynamic> {
        if self.x.scripts.engine.is_none() {
            let mut engine = sandbox();
            let fuel = meter(&mut engine);
            self.x.scripts.engine = Some((engine, fuel));
        }
        self.x.scripts.asts.resize(self.p.rules.scripts.len(), None);
        let Scripts { engine: Some((engine, fuel)), asts } = &mut self.x.scripts else { return Ok(Dynamic::UNIT) };
        if asts[index].is_none() {
            match compile(engine, script) {
                Ok(ast) => asts[index] = Some(ast),
                Err(found) => return Err(self.script_error(script, &found)),
            }
        }
        let Some(ast) = &asts[index] else { return Ok(Dynamic::UNIT) };
        let left = self.x.budget;
        fuel.begin(left);
        let result = engine.call_fn::<Dynamic>(&mut Scope::new(), ast, &script.name, values);
        let taken = fuel.taken(left);
        self.spend(taken)?;
        if taken == left {
            return Err(self.over_budget());
        }
        result.map_err(|error| {
            let mut error = innermost(*error);
            let code = match error {
                EvalAltResult::ErrorTooManyOperations(_)
                | EvalAltResult::ErrorTerminated(..)
                | EvalAltResult::ErrorDataTooLarge(..)
                | EvalAltResult::ErrorTooManyVariables(_)
                | EvalAltResult::ErrorStackOverflow(_) => Code::ScriptLimit,
                _ => Code::ScriptFailed,
            };
            let span = place(script, error.take_position());
            let message = match &error {
                EvalAltResult::ErrorFunctionNotFound(called, _) => format!("there is no function `{called}`"),
                other => lower(&other.to_string()),
            };
            self.script_error(
                script,
                &ScriptError { code, message: format!("script `{}`: {message}", script.name), span },
            )
        })
    }

    /// An error that points into the script; its causes lead to the content line that called it.
    fn script_error(&self, script: &Script, found: &ScriptError) -> Box<GameError> {
        let mut error = self.error(found.code, found.message.clone());
        if found.span.file != script.span.file {
            error.span = found.span;
        }
        error
    }

    /// A value as scripts see it: numbers, flags, names of enum values and seats, maps for entities, arrays for sets.
    fn to_script(&self, at: usize, words: usize, ty: &Ty) -> Dynamic {
        let item = match ty {
            Ty::Set(item) | Ty::List(item) => item.as_ref(),
            other => return self.word_to_script(self.st.mem[at], other),
        };
        let memory = &self.st.mem[at..at + words];
        let values: Vec<i64> = match repr(ty) {
            Repr::List => memory[1..=memory[0].max(0) as usize].to_vec(),
            Repr::Entities => super::words::bits(memory).into_iter().map(|slot| self.reference(slot)).collect(),
            _ => super::words::bits(memory).into_iter().map(|bit| bit as i64).collect(),
        };
        let array: Array = values.into_iter().map(|value| self.word_to_script(value, item)).collect();
        array.into()
    }

    fn word_to_script(&self, value: i64, ty: &Ty) -> Dynamic {
        match ty {
            Ty::Maybe(inner) if value != NIL => self.word_to_script(value, inner),
            _ if value == NIL => Dynamic::UNIT,
            Ty::Flag => (value == 1).into(),
            Ty::Entity(_) => self.entity_to_script(value),
            Ty::Number => value.into(),
            _ => self.plain(value, ty).into(),
        }
    }

    fn entity_to_script(&self, value: i64) -> Dynamic {
        let mut map = Map::new();
        map.insert("name".into(), self.entity_name(value).into());
        map.insert("id".into(), value.into());
        if let (Some(slot), Some(entry)) = (slot_of(value), self.entry_of(value)) {
            let kind = self.st.mem[self.p.layout.entity(slot) + ent::KIND] as usize;
            map.insert("kind".into(), self.p.rules.kinds[kind].name.clone().into());
            for (prop, field) in &self.p.rules.entries[entry].fields {
                let info = &self.p.rules.props[prop.index()];
                let (PropClass::Field { .. }, Some(FieldValue::Word(word))) = (&info.class, field) else { continue };
                let value = self.word_to_script(*word, &info.ty);
                let table = info.table.map_or("", |table| self.p.rules.props[table.index()].name.as_str());
                match info.name.strip_prefix(table).filter(|_| !table.is_empty()) {
                    Some(key) => {
                        let whole = map.entry(table.into()).or_insert_with(|| Map::new().into());
                        if let Some(mut whole) = whole.write_lock::<Map>() {
                            whole.insert(key.trim_start().into(), value);
                        }
                    }
                    None => {
                        map.insert(info.name.as_str().into(), value);
                    }
                }
            }
        }
        map.into()
    }

    /// The result of a script, checked against its declared type.
    fn read_result(&mut self, d: usize, result: Dynamic, script: &Script) -> R<()> {
        let wrong = |run: &Self, found: &Dynamic| {
            let message = format!("script `{}` gave `{found}`, which is not what it declares", script.name);
            run.error(Code::ScriptResult, message)
        };
        if let Ty::Set(item) | Ty::List(item) = &script.result {
            let array = match result.clone().into_array() {
                Ok(array) => array,
                Err(_) => return Err(wrong(self, &result)),
            };
            let mut words = Vec::new();
            for value in array {
                match self.read_word(&value, item) {
                    Some(word) => words.push(word),
                    None => return Err(wrong(self, &value)),
                }
            }
            return match repr(&script.result) {
                Repr::List => self.store_list(d, &words),
                kind => {
                    let width = usize::from(self.p.layout.set_words(kind));
                    self.st.mem[d..d + width].fill(0);
                    for word in words {
                        let bit = if kind == Repr::Entities { self.bit_of(word) } else { usize::try_from(word).ok() };
                        if let Some(bit) = bit {
                            self.st.mem[d + bit / 64] |= 1 << (bit % 64);
                        }
                    }
                    Ok(())
                }
            };
        }
        match self.read_word(&result, &script.result) {
            Some(word) => {
                self.st.mem[d] = word;
                Ok(())
            }
            None => Err(wrong(self, &result)),
        }
    }

    fn read_word(&self, value: &Dynamic, ty: &Ty) -> Option<i64> {
        match ty {
            Ty::Maybe(_) if value.is_unit() => Some(NIL),
            Ty::Maybe(inner) => self.read_word(value, inner),
            Ty::Number => value.as_int().ok(),
            Ty::Flag => value.as_bool().ok().map(i64::from),
            Ty::Entity(_) => {
                let map = value.read_lock::<Map>()?;
                let id = map.get("id")?.as_int().ok()?;
                self.record(id).is_some_and(|(_, current)| current).then_some(id)
            }
            Ty::Enum(id) => {
                let name = value.clone().into_string().ok()?;
                let values = &self.p.rules.enums[id.index()].values;
                values.iter().position(|value| value.name == name || value.label == name).map(|index| index as i64)
            }
            Ty::Player => {
                let name = value.clone().into_string().ok()?;
                (0..i64::from(self.st.players)).find(|seat| self.seat_name(*seat) == name)
            }
            _ => None,
        }
    }
}
