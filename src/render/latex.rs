//! A `thebibliography` environment: `\bibitem{sourceN}`, to be cited with `\cite{sourceN}`.

use super::{Block, Opening, Style, escape};
use crate::ledger::Source;

pub const STYLE: Style =
    Style { name: "latex", summary: "a thebibliography environment", in_draft: false, write };

fn write(sources: &[&Source]) -> Block {
    let widest = sources.iter().map(|source| source.id).max().map_or(0, |id| id.0);
    let mut body = format!("\\begin{{thebibliography}}{{{widest}}}\n");
    for source in sources {
        body.push_str(&entry(source));
    }
    body.push_str("\\end{thebibliography}\n");
    Block { opening: Opening::Nothing, body }
}

fn entry(source: &Source) -> String {
    let title =
        if source.title.is_empty() { String::new() } else { format!("{}. ", escape::tex(&source.title)) };
    let accessed = if source.accessed.is_empty() {
        String::new()
    } else {
        format!(" (accessed {})", escape::tex(&source.accessed))
    };
    format!("\\bibitem{{source{}}} {title}\\url{{{}}}{accessed}\n", source.id, escape::tex_url(&source.url))
}
