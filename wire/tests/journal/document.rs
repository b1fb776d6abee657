//! Checks the `journal` blocks of `docs/protocol.md` against the code.

use wire::journal::{BankHeader, Checksum, FrameRead, FrameWriter, MAX_FRAME, Record, RecordFrame};

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

/// The blocks, each as its lines of names and values.
fn blocks() -> impl Iterator<Item = Vec<(&'static str, &'static str)>> {
    let blocks = DOCUMENT.split("\n```journal\n").skip(1);
    let lines = blocks.map(|rest| rest.split_once("\n```").expect("a block that ends").0.lines());
    lines.map(|lines| lines.map(|line| line.split_once(": ").expect(line)).collect())
}

fn bytes(hex: &str) -> Vec<u8> {
    hex.split(' ').map(|byte| u8::from_str_radix(byte, 16).expect(hex)).collect()
}

/// CRC-32C as the document describes it, bit by bit.
fn check(parts: &[&[u8]]) -> u32 {
    let mut check = u32::MAX;
    for byte in parts.concat() {
        check ^= u32::from(byte);
        for _ in 0..8 {
            check = if check & 1 == 1 { check >> 1 ^ 0x1edc_6f41_u32.reverse_bits() } else { check >> 1 };
        }
    }
    !check
}

/// Reads the examples of a bank in order.
#[derive(Default)]
struct ExampleReader {
    before: Option<Checksum>,
    /// The bytes of that checksum.
    last: Vec<u8>,
    counts: [usize; 4],
}

impl ExampleReader {
    fn before(&self) -> Checksum {
        self.before.expect("a header before it")
    }

    fn header(&mut self, sequence: &str, bytes: &[u8]) {
        let header = BankHeader { sequence: sequence.parse().expect(sequence) };
        let bytes: &[u8; 16] = bytes.try_into().expect("a header");
        let (found, before) = BankHeader::read(bytes).expect("a header");
        assert_eq!((found, header.write().0), (header, *bytes));
        assert_eq!(check(&[&bytes[..12]]).to_le_bytes(), bytes[12..]);
        self.before = Some(before);
        self.last = bytes[12..].to_vec();
    }

    fn frame(&mut self, end: &str, records: &[&str], bytes: &[u8]) {
        let FrameRead::Frame(frame) = RecordFrame::read(bytes, self.before()) else { panic!("no frame: {records:?}") };
        assert_eq!((frame.len, frame.last), (bytes.len(), end == "last"));
        let found: Vec<Record<'_>> = frame.records().map(|record| record.expect("a record")).collect();
        let texts: Vec<String> = found.iter().map(|record| format!("{record:?}")).collect();
        assert_eq!(texts, records);
        let mut buffer = [0; MAX_FRAME];
        let mut writer = FrameWriter::new(&mut buffer);
        for record in &found {
            writer.push(record).expect("room");
        }
        let (len, written) = writer.finish(frame.last, self.before());
        assert_eq!((&buffer[..len], written), (bytes, frame.checksum));
        assert_eq!(check(&[&self.last, &bytes[4..]]).to_le_bytes(), bytes[..4]);
        self.before = Some(frame.checksum);
        self.last = bytes[..4].to_vec();
    }
}

#[test]
fn the_examples_match_the_code() {
    assert_eq!(check(&[b"123456789"]), 0xe306_9283);
    let mut reader = ExampleReader::default();
    for block in blocks() {
        // An example begins with a line that is neither "record" nor "hex".
        for example in block.chunk_by(|_, next| matches!(next.0, "record" | "hex")) {
            let [(name, text), lines @ ..] = example else { panic!("an example without lines") };
            let all = |name| lines.iter().filter(move |line| line.0 == name).map(|line| line.1);
            let bytes: Vec<u8> = all("hex").flat_map(bytes).collect();
            let kind = match *name {
                "header" => {
                    reader.header(text, &bytes);
                    0
                }
                "frame" => {
                    reader.frame(text, &all("record").collect::<Vec<_>>(), &bytes);
                    1
                }
                "blank" | "torn" => {
                    let found = if *name == "blank" { FrameRead::Blank } else { FrameRead::Torn };
                    assert_eq!(RecordFrame::read(&bytes, reader.before()), found);
                    2
                }
                "refused" => {
                    assert_eq!(Record::read(&bytes).expect_err(text).to_string(), *text);
                    3
                }
                _ => panic!("no example has this: {name}"),
            };
            reader.counts[kind] += 1;
        }
    }
    // Fails if a changed fence hides examples from the test.
    assert_eq!(reader.counts, [3, 11, 2, 7]);
}
