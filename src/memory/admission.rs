//! Who may start: at most so many retrievals run, at most so many wait, in the order they came. Who finds no place
//! is turned away before anything is read. The budget limits the wait; work that has begun is never stopped.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::profile::Limits;
use crate::error::{Error, Result};

/// Why a retrieval was turned away.
const QUEUE_FULL: &str = "queue_full";
/// Why a retrieval that waited was turned away.
const BUDGET_EXHAUSTED: &str = "budget_exhausted";

/// The longest time after which a caller is told to come back, in seconds.
const RETRY_AFTER_MOST: u64 = 5;

/// The door in front of the index.
pub struct Admission {
    limits: Limits,
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Default)]
struct State {
    running: usize,
    waiting: VecDeque<u64>,
    next: u64,
}

/// A place among the running; given back when dropped.
pub struct Permit<'a>(&'a Admission);

impl Admission {
    /// A door with these limits.
    pub fn new(limits: Limits) -> Self {
        Self { limits: limits.clamped(), state: Mutex::default(), freed: Condvar::new() }
    }

    /// Takes a place, waiting for one where all are taken.
    ///
    /// # Errors
    /// `RetrievalOverloaded` where as many wait already as may, or none came free within the budget.
    pub fn enter(&self) -> Result<Permit<'_>> {
        self.enter_for(&AtomicBool::new(false))
    }

    /// As [`Admission::enter`], for a caller who may lose interest: once `gone` is set and [`Admission::look_again`]
    /// is called, a place in the queue is given up.
    ///
    /// # Errors
    /// As [`Admission::enter`]; what a caller who has gone gets is told to nobody.
    pub fn enter_for(&self, gone: &AtomicBool) -> Result<Permit<'_>> {
        let mut state = self.state();
        if state.waiting.is_empty() && state.running < self.limits.running {
            state.running += 1;
            return Ok(Permit(self));
        }
        if state.waiting.len() >= self.limits.queued {
            return Err(self.overloaded(QUEUE_FULL));
        }
        let ticket = state.next;
        state.next += 1;
        state.waiting.push_back(ticket);
        self.wait(state, ticket, gone)
    }

    /// Lets everybody who waits see whether his caller has gone.
    pub fn look_again(&self) {
        let _state = self.state();
        self.freed.notify_all();
    }

    /// How many run and how many wait.
    pub fn load(&self) -> (usize, usize) {
        let state = self.state();
        (state.running, state.waiting.len())
    }

    fn wait(&self, state: MutexGuard<'_, State>, ticket: u64, gone: &AtomicBool) -> Result<Permit<'_>> {
        let has_gone = || gone.load(Ordering::Relaxed);
        let no_place =
            |state: &State| state.running >= self.limits.running || state.waiting.front() != Some(&ticket);
        let must_wait = |state: &mut State| !has_gone() && no_place(state);
        let mut state = match self.limits.budget {
            Some(budget) => {
                let waited = self.freed.wait_timeout_while(state, budget, must_wait);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.freed.wait_while(state, must_wait).unwrap_or_else(PoisonError::into_inner),
        };
        let is_late = has_gone() || no_place(&state);
        state.waiting.retain(|other| *other != ticket);
        if !is_late {
            state.running += 1;
        }
        drop(state);
        self.freed.notify_all();
        if is_late { Err(self.overloaded(BUDGET_EXHAUSTED)) } else { Ok(Permit(self)) }
    }

    fn overloaded(&self, reason: &'static str) -> Error {
        let budget = self.limits.budget.unwrap_or(Duration::from_secs(1));
        let retry_after_seconds = budget.as_secs_f64().ceil().clamp(1.0, RETRY_AFTER_MOST as f64) as u64;
        Error::RetrievalOverloaded { reason, retry_after_seconds }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.state().running -= 1;
        self.0.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn door(running: usize, queued: usize, budget_ms: Option<u64>) -> Admission {
        Admission::new(Limits { running, queued, budget: budget_ms.map(Duration::from_millis) })
    }

    fn reason(result: Result<Permit<'_>>) -> &'static str {
        match result {
            Err(Error::RetrievalOverloaded { reason, retry_after_seconds }) => {
                assert!((1..=RETRY_AFTER_MOST).contains(&retry_after_seconds));
                reason
            }
            _ => "admitted",
        }
    }

    #[test]
    fn a_place_is_given_back() {
        let door = door(1, 0, None);
        drop(door.enter().unwrap());
        assert_eq!(reason(door.enter()), "admitted");
    }

    #[test]
    fn who_has_gone_gives_up_his_place_in_the_queue() {
        let door = door(1, 1, None);
        let running = door.enter().unwrap();
        let gone = AtomicBool::new(false);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| reason(door.enter_for(&gone)));
            while door.load() != (1, 1) {
                thread::yield_now();
            }
            gone.store(true, Ordering::Relaxed);
            door.look_again();
            assert_ne!(waiting.join().unwrap(), "admitted");
        });
        assert_eq!(door.load(), (1, 0));
        drop(running);
        assert_eq!(reason(door.enter()), "admitted");
    }

    #[test]
    fn who_finds_the_queue_full_is_turned_away_at_once() {
        let door = door(1, 0, None);
        let _running = door.enter().unwrap();
        assert_eq!(reason(door.enter()), QUEUE_FULL);
    }

    #[test]
    fn who_waits_too_long_is_turned_away_and_leaves_no_trace() {
        let door = door(1, 1, Some(10));
        let running = door.enter().unwrap();
        assert_eq!(reason(door.enter()), BUDGET_EXHAUSTED);
        drop(running);
        assert_eq!(reason(door.enter()), "admitted");
    }

    #[test]
    fn who_waits_gets_the_place_that_comes_free() {
        let door = door(1, 1, None);
        let running = door.enter().unwrap();
        thread::scope(|scope| {
            let waiter = scope.spawn(|| reason(door.enter()));
            while door.state().waiting.is_empty() {
                thread::yield_now();
            }
            drop(running);
            assert_eq!(waiter.join().unwrap(), "admitted");
        });
    }

    #[test]
    fn never_more_run_than_may() {
        let door = door(3, 250, None);
        let most = Mutex::new((0_usize, 0_usize));
        thread::scope(|scope| {
            for _ in 0..40 {
                scope.spawn(|| {
                    let _permit = door.enter().unwrap();
                    {
                        let mut seen = most.lock().unwrap();
                        seen.0 += 1;
                        seen.1 = seen.1.max(seen.0);
                    }
                    thread::yield_now();
                    most.lock().unwrap().0 -= 1;
                });
            }
        });
        assert!(most.lock().unwrap().1 <= 3);
        assert_eq!(door.state().running, 0);
    }
}
