//! The table of all diagnostic codes. A code is declared here and nowhere else: its text, severity, title and the
//! page that `cardwright explain` prints. Codes are never reused; a retired number stays free.
//!
//! Groups: `E00xx` syntax and files, `E01xx` names and types, `E02xx` kinds, fields and cards, `E03xx` zones, boards
//! and links, `E04xx` verbs, hooks and clauses, `E05xx` statements, flow and choices, `E06xx` manifest, options and
//! packages, `E07xx` scripts, `E08xx` scenarios, `L..` limits, `W....` warnings.

use super::{CodeInfo, Severity};

codes! {
    // Syntax and files.
    UnclosedBracket "E0001" Error "a bracket is never closed"
"A `{`, `(` or `[` has no partner. The reader noticed when the next item began, or at the end of the file, and goes on
from there, so other errors in the file are still shown. The place marked is the bracket that seems to be open.
Wrong: `tool \"Lantern\" { use { note \"lit\" }`
Right: `tool \"Lantern\" { use { note \"lit\" } }`"

    StrayBracket "E0002" Error "a bracket closes nothing"
"A `}`, `)` or `]` stands where nothing of its sort is open. Either it is one too many, or its partner is missing or of
another shape.
Wrong: `set x = (a + b]`
Right: `set x = (a + b)`"

    UnclosedText "E0003" Error "a text is never closed"
"A text begins with `\"` and must end with `\"` on the same line. To write a quote inside a text, write `\\\"`.
Wrong: `note \"the lamp goes out`
Right: `note \"the lamp goes out\"`"

    IllegalCharacter "E0004" Error "a character that means nothing here"
"Outside texts and comments only ASCII letters, digits, `_` and the symbols of the language are used. Curly quotes and
dashes from a word processor are the usual cause. Nowhere may a file, a name or a text have characters that nobody sees:
control characters, marks that turn the direction of writing, characters without a width. A text has no spaces at its ends.
Wrong: `note “hello”`
Right: `note \"hello\"`"

    Unexpected "E0005" Error "a word or symbol that does not fit"
"The text cannot go on like this. The message names what could have stood there, and the word before it. No line break
matters, so the mistake may be at the end of the line before.
Wrong: `tool \"Lantern\" { cost 3 }`
Right: `tool \"Lantern\" { cost: 3 }`"

    NotAnItem "E0006" Error "not the start of an item"
"At the outermost level of a file there are only items: `enum`, `option`, `kind`, `player`, `game`, `zone`, `board`,
`link`, `define`, `verb`, `action`, `window`, `setup`, `flow`, `rule`, `script`, `cards`, `look`, `scenario`, definitions such as
`tool \"Lantern\" { ... }`, and in expansions `patch`, `replace` and `remove`. Anything else belongs into one of them.
Wrong: `set x = 3` on its own
Right: `setup { set game.x = 3 }`"

    ReservedWord "E0007" Error "a reserved word used as a name"
"Some words can never be names, because a value begins or goes on with them. Others are names wherever they cannot be
meant in their role: but no verb is called like the beginning of a statement, and no kind like that of an item.
Wrong: `counter count: 0..9`
Right: `counter amount: 0..9`"

    BadNumber "E0008" Error "not a number the game can hold"
"Numbers are decimal and go up to 9223372036854775807. A number may not run into letters.
Wrong: `let n = 3x`
Right: `let n = 3 * x`"

    ChainedComparison "E0009" Error "comparisons in a row"
"A comparison compares two things. Join several with `and`, or say which comes first with brackets.
Wrong: `1 < x < 5`
Right: `1 < x and x < 5`"

    MissingFile "E0010" Error "a file cannot be read"
"The package names a file that is not there, or a file is no UTF-8 text.
Wrong: `script f(): number = \"g.rhai\"` where there is no such file
Right: `script f(): number = \"f.rhai\"`"

    BadEscape "E0012" Error "an unknown escape in a text"
"In a text a backslash may stand only before `\"` or another backslash.
Wrong: `note \"a\\nb\"`
Right: `note \"a b\"`"

    WrongFile "E0013" Error "an item in the wrong sort of file"
"Scenarios stand in `.scenario` files; rules and cards stand in `.rules` and `.cards` files.
Wrong: `scenario \"x\" { }` in `game.rules`
Right: the same in `game.scenario`"

    NeededFileLeftOut "E0014" Error "a file that is needed is left out"
"The folder has a file that looks like content but belongs to no pattern, so it is not read, and what it declares is
missing elsewhere. Files end in `.rules`, `.cards` or `.scenario`, unless the manifest has patterns of its own.
Wrong: `tool \"Rope\" { }` in `rope.cards.txt`
Right: `tool \"Rope\" { }` in `rope.cards`"

    BadTable "E0015" Error "a table that cannot be read"
"A table gives the fields of many cards: `cards of tool from \"tools.csv\"`. Its first row names the columns: `name`, fields of the
kind, `copies`, and `kind` where the item names none. Each further row is a card, and has as many cells. A cell with the separator, a
quote or a line break in it stands in double quotes, in which a quote is written twice.
Wrong: `name,cost` and below it `Rope`
Right: `name,cost` and below it `Rope,2`"

    // Names and types.
    UnknownName "E0101" Error "an unknown name"
"Nothing of this name is declared, bound or built in. Check the spelling; the help names the nearest one. Names that a
`let`, a `choose` or a pattern binds are known only after that, and only in the same block.
Wrong: `move c to discrad`
Right: `move c to discard`"

    Duplicate "E0102" Error "a name declared twice"
"All kinds, zones, boards, verbs, actions, definitions, options, enums, rules and scripts share one set of names, so
that a name always means one thing. The second label shows the first declaration. A property or a local may be called like an
enum or a kind: `field suit: suit`.
Wrong: `zone pile { holds: tool }  verb pile() { }`
Right: `zone pile { holds: tool }  verb pile_up() { }`"

    WrongType "E0103" Error "a value of the wrong type"
"The place needs one type and the value has another. A single value stands for the set of it; nothing else is turned
into another type by itself.
Wrong: `if count me.hand { }`
Right: `if count me.hand > 0 { }`"

    BuiltinName "E0104" Error "a built-in name declared again"
"Names such as `me`, `this`, `players` and `nothing` mean the same in every game and cannot be given another meaning. A
definition may be called like a function and hides it, but not in an expansion: the game may call that function.
Wrong: `let me = seat(1)`
Right: `let first_player = seat(1)`"

    NameClash "E0105" Error "a local name that hides another"
"A local name may not repeat the name of a declaration or of another local that is still known, so a bare name never
changes its meaning. It may be that of a property, but where members are asked that have the property, the bare name could mean
either: `deck where n = 1` with a local `n` and a field `n`. Give the local another name, or the members one: `deck as c where c.n = n`.
Nor may it stand where a value of an enum is meant that is called so: `game.trump = d` with a local `d` and a suit `d`.
Wrong: `zone hand { holds: tool }  verb f() { let hand = 3  note \"{hand}\" }`
Right: `zone hand { holds: tool }  verb f() { let held = 3  note \"{held}\" }`"

    UnknownProperty "E0106" Error "an unknown property"
"The value before the dot has no field, counter, mark, stat, link or zone of this name. Of cards of which only some have a property that
is called like an enum, say first which: `it is face and suit = game.led`; the name alone would be all values of the enum.
Wrong: `c.colour` where tools have no `colour`
Right: `field colour: tint` in the kind"

    WrongArity "E0107" Error "the wrong number of arguments"
"A definition, function, action or effect is used with more or fewer arguments than it has parameters.
Wrong: `define twice(n: number) = n + n` and `twice(1, 2)`
Right: `twice(1)`"

    NeedsBrackets "E0108" Error "a text that can be read in two ways"
"After an unbracketed `some`, `no` or `every`, an `and` or `or` could belong to its condition or stand beside it, and
both would make sense. So could an `else` behind an `if` that has its own, or what
is joined to the set of a fold and is of the same type as what comes of it. Say with brackets which is meant.
Wrong: `some tool where cost > 2 and ready`
Right: `some (tool where cost > 2 and ready)`"

    EndlessDefinition "E0109" Error "a definition that uses itself"
"A definition may not lead back to itself, directly or through others: it would never have a value. Loops exist only in
statements.
Wrong: `define a = b + 1  define b = a`
Right: `define b = 3  define a = b + 1`"

    NotCallable "E0110" Error "not something with arguments"
"Brackets after a name call a definition, a function, a script, or a `test` or `amount` value. This is none of them.
Wrong: `deck(3)`
Right: `top(deck, 3)`"

    NotAKind "E0111" Error "a kind is needed here"
"The name is known but does not name a kind of card, piece or thing.
Wrong: `zone deck { holds: number }`
Right: `zone deck { holds: tool }`"

    UnknownValue "E0112" Error "not a value of this enum"
"The enum that is expected here has no value of this name.
Wrong: `suit: spadess`
Right: `suit: spades`"

    AmbiguousValue "E0113" Error "a value of several enums"
"Several enums have a value of this name, and nothing here says which is meant. Compare it with something of the enum,
or give the definition a type.
Wrong: `define best = high`
Right: `define best: rank = high`"

    UntestedMaybe "E0114" Error "this may be nothing"
"A definition or a stat promises a value, but what it is worked out from can be `nothing`; or it is put into a counter or a
mark that is always a number. Say what it is then (`... else 0`), ask before whether it is there, or declare the type as
`maybe of`. Elsewhere the property of nothing is nothing, and comparisons with it are false.
Wrong: `define dear: number = first(deck).cost`
Right: `define dear: number = if some deck then first(deck).cost else 0`"

    NoSubject "E0115" Error "no subject here"
"`it` and bare property names mean the member that a `where`, `having`, `sorted by`, `meets` or fold looks at. Outside
of those there is none.
Wrong: `set n = it`
Right: `set n = count (me.hand where it is tool)`"

    Unbound "E0116" Error "a name that is not bound here"
"The name is bound in another place of the same text, but not where it is used: later, in another block, or only on one
of two ways.
Wrong: `if a { let n = 1 }  note \"{n}\"`
Right: `let n = if a then 1 else 0  note \"{n}\"`"

    UnknownType "E0117" Error "an unknown type"
"Types are `number`, `flag`, `text`, `player`, `site`, `direction`, `effect`, a range such as `1..5`, an enum, a kind,
and `set of`, `list of`, `maybe of`, `effect(...)`, `test(...)`, `amount(...)` of these.
Wrong: `field cost: int`
Right: `field cost: number`"

    NotConstant "E0118" Error "a constant is needed here"
"Bounds of ranges, sizes and defaults of options are fixed before the game begins, so they may use numbers, options and
definitions of these only.
Wrong: `counter level: 1..count players`
Right: `counter level: 1..6`"

    BadRange "E0119" Error "a range that is empty or backwards"
"The first bound of a range may not be greater than the last.
Wrong: `field cost: 5..1`
Right: `field cost: 1..5`"

    UnclearType "E0120" Error "the type cannot be told"
"An empty list or `nothing` fits any type, and nothing here says which one is meant. Give the name a type.
Wrong: `let gone = []`
Right: `let gone: set of tool = []`"

    CapturedLocal "E0121" Error "a local used in a stored test or amount"
"A `test` or `amount` that is stored may be asked long after its block has ended. It may use its own parameters, `me`,
`this`, constants and definitions, but no other local.
Wrong: `let n = 3  extra_turn it.cost < n`
Right: `extra_turn it.cost < 3`"

    NotAPlace "E0122" Error "not a place"
"`move` and `create` need a zone, a site of a board, or `nowhere`. A zone declared per player needs a player before it.
Wrong: `move c to hand`
Right: `move c to me.hand`"

    Uncomparable "E0123" Error "two types that cannot be compared"
"The two sides of a comparison have no value in common, so the answer would always be the same.
Wrong: `me = 3`
Right: `me.points = 3`"

    IdleRange "E0124" Error "a range that binds nothing"
"A range binds a number that is kept: a counter, mark or field, also for each key of a table, and what a stat comes to. A parameter, a `let`, the
value of a definition and what a script gives only pass by, and nothing would hold them to it, nor the numbers in a set or list.
Wrong: `verb pay k: 1..4 { decrease me.coins by k }`
Right: `verb pay k: number { decrease me.coins by smaller(k, 4) }`"

    // Kinds, fields and cards.
    UnknownKind "E0201" Error "an unknown kind"
"No kind of this name is declared. A kind's parent is `card`, `piece`, `thing` or another kind.
Wrong: `tol \"Lantern\" { }`
Right: `tool \"Lantern\" { }`"

    KindCycle "E0202" Error "a kind that is its own parent"
"Following the parents of a kind must end at `card`, `piece` or `thing`.
Wrong: `kind a : b { }  kind b : a { }`
Right: `kind a : card { }  kind b : a { }`"

    MissingField "E0203" Error "a field without a value"
"A field of the kind has no default, so every definition of that kind must give it a value.
Wrong: `kind tool : card { field cost: number }  tool \"Lantern\" { }`
Right: `tool \"Lantern\" { cost: 2 }`"

    UnknownField "E0204" Error "an unknown field"
"The kind of this definition has no field of this name. Only fields can be given in a definition; counters and marks
begin at their defaults.
Wrong: `tool \"Lantern\" { csot: 2 }`
Right: `tool \"Lantern\" { cost: 2 }`"

    DuplicateField "E0205" Error "a field given twice"
"A definition gives each field once. The second label shows the first value.
Wrong: `tool \"Lantern\" { cost: 2  cost: 3 }`
Right: `tool \"Lantern\" { cost: 2 }`"

    DuplicateEntry "E0206" Error "a definition given twice"
"Two definitions of one kind have the same name. For several copies write `copies: 3` in one definition.
Wrong: `tool \"Lantern\" { }  tool \"Lantern\" { }`
Right: `tool \"Lantern\" { copies: 2 }`"

    OutOfRange "E0207" Error "a value outside its range"
"The field or counter has a range, and this value lies outside of it.
Wrong: `field cost: 1..5` and `cost: 7`
Right: `cost: 5`"

    StatCycle "E0208" Error "a stat that depends on itself"
"A stat is worked out from its formula and the modifiers in force. If these read the stat again, directly or through
others, it has no value.
Wrong: `stat a: number = b  stat b: number = a`
Right: `stat a: number = base  stat b: number = a`"

    WrongFieldForm "E0209" Error "a value where a block belongs, or a block where a value belongs"
"A field of type `effect` is given as a block; every other field is given after a colon.
Wrong: `use: 3` or `cost { 3 }`
Right: `use { note \"lit\" }` and `cost: 3`"

    EnumSize "E0210" Error "an enum with no values or too many"
"An enum has 1 to 64 values.
Wrong: `enum suit { }`
Right: `enum suit { sun moon }`"

    BadCopies "E0211" Error "a bad number of copies"
"`copies` is a plain number from 0 to 1000.
Wrong: `copies: -1`
Right: `copies: 2`"

    PropertyClash "E0212" Error "one property name with two types"
"A property name may occur in several kinds only if its type is the same in all of them, so that a bare name in a
condition has one type.
Wrong: `kind a : card { field size: number }  kind b : card { field size: flag }`
Right: name one of them differently"

    UnknownEntry "E0213" Error "an unknown definition"
"No definition of this kind has this name. Texts must match to the letter.
Wrong: `create tool \"Lantren\"`
Right: `create tool \"Lantern\"`"

    NotAField "E0214" Error "not a printed field"
"Only fields are printed on a definition. Counters and marks are given by `create ... with`, stats are worked out.
Wrong: `tool \"Lantern\" { worn: true }` where `worn` is a mark
Right: `mark worn: flag = true` in the kind"

    BadWays "E0215" Error "a wrong number of values per direction"
"A field per direction has a value for each direction of a board, clockwise from north (from east on hexes), and all
tiles of a kind have the same number of them.
Wrong: `tile \"Bend\" { side: [road, road] }` on a board of hexes
Right: `tile \"Bend\" { side: [road, road, grass, grass, grass, grass] }`"

    // Zones, boards and links.
    UnknownSetting "E0302" Error "an unknown setting"
"Zones, boards and looks have a fixed list of settings. The help names the nearest one.
Wrong: `zone deck { hold: tool }`
Right: `zone deck { holds: tool }`"

    BadSetting "E0303" Error "a setting with a wrong value"
"The setting is known, but its value is not of the form that it needs.
Wrong: `seen: everyone`
Right: `seen: all`"

    KindNotHeld "E0304" Error "a zone that does not hold this kind"
"`holds` lists the kinds that a zone takes, with all kinds below them.
Wrong: `zone deck { holds: tool }` and `move spirit_card to deck`
Right: `zone deck { holds: tool, spirit }`"

    BadBoard "E0305" Error "a board that cannot be built"
"The shape or its measures are unknown or out of bounds.
Wrong: `board grid { shape: square 0 3 }`
Right: `board grid { shape: square 3 3 }`"

    BadLink "E0306" Error "a link that cannot be"
"A link joins two kinds and adds one property to each. The kinds must exist and the property names must be new.
Wrong: `link tool.cost to tool.cost`
Right: `link charm.host to tool.charms`"

    NoOrder "E0307" Error "the zone has no order"
"Only zones with `order: pile` or `order: queue` have a top and a bottom and can be shuffled.
Wrong: `zone bag { holds: tool }` and `shuffle bag`
Right: `zone bag { holds: tool  order: pile }`"

    MissingSetting "E0308" Error "a setting is missing"
"A zone must say what it holds, and a board what its shape is.
Wrong: `zone deck { seen: none }`
Right: `zone deck { holds: tool  seen: none }`"

    NoHome "E0309" Error "a kind of card that no zone holds"
"There are definitions of this kind, but no zone says that it holds them, so they could lie nowhere.
Wrong: `tool \"Lantern\" { }` and no zone with `holds: tool`
Right: `zone deck { holds: tool  starts: tool }`"

    UnknownSite "E0310" Error "an unknown site"
"The board has no site that is written so. How its sites are written is said by its setting `cells` (and `edges`,
`corners` and `rim`); those of a graph are the names in its `sites` and `paths`. Columns and rows are counted from 1.
Wrong: `site(grid, \"d9\")` on a board of 3 by 3
Right: `site(grid, \"c3\")`"

    UnknownDirection "E0311" Error "an unknown direction"
"The board has no such direction. Squares have eight (`north`, `northeast`, `east` ...), hexes six (`east`,
`southeast`, `southwest`, `west`, `northwest`, `northeast`), and a graph those that its setting `directions` declares.
Wrong: `paths: a1 over b1` without `over` among `directions`
Right: `directions: above below  paths: a1 above b1`"

    NoSuchPlaces "E0312" Error "places that the board does not have"
"A board has edges, corners or a rim only if its setting `places` lists them, and graphs have neither these nor a border
nor a clockwise order of directions.
Wrong: `board grid { shape: square 3 3 }` and `edges(grid)`
Right: `board grid { shape: square 3 3  places: cells, edges }`"

    // Verbs, hooks and clauses.
    UnknownVerb "E0401" Error "an unknown verb"
"A statement that begins with a plain name performs a verb, and no verb of this name is declared.
Wrong: `stael c`
Right: `steal c`"

    HookUnknownVerb "E0402" Error "a hook on a verb nobody declares"
"`cannot`, `instead`, `before` and `after` wait for a verb, an action or a phase. None of this name is declared, so the
clause could never act.
Wrong: `after gain c { }` without `verb gain`
Right: `verb gain c: tool { }` and `after gain c { }`"

    PatternMismatch "E0403" Error "a pattern that does not mirror its verb"
"The pattern of a hook uses the verb's own prepositions, each at most once.
Wrong: `verb give c: tool to p: player { }` and `after give c from p { }`
Right: `after give c to p { }`"

    MissingArgument "E0404" Error "an argument is missing"
"A parameter of the verb has no default, so every call must give it.
Wrong: `verb give c: tool to p: player { }` and `give c`
Right: `give c to me`"

    UnknownLabel "E0405" Error "the verb has no such preposition"
"Arguments of a verb are labelled by the prepositions of its declaration.
Wrong: `verb give c: tool to p: player { }` and `give c for me`
Right: `give c to me`"

    SuspendsHere "E0406" Error "a question or chance where none may be"
"Hooks of `cannot` and `before`, conditions, stats and notations are worked out at once. Nothing in them may ask a
player or wait for chance, not even through a verb.
Wrong: `before give c { choose p in players }`
Right: `after give c { choose p in players }`"

    ProceedHere "E0407" Error "`proceed` outside of `instead`"
"`proceed` lets the event that an `instead` has caught go on. Elsewhere there is no such event.
Wrong: `after give c { proceed c }`
Right: `instead give c { proceed c }`"

    UnknownRule "E0408" Error "an unknown rule"
"`ignoring` and `supersedes` name a rule that is declared with `rule`.
Wrong: `give c ignoring protction`
Right: `give c ignoring protection`"

    AbsoluteRule "E0409" Error "an absolute rule ignored without leave"
"An absolute rule can be ignored only by a card that says `supersedes` with the rule's name.
Wrong: `charm \"Pass\" { use { rise me ignoring core } }`
Right: `charm \"Pass\" { supersedes core  use { rise me ignoring core } }`"

    NotAStat "E0410" Error "only stats can be modified"
"`modify` changes what a stat is worked out to. Counters and marks are changed by `set`, and fields never change.
Wrong: `modify cost of this by 1` where `cost` is a field
Right: `stat price: number = cost` and `modify price of this by 1`"

    UnknownSpan "E0411" Error "an unknown turn or phase"
"The name after `end of` or `start of` is the name of a `turns` or a `phase` in the flow.
Wrong: `arm until end of trun { }`
Right: `arm until end of turn { }`"

    UnknownAction "E0412" Error "an unknown action"
"`choose action` and `can` need the name of an `action`.
Wrong: `choose action paly`
Right: `choose action play`"

    RepeatedLabel "E0413" Error "a preposition used twice"
"Each preposition labels one parameter of a verb, and one argument of a call.
Wrong: `verb swap a: tool with b: tool with c: tool { }`
Right: `verb swap a: tool with b: tool for c: tool { }`"

    EndlessVerb "E0414" Error "a verb that always performs itself"
"The body performs the verb again without any condition, so it would never end.
Wrong: `verb give c: tool { give c }`
Right: `verb give c: tool { move c to me.hand }`"

    NoSource "E0415" Error "no `this` here"
"`this` is the card that a text stands on. Rules, definitions and verbs stand on no card.
Wrong: `verb light { set this.lit = true }`
Right: `verb light c: tool { set c.lit = true }`"

    ModifyMismatch "E0416" Error "a modifier that does not fit its stat"
"`by` adds to numbers and to sets; other stats are set with `to`.
Wrong: `modify ready of this by true`
Right: `modify ready of this to true`"

    // Statements, flow and choices.
    NoFlow "E0501" Error "a game without a flow"
"A game needs exactly one `flow { ... }`: the program that runs from the first turn to the end.
Wrong: only kinds and zones
Right: `flow { turns turn from seat(1) { draw game } }`"

    SecondFlow "E0502" Error "a second flow or setup"
"There is one `flow` and at most one `setup` in a game. The second label shows the first.
Wrong: `flow { a() }  flow { b() }`
Right: `flow { a()  b() }`"

    LeaveNothing "E0503" Error "nothing of this name to leave"
"`leave` ends a `turns`, a `phase` or a `repeat` that it stands in.
Wrong: `setup { leave turn }`
Right: `turns turn from seat(1) { leave turn }`"

    CannotSet "E0504" Error "this cannot be changed"
"`set`, `increase` and `decrease` change locals, counters and marks. Fields, stats, options and definitions stay as they
are; a card changes its place by `move`.
Wrong: `set c.cost = 3` where `cost` is a field
Right: `mark price: number = 0` and `set c.price = 3`"

    OutsideAction "E0505" Error "only actions can have this"
"`ensure`, `requires` and `notation` belong to an action.
Wrong: `flow { ensure count hand > 0 }`
Right: `action play { ensure count me.hand > 0 }`"

    NotPure "E0506" Error "an expression that would change the game"
"Expressions only read. They never ask, roll, change or log, not even through what they use.
Wrong: a definition that leads to its own `can`
Right: test the conditions of the action instead"

    NoPlayer "E0507" Error "no acting player here"
"`me` is the player who acts. Before the first turn, outside of `turns`, and in definitions that nobody in particular uses, there is none,
nor is there for a verb that speaks of `me` and is performed there: give it a player, `verb draw_one for p: player = me { ... }`.
Wrong: `setup { draw_one for me }`
Right: `setup { each p in players { draw_one for p } }`"

    BadDomain "E0508" Error "nothing to choose from"
"`choose`, `each`, `roll` and `random` need a set or list of things, players, sites, enum values or numbers.
Wrong: `choose n in 5`
Right: `choose n in 1..5`"

    HiddenFact "E0509" Error "a choice that would tell a secret"
"What a player may choose can depend only on what that player sees. Reveal it to the player first. An action that is
offered more than once has its arguments in the keys of its options, so these count as well.
Wrong: `choose c in first(opponents).hand where cost > 2`
Right: `reveal first(opponents).hand to me  choose c in first(opponents).hand where cost > 2`
A value that was worked out from hidden cards is told on purpose, without the cards, by its name.
Wrong: `set game.reds = count (players.hand where colour = red)`
Right: `let reds = count (players.hand where colour = red)  reveal reds  set game.reds = reds`"

    BadPlaceholder "E0510" Error "a text with a broken `{...}`"
"Between `{` and `}` in a text stands an expression that is filled in.
Wrong: `note \"{c costs 3\"`
Right: `note \"{c} costs 3\"`"

    BadQuantity "E0511" Error "a quantity that makes no sense"
"A choice takes a number of things from 0 up, and the first number of `2 to 4` is not the greater.
Wrong: `choose 4 to 2 c in me.hand`
Right: `choose 2 to 4 c in me.hand`"

    BadScore "E0512" Error "no usable score"
"`end game` compares `define score(p: player)`, which gives a number or a list of numbers.
Wrong: `end game` without `define score`
Right: `define score(p: player) = p.points`"

    NotAtOnce "E0514" Error "more than one verb at once"
"`each ... at once` makes one event of many: what forbids and replaces is asked for all of them before any is done. So its body is one call of a verb.
Wrong: `each m in ms at once { if m.big { hurt m }  earn 1 }`
Right: `each m in ms where big at once { hurt m }`"

    UnknownWindow "E0515" Error "an unknown window"
"`open` opens a window, and no window of this name is declared.
Wrong: `open anwsers(c)`
Right: `window answers(c: tool) from mover { block }` and `open answers(c)`"

    EmptyWindow "E0516" Error "a window in which nothing can be done"
"A window lists the actions with which seats may respond. Without any of them, all it could ask is to pass.
Wrong: `window answers from mover { }`
Right: `window answers from mover { block }`"

    NoOpenWindow "E0517" Error "no window that could ask again"
"`open again` makes the innermost open window forget who has passed. In the flow and in the setup no window is open: there
the statement behind `open` runs when the window is closed.
Wrong: `flow { open answers  open again }`
Right: `action taunt { note \"{me} taunts\"  open again }`, listed as `quietly taunt` in a window"

    NextStands "E0518" Error "a clause that works once, and always stands"
"`next` before a clause: it works once. What stands on a rule or card stands for as long as that does, so only what is armed can be
spent. A card that works once is armed as it comes, or leaves as it works.
Wrong: `kind amulet : card { next instead wound p { } }`
Right: `kind amulet : card { instead wound p where p = this.holder { move this to gone } }`"

    NothingToDo "E0513" Error "only effects can be done"
"`do` runs a field of type `effect`.
Wrong: `do c.cost`
Right: `do c.use`"

    // Manifest, options and packages.
    BadToml "E0601" Error "the manifest is not TOML"
"`game.toml` is a TOML file: `key = value` lines and `[tables]`. Texts stand in quotes.
Wrong: `name = my-game`
Right: `name = \"my-game\"`"

    UnknownKey "E0602" Error "an unknown key in the manifest"
"The manifest has a fixed list of keys. The help names the nearest one.
Wrong: `tilte = \"My Game\"`
Right: `title = \"My Game\"`"

    MissingKey "E0603" Error "a key is missing in the manifest"
"A manifest needs `name`, `title`, `version`, `edition` and a `[players]` table with `min` and `max`; that of an expansion has
`extends` instead of the players.
Wrong: a manifest without `version`
Right: `version = \"0.1.0\"`"

    BadPackageName "E0604" Error "a bad package name"
"Names of packages and variants are lower-case ASCII letters, digits and `-`, and begin with a letter.
Wrong: `name = \"My Game\"`
Right: `name = \"my-game\"`"

    BadVersion "E0605" Error "a bad version or requirement"
"Versions are three numbers, such as `1.2.0`. A requirement is a version with `^`, `=`, `>=` or nothing before it.
Wrong: `version = \"1.2\"`
Right: `version = \"1.2.0\"`"

    BadPlayers "E0606" Error "a bad range of players"
"`min` and `max` are numbers from 1 to 16, and `min` is not greater than `max`.
Wrong: `min = 4` and `max = 2`
Right: `min = 2` and `max = 4`"

    WrongValue "E0607" Error "a manifest value of the wrong type"
"The key is known, but its value is of another type than it needs.
Wrong: `min = \"two\"`
Right: `min = 2`"

    UnknownEdition "E0608" Error "an unknown edition"
"The edition says which version of the language the package is written in. This program knows edition 1.
Wrong: `edition = 9`
Right: `edition = 1`"

    BadPath "E0609" Error "a path that may not be"
"Paths and patterns are relative to the package, use `/`, and never leave the folder. In the last part of a pattern `*`
stands for any letters.
Wrong: `rules = [\"../other/*.rules\"]`
Right: `rules = [\"rules/*.rules\"]`"

    UnknownOption "E0610" Error "an unknown option"
"The game declares no option of this name.
Wrong: `[options]` with `gaol = 12`
Right: `goal = 12`, and `option goal: 1..99 = 20` in the rules"

    BadOptionValue "E0611" Error "a value the option cannot have"
"The value is not of the option's type or lies outside its range.
Wrong: `goal = 0` for `option goal: 1..99 = 20`
Right: `goal = 12`"

    UnknownVariant "E0612" Error "an unknown variant"
"The manifest has no `[variants.NAME]` of this name.
Wrong: `--variant qick`
Right: `--variant quick`"

    MissingDependency "E0613" Error "a package that cannot be found"
"A package named under `[dependencies]` was not found where packages are looked for.
Wrong: `base-gmae = \"1.0.0\"`
Right: `base-game = \"1.0.0\"`"

    VersionConflict "E0614" Error "versions that do not fit together"
"The package that was found has a version that the requirement does not allow.
Wrong: `base-game = \"^2.0.0\"` beside version 1.3.0
Right: `base-game = \"^1.0.0\"`"

    BadBounds "E0615" Error "bad bounds"
"`turns` is a positive number; `scores` is a list of two numbers, the lower first.
Wrong: `scores = [60, 0]`
Right: `scores = [0, 60]`"

    BadSeats "E0616" Error "bad seat names"
"`seats` names at least as many seats as the most players, each once and none empty.
Wrong: `max = 3` and `seats = [\"red\", \"blue\"]`
Right: `seats = [\"red\", \"blue\", \"green\"]`"

    MissingManifest "E0617" Error "a folder without a manifest"
"A game is a folder with a `game.toml`.
Wrong: a folder with rules only
Right: add `game.toml`; `cardwright new NAME` writes one"

    BadExpansion "E0618" Error "an expansion that does not fit"
"An expansion says with `kind = \"expansion\"` what it is, and with `extends` which games it changes. It is loaded beside one
of them, and with a version of it that the requirement allows. It is no game by itself.
Wrong: `cardwright play night-shift`, an expansion of `lanterns`
Right: `cardwright play lanterns --with night-shift`"

    PackageCycle "E0619" Error "packages that go round in a circle"
"Packages are loaded after those they depend on, and what an expansion says wins over what those say that it overrides. Neither
can go round in a circle.
Wrong: `night-shift` depends on `old-town`, and `old-town` on `night-shift`
Right: one of the two leaves the other out"

    ChangeOutsideExpansion "E0620" Error "a change in a package that is no expansion"
"`patch`, `replace` and `remove` change what another package says. A game changes its own cards and rules where they stand.
Wrong: `patch tool \"Lantern\" { oil: 3 }` in the game that has the lantern
Right: `oil: 3` in `tool \"Lantern\" { ... }` itself, or an expansion with `kind = \"expansion\"` in its manifest"

    NothingToChange "E0621" Error "a change of what is not there"
"What an expansion patches, replaces or removes is in the game, in a package that the game or the expansion depends on, or in
another expansion that is played with. The help names the nearest there is.
Wrong: `patch tool \"Latern\" { oil: 3 }`
Right: `patch tool \"Lantern\" { oil: 3 }`"

    ConflictingChanges "E0622" Error "two packages change the same thing"
"Two expansions give the same field, effect, clause or item another form, or one package does so twice. Nothing is silently
overwritten: one of them declares that it wins, or they are not played together. Two that keep a piece and add to it get along.
Wrong: `patch tool \"Lantern\" { oil: 3 }` in one expansion and `patch tool \"Lantern\" { oil: 4 }` in another
Right: `overrides = [\"other-expansion\"]` in the manifest of the one that wins"

    Incompatible "E0623" Error "packages that do not go together"
"One expansion says in `[incompatible]` that it cannot be played with the other, and why. Another version of one of them may do: what was
added in several versions is taken in those that go together.
Wrong: `--with day-shift,night-shift`, of which the one says `night-shift = \"both decide when the day ends\"`
Right: one of the two"

    BadRename "E0624" Error "an old name that leads to no card, or to two"
"`[was]` in the manifest says what a card was called before, so that saved games, records and scenarios find it. The card of the new name
is there, none has the old name any more, and no two cards had it.
Wrong: `[was]` with `\"Lamp\" = \"Lantern\"`, and there still is a card `Lantern`
Right: the card `Lantern` is called `Lamp` now"

    BadLocale "E0625" Error "a translation that cannot be read"
"A file in `locales` has a table for each text, by its id in quotes: `from` is the text in the game, `to` the translation, `was` what the
text was before it changed. The file is called like the language: `de.toml`, `pt-br.toml`. `cardwright translate GAME LANGUAGE` writes it.
Wrong: `[title]` with `german = \"Laternen\"`
Right: `[title]` with `to = \"Laternen\"`"

    WrongPlaceholders "E0626" Error "a translation with other placeholders"
"What stands in braces is filled in while the game is played, so a translation has the same braces as the text that it is made from, letter for
letter. They may stand in another order, and more than once; none may be left out.
Wrong: `from = \"{n} coins for {c}\"` with `to = \"{m} Taler für {c}\"`
Right: `from = \"{n} coins for {c}\"` with `to = \"für {c} {n} Taler\"`"

    // Scripts.
    ScriptSyntax "E0701" Error "a script that cannot be read"
"The Rhai file has a mistake at the place shown. A variable must be declared with `let` before it is used.
Wrong: `fn f(n) { n + }`
Right: `fn f(n) { n + 1 }`"

    ScriptFunction "E0702" Error "a script without this function"
"`script NAME(...)` needs a function of that name with as many parameters in its file.
Wrong: `script best(a: number): number = \"hooks.rhai\"` and `fn bset(a)`
Right: `fn best(a) { a }`"

    ScriptFailed "E0703" Error "a script that failed"
"The script stopped with an error while the game was played. Scripts may not read files, sleep, use clocks or chance.
Wrong: `fn f() { 1 / 0 }`
Right: `fn f() { 1 }`"

    ScriptResult "E0704" Error "a script with a wrong result"
"The script gave back a value of another type than its declaration says.
Wrong: `script f(): number` and `fn f() { \"a\" }`
Right: `fn f() { 1 }`"

    ScriptType "E0705" Error "a type scripts cannot have"
"Parameters and results of scripts are numbers, flags, enum values, players, sites, things, and sets and lists of them. A
script that acts is given texts, too.
Wrong: `script f(e: effect): number = \"f.rhai\"`
Right: `script f(c: tool): number = \"f.rhai\"`"

    ScriptForm "E0706" Error "a script that acts and one that gives a value"
"A script either gives a value, and then has a type and stands in expressions, or acts, and then says what it may do and is a
statement. One that acts sees what everybody knows, with `sees me` what its player knows, with `sees all` everything.
Wrong: `script omen(n: number): number may note = \"f.rhai\"`
Right: `script omen(n: number) may note = \"f.rhai\"`"

    ScriptAct "E0707" Error "an act that a script cannot give back"
"A script that acts gives back acts: nothing, one, or a list of them. It may do what its declaration lists, with arguments of the
types that the verb or property has, and go on with functions of its own file.
Wrong: `fn f(c) { act(\"burn\", [c]) }` where the declaration says `may lift`
Right: `fn f(c) { act(\"lift\", [c]) }`"

    // Scenarios.
    ExpectFailed "E0801" Error "an expectation that is not met"
"The position is another than the scenario expects. The report shows the position and the difference.
Wrong: `expect count me.hand = 5` with four cards in hand
Right: `expect count me.hand = 4`"

    IllegalKey "E0802" Error "a decision that is not offered"
"The key of a `play` step is not among the options at that point. The report lists those there are.
Wrong: `play \"place z9\"`
Right: `play \"place a1\"`"

    UnknownRuleNumber "E0803" Error "an unknown rule number"
"`covers` names numbered statements of the rulebook: lines such as `- AB-01 text`.
Wrong: `covers AB-99`
Right: `covers AB-01`"

    ScenarioOrder "E0804" Error "a step in the wrong place"
"`players`, `seed`, `option`, `mover`, `keep order` and `given` describe the beginning and stand before the first `play`, `chance` or `expect`,
each at most once.
Wrong: `play \"a\"  players 3`
Right: `players 3  play \"a\"`"

    SnapshotDiffers "E0805" Error "a snapshot that differs"
"What happened is not what the recorded playthrough says. Look at the difference; accept it with `--accept` if it is
meant.
Wrong: a rule changed and the snapshot did not
Right: `cardwright test --review`"

    GameOver "E0806" Error "the game is over"
"The scenario goes on to play after the game has ended.
Wrong: `play \"a1\"` after the last move
Right: `expect over`"

    NoTurns "E0807" Error "a scenario with a first player where nobody has turns"
"`mover` says with whom the outermost `turns` of the flow begins, and this game has none.
Wrong: `mover seat(2)` in a game of `repeat` alone
Right: a choice `by seat(2)`, or a `turns` in the flow"

    NeverAKey "E0808" Error "a text that can never be there"
"`expect illegal` and `sees no` hold for a misspelt name too, whatever the game does. The text must be made of names that the game
has: of actions, cards, kinds, values, sites, players, or the words of `choose`. `sees no` asks for what is shown now and for what `note` has said, not
for lines about moves: who sees a card move may lose sight of it again.
Wrong: `expect illegal \"play card Lantrn\"`
Right: `expect illegal \"play card Lantern\"`"

    // Play.
    Arithmetic "E0901" Error "a calculation that cannot be done"
"A division by zero, or a number beyond 64 bits, came up in play.
Wrong: `set me.share = game.pot / count winners` when there are none
Right: `if some winners { set me.share = game.pot / count winners }`"

    ListTooLong "E0902" Error "a list too long"
"A list grew beyond what one list of this game can hold: as many items as the game has things or sites, or numbers in a range that is listed, at least 32 and at most 1,024. A loop over a range, and a filter of it, lists only what is left. A number can be chosen, rolled or drawn among 4096.
Wrong: `let all = values it of 1..1000`
Right: a shorter range, or a count instead of a list"

    TooFar "E0905" Error "a site too far away"
"On a board without an end a site may be 32,000 steps from the origin, along each axis.
Wrong: `step(origin(plot), east, 99999)`
Right: `step(origin(plot), east, 99)`"

    DeadEnd "E0903" Error "an action without a way on"
"An action came to a choice with nothing to choose, a `requires` or an `ensure` that does not hold, although it was offered as possible: chance or another player decided so.
Wrong: action beg { plead p  ensure game.paid }, where the verb asks p `may by p \"Pay?\" do { set game.paid = true }`
Right: action beg { plead p  if game.paid { increase me.coins by 1 } }"

    ForcedChance "E0904" Error "an outcome that cannot be"
"A scenario or script gave an outcome of chance that is not among the possible ones, or one that never came up.
Wrong: `chance \"7\"` before `roll d in 1..6`
Right: `chance \"6\"`"

    NobodyBegins "E0906" Error "turns that nobody begins"
"What stands behind `from` is nobody: a mark that was not set, or the first of an empty set. Where nobody is to have a turn, `among` is empty.
Wrong: `turns trick from game.leader { draw game }` while `game.leader` is `nothing`
Right: `turns trick from game.leader else seat(1) { draw game }`"

    // Limits.
    FileTooLarge "L01" Error "a file is too large"
"One content file may have 1 MiB. Split it into several files.
Wrong: one file with a hundred thousand cards
Right: one file for each part of the set"

    TooDeep "L02" Error "brackets or words nested too deeply"
"Brackets, blocks and words such as `not`, `some` and `sum` may be nested 64 deep. Give a part a name with `define` or
`let`, or move a block into a verb.
Wrong: sixty-five `(` in a row
Right: `define part = ...`"

    TooLong "L03" Error "an expression or chain is too long"
"One expression may have 200 operators in a row, and one `if` 64 times `else if`.
Wrong: `1 + 1 + ...` three hundred times
Right: `sum cost of cards`"

    TooMuchWork "L04" Error "an item takes too much work to read"
"Reading one item took more steps than the reader allows. Split the item.
Wrong: `define many = [1, 1, ...]` with three hundred thousand values
Right: several smaller items"

    PackageTooLarge "L05" Error "a package is too large"
"A package may have 4096 files and 64 MiB in all, in folders 32 deep, and a game 12 expansions.
Wrong: a folder with everything in it
Right: only the files of the game"

    BudgetSpent "L06" Error "the game takes too long to decide"
"Between two decisions the game did more work than it may: 100,000,000 units, about as many instructions. A loop or turns that
never end are the usual cause; the message names the line that was at work. Where so much is meant, as in looking ahead of a choice
with many ways, `[bounds]` in the manifest allows more, up to 300,000,000: `work = 300000000`.
Wrong: `repeat while true { }`
Right: `repeat 10 times { }`"

    TooManyFrames "L07" Error "calls nested too deeply"
"Calls, events and hooks may be inside of each other 256 deep; a verb that performs itself takes two each time. Something performs itself
without end, or a `repeat` would say it.
Wrong: `verb sink n: number { if n > 0 { sink n + 1 } }`
Right: `verb sink n: number { if n > 0 { sink n - 1 } }`"

    TooManyEntities "L08" Error "too many things in the game"
"A game may have 8000 cards, pieces and things at once, 4096 armed rules and 65,536 hooks that wait. One `create` makes 4096 things
at most. There is room for what begins in zones, for what `setup` creates, for a piece on each site, and for 96 more things that are
created while the game is played, or 256 where loops, or a `create` of any number,
make them. Where `setup` lays pieces on sites that only the game finds, it is taken that it lays one of each kind on a site at the most.
`[bounds]` in the manifest makes more room: `created = 500`.
Wrong: `repeat { create token }`
Right: `create 5 * token`"

    ScriptLimit "L09" Error "a script used too much"
"A script may run a limited number of operations, nest a limited number of calls and build texts, lists and maps of a
limited size. Copying, sorting or comparing a long list costs as much as many operations. One that acts gives back 256 acts at most,
keeps 1024 values with each thing that waits, and scripts have 256 things armed at a time.
Wrong: `loop { }`
Right: a loop over what was passed in"

    LogTooLarge "L10" Error "a saved game is too large"
"A saved game may have 64 MiB.
Wrong: a file of another program
Right: a file written by `cardwright play --save`"

    Repeats "L12" Error "the same state again and again"
"At a checkpoint the game came back to a state it had before, or went on for 1000 rounds, so it would never end. The checks and hooks that lead to each other are named with their lines.
Wrong: `check game.lit { set game.lit = false }  check not game.lit { set game.lit = true }`
Right: `check game.lit { set game.lit = false }`"

    GameTooLarge "L13" Error "a game too large to compile"
"The game has more zones, sites, words of text or statements than its compiled form can number: 32,000 words of zones and boards,
65,535 instructions in one body, 4,000,000 in all. What one body works out at a time has 16,000 words: sets of sites of a board without an
end are large, and smaller where `[bounds]` in the manifest says how many pieces are created at the most.
Wrong: `board plain { shape: square 300 300 }`
Right: a smaller board, or one text that many cards share"

    TooManyTurns "L14" Error "too many ways through one turn"
"To list or count turns and decisions, all ways through a turn are walked: at most 1000 decisions deep, 2,000,000 options in all, the
work that six decisions of a game may take, and 256 MiB of turns and positions. The message says which was met. A count goes 256
steps deep.
Wrong: a turn of forty free steps
Right: `cardwright options GAME`, which lists one step at a time"

    TooManyOptions "L15" Error "too many options in one decision"
"A decision may have 16,384 options: what can be chosen first, of all actions that are offered together.
Wrong: `choose action a b c`, where each begins with a choice among 8000 things
Right: `choose which in way`, and then one of the actions"

    // Warnings.
    UnusedProperty "W0001" Warning "a property that is never read"
"Nothing reads this field, counter, mark or stat. It may be misspelt where it was meant, or left over.
Wrong: `field cots: number` beside `c.cost`
Right: `field cost: number`"

    EmptyZone "W0002" Warning "a zone that stays empty"
"No `starts`, `move` or `create` ever puts anything into this zone, so what reads it waits for ever. What scenarios put there counts: the
cards of a package can be tested before a game has a way for them.
Wrong: `zone attic { holds: tool }` beside `if some attic { stop }`
Right: `zone attic { holds: tool  starts: tool }` beside `if some attic { stop }`"

    UndoneEffect "W0003" Warning "an effect that nothing does"
"No `do` ever runs this effect field, so the text of every card that gives it is dead.
Wrong: `field use: effect` and no `do`
Right: `verb use_card c: tool { do c.use }`"

    UnusedVerb "W0004" Warning "a verb that nobody performs, or an action that is never offered"
"Nothing performs this verb, so hooks on it never act; or no `choose action` offers this action.
Wrong: `verb light { }` and no `light`
Right: remove it, or perform it"

    NeverTrue "W0005" Warning "a condition that is always the same"
"The condition can have only one answer: a card of one kind is never of the other, or the ranges of the numbers that are
compared decide it. Ranges are those of fields, counters, marks, options, rolls and choices, and of what is worked out from
them; an option counts with all its values. Of sets and lists the most members count, and an item before the first or behind the last is
always missing. One value is never two at once, the name of a card is one of those that there are, and what lies in one zone lies in no other:
a card that has been moved to one is another card.
Wrong: `roll d in 1..6  if d = 7 { note \"lucky\" }`
Right: `roll d in 1..6  if d = 6 { note \"lucky\" }`"

    ChooseWithoutFor "W0006" Warning "a choice that may pick what is protected"
"What is chosen goes to a verb that has `cannot` rules, so a player may choose a thing to which nothing can then happen.
Wrong: `choose c in tools  destroy c`
Right: `choose c in tools for destroy  destroy c`"

    UnusedName "W0007" Warning "a name that is never used"
"Nothing uses what this binds. What a loop over players does without naming the player it does for the same one each time.
Wrong: `let n = 3` and no `n`
Right: leave it out"

    UnreachableStatement "W0008" Warning "a statement that never runs"
"The statement before it always ends this body.
Wrong: `stop  note \"done\"`
Right: `note \"done\"  stop`"

    NoMatch "W0009" Warning "a pattern that matches no file"
"No file in the package fits this pattern of the manifest.
Wrong: `cards = [\"crads/*.cards\"]`
Right: `cards = [\"cards/*.cards\"]`"

    UnusedDefinition "W0010" Warning "a definition that is never used"
"Nothing uses this definition.
Wrong: `define twice(n: number) = n + n` and no `twice`
Right: leave it out"

    NeverInGame "W0011" Warning "a card that is never in the game"
"No zone begins with definitions of this kind, and nothing creates them.
Wrong: `tool \"Lantern\" { }` and `zone deck { holds: tool }`
Right: `zone deck { holds: tool  starts: tool }`"

    UnopenedWindow "W0012" Warning "a window that nothing opens"
"Nothing opens this window, so nobody is ever asked in it.
Wrong: `window answers from mover { block }` and no `open answers`
Right: remove it, or open it"

    FileLeftOut "W0020" Warning "a file that looks like content is left out"
"The file belongs to no pattern, so it is not read. Nothing that is read needs it.
Wrong: `tool \"Rope\" { }` in `old.cards.txt`
Right: `tool \"Rope\" { }` in `old.cards`, or the file outside of the folder"

    VariantOverDefault "W0013" Warning "a default that a variant sets aside"
"An expansion gives an option another default, but the game is played in a variant that sets the option. What players ask
for by name counts: the variant.
Wrong: `patch option goal = 12`, played with `--variant quick`, which says `options = { goal = 6 }`
Right: declare `[variants.quick-night]` in the expansion, and play that"

    BeyondRange "W0014" Warning "a value beyond the range"
"A counter or mark never leaves its range: a change goes as far as fits. What is stored here is always beyond it.
Wrong: `player { counter paid: 0..9 }` and `set me.paid = 13`
Right: `player { counter paid: 0..20 }`, or `counter paid: 0..9 clamped` if the rules mean it to stop there"

    SettledByName "W0021" Warning "an order that only names settle"
"Two expansions add to `setup` or to the same statements, or replace the same event, and neither knows the other: the one whose name comes first in the
alphabet acts first. That is the same in every game, but perhaps not what either author meant.
Wrong: `patch setup { shuffle deck }` in `frost` and `patch setup { move top(deck) to box }` in `night-shift`
Right: `overrides = [\"frost\"]` in the manifest of `night-shift`, which then comes later"

    UntoldValue "W0022" Warning "a new value that is taken for another"
"An expansion adds a value to an enum, and somewhere the values there were are told apart one by one: whatever is none of
those that are asked for is taken to be the last one, and so is the new value.
Wrong: `patch enum hue { violet }`, and a game with `if c.glass = amber then 1 else 2`
Right: `replace define worth(c: lamp): number = if c.glass = amber then 1 else if c.glass = violet then 3 else 2`"

    MovedAgain "W0016" Warning "a card that is moved twice"
"`first(KIND \"Name\")` is the first of all cards of that name, wherever they are. Twice in a row it is the same card. In a loop in which
all players pass their hands on, each hand goes on with what has come to it: pass them on through a zone between.
Wrong: `move first(tool \"Rope\") to heap  move first(tool \"Rope\") to heap`
Right: `move first(tool \"Rope\" & deck) to heap  move first(tool \"Rope\" & deck) to heap`"

    ArmedInVain "W0017" Warning "a clause that ends before it can act"
"`arm { ... }` lasts as long as its card stays where it is. The card leaves play as soon as this effect is done.
Wrong: `tool \"Rope\" { use { arm { next after rise p { ... } } } }` and `do c.use  move c to heap`
Right: `tool \"Rope\" { use { arm for good { next after rise p { ... } } } }`"

    NeverInPlay "W0018" Warning "a kind alone that is always empty"
"A kind alone, such as `tool`, is the set of those in play: on a board, or in a zone with `inplay: true`. Nothing of this kind
can be there, or what it is shared with cannot (`tool & me.hand`), so the set is always empty. Say where they lie, or add `inplay: true` to the zone whose cards are in play.
Wrong: `count tool` where the only zone is `zone deck { holds: tool }`
Right: `count deck`"

    ActsElsewhere "W0026" Warning "a card's clause that does not act where it is meant to"
"The clauses of a card act while it is in play: on a board, or in a zone with `inplay: true`. A card that is to act from a hand
which others do not see needs a window in which every player is asked, so that the question tells nothing. An `after` clause, of a rule too,
looks at a card that its verb has moved out of play as at what it was before: it lies in no zone then. A `modify` that reaches cards only
where nothing reads the stat, of cards in play where the rules ask for the price of those in a supply, changes nothing. A `cannot`, `before` or
`instead` about `this` acts only if its verb is done with cards in play; a rule acts wherever they lie.
Wrong: `tool \"Net\" { may instead toss c { reveal this } }` where no zone with tools is `inplay: true`
Right: `action net { requires some (me.hand & tool \"Net\")  reveal me.hand & tool \"Net\" }` and `window netted from mover { net }`"

    HeldByNobody "W0019" Warning "a holder where there is none"
"In the clauses of a card `me` is the player who holds it. Nobody holds a card in a shared zone, so there `me` is nobody, equals no
player, and what is done for it does nothing. The argument of an `after` means what it was before the event: a card that came from
a shared zone was held by nobody.
Wrong: `tool \"Net\" { after toss c { increase me.points by 1 } }` where tools are in play in a shared zone
Right: `tool \"Net\" { after toss c { increase actor.points by 1 } }`"

    ColourAlone "W0023" Warning "what only a colour tells"
"Something that may differ between two things that are otherwise drawn alike shows only as their colour: a property, whose a piece is,
or the sides of tiles. Plain text and terminals without colours do not show it, and people who confuse colours do not see it. A
`glyph`, `label`, `mark`, `shape`, `title` or `line` tells it too, and so does the name of a card with a definition.
Wrong: `look coin { colour: metal }` with `kind coin : piece { field metal: ore }`
Right: `look coin { colour: metal  label: \"{metal}\" }`"

    OpenChoice "W0025" Warning "a choice that only seems to be secret"
"The first choice of `each ... secret { ... }` is made by all before any answer is known. What stands behind it runs for each in turn, a
second choice too, in whatever loop, condition or verb it stands, so that those asked later see what was done before. What the first block put into zones that others do not see stays secret.
Wrong: `each p in players secret { choose c in p.hand  choose d in p.hand  toss c  toss d }`
Right: `each p in players secret { choose up to 2 cs in p.hand  each c in cs { toss c } }`"

    BeginsAsNothing "W0027" Warning "a mark without a first value"
"A mark of a player or the game is there from the start. Without a first value it is nothing until it is set, even where its type
does not say `maybe`: a `define` of it then gives nothing, and no comparison with it holds.
Wrong: `player { mark home: hue }`
Right: `player { mark home: hue = red }`"

    NeverSet "W0028" Warning "what nothing ever sets"
"The rules read something that no statement of the game ever sets: a counter or mark that nothing changes, the `owner` of pieces that
never get one, the `holder` of what no player can hold, the other end of a link that nothing makes, the site of pieces that are never
laid on a board. It is always as it began, and a filter by it is always empty or leaves nothing out. The same holds of a counter or
mark that is set only of cards in some zones and read of cards in others: a card that moves to another zone begins anew.
Wrong: `create stone at s` and `count (stone where owner = me)`
Right: `create stone at s with owner = me` and `count (stone where owner = me)`"

    NoNumberedRules "W0029" Warning "a rulebook without numbered rules"
"The manifest names a rulebook, and no line of it is a numbered rule. Rules are numbered so that scenarios can say which they cover, and
`cardwright test` can say which none covers. A numbered rule is an item of a list that begins with capitals, a dash and a number.
Wrong: `1. Red begins.` in the rulebook
Right: `- AB-01 Red begins.` in the rulebook"

    ScriptFails "W0030" Warning "a script that fails for some arguments"
"`check` calls the functions of each script with values of the types that it declares, and those that go on with what these give
back. One of them failed. If the rules never give it such a value, let the function say what it does with it all the same.
Wrong: `fn f(n) { 6 / n }`
Right: `fn f(n) { if n == 0 { 0 } else { 6 / n } }`"

    HidesNothing "W0031" Warning "a `hide` that hides nothing"
"All see what lies on a board, and in a zone that is `seen: all`. To `hide` it there changes nothing.
Wrong: `action bury { choose c in me.hand  move c to bench as laid  hide laid }` with `zone bench { holds: tool }`
Right: `action bury { choose c in me.hand  move c to me.chest }` with `zone chest per player { holds: tool  seen: none }`"

    LoseInTurn "W0032" Warning "players who lose one after another"
"Who is the last one left wins. A loop that lets all of some players lose lets the last of them win, although it should lose with the
others.
Wrong: `each p in players where points = 0 { lose p }`
Right: `lose players where points = 0`"

    PictureMissing "W0033" Warning "a picture that is not there"
"The `art` of a look names the file of a picture for each card that it is for. One of these files is not in the game's folder or in
that of an expansion, cannot be printed because of its ending or is too large; `cardwright book` leaves it out. A path begins at the
folder with the manifest and cannot leave it.
Wrong: `look tool { art: \"art/{name}.svg\" }` where no file is called `art/Rope.svg`
Right: `look tool { art: \"art/{name}.svg\" }` with the files `art/Rope.svg` and `art/Lantern.svg`"

    TextContradicts "W0034" Warning "a card whose text and numbers differ"
"A sentence of a card's own text says nothing but a number of the card, and the card's field has another. Compared are sentences that
consist of names of number fields with a number beside each, separated by commas: `Cost 3.`, `Cost: 3, 2 uses.`; `this`, `it`, `is`,
`has`, an article and the name of the card's kind may stand there too. A sentence with any other word is not compared, since it may
speak of other cards, and neither is `+3`.
Wrong: `tool \"Rope\" { cost: 2  text: \"Cost 3. Draw a card.\" }`
Right: `tool \"Rope\" { cost: 3  text: \"Cost 3. Draw a card.\" }`"

    Untranslated "W0035" Warning "texts without a translation"
"A locale file lacks texts that players of the game can read, or their `to` is empty. They are shown as they stand in the rules.
`cardwright translate GAME LANGUAGE` adds what is missing.
Wrong: `[\"card.tool.Lantern\"]` with `from = \"Lantern\"` and `to = \"\"`
Right: `[\"card.tool.Lantern\"]` with `from = \"Lantern\"` and `to = \"Laterne\"`"

    StaleTranslation "W0036" Warning "texts that have changed since they were translated"
"The text in the rules is not the one that was translated: `from` says another, or `cardwright translate` has found that and put what it
was into `was`. The translation is shown nonetheless if it fills in the same. Look at it, then take the line with `was` away.
Wrong: `from = \"Lantern\"`, `was = \"Lamp\"`, `to = \"Lampe\"`
Right: `from = \"Lantern\"`, `to = \"Laterne\"`"

    UnknownText "W0037" Warning "a translation of a text that is not there"
"The game has no text of this id any more, or the id is misspelt. `cardwright translate` keeps what was translated, at the end of the file, until
you take it away, and uses it again where the same text turns up elsewhere.
Wrong: `[\"card.tool.Latern\"]`
Right: `[\"card.tool.Lantern\"]`"

    DelayedHooks "W0038" Warning "clauses that wait until a verb is done"
"Clauses that wait for something act at the next checkpoint, and there is none while a verb is under way. Where a verb offers actions, `after`
clauses and checks wait for what they do until the verb is done, and look at how things are then. Offer the actions in the flow, or write `settle`
where the clauses shall act.
Wrong: `verb campaign { repeat until me.done { choose action attack, enough } }` and `after conquer l { note \"taken\" }`
Right: `verb campaign { repeat until me.done { choose action attack, enough  settle } }` and `after conquer l { note \"taken\" }`"

    FreePrice "W0039" Warning "a price that is always paid"
"What a gate takes must be there: a price that would take a counter out of its range closes the gate. A counter that is `clamped` never leaves its
range, and so never closes one: whoever has too little pays what there is. That is meant for what may run out by itself, and seldom for what
somebody pays with.
Wrong: `counter silt: 0..9 clamped` and `may \"Build?\" pay { decrease me.silt by 3 } do { increase me.huts by 1 }`
Right: `counter silt: 0..9` and `may \"Build?\" pay { decrease me.silt by 3 } do { increase me.huts by 1 }`"

    AskedBefore "W0040" Warning "a condition of an action behind what nobody knows before"
"An action is offered only if it can be completed. What another player will answer, which card will be drawn and what chance will bring is not looked
at before that, nor anything behind it: a `requires` or an `ensure` there may turn out not to hold, and then the game stops (`E0903`), also where it
has nothing to do with the answer. Write it before that, or say with `if` what happens then.
Wrong: `action beg { choose p in opponents  plead p  ensure game.paid }`, where the verb asks p `may by p \"Pay?\" do { set game.paid = true }`
Right: `action beg { choose p in opponents  plead p  if game.paid { increase me.coins by 1 } }`"

    OneAgainstSet "W0041" Warning "one thing where a set is meant"
"A single thing stands for the set of it: `me.hand = it` asks whether it is all that the hand has. Written the other way round, it is mostly meant to
ask whether the thing is one of the set, which `in` does. What is meant as it stands is written with the set first. The members of `groups(S)` are single
sites, too, the first of each group: the sites of the group of `g` are `group(g, S)`.
Wrong: `define near(s: site): flag = some (stone as m where s = around(site(m)))`
Right: `define near(s: site): flag = some (stone as m where s in around(site(m)))`"

    WholeUnasked "W0042" Warning "a `cannot` that asks of all that is chosen"
"`for VERB` leaves out what the verb could not do. Where several are chosen for one call, and a `cannot` of the verb asks something of all of them
together, an action offers only what it does not stop. In an effect, in a gate and in secret nothing is tried beforehand: everything may be chosen
there, and the verb then does nothing.
Wrong: `cannot lay cs where count cs = 2` and `verb spend { choose 1 to 3 cs in me.hand for lay  lay cs }`
Right: `cannot lay cs where count cs = 2` and `action spend { choose 1 to 3 cs in me.hand for lay  lay cs }`"

    QuestionBehind "W0043" Warning "a question that is taken for a reason"
"The text behind the condition of an `ensure` is the reason that is given where it does not hold. The question of a choice stands behind its set.
Wrong: `choose exactly 2 cs in me.hand  ensure sum cost of cs > 1 \"Which two?\"`
Right: `choose exactly 2 cs in me.hand \"Which two?\"  ensure sum cost of cs > 1`"

    ItBesideAName "W0044" Warning "`it` where the member has a name"
"`it` is the member of the innermost set, also where that has a name. Within another set whose members have none it is easily taken for one of these.
Wrong: `choose n in 1..9 where some (1..6 as g where beats(it, g))`
Right: `choose n in 1..9 as m where some (1..6 as g where beats(m, g))`"

    Unshuffled "W0045" Warning "a pile that nothing shuffles"
"Cards lie in a hidden pile in the order in which they were made, and are dealt to the players so: every game begins with the same hands.
Wrong: `setup { each p in players { move top(deck, 3) to p.hand } }` where `deck` has `order: pile  seen: none  starts: tool`
Right: `setup { shuffle deck  each p in players { move top(deck, 3) to p.hand } }`"

    KeptInArrangement "W0046" Warning "a site that is kept with a piece where arrangements are compared"
"`repeats(b)` compares the pieces of a board with all that they have. A mark that keeps in mind where a piece was belongs to that, so that hardly any
arrangement is like another. What is `aside` is none of it.
Wrong: `kind stone : piece { mark was: maybe of site }` and `ensure repeats(lane) = 0`
Right: `kind stone : piece { mark was: maybe of site aside }` and `ensure repeats(lane) = 0`"

    OverridesNothing "W0047" Warning "a package that is overridden and is not here"
"An expansion says over which others it wins. One that is not here takes no part, so that nobody is overridden; if its name is misspelt, the two contradict each
other where they meet.
Wrong: `overrides = [\"nigth-shift\"]`
Right: `overrides = [\"night-shift\"]`"

    PileForgotten "W0024" Warning "the first of what is filtered out of a pile"
"What is filtered out of a pile is a set, and sets are in the order in which cards were made: its first is not the topmost, and no
shuffling changes it. What lies on one site comes so, too, where `each m in pieces(s)` moves it: `each m in stack(s)` goes from the bottom up. So does
what an `each` or a filter moves from an open pile to another: `each c in top(row, count row) where c.n > 2 { move c to spent }` keeps the order, and so does `move row to spent`.
Cards are taken from a pile by `top(PILE)`, `top(PILE, n)` and `PILE[i]`. Cards of one definition are alike: `first(deck & tool \"Rope\")`, and
`first(deck where it is tool \"Rope\")`.
Wrong: `define next_tool: maybe of tool = first(deck where it is tool)`
Right: `define next_tool: maybe of tool = first(top(deck, count deck) where it is tool)`"
}
