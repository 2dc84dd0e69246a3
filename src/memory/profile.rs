//! What a retrieval may cost: three named profiles, told apart by how many may run and wait at once, how long one
//! may wait, and how many passages come back.

use std::time::Duration;

use serde::Serialize;

/// A cost profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// No time limit on waiting, as many passages as are asked for.
    #[default]
    Legacy,
    /// Many at once, five passages, 250 ms.
    Fast,
    /// Few at once, five passages, 1,500 ms.
    Quality,
}

/// How many retrievals run and wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Running at once, at least 1.
    pub running: usize,
    /// Waiting for a place.
    pub queued: usize,
    /// How long one may wait before it starts; `None` is without limit.
    pub budget: Option<Duration>,
}

impl Limits {
    /// The largest sum of running and waiting.
    pub const MOST: usize = 256;

    /// The same limits within what is allowed: at least one running, at most [`Limits::MOST`] in all.
    pub fn clamped(self) -> Self {
        let running = self.running.clamp(1, Self::MOST);
        Self { running, queued: self.queued.min(Self::MOST - running), ..self }
    }
}

impl Profile {
    /// Every profile, by name.
    pub const ALL: [(&'static str, Self); 3] =
        [("legacy", Self::Legacy), ("fast", Self::Fast), ("quality", Self::Quality)];

    /// The most passages that come back.
    pub fn returned(self) -> usize {
        match self {
            Self::Legacy => super::MAX_K,
            Self::Fast | Self::Quality => 5,
        }
    }

    /// Its own limits.
    pub fn limits(self) -> Limits {
        let (running, queued) = match self {
            Self::Legacy => (4, 16),
            Self::Fast => (8, 32),
            Self::Quality => (2, 8),
        };
        Limits { running, queued, budget: self.budget() }
    }

    /// How long a retrieval may wait, and should take.
    pub fn budget(self) -> Option<Duration> {
        match self {
            Self::Legacy => None,
            Self::Fast => Some(Duration::from_millis(250)),
            Self::Quality => Some(Duration::from_millis(1500)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_stay_within_what_is_allowed() {
        let wild = Limits { running: 0, queued: 999, budget: None }.clamped();
        assert_eq!((wild.running, wild.queued), (1, 255));
        for (_, profile) in Profile::ALL {
            assert_eq!(profile.limits().clamped(), profile.limits());
        }
    }

    #[test]
    fn a_profile_has_one_name_everywhere() {
        for (name, profile) in Profile::ALL {
            assert_eq!(serde_json::to_value(profile).unwrap(), name);
        }
    }
}
