//! Calls in expressions: definitions, functions of the language, scripts, and stored tests and amounts. Also what
//! makes a test or amount out of an expression.

use super::body::{Body, Callee, Place, Subject};
use super::builtins::{self, BuiltinInfo, Give, Param};
use super::check::{Checker, DefineState, broken};
use super::collect::Decl;
use super::gaps::NO_BOARD;
use super::index::Sort;
use super::missing::Asked;
use super::rules::{
    BinaryOp, BoardId, Builtin, Expr, ExprKind, KindId, PIECE, Per, ProcRole, PropClass, Ty, ZoneOrder,
};
use super::types::Declared;
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::{Role, ast, instead_of};

/// How many definitions may be worked out inside of each other.
const MOST_DEFINITIONS: usize = crate::base::limits::DEFINITIONS;

impl Checker<'_> {
    /// `callee(args)`
    pub(super) fn call(
        &mut self,
        body: &mut Body,
        callee: &ast::Expr,
        args: &[ast::Expr],
        hint: Option<&Ty>,
        span: Span,
    ) -> Expr {
        match &callee.kind {
            ast::ExprKind::Name(name) => self.call_name(body, name, callee.span, args, hint, span),
            ast::ExprKind::Field(base, name) => {
                let base = self.expr(body, base);
                let field = self.member(body, base, name);
                self.call_lambda(body, field, args, span)
            }
            ast::ExprKind::Error => broken(span),
            _ => {
                self.error(Code::NotCallable, callee.span, "only names can be called");
                broken(span)
            }
        }
    }

    fn call_name(
        &mut self,
        body: &mut Body,
        name: &str,
        name_span: Span,
        args: &[ast::Expr],
        hint: Option<&Ty>,
        span: Span,
    ) -> Expr {
        if let Some(local) = body.find(name) {
            body.used.insert(local);
            self.means_local(body, name, name_span);
            let callee = body.read(Place::Local(local), name_span);
            return self.call_lambda(body, callee, args, span);
        }
        if name == "seat" {
            self.means_builtin(name, name_span);
            let [arg] = args else {
                self.wrong_arity(name, span, Span::default(), 1, args.len());
                return broken(span);
            };
            let number = self.expr_of(body, arg, &Ty::Number);
            if let ExprKind::Word(seat) = number.kind
                && !(1..=i64::from(self.rules.players.1)).contains(&seat)
            {
                let message = format!("there is no seat {seat}: this game has at most {}", self.rules.players.1);
                self.error(Code::OutOfRange, arg.span, message);
            }
            return Expr { kind: ExprKind::Seat(Box::new(number)), ty: Ty::Player, span };
        }
        // A definition hides a function of the language, but not one that is only a value.
        match self.names.get(name).copied() {
            Some(decl @ Decl::Define(index)) if self.is_function(decl) || builtins::named(name).is_none() => {
                self.means_global(name, name_span);
                return self.call_define(body, index, span, args);
            }
            Some(Decl::Script(_)) => {
                self.means_global(name, name_span);
                return self.call_script(body, name, span, args);
            }
            _ => {}
        }
        if builtins::named(name).is_some() {
            self.means_function(name, name_span);
            return self.call_builtin(body, name, args, hint, span);
        }
        if self.subject_has(body, name) {
            let callee = self.name(body, name, name_span, None);
            return self.call_lambda(body, callee, args, span);
        }
        self.not_callable(body, name, name_span);
        broken(span)
    }

    fn not_callable(&mut self, body: &Body, name: &str, span: Span) {
        if self.is_asked(name) {
            self.could_be_value(body, None);
        }
        if let Some(decl) = self.names.get(name) {
            let found =
                Diagnostic::new(Code::NotCallable, span, format!("`{name}` is {}: it takes no arguments", decl.noun()));
            self.report(found);
            return;
        }
        if let Some(help) = instead_of(name, Role::Function) {
            let message = format!("there is no definition or function `{name}`");
            self.report(Diagnostic::new(Code::UnknownName, span, message).help(help));
            return;
        }
        let is_property = name == "owner" || name == "holder" || self.rules.props.iter().any(|prop| prop.name == name);
        if is_property {
            let message = format!("there is no definition or function `{name}`");
            let help = format!("a property stands behind what has it, with a dot: `x.{name}`");
            self.report(Diagnostic::new(Code::UnknownName, span, message).help(help));
            return;
        }
        if !self.may_suggest() {
            return self.error(Code::UnknownName, span, format!("there is no definition or function `{name}`"));
        }
        let names: Vec<&str> = self
            .names
            .iter()
            .filter(|(_, decl)| matches!(decl, Decl::Define(_) | Decl::Script(_)))
            .map(|(name, _)| name.as_str())
            .chain(builtins::BUILTINS.iter().map(|info| info.name))
            .chain(body.names().map(|(name, _)| name))
            .chain(["seat"])
            .collect();
        let found = Diagnostic::new(Code::UnknownName, span, format!("there is no definition or function `{name}`"))
            .suggest(name, names.iter().copied());
        self.report(found);
    }

    /// Asks a stored test or amount, or the lazy field of a card.
    fn call_lambda(&mut self, body: &mut Body, callee: Expr, args: &[ast::Expr], span: Span) -> Expr {
        let Ty::Lambda(params, result) = callee.ty.bare().clone() else {
            if callee.ty != Ty::Error {
                let what = self.type_name(&callee.ty);
                let found = Diagnostic::new(Code::NotCallable, callee.span, format!("{what} takes no arguments"));
                let property = matches!(callee.kind, ExprKind::Prop(..));
                self.report(match args {
                    [_] if property => {
                        found.help("a property stands behind what has it, with a dot and without brackets: `it.owner`")
                    }
                    [_] => {
                        found.help("one of several by its number or key stands in brackets of this shape: `me.line[2]`")
                    }
                    _ => found,
                });
            }
            return broken(span);
        };
        if params.len() != args.len() {
            self.wrong_arity("it", span, Span::default(), params.len(), args.len());
            return broken(span);
        }
        let args = params.iter().zip(args).map(|(ty, arg)| self.expr_of(body, arg, ty)).collect();
        Expr { kind: ExprKind::CallLambda(Box::new(callee), args), ty: *result, span }
    }

    fn call_builtin(&mut self, body: &mut Body, name: &str, args: &[ast::Expr], hint: Option<&Ty>, span: Span) -> Expr {
        let mark = self.chosen_zones.len();
        let found = self.builtin_of(body, name, args, hint, span);
        self.for_each_key(found, mark)
    }

    fn builtin_of(&mut self, body: &mut Body, name: &str, args: &[ast::Expr], hint: Option<&Ty>, span: Span) -> Expr {
        let Some(forms) = builtins::named(name) else { return broken(span) };
        let forms: Vec<&BuiltinInfo> = forms.collect();
        if let (Some(builtin @ (Builtin::Smaller | Builtin::Larger)), [left, right]) =
            (forms.first().map(|info| info.builtin), args)
        {
            let (left, right) = match hint.filter(|hint| matches!(hint, Ty::Table(..))) {
                Some(hint) => (self.expr_in(body, left, Some(hint)), self.expr_in(body, right, Some(hint))),
                None => self.pair(body, left, right),
            };
            return self.extreme(builtin, left, right, span);
        }
        let of_board =
            |info: &&BuiltinInfo| info.params.len() == args.len() && info.params.first() == Some(&Param::Board);
        if let ("site" | "sites", [arg @ ast::Expr { kind: ast::ExprKind::Text(_), .. }]) = (name, args) {
            return match hint.and_then(board_of).or_else(|| self.board_of_text(arg, name == "sites")) {
                Some(board) => self.sites_written((board, None), arg, name == "sites", span),
                None => self.without_board(name, arg),
            };
        }
        let meant = if forms.iter().any(of_board) { self.meant_board(body, args) } else { None };
        let board = meant.as_ref().map(|meant| meant.board);
        let fits = |info: &&&BuiltinInfo| info.params.len() == args.len() && of_board(info) == board.is_some();
        let mut fitting: Vec<&BuiltinInfo> = forms.iter().filter(fits).copied().collect();
        if fitting.len() > 1
            && let Some(arg) = args.first()
        {
            // Told apart by whether it is given a site.
            let given = self.ordered(body, arg);
            let on_site =
                matches!(given.ty.element().bare(), Ty::Site(_)) || matches!(arg.kind, ast::ExprKind::Text(_));
            fitting.retain(|info| (info.params.first() == Some(&Param::Site)) == on_site);
        }
        let Some(info) = fitting.first().copied() else {
            self.no_such_form(&forms, args, span);
            return broken(span);
        };
        // The type of directions does not tell boards with an end from those without.
        let hinted = hint.and_then(board_of).map(|board| self.rules.board_id(board.index()));
        let mut checked: Vec<Expr> = Vec::new();
        for (param, arg) in info.params.iter().zip(args) {
            match (param, board) {
                (Param::Board, _) => {}
                (Param::SiteName | Param::SiteNames, Some(board)) => {
                    if !self.fits_board(info.builtin, meant.as_ref(), &checked, span) {
                        return broken(span);
                    }
                    return self.sites_written((board, meant), arg, *param == Param::SiteNames, span);
                }
                _ => {
                    let at = board.or_else(|| checked.first().and_then(|first| board_of(&first.ty)));
                    checked.push(self.builtin_argument(body, *param, arg, at, hinted));
                }
            }
        }
        if checked.iter().any(|arg| arg.ty == Ty::Error) {
            return broken(span);
        }
        let Some(ty) = self.builtin_result(info, board, &checked, hint, span) else { return broken(span) };
        if !self.has_places(info.builtin, board, &checked, span)
            || !self.fits_board(info.builtin, meant.as_ref(), &checked, span)
        {
            return broken(span);
        }
        if matches!(info.builtin, Builtin::Turnings | Builtin::Fitting) {
            self.uses.sides = true;
        }
        if let (Builtin::Repeats, Some(board)) = (info.builtin, board) {
            // Its result says nothing of the board.
            checked.insert(0, super::names::word(board.index() as i64, Ty::Number, span));
        }
        if let (Builtin::First, [many]) = (info.builtin, checked.as_slice())
            && let Some(pile) = self.filtered_pile(many)
        {
            let (zone, written) = self.said_pile(pile, &|local| body.local(local).map(|local| local.name.clone()));
            let message = format!("the first of these is the one that was made first, not the topmost of `{zone}`");
            let help = format!("a list of its cards in their order is `top({written}, count {written})`");
            self.report(Diagnostic::new(Code::PileForgotten, many.span, message).help(help));
        }
        // The first of a pile is its top: it is drawn where nobody knows it.
        let of_pile = checked.first().is_some_and(is_pile);
        let builtin = if info.builtin == Builtin::First && of_pile { Builtin::Top } else { info.builtin };
        let strict = matches!(info.builtin, Builtin::Row | Builtin::Column | Builtin::EnumIndex | Builtin::Abs);
        let ty = if strict { ty.of_given(&checked) } else { ty };
        self.of_meant(meant, Expr { kind: ExprKind::Builtin(builtin, checked), ty, span })
    }

    /// The board of which a text names sites: the only one, or the only one that has all of them.
    fn board_of_text(&self, written: &ast::Expr, several: bool) -> Option<BoardId> {
        let ast::ExprKind::Text(text) = &written.kind else { return None };
        if let [only] = self.rules.boards.as_slice() {
            return matches!(only.per, Per::Game).then(|| self.rules.board_id(0));
        }
        let names: Vec<&str> = if several { text.split_whitespace().collect() } else { vec![text.as_str()] };
        let has = |board: &super::rules::Board| {
            matches!(board.per, Per::Game) && names.iter().all(|name| board.geometry.site(name).is_some())
        };
        let mut having = (0..).zip(&self.rules.boards).filter(|(_, board)| has(board)).map(|(index, _)| index);
        having.next().filter(|_| having.next().is_none()).map(|index| self.rules.board_id(index))
    }

    /// `sites("a1 b1")` where there is no telling of which board.
    fn without_board(&mut self, name: &str, arg: &ast::Expr) -> Expr {
        let Some(board) = self.rules.boards.first().map(|board| board.name.clone()) else {
            self.only_board(arg.span);
            return broken(arg.span);
        };
        let found =
            Diagnostic::new(Code::WrongType, arg.span, "a site of one of several boards is named with its board");
        self.report(found.help(format!("write `{name}({board}, \"...\")`")));
        broken(arg.span)
    }

    /// The site, or the sites, that a text names.
    fn sites_written(
        &mut self,
        (board, meant): (BoardId, Option<super::endless::Meant>),
        arg: &ast::Expr,
        several: bool,
        span: Span,
    ) -> Expr {
        let Some(names) = self.site_names(board, arg, several) else { return broken(span) };
        let named = names.into_iter().map(|name| self.site_named(board, name, arg.span, span));
        let named: Vec<Expr> = named.collect();
        let mut items: Vec<Expr> = named.into_iter().map(|site| self.of_meant(meant.clone(), site)).collect();
        if items.iter().any(|item| item.ty == Ty::Error) {
            return broken(span);
        }
        match items.pop() {
            Some(item) if !several => item,
            last => {
                items.extend(last);
                Expr { kind: ExprKind::List(items), ty: Ty::Site(board).set(), span }
            }
        }
    }

    fn no_such_form(&mut self, forms: &[&BuiltinInfo], args: &[ast::Expr], span: Span) {
        let signatures: Vec<String> = forms.iter().map(|info| format!("`{}`", info.signature)).collect();
        let arity = forms.iter().any(|info| info.params.len() == args.len());
        let (code, message) = if arity && self.rules.boards.is_empty() {
            (Code::UnknownType, NO_BOARD)
        } else if arity {
            (Code::WrongType, "this function needs the name of a board here")
        } else {
            (Code::WrongArity, "this function takes another number of arguments")
        };
        let keys = matches!(
            args,
            [ast::Expr { kind: ast::ExprKind::Sorted { .. } | ast::ExprKind::Having { .. }, .. }, _, ..]
        );
        let found = Diagnostic::new(code, span, message);
        self.report(match keys {
            true => found.help("several keys stand in brackets: `sorted by [a, b]`, `having most [a, b]`"),
            false => found.help(format!("it is written {}", signatures.join(" or "))),
        });
    }

    /// An argument of a function; `board` is the one that the function or its first argument speaks of, `hinted` that
    /// of the type that is expected of its result.
    fn builtin_argument(
        &mut self,
        body: &mut Body,
        param: Param,
        arg: &ast::Expr,
        board: Option<BoardId>,
        hinted: Option<BoardId>,
    ) -> Expr {
        let want = |checker: &mut Self, body: &mut Body, ty: Ty| checker.expr_of(body, arg, &ty);
        match param {
            Param::Number => want(self, body, Ty::Number),
            Param::Player => want(self, body, Ty::Player),
            Param::Piece => want(self, body, Ty::Entity(PIECE)),
            Param::Pieces => want(self, body, Ty::Entity(PIECE).set()),
            Param::Board | Param::SiteName | Param::SiteNames => broken(arg.span),
            Param::Many => {
                let expr = self.ordered(body, arg);
                self.as_many(expr)
            }
            Param::Zone => self.zone_argument(body, arg),
            // A board stands for all its sites.
            Param::Sites | Param::SiteOrSites if self.names_board(body, std::slice::from_ref(arg)) => {
                self.builtin_of(body, "sites", std::slice::from_ref(arg), None, arg.span)
            }
            // Of the only board, or of that which the other arguments speak of.
            Param::Site | Param::Sites | Param::SiteOrSites
                if matches!(arg.kind, ast::ExprKind::Text(_))
                    && let Some(board) = board.or(hinted).or_else(|| self.board_of_text(arg, param != Param::Site)) =>
            {
                self.sites_written((board, None), arg, param != Param::Site, arg.span)
            }
            Param::Site | Param::Sites | Param::SiteOrSites => {
                let hint = board.or(hinted).map(|board| Ty::Site(board).set());
                let expr = self.expr_in(body, arg, hint.as_ref());
                let element = expr.ty.element().clone();
                if !matches!(element.bare(), Ty::Site(_) | Ty::Error) {
                    let what = self.type_name(&expr.ty);
                    let found =
                        Diagnostic::new(Code::WrongType, arg.span, format!("this should be a site, but it is {what}"))
                            .help(self.no_site(body, &expr));
                    self.report(found);
                    return broken(arg.span);
                }
                if let (Some(board), Some(own)) = (board, board_of(&element))
                    && board != own
                {
                    let name = |id: BoardId| self.rules.boards.get(id.index()).map_or("", |board| board.name.as_str());
                    let message = format!("this is a site of `{}`, and one of `{}` is meant", name(own), name(board));
                    self.error(Code::WrongType, arg.span, message);
                    return broken(arg.span);
                }
                match param {
                    Param::Sites => self.coerce(expr, &element.bare().clone().set()),
                    Param::Site => self.coerce(expr, &element),
                    _ if matches!(expr.ty, Ty::List(_)) => self.coerce(expr, &element.bare().clone().set()),
                    _ => expr,
                }
            }
            Param::Direction => self.direction_argument(body, arg, board, hinted),
            Param::Enum => {
                let expr = self.expr(body, arg);
                if !matches!(expr.ty.bare(), Ty::Enum(_) | Ty::Error) {
                    let what = self.type_name(&expr.ty);
                    let message = format!("this should be the value of an enum, but it is {what}");
                    self.error(Code::WrongType, arg.span, message);
                    return broken(arg.span);
                }
                expr
            }
        }
    }

    fn direction_argument(
        &mut self,
        body: &mut Body,
        arg: &ast::Expr,
        board: Option<BoardId>,
        hinted: Option<BoardId>,
    ) -> Expr {
        let hint = board.or(hinted).map(|board| self.direction_type(board));
        let expr = self.expr_in(body, arg, hint.as_ref());
        let message = match (expr.ty.bare(), board) {
            (Ty::Error, _) => return expr,
            (Ty::Direction(own), Some(board)) if !self.same_directions(*own, board) => {
                let name = self.rules.boards.get(board.index()).map_or("", |board| board.name.as_str());
                format!("this is a direction of another board: `{name}` has others")
            }
            (Ty::Direction(_), _) => return expr,
            _ => format!("this should be a direction, but it is {}", self.type_name(&expr.ty)),
        };
        let found = Diagnostic::new(Code::WrongType, arg.span, message);
        self.report(match &expr.kind {
            ExprKind::Text(text) => found.help(format!("write `{text}`, without quotes")),
            _ => found,
        });
        broken(arg.span)
    }

    /// A zone as such, in its order.
    fn zone_argument(&mut self, body: &mut Body, arg: &ast::Expr) -> Expr {
        let expr = self.ordered(body, arg);
        match (&expr.kind, &expr.ty) {
            (_, Ty::Error) => expr,
            _ if is_pile(&expr) => expr,
            (ExprKind::Contents(zone, _), _) => {
                let (name, span) = self
                    .rules
                    .zones
                    .get(zone.index())
                    .map_or((String::new(), arg.span), |zone| (zone.name.clone(), zone.span));
                let found =
                    Diagnostic::new(Code::NoOrder, arg.span, format!("`{name}` has no order, so it has no top"))
                        .label(span, "declared here")
                        .help("give the zone `order: pile`");
                self.report(found);
                broken(arg.span)
            }
            _ => {
                let found = Diagnostic::new(Code::WrongType, arg.span, "this should be a zone")
                    .help("of a set or list take `first(...)`");
                self.report(found);
                broken(arg.span)
            }
        }
    }

    /// An expression in which an ordered zone is a list.
    pub(super) fn ordered(&mut self, body: &mut Body, written: &ast::Expr) -> Expr {
        let mut expr = match self.zone_of_key(body, written) {
            Some(zone) => zone,
            None => self.expr(body, written),
        };
        if let (ExprKind::Contents(zone, _), Ty::Set(member)) = (&expr.kind, &expr.ty)
            && self.rules.zones.get(zone.index()).is_some_and(|zone| zone.order != ZoneOrder::None)
        {
            expr.ty = Ty::List(member.clone());
        }
        expr
    }

    /// What stands so far from the top of a pile is at the end of so many cards at its top and one more.
    pub(super) fn down_to(&self, pile: Expr, index: &Expr) -> Expr {
        let (ty, span) = (pile.ty.clone(), pile.span);
        let one = super::names::word(1, Ty::Number, span);
        let sum = ExprKind::Binary(BinaryOp::Add, Box::new(index.clone()), Box::new(one));
        let n = Expr { kind: sum, ty: Ty::Number, span: index.span };
        Expr { kind: ExprKind::Builtin(Builtin::Top, vec![pile, n]), ty, span }
    }

    fn builtin_result(
        &mut self,
        info: &BuiltinInfo,
        board: Option<BoardId>,
        args: &[Expr],
        hint: Option<&Ty>,
        span: Span,
    ) -> Option<Ty> {
        let first = args.first().map(|arg| arg.ty.clone());
        let on_site = |ty: &Ty| match ty.element().bare() {
            Ty::Site(board) => Some(*board),
            _ => None,
        };
        let (own, hinted) = (first.as_ref().and_then(on_site), hint.and_then(on_site));
        Some(match info.result {
            Give::Number => Ty::Number,
            Give::Numbers => Ty::Number.set(),
            Give::Players => Ty::List(Box::new(Ty::Player)),
            Give::Member => first?.element().clone().maybe(),
            Give::Members => Ty::List(Box::new(first?.element().clone())),
            Give::Pieces => Ty::Entity(self.any_piece()).set(),
            Give::Directions => self.direction_type(board?).set(),
            Give::Sites if info.builtin == Builtin::SitesOf => {
                Ty::Site(hinted.or_else(|| self.home_of(first.as_ref(), span))?).set()
            }
            Give::Sites => Ty::Site(board.or(own).or(hinted).or_else(|| self.only_board(span))?).set(),
            Give::MaybeSite => {
                let home = |checker: &mut Self| checker.home_of(first.as_ref(), span);
                Ty::Site(board.or(own).or(hinted).or_else(|| home(self))?).maybe()
            }
            Give::Site => Ty::Site(board.or(own)?),
            Give::SiteList => Ty::List(Box::new(Ty::Site(own?))),
            Give::MaybeNumber => Ty::Number.maybe(),
            Give::Direction => first?,
            Give::MaybeDirection => self.direction_type(own?).maybe(),
            Give::MaybePiece => Ty::Entity(self.any_piece()).maybe(),
            Give::PieceList => Ty::List(Box::new(Ty::Entity(self.any_piece()))),
            Give::AsFirst => match first? {
                many @ Ty::Set(_) => many,
                Ty::List(inner) => Ty::Set(inner),
                single => single.maybe(),
            },
        })
    }

    /// The kind of everything that can lie on boards.
    fn any_piece(&self) -> KindId {
        let own = (0..self.rules.kinds.len() as u32).map(KindId).filter(|kind| kind.index() > PIECE.index());
        let pieces: Vec<KindId> = own.filter(|kind| self.rules.is_below(*kind, PIECE)).collect();
        self.held_kind(&pieces).unwrap_or(PIECE)
    }

    /// An argument or value of a declared type: a test or amount is made out of an expression.
    pub(super) fn argument(
        &mut self,
        body: &mut Body,
        written: &ast::Expr,
        ty: &Ty,
        names: &[ast::Ident],
        declared: Option<(Span, &str)>,
    ) -> Expr {
        let Ty::Lambda(params, result) = ty.bare() else {
            let expr = self.expr_in(body, written, Some(ty));
            return self.coerce_for(expr, ty, declared);
        };
        if let Some(expr) = self.stored_lambda(body, written, ty) {
            return expr;
        }
        let (params, result) = (params.clone(), (**result).clone());
        let mut inner = Body::new("test", ProcRole::Pure, written.span).with_this(body.this.clone());
        inner.me = body.me;
        inner.outside = body.outside.clone();
        inner.outside.extend(body.names().map(|(name, _)| name.to_owned()));
        for (index, param) in params.iter().enumerate() {
            let (name, at) = names.get(index).map_or(("", Span::default()), |name| (name.text.as_str(), name.span));
            inner.outside.retain(|outside| outside != name);
            let local = inner.param(name, param.clone(), written.span, !name.is_empty());
            inner.named_at(at);
            if index == 0 {
                inner.subjects.push(Subject { place: Place::Local(local), ty: param.clone() });
            }
        }
        let expr = self.expr_of(&mut inner, written, &result);
        let failed = expr.ty == Ty::Error;
        let proc = self.finish_expr(inner, expr);
        body.calls(Callee::Proc(proc), written.span);
        let ty = if failed { Ty::Error } else { ty.clone() };
        Expr { kind: ExprKind::Lambda(proc), ty, span: written.span }
    }

    /// An expression that already is a test or amount, such as a parameter or mark that holds one.
    fn stored_lambda(&mut self, body: &mut Body, written: &ast::Expr, ty: &Ty) -> Option<Expr> {
        let is_one = match &written.kind {
            ast::ExprKind::Name(name) => {
                let local = body.find(name).and_then(|local| body.local(local));
                local.is_some_and(|local| matches!(local.ty.bare(), Ty::Lambda(..)))
            }
            ast::ExprKind::Field(_, name) => self.rules.props.iter().any(|prop| {
                prop.name == name.text
                    && matches!(prop.ty, Ty::Lambda(..))
                    && !matches!(prop.class, PropClass::Field { .. })
            }),
            _ => false,
        };
        is_one.then(|| {
            let expr = self.expr(body, written);
            self.coerce(expr, ty)
        })
    }

    /// Checks a definition, unless that was done; `from` is where it is used.
    pub(super) fn define(&mut self, index: usize, from: Option<Span>) {
        match self.defines.get(index) {
            Some(DefineState::Todo) => {}
            Some(DefineState::Doing) => {
                if let Some(define) = self.items.defines.get(index) {
                    let message = format!("the definition `{}` uses itself", define.name.text);
                    let found = Diagnostic::new(Code::EndlessDefinition, from.unwrap_or(define.name.span), message)
                        .label(define.name.span, "declared here")
                        .note("definitions may not recurse");
                    self.report(found);
                }
                self.set_define(index, DefineState::Broken);
                return;
            }
            _ => return,
        }
        if self.depth >= MOST_DEFINITIONS {
            if let Some(define) = self.items.defines.get(index) {
                let message = format!("definitions lead through more than {MOST_DEFINITIONS} others");
                let found =
                    Diagnostic::new(Code::TooDeep, define.name.span, message).help("join some of them into one");
                self.settled.push(found);
            }
            self.set_define(index, DefineState::Broken);
            return;
        }
        // What is found in it is kept, even where the text that asks for it is only being tried.
        let outer = std::mem::take(&mut self.diagnostics);
        let probing = std::mem::replace(&mut self.probing, false);
        self.depth += 1;
        self.set_define(index, DefineState::Doing);
        self.define_body(index);
        self.depth -= 1;
        self.probing = probing;
        let found = std::mem::replace(&mut self.diagnostics, outer);
        self.settled.extend(found);
    }

    fn define_body(&mut self, index: usize) {
        let Some(item) = self.items.defines.get(index) else { return };
        let (name, params, ty, written) = (item.name, item.params, item.ty, item.body);
        let mut body = Body::new(name.text.clone(), ProcRole::Pure, name.span);
        body.event = true;
        let mut declared: Vec<(String, Declared)> = Vec::new();
        for param in params {
            let ty = self.resolve_passed(&param.ty);
            self.check_param_name(&param.name, &declared.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>());
            body.param(&param.name.text, ty.ty.clone(), param.name.span, true);
            self.declares_local(&param.name.text, param.name.span, &ty.ty, Sort::Parameter);
            declared.push((param.name.text.clone(), ty));
        }
        let expr = match ty {
            Some(ty) => {
                let wanted = self.resolve_passed(ty).ty;
                let expr = self.expr_in(&mut body, written, Some(&wanted));
                self.check_maybe(&expr, &wanted, ty.span);
                let expr = self.coerce_for(expr, &wanted, Some((ty.span, "declared here")));
                // Where it is used nobody need ask again.
                let promised = wanted == Ty::Number && *expr.ty.bare() == Ty::Number;
                if promised { Expr { ty: wanted, ..expr } } else { expr }
            }
            None => self.expr(&mut body, written),
        };
        if matches!(self.defines.get(index), Some(DefineState::Broken)) {
            return;
        }
        if has_unclear(&expr.ty) {
            let found = Diagnostic::new(Code::UnclearType, written.span, "the type of this cannot be told")
                .help(format!("declare it: `define {}: set of ... = ...`", name.text));
            self.report(found);
        }
        let result = expr.ty.clone();
        let proc = self.finish_expr(body, expr);
        self.set_define(index, DefineState::Done { proc, params: declared, ty: result });
    }

    /// What a definition or stat promises to give may not be `nothing` without a word about it.
    pub(super) fn check_maybe(&mut self, expr: &Expr, wanted: &Ty, declared: Span) {
        if matches!(wanted, Ty::Maybe(_) | Ty::Error) || wanted.is_many() {
            return;
        }
        // Statements pass over what is missing, but for a number. What is said for each key is no `if` of the text.
        if *wanted != Ty::Number && matches!(&expr.kind, ExprKind::If(_, then, _) if then.span != expr.span) {
            return;
        }
        if let Some(missing) = Asked::default().missing(&self.rules, expr) {
            let what = self.type_name(wanted);
            let other = match wanted {
                Ty::Number => "0",
                Ty::Text => "\"\"",
                _ => "...",
            };
            let found = Diagnostic::new(
                Code::UntestedMaybe,
                missing.span,
                format!("this may be nothing, and {what} is promised"),
            )
            .label(declared, "declared here")
            .help(format!("say what it is then, `... else {other}`, or declare it as `maybe of ...`"));
            self.report(found);
        }
    }

    /// Reports a parameter whose name is taken.
    pub(super) fn check_param_name(&mut self, name: &ast::Ident, others: &[&str]) {
        if others.contains(&name.text.as_str()) {
            self.error(Code::Duplicate, name.span, format!("`{}` is declared twice in these parameters", name.text));
        }
        self.check_local_name(name);
    }

    fn set_define(&mut self, index: usize, state: DefineState) {
        if let Some(slot) = self.defines.get_mut(index) {
            *slot = state;
        }
    }

    /// Checks all definitions that nothing has asked for yet.
    pub(super) fn check_defines(&mut self) {
        for index in 0..self.items.defines.len() {
            self.define(index, None);
        }
        let done = |state: &DefineState| match state {
            DefineState::Done { proc, .. } => Some(*proc),
            _ => None,
        };
        self.rules.defines = self.defines.iter().filter_map(done).collect();
    }
}

/// The board whose sites or directions a type speaks of.
pub(super) fn board_of(ty: &Ty) -> Option<BoardId> {
    match ty.element().bare() {
        Ty::Site(board) | Ty::Direction(board) => Some(*board),
        _ => None,
    }
}

/// Whether an expression is a pile as such, in its order.
pub(super) fn is_pile(expr: &Expr) -> bool {
    matches!((&expr.kind, &expr.ty), (ExprKind::Contents(..), Ty::List(_)))
}

/// Whether a type was never settled.
pub(super) fn has_unclear(ty: &Ty) -> bool {
    match ty {
        Ty::Nothing => true,
        Ty::Set(inner) | Ty::List(inner) | Ty::Maybe(inner) => has_unclear(inner),
        _ => false,
    }
}
