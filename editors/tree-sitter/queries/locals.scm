(item body: (block) @local.scope)
(card body: (block) @local.scope)
(scenario body: (block) @local.scope)
(binding name: (identifier) @local.definition)
(identifier) @local.reference
