//! What every page must hold.

use super::*;
