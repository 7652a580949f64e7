//! Thread block clusters: how many fit on a GPU at once.
//!
//! The blocks of a cluster run at the same time on the SMs of one GPC, so a GPC whose slots are no multiple of the cluster
//! leaves some empty. How many GPCs a product has, and how many SMs each, is in no driver attribute and differs between two
//! chips of the same product: it is an input here, with one public default.

use crate::arch::ComputeCapability;

/// More GPCs than any GPU has; a bound on what is typed.
const MAX_GPCS: u32 = 1024;

/// The GPCs of a GPU, each with its SMs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gpcs {
    sms: Vec<u32>,
}

impl Gpcs {
    /// `num_sms` SMs over `num_gpcs` GPCs as evenly as pairs of SMs (TPCs) allow. None without an SM for each GPC,
    /// and for more than 1,024 GPCs.
    ///
    /// 132 SMs over 8 GPCs: 6 of 16 and 2 of 18.
    pub fn even(num_gpcs: u32, num_sms: u32) -> Option<Self> {
        let unit = if num_sms.is_multiple_of(2) { 2 } else { 1 };
        let units = num_sms / unit;
        if !(1..=MAX_GPCS).contains(&num_gpcs) || units < num_gpcs {
            return None;
        }
        let (each, left) = (units / num_gpcs, units % num_gpcs);
        Some(Self { sms: (0..num_gpcs).map(|gpc| unit * (each + u32::from(gpc < left))).collect() })
    }

    /// The number that a full GPU of this compute capability is published to have; none where no source is certain.
    ///
    /// It is an assumption for any one chip: products have GPCs, or SMs in them, switched off.
    ///
    /// Source: NVIDIA's lists of units, as press and users reproduce them. The full GH100 has 8 GPCs of 9 TPCs (TweakTown, 23 August
    /// 2022, on NVIDIA's talk at Hot Chips 34); H100 SXM5 has 8 GPCs with 66 TPCs together (glennklockwood.com/garden/processors/h100);
    /// H100 PCIe has 7 or 8 with 57 (mil-ic.com/en/new/new-6-335.html).
    pub fn public_default(compute_capability: ComputeCapability) -> Option<u32> {
        (compute_capability == ComputeCapability::new(9, 0)).then_some(8)
    }

    pub fn sms(&self) -> &[u32] {
        &self.sms
    }

    /// Clusters that are active at once, at most: each GPC holds as many as its block slots have whole clusters.
    ///
    /// `blocks_per_sm` is the ordinary occupancy of a block. A cluster may be spread over any SMs of its GPC.
    ///
    /// One block per SM, clusters of 8, GPCs of 6 × 16 and 2 × 18 SMs: 16 clusters of the 16.5 that 132 SMs would hold.
    pub fn max_active_clusters(&self, blocks_per_sm: u32, cluster_size: u32) -> u64 {
        let whole = |sms: u32| (u64::from(blocks_per_sm) * u64::from(sms)).checked_div(cluster_size.into()).unwrap_or(0);
        self.sms.iter().map(|sms| whole(*sms)).sum()
    }

    /// Block slots that no cluster can use, out of all.
    pub fn unused_slots(&self, blocks_per_sm: u32, cluster_size: u32) -> (u64, u64) {
        let slots = self.sms.iter().map(|sms| u64::from(*sms) * u64::from(blocks_per_sm)).sum();
        (slots - self.max_active_clusters(blocks_per_sm, cluster_size) * u64::from(cluster_size), slots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sms_are_spread_in_pairs() {
        assert_eq!(Gpcs::even(8, 132).unwrap().sms(), [18, 18, 16, 16, 16, 16, 16, 16]);
        assert_eq!(Gpcs::even(7, 7).unwrap().sms(), [1; 7]);
        assert_eq!(Gpcs::even(0, 132), None);
        assert_eq!(Gpcs::even(100, 132), None);
    }

    #[test]
    fn a_cluster_does_not_cross_a_gpc() {
        let gpcs = Gpcs::even(8, 132).unwrap();
        assert_eq!(gpcs.max_active_clusters(1, 8), 16);
        assert_eq!(gpcs.unused_slots(1, 8), (4, 132));
        // Clusters of 16 fill a GPC of 16 and leave two SMs of those with 18.
        assert_eq!(gpcs.max_active_clusters(1, 16), 8);
        assert_eq!(gpcs.max_active_clusters(2, 8), 2 * 4 + 6 * 4);
        assert_eq!(gpcs.max_active_clusters(0, 8), 0);
        assert_eq!(gpcs.max_active_clusters(1, 0), 0);
    }

    #[test]
    fn no_default_is_invented() {
        assert_eq!(Gpcs::public_default(ComputeCapability::new(9, 0)), Some(8));
        assert_eq!(Gpcs::public_default(ComputeCapability::new(10, 0)), None);
    }
}
