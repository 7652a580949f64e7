//! Writes small reports with invented kernels, for the tests of their reader.

/// A message under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Message {
    pub bytes: Vec<u8>,
}

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(u8::try_from(value & 0x7F).unwrap() | 0x80);
            value >>= 7;
        }
        self.bytes.push(u8::try_from(value).unwrap());
    }

    pub(super) fn integer(mut self, number: u64, value: u64) -> Self {
        self.varint(number << 3);
        self.varint(value);
        self
    }

    pub(super) fn double(mut self, number: u64, value: f64) -> Self {
        self.varint(number << 3 | 1);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    pub(super) fn float(mut self, number: u64, value: f32) -> Self {
        self.varint(number << 3 | 5);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    pub(super) fn text(mut self, number: u64, text: impl AsRef<[u8]>) -> Self {
        self.varint(number << 3 | 2);
        self.varint(u64::try_from(text.as_ref().len()).unwrap());
        self.bytes.extend(text.as_ref());
        self
    }

    pub(super) fn message(self, number: u64, message: &Self) -> Self {
        self.text(number, &message.bytes)
    }
}

fn framed(bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap().to_le_bytes();
    [&length[..], bytes].concat()
}

/// A value of a metric in each shape that reports have.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stored {
    Double(f64),
    Float(f32),
    Small(u64),
    Large(u64),
    Text(&'static str),
    /// Nothing but instances.
    Instances,
}

impl Stored {
    fn message(self) -> Message {
        match self {
            Self::Text(text) => Message::default().text(1, text),
            Self::Float(value) => Message::default().float(2, value),
            Self::Double(value) => Message::default().double(3, value),
            Self::Small(value) => Message::default().integer(4, value),
            Self::Large(value) => Message::default().integer(5, value),
            Self::Instances => Message::default(),
        }
    }
}

/// A kernel result under construction.
#[derive(Clone, Debug)]
pub(super) struct KernelWriter {
    pub message: Message,
}

impl KernelWriter {
    /// A kernel of 256 threads and 1,024 blocks.
    pub(super) fn new(name: &str) -> Self {
        let extents = |x| Message::default().integer(1, x).integer(2, 1).integer(3, 1);
        let names = Message::default().text(5, format!("_Z5{name}v")).text(6, name).text(7, format!("{name}()"));
        Self { message: names.message(10, &extents(1024)).message(11, &extents(256)) }
    }

    pub(super) fn metric(mut self, index: u64, value: Stored) -> Self {
        let instance = Message::default().message(1, &Stored::Large(3).message()).message(2, &Stored::Double(0.5).message());
        let metric = Message::default().integer(1, index).message(2, &value.message()).message(3, &instance);
        self.message = self.message.message(13, &metric);
        self
    }

    pub(super) fn rule(mut self, section: &str, name: &str, kind: u64, text: &str, percent: f64) -> Self {
        let message = Message::default().text(1, text).integer(2, kind);
        let speedup = Message::default().integer(1, 2).double(2, percent);
        let body = Message::default().message(1, &Message::default().message(1, &message).message(10, &speedup));
        let rule = Message::default().text(1, name).text(2, "a title").message(3, &body).text(4, section);
        self.message = self.message.message(19, &rule);
        self
    }
}

/// A block under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockWriter {
    pub header: Message,
    sources: Vec<u8>,
    results: Vec<u8>,
    num_sources: u64,
    num_results: u64,
}

impl BlockWriter {
    /// The table of names and the session that a report has.
    pub(super) fn session(mut self, names: &[&str]) -> Self {
        let table = names.iter().fold(Message::default(), |table, name| table.text(1, name));
        let version = |provider, number| Message::default().text(1, provider).text(2, number);
        let session = Message::default()
            .message(8, &version("CUDA Version", "12.9"))
            .message(8, &version("Nsight Compute Target", "2025.9.1.0 (build 1) (invented)"));
        self.header = self.header.message(3, &session).message(4, &table);
        self
    }

    pub(super) fn source(mut self, bytes: &[u8]) -> Self {
        self.sources.extend(framed(bytes));
        self.num_sources += 1;
        self
    }

    pub(super) fn result(mut self, kernel: &KernelWriter) -> Self {
        self.results.extend(framed(&kernel.message.bytes));
        self.num_results += 1;
        self
    }

    pub(super) fn bytes(self) -> Vec<u8> {
        let payload = [self.sources, self.results].concat();
        let header = self
            .header
            .integer(1, self.num_sources)
            .integer(2, self.num_results)
            .integer(5, u64::try_from(payload.len()).unwrap())
            .message(6, &Message::default().integer(1, 4100).text(3, "/opt/demo"));
        [framed(&header.bytes), payload].concat()
    }
}

/// A whole file.
pub(super) fn file(version: u64, blocks: impl IntoIterator<Item = BlockWriter>) -> Vec<u8> {
    let header = framed(&Message::default().integer(1, version).bytes);
    let blocks = blocks.into_iter().flat_map(BlockWriter::bytes);
    b"NVR\0".iter().copied().chain(header).chain(blocks).collect()
}

/// The metrics of [`sample`], by their index.
pub(super) const NAMES: &[&str] = &[
    "device__attribute_display_name",
    "device__attribute_compute_capability_major",
    "device__attribute_compute_capability_minor",
    "dram__bytes_read.sum",
    "launch__registers_per_thread",
    "launch__shared_mem_per_block_static",
    "launch__shared_mem_per_block_dynamic",
    "launch__device_id",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "launch__block_size",
    "Block Size",
];

/// A kernel with what a table has of it.
pub(super) fn sample_kernel(name: &str) -> KernelWriter {
    KernelWriter::new(name)
        .metric(0, Stored::Text("Invented GPU"))
        .metric(1, Stored::Large(8))
        .metric(2, Stored::Small(6))
        .metric(3, Stored::Double(1e9))
        .metric(4, Stored::Double(41.0))
        .metric(5, Stored::Large(1024))
        .metric(6, Stored::Large(0))
        .metric(7, Stored::Small(3))
        .metric(8, Stored::Float(62.5))
        .metric(9, Stored::Large(256))
        .metric(10, Stored::Large(7))
        .rule("Occupancy", "TheoreticalOccupancy", 4, "See @section:LaunchStats:Launch Statistics@.", 12.5)
}

/// A report with three kernels in two blocks.
pub(super) fn sample() -> Vec<u8> {
    let first = BlockWriter::default().session(NAMES).source(&[0; 64]).result(&sample_kernel("alpha"));
    let second = BlockWriter::default().result(&sample_kernel("beta")).result(&sample_kernel("gamma"));
    file(7, [BlockWriter::default(), first, second])
}
