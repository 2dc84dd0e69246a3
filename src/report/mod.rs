//! Output formats of findings: a table of plain structs, one file a format.
