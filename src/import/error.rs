//! What a file is when it is not a report that can be read, and the command that makes one.

/// The text is not a readable profiler report. Each case says what the file is and how to get one that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    #[error("the file is empty; write a report with ncu --csv --page raw --log-file report.csv COMMAND")]
    Empty,
    #[error(
        "this Nsight Compute report has version {version} of its format, and only {known} is known; export it with ncu --import FILE --csv --page raw > report.csv"
    )]
    NcuRepVersion { version: u64, known: u64 },
    #[error(
        "this Nsight Compute report is damaged or cut off ({what}); copy it again, or if ncu opens it, export it with ncu --import FILE --csv --page raw > report.csv"
    )]
    NcuRepDamaged {
        /// What could not be read, and where.
        what: String,
    },
    #[error(
        "this is the source page of Nsight Compute, one row per instruction; export the kernels with ncu --import FILE --csv --page raw"
    )]
    SourcePage,
    #[error("this is the session page of Nsight Compute, which has no kernels{}; export them with ncu --import FILE --csv --page raw", on_device(.device.as_deref()))]
    SessionPage {
        /// The GPU that the session ran on, when the page names it.
        device: Option<String>,
    },
    #[error("this is the text output of Nsight Compute; run ncu again with --csv, or export with ncu --import FILE --csv --page raw")]
    NcuText,
    #[error("this is the output of a run that profiled no kernel ({message}); when it works, add --csv --page raw to ncu")]
    NothingProfiled {
        /// The line in which ncu says why.
        message: String,
    },
    #[error("this is a kernel summary of Nsight Systems, which has times but no launch shapes; profile with ncu --csv --page raw COMMAND")]
    NsysSummary,
    #[error("this is a trace of Nsight Systems, which has no occupancy; profile with ncu --csv --page raw COMMAND")]
    NsysTrace,
    #[error("this is nvprof output; nvprof knows no GPU after compute capability 7.x, so profile with ncu --csv --page raw COMMAND")]
    Nvprof,
    #[error("this is a web page; save the CSV file itself, made with ncu --import FILE --csv --page raw")]
    Html,
    #[error("this is an image; a readable report comes from ncu --import FILE --csv --page raw")]
    Image,
    #[error(
        "this is compressed, perhaps an archive or an .ncu-repz report; unpack it first, or export the report with ncu --import FILE --csv --page raw > report.csv"
    )]
    Archive,
    #[error("this is a Git LFS pointer and not the report that it stands for; fetch that with git lfs pull")]
    LfsPointer,
    #[error("this is a database, perhaps of Nsight Systems; profile with ncu --csv --page raw COMMAND")]
    Database,
    #[error(
        "this is a binary file of an unknown kind; if it is a report that ncu opens, export it with ncu --import FILE --csv --page raw > report.csv"
    )]
    Binary,
    #[error("this is a program, library or object file without CUDA code; open one that nvcc made, or its cubin")]
    NoCode,
    #[error(
        "this is compiled code that cannot be read: {what}; build it again, or dump its kernels with cuobjdump --dump-resource-usage FILE and open the text"
    )]
    DamagedCode {
        /// What is damaged or not known, and where.
        what: String,
    },
    #[error(
        "this is a compiled {what}, which cannot be read here; dump its kernels with cuobjdump --dump-resource-usage FILE and open the text"
    )]
    OtherCode {
        /// "Windows program or library".
        what: &'static str,
    },
    #[error(
        "this is a table, but not one that ncu wrote (its first columns are {columns}); a readable one comes from ncu --import FILE --csv --page raw"
    )]
    OtherTable {
        /// The first cells of its header, to recognize it by.
        columns: String,
    },
    #[error(
        "this text has no Nsight Compute table and no compiler output about kernels; a readable table comes from ncu --import FILE --csv --page raw"
    )]
    OtherText,
}

impl ImportError {
    /// What the file was recognized as: a short name for scripts.
    pub const fn format(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::NcuRepVersion { .. } | Self::NcuRepDamaged { .. } => "ncu-rep",
            Self::SourcePage => "ncu-source-page",
            Self::SessionPage { .. } => "ncu-session-page",
            Self::NcuText => "ncu-text",
            Self::NothingProfiled { .. } => "ncu-nothing-profiled",
            Self::NsysSummary => "nsys-summary",
            Self::NsysTrace => "nsys-trace",
            Self::Nvprof => "nvprof",
            Self::Html => "html",
            Self::Image => "image",
            Self::Archive => "archive",
            Self::LfsPointer => "git-lfs-pointer",
            Self::Database => "database",
            Self::Binary => "binary",
            Self::NoCode | Self::OtherCode { .. } => "other-code",
            Self::DamagedCode { .. } => "cubin",
            Self::OtherTable { .. } => "other-table",
            Self::OtherText => "other-text",
        }
    }
}

fn on_device(device: Option<&str>) -> String {
    device.map(|name| format!(" (the GPU was {name})")).unwrap_or_default()
}
