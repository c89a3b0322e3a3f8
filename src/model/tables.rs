//! Tables: one value for each value of an enum or for each number of a range. A table that something has is a property for
//! each key, any other a list in the order of the keys, so that nothing behind the checker knows of them.

use super::body::Body;
use super::check::{Checker, broken};
use super::index::Sort;
use super::names::word;
use super::rules::walk::constant;
use super::rules::{
    BinaryOp, Builtin, CompareOp, Expr, ExprKind, Key, ProcBody, ProcId, Prop, PropClass, PropId, Stmt, StmtKind, Ty,
};
use super::types::Declared;
use crate::base::{Code, Diagnostic, Span, plural};
use crate::syntax::ast::{self, Ident};

/// What `set` and its like change.
pub(super) enum Target {
    One(Kept),
    /// A whole table; of the game where it belongs to nothing else.
    Table(Option<Expr>, PropId),
    /// One of the values of a table: that whose condition holds first.
    Entry(Vec<(Expr, Kept)>),
    /// One of the values of a local table: the local, its type and the key.
    LocalEntry(super::rules::LocalId, Ty, Expr),
}

/// Where one value is kept.
pub(super) enum Kept {
    Local(super::rules::LocalId, Ty),
    Prop(Expr, PropId),
    Game(PropId),
}

impl Kept {
    /// The property, if it is one.
    pub fn prop(&self) -> Option<PropId> {
        match self {
            Kept::Local(..) => None,
            Kept::Prop(_, prop) | Kept::Game(prop) => Some(*prop),
        }
    }

    /// Gives it a value.
    pub fn put(self, value: Expr) -> StmtKind {
        match self {
            Kept::Local(local, _) => StmtKind::Local { local, value },
            Kept::Prop(of, prop) => StmtKind::SetProp { of, prop, value },
            Kept::Game(prop) => StmtKind::SetGameProp { prop, value },
        }
    }
}

/// What two operands have for each key.
type Pairs = (Key, Vec<(Expr, Expr)>);

/// The most values of a table.
const MOST_KEYS: usize = 64;

impl Key {
    /// The key of an index.
    fn value(self, index: usize, span: Span) -> Expr {
        match self {
            Key::Enum(id) => word(index as i64, Ty::Enum(id), span),
            Key::Range(low, _) => word(i64::from(low) + index as i64, Ty::Number, span),
        }
    }

    /// The type of a key.
    pub(super) fn ty(self) -> Ty {
        match self {
            Key::Enum(id) => Ty::Enum(id),
            Key::Range(..) => Ty::Number,
        }
    }
}

/// Whether a key may be none of the table's.
pub(super) fn may_miss(key: Key, value: &Expr) -> bool {
    matches!(value.ty, Ty::Maybe(_)) || matches!(key, Key::Range(..))
}

impl Checker<'_> {
    /// `0..9 per good`, `edge per direction`
    pub(super) fn per_type(&mut self, inner: &ast::Type, per: &ast::Type) -> Declared {
        if let ast::TypeKind::Name(name) = &per.kind
            && name.text == "direction"
        {
            self.means_builtin(&name.text, name.span);
            return Declared::plain(self.per_direction(inner));
        }
        let value = self.resolve_type(inner);
        let failed = Declared::plain(Ty::Error);
        let Some(key) = self.key_type(per) else { return failed };
        match value.ty {
            Ty::Number | Ty::Flag | Ty::Enum(_) => Declared { ty: Ty::Table(key, Box::new(value.ty)), ..value },
            Ty::Error => failed,
            other => {
                let what = self.type_name(&other);
                let found = Diagnostic::new(Code::WrongType, inner.span, format!("a table cannot have {what} in it"))
                    .help("numbers, flags and the values of enums can be");
                self.report(found);
                failed
            }
        }
    }

    /// What a table has values for; nothing if it was reported.
    pub(super) fn key_type(&mut self, per: &ast::Type) -> Option<Key> {
        let key = self.resolve_type(per);
        let key = match (&key.ty, key.range) {
            (Ty::Error, _) => return None,
            (Ty::Enum(id), _) => Key::Enum(*id),
            (Ty::Number, Some((low, high))) => match (i32::try_from(low), i32::try_from(high)) {
                (Ok(low), Ok(high)) => Key::Range(low, high),
                _ => Key::Range(0, i32::MAX),
            },
            (Ty::Player, _) => {
                let found = Diagnostic::new(Code::WrongType, per.span, "a table has no value per player")
                    .help("what each player has is declared in `player { ... }`");
                self.report(found);
                return None;
            }
            (other, _) => {
                let message = format!("a table cannot have a value per `{}`", self.type_word(other));
                let found = Diagnostic::new(Code::WrongType, per.span, message)
                    .help("it has one per value of an enum, `per good`, or per number of a range, `per 1..3`");
                self.report(found);
                return None;
            }
        };
        let count = self.key_count(key);
        if count > MOST_KEYS {
            let message = format!("a table has at most {MOST_KEYS} values, and this one {count}");
            self.error(Code::BadRange, per.span, message);
            return None;
        }
        Some(key)
    }

    /// How many keys a table has.
    pub(super) fn key_count(&self, key: Key) -> usize {
        self.rules.key_count(key)
    }

    /// Declares the values of a table: one property for each key, behind that of the table itself.
    pub(super) fn table_items(&mut self, table: PropId) {
        let Some(info) = self.rules.props.get(table.index()).cloned() else { return };
        let Ty::Table(key, inner) = &info.ty else { return };
        let declared = self.declared_props.get(table.index()).cloned();
        let mut items = Vec::new();
        for index in 0..self.key_count(*key) {
            items.push(PropId(self.rules.props.len() as u32));
            let name = format!("{} {}", info.name, self.rules.key_label(*key, index));
            self.rules.props.push(Prop { name, ty: (**inner).clone(), table: Some(table), ..info.clone() });
            let plain = Declared::plain((**inner).clone());
            self.declared_props
                .push(declared.clone().map_or(plain, |known| Declared { ty: (**inner).clone(), ..known }));
        }
        if let Some(prop) = self.rules.props.get_mut(table.index()) {
            prop.class = PropClass::Table(items);
        }
    }

    /// Reports `counter life = 3..9`, where a range stands in the place of the value.
    pub(super) fn begins_with_range(&mut self, name: &ast::Ident, default: Option<&ast::Expr>) -> bool {
        let range = |value: &&ast::Expr| matches!(value.kind, ast::ExprKind::Binary(ast::BinaryOp::Range, ..));
        let Some(default) = default.filter(range) else { return false };
        let before = Span { start: name.span.end, end: default.span.start, ..name.span };
        let found =
            Diagnostic::new(Code::WrongType, default.span, "a counter begins with one number, and this is a range")
                .help(format!("a range is its type: `counter {}: ...`", name.text))
                .mend(before, ": ");
        self.report(found);
        true
    }

    /// A property and what stores it, if it is a table.
    pub(super) fn family(&self, prop: PropId) -> Vec<PropId> {
        let mut all = vec![prop];
        all.extend(self.items_of_table(prop).unwrap_or_default());
        all
    }

    /// What stores a table.
    pub(super) fn items_of_table(&self, prop: PropId) -> Option<Vec<PropId>> {
        match self.rules.props.get(prop.index()).map(|prop| &prop.class) {
            Some(PropClass::Table(items)) => Some(items.clone()),
            _ => None,
        }
    }

    /// How a property is stored; of a table, how its values are.
    pub(super) fn class_of(&self, prop: PropId) -> Option<PropClass> {
        let class = &self.rules.props.get(prop.index())?.class;
        match class {
            PropClass::Table(items) => items.first().and_then(|item| self.class_of(*item)),
            class => Some(class.clone()),
        }
    }

    /// A stored table as it is now: that of the game, where it belongs to nothing else.
    pub(super) fn read_table(&self, of: Option<&Expr>, items: &[PropId], ty: &Ty, span: Span) -> Expr {
        let read = |item: &PropId| {
            let ty = self.prop_type(*item);
            match of {
                Some(of) => {
                    let ty = if matches!(of.ty, Ty::Maybe(_)) { ty.maybe() } else { ty };
                    Expr { kind: ExprKind::Prop(Box::new(of.clone()), *item), ty, span }
                }
                None => self.of_game(*item, span),
            }
        };
        Expr { kind: ExprKind::List(items.iter().map(read).collect()), ty: ty.clone(), span }
    }

    /// The values of a table, one by one.
    pub(super) fn values_of(&self, table: &Expr) -> Vec<Expr> {
        let Ty::Table(key, inner) = &table.ty else { return Vec::new() };
        let count = self.key_count(*key);
        match &table.kind {
            ExprKind::List(items) if items.len() == count => items.clone(),
            ExprKind::If(cond, then, or_else) => {
                let sides = self.values_of(then).into_iter().zip(self.values_of(or_else));
                let either = |(then, or_else): (Expr, Expr)| Expr {
                    kind: ExprKind::If(cond.clone(), Box::new(then), Box::new(or_else)),
                    ty: (**inner).clone(),
                    span: table.span,
                };
                sides.map(either).collect()
            }
            ExprKind::Call(proc, args) if let Some(opened) = self.opened_table(*proc, args) => self.values_of(&opened),
            _ => {
                let at = |index: usize| Expr {
                    kind: ExprKind::Index(
                        Box::new(table.clone()),
                        Box::new(word(index as i64, Ty::Number, table.span)),
                    ),
                    ty: (**inner).clone(),
                    span: table.span,
                };
                (0..count).map(at).collect()
            }
        }
    }

    /// What a definition of a table says of its arguments, where nothing is worked out twice for it: each value then is
    /// worked out by itself, and not the whole table for each.
    fn opened_table(&self, proc: ProcId, args: &[Expr]) -> Option<Expr> {
        let plain =
            |arg: &Expr| matches!(arg.kind, ExprKind::Local(_) | ExprKind::Me | ExprKind::This | ExprKind::Word(_));
        let ProcBody::Expr(body) = &self.rules.procs.get(proc.index())?.body else { return None };
        let mut own = true;
        body.walk(&mut |part| {
            own &= part.binder().is_none();
            if let ExprKind::Local(local) = part.kind {
                own &= local.index() < args.len();
            }
        });
        let fits = own && args.iter().all(plain) && matches!(body.kind, ExprKind::List(_) | ExprKind::If(..));
        fits.then(|| {
            let mut opened = body.clone();
            give(&mut opened, args);
            opened
        })
    }

    /// `[2 wood, 1 wool]`, or a value for each key in their order.
    pub(super) fn table(&mut self, body: &mut Body, items: &[ast::Expr], (key, inner): (Key, &Ty), span: Span) -> Expr {
        let ty = Ty::Table(key, Box::new(inner.clone()));
        let count = self.key_count(key);
        let amounts = items.iter().filter(|item| matches!(item.kind, ast::ExprKind::Amount(..))).count();
        if amounts != items.len() {
            if amounts > 0 {
                let help = "either each value has its key, `[2 wood, 1 wool]`, or none has, and there is one for each";
                let message = "some of these values have a key and others have none";
                self.report(Diagnostic::new(Code::WrongType, span, message).help(help));
                return broken(span);
            }
            if items.len() != count {
                let names: Vec<String> = (0..count).map(|index| self.rules.key_label(key, index)).collect();
                let are = if items.len() == 1 { "is" } else { "are" };
                let message = format!("there {are} {} here, and the table has {count}", plural(items.len(), "value"));
                let some = match key {
                    Key::Enum(_) => format!("or with their keys: `[2 {}]`", names[0]),
                    Key::Range(..) => "or one number for all of them: `... = 0`".to_owned(),
                };
                let help = format!("one for each of {}, {some}", names.join(", "));
                let found = Diagnostic::new(Code::WrongType, span, message).help(help);
                self.report(found);
                return broken(span);
            }
            let values: Vec<Expr> = items.iter().map(|item| self.expr_of(body, item, inner)).collect();
            let failed = values.iter().any(|value| value.ty == Ty::Error);
            return if failed { broken(span) } else { Expr { kind: ExprKind::List(values), ty, span } };
        }
        let mut values = vec![word(0, inner.clone(), span); count];
        let mut given: Vec<Option<Span>> = vec![None; count];
        let mut chosen: Vec<(Expr, Expr)> = Vec::new();
        for item in items {
            let ast::ExprKind::Amount(amount, name) = &item.kind else { continue };
            let amount = self.expr_of(body, amount, inner);
            let named = ast::Expr { kind: ast::ExprKind::Name(name.text.clone()), span: name.span };
            let named = self.expr_of(body, &named, &key.ty());
            if amount.ty == Ty::Error || named.ty == Ty::Error {
                return broken(span);
            }
            if *inner == Ty::Number && self.key_index(key, &named).is_none() {
                chosen.push((amount, named));
                continue;
            }
            let Some(index) = self.key_index(key, &named) else {
                let help = "a key that play decides is set by itself: `set me.stock[g] = 2`";
                let found = Diagnostic::new(Code::NotConstant, name.span, "the key of a value is written by its name");
                self.report(found.help(help));
                return broken(span);
            };
            if let Some(first) = given[index].replace(name.span) {
                let found = Diagnostic::new(Code::Duplicate, name.span, format!("`{}` is given twice", name.text))
                    .label(first, "first given here");
                self.report(found);
            }
            values[index] = amount;
        }
        // Whichever key play has decided has so many more.
        for (amount, named) in chosen {
            let span = named.span;
            let expr = |kind, ty: &Ty| Expr { kind, ty: ty.clone(), span };
            for (index, value) in values.iter_mut().enumerate() {
                let at = Box::new(key.value(index, span));
                let here = expr(ExprKind::Compare(CompareOp::Eq, Box::new(named.clone()), at), &Ty::Flag);
                let none = Box::new(word(0, inner.clone(), span));
                let more = expr(ExprKind::If(Box::new(here), Box::new(amount.clone()), none), inner);
                *value = match value.kind {
                    ExprKind::Word(0) => more,
                    _ => expr(ExprKind::Binary(BinaryOp::Add, Box::new(value.clone()), Box::new(more)), inner),
                };
            }
        }
        Expr { kind: ExprKind::List(values), ty, span }
    }

    /// `[count (p.row where gives = g) per g in good]`: worked out for each key by itself, with the key as a constant.
    pub(super) fn per_key(
        &mut self,
        body: &mut Body,
        value: &ast::Expr,
        (name, of): (&Ident, &ast::Type),
        hint: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let Some(key) = self.key_type(of) else { return broken(span) };
        let hint = match hint {
            Some(Ty::Table(_, inner)) => Some((**inner).clone()),
            _ => None,
        };
        self.check_local_name(name);
        let mut values = Vec::new();
        for index in 0..self.key_count(key) {
            let mark = body.open();
            let local = body.bind(&name.text, key.ty(), name.span);
            self.declares_local(&name.text, name.span, &key.ty(), Sort::Local);
            body.constants.insert(local, key.value(index, name.span));
            let reported = self.diagnostics.len();
            let found = self.expr_in(body, value, hint.as_ref());
            body.close(mark);
            // Its slot may serve for another member of this name.
            body.constants.remove(&local);
            // What is wrong for one key is mostly so for all.
            if found.ty == Ty::Error || self.diagnostics.len() > reported {
                return broken(span);
            }
            if !matches!(found.ty, Ty::Number | Ty::Flag | Ty::Enum(_)) {
                let message = format!("a table cannot have {} in it", self.type_name(&found.ty));
                let help = match found.ty.bare() {
                    Ty::Number | Ty::Flag | Ty::Enum(_) => "say what it is where there is none: `... else 0`",
                    _ => "numbers, flags and the values of enums can be",
                };
                self.report(Diagnostic::new(Code::WrongType, value.span, message).help(help));
                return broken(span);
            }
            values.push(found);
        }
        table_of(key, values, span)
    }

    /// Whether a key is that of an index.
    pub(super) fn is_key(&self, key: Key, index: usize, at: &Expr) -> Expr {
        compare(CompareOp::Eq, at.clone(), key.value(index, at.span), at.span)
    }

    /// The keys that a list of amounts speaks of, if it is one.
    pub(super) fn keys_of(&self, items: &[ast::Expr]) -> Option<Key> {
        let names = items.iter().map_while(|item| match &item.kind {
            ast::ExprKind::Amount(_, name) => Some(name),
            _ => None,
        });
        let names: Vec<&Ident> = names.collect();
        let first = self.enum_values.get(&names.first()?.text)?;
        let has =
            |name: &&Ident, id| self.enum_values.get(&name.text).is_some_and(|all| all.iter().any(|at| at.0 == id));
        let mut fitting = first.iter().map(|(id, _)| *id).filter(|id| names.iter().all(|name| has(name, *id)));
        let key = fitting.next()?;
        fitting.next().is_none().then_some(Key::Enum(key))
    }

    /// Which of the keys a constant is.
    pub(super) fn key_index(&self, key: Key, value: &Expr) -> Option<usize> {
        let value = constant(&self.rules, value)?;
        let index = match key {
            Key::Enum(_) => value,
            Key::Range(low, _) => value.checked_sub(low.into())?,
        };
        usize::try_from(index).ok().filter(|index| *index < self.key_count(key))
    }

    /// A key; nothing if it was reported.
    pub(super) fn key_expr(&mut self, body: &mut Body, key: Key, written: &ast::Expr) -> Option<Expr> {
        let found = self.expr_of(body, written, &key.ty());
        if found.ty == Ty::Error {
            return None;
        }
        if let (Some(value), None, Key::Range(low, high)) =
            (constant(&self.rules, &found), self.key_index(key, &found), key)
        {
            let message = format!("the table has values for {low} to {high}, and none for {value}");
            self.error(Code::OutOfRange, written.span, message);
            return None;
        }
        Some(found)
    }

    /// `me.stock[g]`
    pub(super) fn table_entry(&mut self, body: &mut Body, table: &Expr, at: &ast::Expr, span: Span) -> Expr {
        let Ty::Table(key, inner) = &table.ty else { return broken(span) };
        let Some(at) = self.key_expr(body, *key, at) else { return broken(span) };
        let values = self.values_of(table);
        if let Some(index) = self.key_index(*key, &at) {
            return values.into_iter().nth(index).map_or(broken(span), |value| Expr { span, ..value });
        }
        // Of somebody who may be nobody, what is kept may be nothing.
        let misses = may_miss(*key, &at);
        let may_be_nothing = misses || values.iter().any(|value| matches!(value.ty, Ty::Maybe(_)));
        let ty = if may_be_nothing { (**inner).clone().maybe() } else { (**inner).clone() };
        if !matches!(table.kind, ExprKind::List(_) | ExprKind::If(..)) {
            return Expr { kind: ExprKind::Index(Box::new(table.clone()), Box::new(place(*key, at, span))), ty, span };
        }
        let missing = misses.then(|| Expr { kind: ExprKind::Nothing, ty: ty.clone(), span });
        let entries = values.into_iter().enumerate().rev();
        let chain = entries.fold(missing, |rest, (index, value)| {
            let Some(rest) = rest else { return Some(Expr { ty: ty.clone(), ..value }) };
            let cond = Box::new(self.is_key(*key, index, &at));
            let kind = ExprKind::If(cond, Box::new(Expr { ty: ty.clone(), ..value }), Box::new(rest));
            Some(Expr { kind, ty: ty.clone(), span })
        });
        chain.unwrap_or_else(|| broken(span))
    }

    /// Two operands value by value, of which one may be the same for all keys. Nothing if neither is a table.
    fn side_by_side(&mut self, left: &Expr, right: &Expr, span: Span) -> Option<Result<Pairs, Expr>> {
        let key = match (&left.ty, &right.ty) {
            (Ty::Table(one, _), Ty::Table(other, _)) if one != other => {
                let (one, two) = (self.type_name(&left.ty), self.type_name(&right.ty));
                self.error(Code::WrongType, span, format!("{one} and {two} have different keys"));
                return Some(Err(broken(span)));
            }
            (Ty::Table(key, _), _) | (_, Ty::Table(key, _)) => *key,
            _ => return None,
        };
        let count = self.key_count(key);
        let values = |side: &Expr| match (&side.ty, &side.kind) {
            (Ty::Table(..), _) => self.values_of(side),
            // A value for each key.
            (Ty::List(_), ExprKind::List(items)) if items.len() == count => items.clone(),
            _ => vec![side.clone(); count],
        };
        Some(Ok((key, values(left).into_iter().zip(values(right)).collect())))
    }

    /// `a + b`, `2 * a`, where one is a table at least: value by value.
    pub(super) fn table_arithmetic(
        &mut self,
        op: ast::BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<Expr> {
        let (key, pairs) = match self.side_by_side(left, right, span)? {
            Ok(found) => found,
            Err(failed) => return Some(failed),
        };
        let number = |value: &Expr| *value.ty.bare() == Ty::Number;
        if let Some((one, two)) = pairs.iter().find(|(one, two)| !number(one) || !number(two)) {
            let what = self.type_name(if number(one) { &two.ty } else { &one.ty });
            self.error(Code::WrongType, span, format!("this should be numbers, but there is {what}"));
            return Some(broken(span));
        }
        let values = pairs.into_iter().map(|(one, two)| self.number_arithmetic(op, one, two, span)).collect();
        Some(table_of(key, values, span))
    }

    /// `smaller(a, b)`, `larger(a, b)`: of numbers, or value by value of tables.
    pub(super) fn extreme(&mut self, builtin: Builtin, left: Expr, right: Expr, span: Span) -> Expr {
        let pick = |one: Expr, two: Expr| {
            let ty = Ty::Number.of_given([&one, &two]);
            Expr { kind: ExprKind::Builtin(builtin, vec![one, two]), ty, span }
        };
        match self.side_by_side(&left, &right, span) {
            Some(Err(failed)) => failed,
            Some(Ok((key, pairs))) => {
                let pairs = pairs.into_iter();
                let values: Vec<(Expr, Expr)> =
                    pairs.map(|(one, two)| (self.coerce(one, &Ty::Number), self.coerce(two, &Ty::Number))).collect();
                if values.iter().any(|(one, two)| one.ty == Ty::Error || two.ty == Ty::Error) {
                    return broken(span);
                }
                table_of(key, values.into_iter().map(|(one, two)| pick(one, two)).collect(), span)
            }
            None => {
                let (left, right) = (self.coerce(left, &Ty::Number), self.coerce(right, &Ty::Number));
                if left.ty == Ty::Error || right.ty == Ty::Error { broken(span) } else { pick(left, right) }
            }
        }
    }

    /// `a = b`, `a >= b`, where one is a table at least: what holds of the values of every key.
    pub(super) fn table_comparison(
        &mut self,
        op: ast::BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Option<Expr> {
        use ast::BinaryOp as Op;
        let pairs = match self.side_by_side(left, right, span)? {
            Ok((_, pairs)) => pairs,
            Err(failed) => return Some(failed),
        };
        let order = match op {
            Op::Ge => CompareOp::Ge,
            Op::Le => CompareOp::Le,
            Op::Gt | Op::Lt => {
                let message = "one table can have more of this and less of that than another";
                let found = Diagnostic::new(Code::Uncomparable, span, message).help(
                    "`a >= b` holds if every value of `a` is at least that of `b`; what does not is `not (a >= b)`",
                );
                self.report(found);
                return Some(word(0, Ty::Flag, span));
            }
            _ => CompareOp::Eq,
        };
        let misfit = pairs.iter().find(|(one, two)| {
            let same = self.unify(one.ty.bare(), two.ty.bare());
            same.is_none() || order != CompareOp::Eq && same != Some(Ty::Number)
        });
        if let Some((one, two)) = misfit {
            let (one, two) = (self.type_name(&one.ty), self.type_name(&two.ty));
            self.error(Code::Uncomparable, span, format!("{one} cannot be compared with {two} like this"));
            return Some(word(0, Ty::Flag, span));
        }
        self.compared_tables.insert(span);
        let all = pairs.into_iter().map(|(one, two)| compare(order, one, two, span)).reduce(|all, one| Expr {
            kind: ExprKind::And(Box::new(all), Box::new(one)),
            ty: Ty::Flag,
            span,
        });
        let all = all.unwrap_or_else(|| word(1, Ty::Flag, span));
        let differs = op == Op::Ne;
        Some(if differs { Expr { kind: ExprKind::Not(Box::new(all)), ty: Ty::Flag, span } } else { all })
    }

    /// `-a`
    pub(super) fn table_negated(&mut self, table: &Expr, span: Span) -> Expr {
        self.table_arithmetic(ast::BinaryOp::Sub, &word(0, Ty::Number, span), table, span)
            .unwrap_or_else(|| broken(span))
    }

    /// What `me.stock[g]` is as something to be changed.
    pub(super) fn entry_target(&mut self, body: &mut Body, table: Target, at: &ast::Expr) -> Option<Target> {
        let (of, table) = match table {
            Target::Table(of, table) => (of, table),
            Target::One(Kept::Local(local, ty @ Ty::Table(key, _))) => {
                return self.key_expr(body, key, at).map(|at| Target::LocalEntry(local, ty, at));
            }
            _ => {
                let message = "only the values of counters, marks and locals with a key can be set one by one";
                self.error(Code::CannotSet, at.span, message);
                return None;
            }
        };
        let (Ty::Table(key, _), Some(items)) = (self.prop_type(table), self.items_of_table(table)) else { return None };
        let at = self.key_expr(body, key, at)?;
        let target = |item: &PropId| match &of {
            Some(of) => Kept::Prop(of.clone(), *item),
            None => Kept::Game(*item),
        };
        if let Some(index) = self.key_index(key, &at) {
            return items.get(index).map(target).map(Target::One);
        }
        let cases = items.iter().enumerate();
        let cases = cases.map(|(index, item)| (self.is_key(key, index, &at), target(item)));
        Some(Target::Entry(cases.collect()))
    }

    /// A local table with another value at a key.
    pub(super) fn with_entry(
        &self,
        (local, ty, at): (super::rules::LocalId, Ty, &Expr),
        span: Span,
        new: &dyn Fn(Expr) -> Expr,
    ) -> Option<StmtKind> {
        let Ty::Table(key, _) = ty else { return None };
        let values = self.values_of(&Expr { kind: ExprKind::Local(local), ty, span }).into_iter().enumerate();
        let settled = self.key_index(key, at);
        let values = values.map(|(index, old)| match settled {
            Some(settled) if settled == index => new(old),
            Some(_) => old,
            None => {
                let (cond, ty) = (Box::new(self.is_key(key, index, at)), old.ty.clone());
                let kind = ExprKind::If(cond, Box::new(new(old.clone())), Box::new(old));
                Expr { kind, ty, span }
            }
        });
        let value = table_of(key, values.collect(), span);
        Some(StmtKind::Local { local, value })
    }

    /// The values that a table has in the place of what it had: worked out first, as they may ask for it.
    pub(super) fn change_table(
        &mut self,
        body: &mut Body,
        (of, table): (Option<&Expr>, PropId),
        values: Vec<Expr>,
        span: Span,
        each: &mut dyn FnMut(&mut Self, &mut Body, Kept, Expr) -> StmtKind,
    ) -> StmtKind {
        let mark = body.open();
        let mut first = Vec::new();
        let mut then = Vec::new();
        for (item, value) in self.items_of_table(table).unwrap_or_default().into_iter().zip(values) {
            let ty = value.ty.clone();
            let value = if let ExprKind::Word(_) = value.kind {
                value
            } else {
                let local = body.bind(&format!("by {}", item.index()), ty.clone(), span);
                first.push(Stmt { kind: StmtKind::Local { local, value }, span });
                Expr { kind: ExprKind::Local(local), ty, span }
            };
            let target = of.map_or(Kept::Game(item), |of| Kept::Prop(of.clone(), item));
            then.push((target, value));
        }
        let then = then.into_iter().map(|(target, value)| Stmt { kind: each(self, body, target, value), span });
        first.extend(then.collect::<Vec<_>>());
        body.close(mark);
        StmtKind::If { cond: word(1, Ty::Flag, span), body: first, or_else: Vec::new() }
    }

    /// What is done to the one of several targets whose condition holds.
    pub(super) fn change_entry(
        &mut self,
        body: &mut Body,
        cases: Vec<(Expr, Kept)>,
        span: Span,
        each: &mut dyn FnMut(&mut Self, &mut Body, Kept) -> StmtKind,
    ) -> StmtKind {
        let mut chain = Vec::new();
        for (cond, target) in cases.into_iter().rev() {
            let body = vec![Stmt { kind: each(self, body, target), span }];
            chain = vec![Stmt { kind: StmtKind::If { cond, body, or_else: chain }, span }];
        }
        chain
            .pop()
            .map_or(StmtKind::If { cond: word(0, Ty::Flag, span), body: Vec::new(), or_else: Vec::new() }, |stmt| {
                stmt.kind
            })
    }
}

/// A table of values in the order of its keys.
fn table_of(key: Key, values: Vec<Expr>, span: Span) -> Expr {
    if values.iter().any(|value| value.ty == Ty::Error) {
        return broken(span);
    }
    let inner = values.iter().find(|value| matches!(value.ty, Ty::Maybe(_))).or(values.first());
    let ty = inner.map_or(Ty::Number, |value| value.ty.clone());
    Expr { kind: ExprKind::List(values), ty: Ty::Table(key, Box::new(ty)), span }
}

fn compare(op: CompareOp, left: Expr, right: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Compare(op, Box::new(left), Box::new(right)), ty: Ty::Flag, span }
}

/// At which place of the list a key stands.
fn place(key: Key, at: Expr, span: Span) -> Expr {
    let (at, first) = match key {
        Key::Enum(_) => {
            let ty = if matches!(at.ty, Ty::Maybe(_)) { Ty::Number.maybe() } else { Ty::Number };
            (Expr { kind: ExprKind::Builtin(Builtin::EnumIndex, vec![at]), ty, span }, 1)
        }
        Key::Range(low, _) => (at, low.into()),
    };
    let ty = at.ty.clone();
    Expr { kind: ExprKind::Binary(BinaryOp::Sub, Box::new(at), Box::new(word(first, Ty::Number, span))), ty, span }
}

/// Puts arguments in the place of parameters.
fn give(expr: &mut Expr, args: &[Expr]) {
    if let ExprKind::Local(local) = expr.kind {
        if let Some(arg) = args.get(local.index()) {
            *expr = arg.clone();
        }
        return;
    }
    expr.each_part_mut(&mut |part| give(part, args));
}

/// Whether one of two operands has the values of a table that is expected, written in the order of its keys.
pub(super) fn fills_table(wanted: &Ty, operands: [&ast::Expr; 2]) -> bool {
    let lists = |side: &&ast::Expr| match &side.kind {
        ast::ExprKind::List(_) => true,
        ast::ExprKind::Binary(_, left, right) => fills_table(wanted, [left, right]),
        _ => false,
    };
    matches!(wanted, Ty::Table(..)) && operands.iter().any(lists)
}
