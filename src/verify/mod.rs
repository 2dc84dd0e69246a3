//! The rules a draft is held to: a table of plain structs, one file a rule.
