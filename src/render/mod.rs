//! Render styles: a table of plain structs, one file a style.
