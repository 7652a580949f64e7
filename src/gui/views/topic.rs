//! The launch that slides and pictures are about: on Kernels the selected kernel's, elsewhere the configuration's.

use crate::arch::Arch;
use crate::engine::{Launch, Waves};
use crate::import::Kernel;
use crate::import::account::Account;
use crate::session::{Placed, Screen, Session};

/// A launch on a GPU, borrowed from the session.
#[derive(Clone, Debug)]
pub struct Topic<'a> {
    pub arch: &'a Arch,
    pub gpu_name: String,
    pub launch: &'a Launch,
    pub waves: Option<Waves>,
    pub placed: Placed,
    /// Where the launch is a kernel's, its name.
    pub kernel: Option<&'a str>,
}

impl<'a> Topic<'a> {
    pub fn new(session: &'a Session) -> Self {
        selected_on_kernels(session).and_then(Self::of_kernel).unwrap_or_else(|| Self {
            arch: session.arch(),
            gpu_name: session.gpu_name(),
            launch: &session.document().configuration.launch,
            waves: session.waves(),
            placed: session.view().placement(),
            kernel: None,
        })
    }

    /// None where the report leaves open what a launch needs, or the GPU.
    fn of_kernel((kernel, account): (&'a Kernel, &'a Account)) -> Option<Self> {
        let (arch, launch) = (account.arch.as_ref()?, account.launch.as_ref()?);
        let gpu_name = gpu_name(account).unwrap_or_else(|| format!("compute capability {}", arch.compute_capability));
        Some(Self { arch, gpu_name, launch, waves: account.waves, placed: Placed::ALL, kernel: Some(&kernel.name) })
    }
}

/// The selected kernel, while the screen is about kernels.
pub fn selected_on_kernels(session: &Session) -> Option<(&Kernel, &Account)> {
    session.selected().filter(|_| session.view().screen == Screen::Kernels)
}

/// The product that a kernel ran on, where it is known.
pub fn gpu_name(account: &Account) -> Option<String> {
    account.gpu.as_ref().map(|gpu| gpu.name.clone())
}
