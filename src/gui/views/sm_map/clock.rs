//! When the next step of a placement that plays by itself is due.

use crate::session::{Placed, Playback};

/// Counts from the step that is shown. Time comes from outside, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    since: Option<(f64, Placed)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tick {
    /// Nothing plays: nothing has to be drawn again.
    Idle,
    /// A step is due now.
    Step,
    /// Seconds until the next step.
    Wait(f64),
}

impl Clock {
    /// What is due at `now` when `placed` is shown. After a step by hand the time counts anew; after a long absence one step is due.
    pub fn tick(&mut self, now: f64, placed: Placed, playback: Playback) -> Tick {
        if !playback.is_playing {
            self.since = None;
            return Tick::Idle;
        }
        let since = match self.since {
            Some((since, at)) if at == placed => since,
            _ => now,
        };
        self.since = Some((since, placed));
        let wait = playback.seconds_per_step() - (now - since);
        // A frame that comes a moment too early is not worth another one.
        if wait <= 0.001 { Tick::Step } else { Tick::Wait(wait) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Speed;

    const PLAYING: Playback = Playback { is_playing: true, speed: Speed::Normal, is_fine: false };

    #[test]
    fn a_step_is_due_after_its_time_and_not_before() {
        let mut clock = Clock::default();
        assert_eq!(clock.tick(10.0, Placed::blocks(0), PLAYING), Tick::Wait(0.6));
        assert!(matches!(clock.tick(10.5, Placed::blocks(0), PLAYING), Tick::Wait(wait) if (wait - 0.1).abs() < 1e-9));
        assert_eq!(clock.tick(10.6, Placed::blocks(0), PLAYING), Tick::Step);
        assert_eq!(clock.tick(10.6, Placed::blocks(1), PLAYING), Tick::Wait(0.6));
    }

    #[test]
    fn a_step_by_hand_starts_the_time_anew() {
        let mut clock = Clock::default();
        clock.tick(10.0, Placed::blocks(0), PLAYING);
        assert_eq!(clock.tick(10.5, Placed::blocks(1), PLAYING), Tick::Wait(0.6));
    }

    #[test]
    fn a_pause_is_idle_and_counts_from_its_end() {
        let mut clock = Clock::default();
        clock.tick(10.0, Placed::blocks(0), PLAYING);
        assert_eq!(clock.tick(20.0, Placed::blocks(0), Playback { is_playing: false, ..PLAYING }), Tick::Idle);
        assert_eq!(clock.tick(30.0, Placed::blocks(0), PLAYING), Tick::Wait(0.6));
    }

    #[test]
    fn a_slow_step_takes_longer_than_a_fast_one() {
        let seconds = |speed| Playback { speed, ..PLAYING }.seconds_per_step();
        assert!(seconds(Speed::Slow) > seconds(Speed::Normal) && seconds(Speed::Normal) > seconds(Speed::Fast));
    }
}
