//! Offers: terms that one player chooses and another one answers.

use super::body::Body;
use super::check::Checker;
use super::hidden;
use super::rules::{Choose, Expr, Offer, StmtKind, Ty};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, Ident, OfferPart};

impl Checker<'_> {
    /// `offer to P "Prompt" { ... } accepted { ... } refused { ... }`
    pub(super) fn offer(
        &mut self,
        body: &mut Body,
        to: &ast::Expr,
        (prompt, parts): (Option<&Ident>, &[OfferPart]),
        (accepted, refused): (&ast::Block, Option<&ast::Block>),
        span: Span,
    ) -> StmtKind {
        body.suspends(span, "offer");
        if !body.me {
            let message = "nobody in particular acts here, so nobody can make an offer";
            let found = Diagnostic::new(Code::NoPlayer, span, message)
                .help("put it into an action or a verb that a player performs");
            self.report(found);
        }
        body.irrevocable.get_or_insert((span, "offer"));
        let to = self.expr_of(body, to, &Ty::Player);
        let mark = body.open();
        let maker = body.bind("maker of the offer", Ty::Player, span);
        let (mut terms, mut names) = (Vec::new(), Vec::new());
        let (mut counters, mut valid): (Option<Expr>, Option<Expr>) = (None, None);
        // The terms first: the others may speak of them wherever they stand.
        for part in parts {
            if let OfferPart::Terms(choose) = part {
                terms.push(self.terms(body, choose, &to));
                names.push(choose.name.text.clone());
            }
        }
        for part in parts {
            match part {
                OfferPart::Terms(_) => {}
                OfferPart::Counters(count) => {
                    let count = self.expr_of(body, count, &Ty::Number);
                    self.only_once("counters", counters.as_ref(), &count);
                    counters = Some(count);
                }
                OfferPart::Valid(cond) => {
                    let cond = self.flag(body, cond);
                    self.only_once("valid", valid.as_ref(), &cond);
                    valid = Some(cond);
                }
            }
        }
        let prompt = prompt.map(|prompt| self.template(body, prompt));
        let accepted = self.block(body, accepted);
        let refused = refused.map(|refused| self.block(body, refused)).unwrap_or_default();
        body.close(mark);
        StmtKind::Offer(Box::new(Offer { to, maker, prompt, terms, names, counters, valid, accepted, refused }))
    }

    /// What an offer is about must be known to both: the one has to judge it, and may choose from it in turn.
    fn terms(&mut self, body: &mut Body, written: &ast::Choose, to: &Expr) -> Choose {
        let choose = self.choose(body, written);
        // No `for` can stand here.
        body.unguarded.remove(&choose.local);
        let domain = &choose.domain;
        let other = Some(to);
        let told = hidden::unseen(&self.rules, domain, None)
            || hidden::unseen(&self.rules, domain, other)
            || hidden::read(&self.rules, domain, other).is_some();
        let reported = hidden::read(&self.rules, domain, None).is_some();
        if told && !reported && !body.revealed {
            let found = Diagnostic::new(Code::HiddenFact, domain.span, "one of the two does not see this")
                .help("reveal it first: `reveal ... to ...`")
                .note("what is offered is shown to both, and both may choose from it");
            self.report(found);
        }
        choose
    }

    fn only_once(&mut self, word: &str, first: Option<&Expr>, second: &Expr) {
        if let Some(first) = first {
            let found = Diagnostic::new(Code::Duplicate, second.span, format!("this offer already has `{word}`"))
                .label(first.span, "first given here");
            self.report(found);
        }
    }
}
