//! Binary reports: blocks of results, each a protocol-buffer message with values of metrics by their place in a table of names.

use std::io::{self, Write};

use crate::random::Random;
use crate::reports::{Launch, RawMetric};

/// As many as a section set of the profiler keeps of a kernel.
pub(crate) const NUM_METRICS: usize = 500;

/// One source for several results, as kernels that are launched again have it.
const SOURCE_BYTES: usize = 40_000;
const RESULTS_A_BLOCK: u64 = 64;

#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.0.push(value.to_le_bytes()[0]);
    }

    fn integer(mut self, number: u64, value: u64) -> Self {
        self.varint(number << 3);
        self.varint(value);
        self
    }

    fn double(mut self, number: u64, value: f64) -> Self {
        self.varint(number << 3 | 1);
        self.0.extend(value.to_le_bytes());
        self
    }

    fn part(mut self, number: u64, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        self.varint(number << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn framed(&self, out: &mut Vec<u8>) {
        frame(&self.0, out);
    }
}

fn frame(bytes: &[u8], out: &mut Vec<u8>) {
    let length = u32::try_from(bytes.len()).expect("a part is far below 4 GiB");
    out.extend(length.to_le_bytes());
    out.extend(bytes);
}

/// What every report begins with.
pub(crate) fn head(out: &mut impl Write) -> io::Result<()> {
    let mut bytes = b"NVR\0".to_vec();
    Message::default().integer(1, 7).framed(&mut bytes);
    out.write_all(&bytes)
}

/// A block of results that begins with the launch `id`. Returns how many there are. The first one has the table of names.
pub(crate) fn block(id: u64, metrics: &[RawMetric], random: &mut Random, out: &mut impl Write) -> io::Result<u64> {
    let mut payload = Vec::new();
    frame(&vec![0x5A; SOURCE_BYTES], &mut payload);
    for id in id..id + RESULTS_A_BLOCK {
        result(&Launch::invent(id, random), metrics, random).framed(&mut payload);
    }
    let mut header = Message::default().integer(1, 1).integer(2, RESULTS_A_BLOCK);
    if id == 0 {
        let version = Message::default().part(1, "Nsight Compute Target").part(2, "2025.9.1.0 (build 1) (invented)");
        let names = ["device__attribute_compute_capability_major", "device__attribute_compute_capability_minor"];
        let names = names.into_iter().chain(metrics.iter().map(|metric| metric.name.as_str()));
        let table = names.fold(Message::default(), |table, name| table.part(1, name));
        header = header.part(3, Message::default().part(8, version.0).0).part(4, table.0);
    }
    let header = header.integer(5, payload.len() as u64).part(6, Message::default().integer(1, 8123).part(3, "/opt/ocean_step").0);
    let mut bytes = Vec::new();
    header.framed(&mut bytes);
    out.write_all(&bytes)?;
    out.write_all(&payload)?;
    Ok(RESULTS_A_BLOCK)
}

fn result(launch: &Launch, metrics: &[RawMetric], random: &mut Random) -> Message {
    let extents = |x| Message::default().integer(1, x).integer(2, 1).integer(3, 1).0;
    let mut message = Message::default().part(5, launch.name).part(6, launch.name).part(7, launch.name);
    message = message.part(10, extents(launch.blocks)).part(11, extents(launch.threads));
    for (index, value) in [8, 0].into_iter().enumerate() {
        message = message.part(13, metric(index, Message::default().integer(5, value)).0);
    }
    for (index, of) in metrics.iter().enumerate() {
        let text = launch.value(of.looks, random).replace(',', "");
        let value = match (text.parse::<u64>(), text.parse::<f64>()) {
            (Ok(value), _) => Message::default().integer(5, value),
            (_, Ok(value)) => Message::default().double(3, value),
            _ => Message::default().part(1, text),
        };
        message = message.part(13, metric(index + 2, value).0);
    }
    message
}

fn metric(index: usize, value: Message) -> Message {
    Message::default().integer(1, index as u64).part(2, value.0)
}
