//! Names of definitions that are compared with texts: a text that is the name of no card.

use super::{Locals, Ranges, Source};
use crate::base::{Code, Diagnostic, listed, nearest};
use crate::model::rules::{Builtin, BuiltinProp, CollectOp, Entry, Expr, ExprKind, KindId, ProcBody, PropClass, Ty};

/// So deep locals and definitions are looked through.
const DEEPEST: usize = 8;

impl<'r> Ranges<'r> {
    /// Looks whether what is asked of a name can be its.
    pub(super) fn named(&mut self, locals: &Locals<'r>, one: &'r Expr, other: &'r Expr) {
        for (name, texts) in [(one, other), (other, one)] {
            if let Some(kind) = self.name_of(locals, name, 0) {
                self.texts(kind, texts);
            }
        }
    }

    /// Looks at all texts of a value or list.
    fn texts(&mut self, kind: KindId, texts: &'r Expr) {
        match &texts.kind {
            ExprKind::Text(text) => self.text(kind, text, texts),
            ExprKind::List(items) => items.iter().for_each(|item| self.texts(kind, item)),
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) => self.texts(kind, inner),
            ExprKind::If(_, then, or_else) => [then, or_else].into_iter().for_each(|part| self.texts(kind, part)),
            _ => {}
        }
    }

    fn text(&mut self, kind: KindId, text: &str, whole: &Expr) {
        let related = |entry: &&Entry| self.rules.is_below(entry.kind, kind) || self.rules.is_below(kind, entry.kind);
        let names = || self.rules.entries.iter().filter(related).map(|entry| entry.name.as_str());
        // What has no definition has an empty name.
        if text.is_empty() || names().any(|name| name == text) {
            return;
        }
        let best = nearest(text, names());
        // An expansion may speak of what another one brings, and take away what the game speaks of.
        if self.extended && best.is_none() {
            return;
        }
        let kind = self.rules.kinds.get(kind.index()).map_or("", |kind| kind.name.as_str());
        let found = Diagnostic::new(
            Code::NeverTrue,
            whole.span,
            format!("no `{kind}` is called `{text}`, so none is ever meant"),
        );
        self.found.push(match best {
            Some(best) => found.help(format!("did you mean `{best}`?")).perhaps(whole.span, format!("\"{best}\"")),
            None => found.help(format!("their names are {}", listed(names()))),
        });
    }

    /// If it is the name of a card, or if its members are, of which kind.
    fn name_of(&self, locals: &Locals<'r>, expr: &'r Expr, depth: usize) -> Option<KindId> {
        let of = |part: &'r Expr| self.name_of(locals, part, depth + 1);
        match &expr.kind {
            _ if depth > DEEPEST => None,
            ExprKind::Prop(whose, id) => {
                let class = self.rules.props.get(id.index()).map(|prop| &prop.class);
                match (class, whose.ty.element().bare()) {
                    (Some(PropClass::Builtin(BuiltinProp::Name)), Ty::Entity(kind)) => Some(*kind),
                    _ => None,
                }
            }
            ExprKind::Local(local) => match locals.sources.get(local).map(Vec::as_slice) {
                Some([Source::Value(value) | Source::Member(value)]) => of(value),
                _ => None,
            },
            ExprKind::Where { over, .. } => of(over),
            ExprKind::Collect { op: CollectOp::Gather | CollectOp::Values, body, .. } => of(body),
            ExprKind::Builtin(Builtin::First, args) => args.first().and_then(of),
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) => of(inner),
            ExprKind::Call(proc, _) => {
                let proc = self.rules.procs.get(proc.index())?;
                let ProcBody::Expr(body) = &proc.body else { return None };
                self.name_of(&Locals::of(proc), body, depth + 1)
            }
            _ => None,
        }
    }
}
