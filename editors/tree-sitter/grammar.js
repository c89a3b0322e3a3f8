/**
 * What stands in `.rules`, `.cards` and `.scenario` files: items, blocks, settings, texts with expressions in them. Statements and
 * expressions are read as words, not as trees: the language server knows what they mean. The words come from `words.json`, which a
 * test writes from the language's own tables.
 */

/// <reference types="tree-sitter-cli/dsl" />

const { reserved, contextual } = require("./words.json");

/** Words that a name is declared behind, outside members of kinds. */
const NAMED = ["enum", "kind", "zone", "board", "verb", "action", "window", "rule", "look"];

module.exports = grammar({
  name: "cardwright",
  word: ($) => $.identifier,
  extras: ($) => [/\s/, /\u{feff}/, $.comment],
  inline: ($) => [$._item],
  conflicts: ($) => [[$.item]],

  rules: {
    source_file: ($) => repeat($._item),

    _item: ($) => choice($.card, $.scenario, $.change, $.item),

    card: ($) => seq(field("kind", $.identifier), field("name", $.string), field("body", $.block)),

    scenario: ($) => seq("scenario", field("name", $.string), optional($.covers), field("body", $.block)),
    covers: ($) => seq("covers", repeat1(choice($.rule_id, ","))),
    rule_id: ($) => seq($._word, optional(token.immediate(/-[A-Za-z0-9_-]+/))),

    // Only what changes another item has a block behind the name of a value.
    change: ($) => seq(choice("patch", "replace"), choice($.card, $.item, $.patched)),
    patched: ($) => seq(choice("define", "option", "turns"), field("name", $._name), field("body", $.block)),

    item: ($) =>
      choice(
        seq(optional("absolute"), choice(...NAMED), field("name", $._name), repeat($._part), field("body", $.block)),
        seq(choice("player", "game", "setup", "flow"), field("body", $.block)),
        seq(choice("define", "option", "script"), field("name", $._name), repeat($._part)),
        seq("link", repeat1($._part), optional($.orphan)),
        seq(choice("cards", "remove"), repeat1($._part)),
      ),

    orphan: ($) => prec(1, seq("orphan", $.identifier, field("body", $.block))),

    block: ($) => seq("{", repeat($._element), "}"),

    _element: ($) => choice($._part, $.block, $.setting, $.member, $.binding),

    setting: ($) => prec(2, seq(field("name", choice(alias($.identifier, $.property), alias($._keyword, $.property))), ":")),

    member: ($) => prec(1, seq(choice("field", "counter", "mark", "stat"), field("name", $._name))),

    // `let x = `, `each x in`, `choose x in`.
    binding: ($) =>
      prec(
        1,
        choice(
          seq(choice("let", "each"), field("name", $._name)),
          seq(choice("choose", "roll", "random"), field("name", $.identifier)),
        ),
      ),

    _part: ($) => choice($._word, $.number, $.string, $.group, $.list, $.access, $.operator, ",", ":"),

    group: ($) => seq("(", repeat($._part), ")"),
    list: ($) => seq("[", repeat($._part), "]"),
    access: ($) => seq(".", field("name", choice(alias($.identifier, $.property), alias(choice(...contextual), $.property)))),

    string: ($) =>
      seq(
        '"',
        repeat(choice(alias(token.immediate(prec(1, /[^"\\{\n]+/)), $.string_content), $.escape, $.interpolation)),
        token.immediate('"'),
      ),
    escape: () => token.immediate(/\\./),
    interpolation: ($) => seq(token.immediate("{"), repeat($._part), "}"),

    _word: ($) => choice($.identifier, $._keyword),
    _name: ($) => choice($.identifier, alias(choice(...contextual), $.identifier)),
    _keyword: () => choice(...reserved, ...contextual),

    identifier: () => /[A-Za-z_][A-Za-z0-9_]*/,
    number: () => /[0-9]+/,
    operator: () => choice("=", "!=", "<", "<=", ">", ">=", "..", "+", "-", "*", "/", "%", "&"),
    comment: () => token(seq("//", /[^\n]*/)),
  },
});
