//! A writer of tar archives in the format ustar, with fixed owners and times: equal content gives equal bytes.

/// Size of a header, and the alignment of all content.
const BLOCK: usize = 512;

/// An archive in memory.
#[derive(Default)]
pub(super) struct Tar {
    bytes: Vec<u8>,
}

/// The kinds of entries that are written.
#[derive(Clone, Copy)]
enum Kind {
    File = b'0' as isize,
    Folder = b'5' as isize,
}

impl Tar {
    /// Adds a file with these permissions, owned by root.
    pub(super) fn file(&mut self, name: &str, mode: u32, content: &[u8]) {
        self.header(name, mode, 0, content.len(), Kind::File);
        self.bytes.extend(content);
        self.pad();
    }

    /// Adds a folder, with the numeric id of its owner and group.
    pub(super) fn folder(&mut self, name: &str, mode: u32, owner: u32) {
        self.header(name, mode, owner, 0, Kind::Folder);
    }

    /// The complete archive, which ends with two empty blocks.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.resize(self.bytes.len() + 2 * BLOCK, 0);
        self.bytes
    }

    fn header(&mut self, name: &str, mode: u32, owner: u32, size: usize, kind: Kind) {
        let mut header = [0; BLOCK];
        header[..name.len()].copy_from_slice(name.as_bytes());
        octal(&mut header[100..108], mode.into());
        octal(&mut header[108..116], owner.into());
        octal(&mut header[116..124], owner.into());
        octal(&mut header[124..136], size as u64);
        octal(&mut header[136..148], 0);
        // The checksum counts itself as spaces.
        header[148..156].fill(b' ');
        header[156] = kind as u8;
        header[257..265].copy_from_slice(b"ustar\x0000");
        let checksum: u64 = header.iter().map(|byte| u64::from(*byte)).sum();
        octal(&mut header[148..155], checksum);
        self.bytes.extend(header);
    }

    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(BLOCK), 0);
    }
}

/// Writes an octal number with leading zeros and a final zero byte.
fn octal(field: &mut [u8], number: u64) {
    let digits = format!("{number:0width$o}\0", width = field.len() - 1);
    field.copy_from_slice(digits.as_bytes());
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn tar_lists_the_archive() {
        let mut tar = Tar::default();
        tar.folder("data/", 0o700, 65_532);
        tar.file("tabiya", 0o755, &[7; 700]);
        let archive = tar.finish();
        // Two headers, two blocks of content, and two at the end.
        assert_eq!(archive.len(), 6 * BLOCK);
        let mut list = Command::new("tar");
        list.args(["--list", "--verbose", "--numeric-owner", "--file", "-"]);
        let mut list =
            list.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("every system of a developer has tar");
        list.stdin.take().expect("a pipe").write_all(&archive).expect("tar reads it");
        let output = list.wait_with_output().expect("tar ends");
        let text = String::from_utf8(output.stdout).expect("a list");
        assert!(output.status.success(), "{text}");
        assert!(text.contains("drwx------ 65532/65532") && text.contains("-rwxr-xr-x 0/0 "), "{text}");
        assert!(text.contains(" 700 ") && text.trim_end().ends_with(" tabiya"), "{text}");
    }
}
