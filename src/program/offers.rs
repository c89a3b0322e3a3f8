//! Code for offers.

use super::code::Builder;
use super::op::{Op, Slot};
use super::sites::OfferSite;
use crate::base::spoken;
use crate::model::rules::{Choose, Expr, ExprKind, Offer, Ty};

impl Builder<'_> {
    /// Terms are chosen and answered in turn, until an answer settles the offer or it lapses.
    pub fn offer(&mut self, offer: &Offer) {
        let (answers, answer, left) = (self.temp(1), self.temp(1), self.temp(1));
        let (make, accepted, refused, end) = (self.label(), self.label(), self.label(), self.label());
        let maker = self.local(offer.maker);
        self.copy(1, maker, self.env.me);
        self.into(&offer.to, answers);
        let (zero, one) = (self.word(0), self.word(1));
        match &offer.counters {
            Some(counters) => self.into(counters, left),
            None => self.copy(1, left, zero),
        }
        let mut site = OfferSite { d: answer, maker, answers, left, prompt: None, terms: Vec::new(), span: self.span };
        for (name, terms) in offer.names.iter().zip(&offer.terms) {
            let ty = super::stmts::set_of(&super::stmts::item(&terms.domain.ty));
            site.terms.push((spoken(name), self.local(terms.local), ty));
        }
        let number = self.long(self.sites.offers.len());
        self.sites.offers.push(site);
        let to = self.to(end);
        self.emit(Op::OfferTo { site: number, to });
        self.bind(make);
        let mark = self.top;
        for terms in &offer.terms {
            self.sample_in(std::iter::once(&terms.domain));
            let by = Expr { kind: ExprKind::Local(offer.maker), ty: Ty::Player, span: terms.span };
            self.choose(&Choose { by: Some(by), ..terms.clone() }, false);
            // What comes of them depends on another player, so they are not tried out.
            if let Some(site) = self.sites.chooses.last_mut() {
                site.in_action = false;
            }
            self.release(mark);
        }
        if let Some(valid) = &offer.valid {
            self.sample_in(std::iter::once(valid));
            self.jump(valid, false, end);
        }
        self.begun = self.ops.len();
        let prompt = offer.prompt.as_ref().map(|prompt| self.text(prompt));
        self.sites.offers[number as usize].prompt = prompt;
        self.emit(Op::Offer { site: number });
        self.release(mark);
        self.answered(answer, OfferSite::WITHDRAW, end);
        self.answered(answer, OfferSite::REFUSE, refused);
        self.answered(answer, OfferSite::ACCEPT, accepted);
        // Now the other one makes an offer.
        self.emit(Op::Sub { d: left, a: left, b: one });
        self.copy(1, answer, maker);
        self.copy(1, maker, answers);
        self.copy(1, answers, answer);
        let to = self.to(make);
        self.emit(Op::Jump { to });
        self.bind(accepted);
        self.block(&offer.accepted, false);
        self.emit(Op::Checkpoint { always: true });
        let to = self.to(end);
        self.emit(Op::Jump { to });
        self.bind(refused);
        self.block(&offer.refused, false);
        self.bind(end);
    }

    fn answered(&mut self, answer: Slot, word: i64, label: super::code::Label) {
        let b = self.word(word);
        let to = self.to(label);
        self.emit(Op::JumpEq { on: true, a: answer, b, to });
    }
}
