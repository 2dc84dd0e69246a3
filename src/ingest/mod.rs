//! Shapes of search results: a table of plain structs, one file a shape; the generic walker comes last.
