//! What is in memory, in figures.

use serde::Serialize;

use super::calibrate;
use super::reader::Reader;
use crate::error::Result;

/// The figures of a memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stats {
    /// Of this report's form.
    pub schema_version: u32,
    /// How many notes.
    pub notes: u32,
    /// How many passages.
    pub passages: u32,
    /// How many notes were forgotten for good.
    pub forgotten: u32,
    /// Hash of pipeline and corpus.
    pub generation: String,
    /// The newest write, RFC 3339.
    pub last_write: Option<String>,
    /// The folders that notes were read from.
    pub roots: Vec<String>,
    /// trusted, provisional or degraded.
    pub trust: &'static str,
    /// The least score that passes.
    pub threshold: f64,
    /// How many questions a calibration rests on.
    pub labels: usize,
    /// The lower bound of its area under the curve.
    pub auc_lower: Option<f64>,
}

/// Reads the figures.
pub fn read(reader: &Reader) -> Result<Stats> {
    let size = reader.size()?;
    let (threshold, trust) = calibrate::standing(reader, &size.generation)?;
    let calibration = calibrate::kept(reader)?;
    Ok(Stats {
        schema_version: 1,
        notes: reader.count("SELECT count(*) FROM files")?,
        passages: size.chunks,
        forgotten: reader.count("SELECT count(*) FROM tombstones")?,
        generation: size.generation,
        last_write: reader.meta("last_write")?,
        roots: reader.run(|connection| {
            let mut rows = connection.prepare("SELECT DISTINCT root FROM files ORDER BY root")?;
            rows.query_map([], |row| row.get(0))?.collect()
        })?,
        trust: trust.name(),
        threshold,
        labels: calibration.as_ref().map_or(0, |kept| kept.labels.len()),
        auc_lower: calibration.map(|kept| kept.auc_lower),
    })
}
