//! The 1 KiB of shared memory that the driver keeps in every block, where a tool has counted it in.

use super::super::model::Read;
use crate::arch::ComputeCapability;

/// Bytes that the driver keeps in every block.
pub(super) const RESERVED_BYTES: u64 = 1024;

/// From this compute capability on, compiled code and what `cuobjdump` and `nvlink` print of it have the reserve counted in.
///
/// GPUs of 8.x have the reserve too, but there it is not counted.
const COUNTED_SINCE: ComputeCapability = ComputeCapability::new(9, 0);

/// Whether sizes in compiled code have the reserve counted in.
pub(super) fn is_counted(cc: ComputeCapability) -> bool {
    cc >= COUNTED_SINCE
}

/// Static shared memory of a block without the driver's reserve, in bytes.
///
/// `ptxas -v` never counts the reserve; this is for compiled code, `cuobjdump` and `nvlink`. A size below the reserve is left as
/// it is: 0 is 0, and no other was seen.
///
/// Source: `ptxas -v`, `cuobjdump` and `nvlink` 13.5 on the same kernels, and ptxas 11.8 to 13.5 for compute capability 9.0.
///
/// Compute capability 9.0, `SHARED:9216`: 8,192 bytes. Compute capability 8.0, `SHARED:8192`: 8,192 bytes.
pub(super) fn without_reserve(counted: u64, cc: ComputeCapability) -> u64 {
    if is_counted(cc) && counted >= RESERVED_BYTES { counted - RESERVED_BYTES } else { counted }
}

/// As [`without_reserve`] where the compute capability may not be known; none when it would decide the size.
pub(super) fn settle(counted: Read<u64>, cc: Option<ComputeCapability>) -> Option<Read<u64>> {
    match cc {
        Some(cc) => Some(counted.map(|bytes| without_reserve(bytes, cc))),
        None if counted.value < RESERVED_BYTES => Some(counted),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::position::Position;
    use super::*;

    #[test]
    fn the_reserve_is_taken_off_from_9_0_on() {
        let smem = |bytes, cc: &str| without_reserve(bytes, cc.parse().unwrap());
        assert_eq!((smem(9216, "9.0"), smem(1024, "12.0"), smem(0, "10.0")), (8192, 0, 0));
        assert_eq!((smem(8192, "8.0"), smem(1024, "8.9"), smem(0, "7.5")), (8192, 1024, 0));
    }

    #[test]
    fn a_size_that_the_compute_capability_would_decide_stays_open() {
        let at = |bytes| settle(Read::exact(bytes, Position::default()), None).map(|read| read.value);
        assert_eq!((at(0), at(1023), at(1024)), (Some(0), Some(1023), None));
    }
}
