//! A session at one moment, to be written on another thread; and what comes back from a file.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::document::{Document, OpenReport, View};
use crate::import::DecimalMark;

/// Everything of a session that is saved. Cheap to take: reports are shared.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    pub document: Document,
    pub view: View,
    /// What the files were when they were read.
    pub fingerprints: Arc<BTreeMap<PathBuf, Fingerprint>>,
}

/// Reports are compared by identity, so a snapshot equals itself.
impl Eq for Snapshot {}

/// A session as a file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Restored {
    /// Without its reports.
    pub document: Document,
    pub view: View,
    pub reports: Vec<RestoredReport>,
}

/// A report of a saved session.
#[derive(Clone, Debug, PartialEq)]
pub struct RestoredReport {
    pub path: PathBuf,
    pub fingerprint: Option<Fingerprint>,
    /// The decimal mark that somebody said it has.
    pub told_mark: Option<DecimalMark>,
    /// The reading as it was saved; none when it was too large to be kept, or is of a kind that is not known any more.
    pub kept: Option<Arc<OpenReport>>,
}

/// Tells whether a file is still the one that was read: its length and a hash (FNV-1a, 64 bits).
///
/// Of files over 16 MiB, 64 pieces of 64 KiB spread over the file are hashed, so that opening 1 GB does not read it twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    pub num_bytes: u64,
    pub hash: u64,
}

impl Fingerprint {
    const MAX_WHOLE: usize = 16 << 20;
    const PIECES: usize = 64;
    const PIECE: usize = 64 << 10;

    pub fn of(bytes: &[u8]) -> Self {
        let num_bytes = bytes.len() as u64;
        if bytes.len() <= Self::MAX_WHOLE {
            return Self { num_bytes, hash: fnv(FNV_BASIS, bytes) };
        }
        let last = bytes.len() - Self::PIECE;
        let starts = (0..Self::PIECES).map(|piece| last * piece / (Self::PIECES - 1));
        Self { num_bytes, hash: starts.fold(FNV_BASIS, |hash, start| fnv(hash, &bytes[start..start + Self::PIECE])) }
    }
}

const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_known_one() {
        // From the published test values of FNV-1a with 64 bits.
        assert_eq!(Fingerprint::of(b"").hash, 0xcbf2_9ce4_8422_2325);
        assert_eq!(Fingerprint::of(b"foobar").hash, 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_change_at_either_end_of_a_large_file_is_seen() {
        let mut bytes = vec![7u8; Fingerprint::MAX_WHOLE + 12_345];
        let before = Fingerprint::of(&bytes);
        bytes[3] = 8;
        let first = Fingerprint::of(&bytes);
        bytes[3] = 7;
        *bytes.last_mut().unwrap() = 8;
        assert!(first != before && Fingerprint::of(&bytes) != before);
    }
}
