//! Gzip, as strict as Python's `gzip` module.

use std::io::Read;
use std::path::Path;

use flate2::bufread::GzDecoder;

use super::files::{Limits, read_bytes, too_large};
use crate::model::{Code, Problem};

/// Reads a gzip file whole and unpacks it.
///
/// # Errors
/// As [`read_bytes`] and [`inflate`].
pub fn read(path: &Path, limits: &Limits) -> Result<Vec<u8>, Problem> {
    inflate(&read_bytes(path, limits)?, path, limits)
}

/// Unpacks one or several gzip members. Zero bytes after a member are padding; anything else must be
/// another member.
///
/// # Errors
/// `BAD_GZIP` if a member ends early, fails its checksum, or is none; `TOO_LARGE` beyond the cap.
pub fn inflate(packed: &[u8], path: &Path, limits: &Limits) -> Result<Vec<u8>, Problem> {
    let mut inflated = Vec::new();
    let mut rest = packed;
    // Members are taken one by one, since a decoder for many would take padding for a broken member.
    loop {
        let room = limits.max_inflated.saturating_sub(inflated.len() as u64);
        let mut member = GzDecoder::new(rest).take(room.saturating_add(1));
        let read = member
            .read_to_end(&mut inflated)
            .map_err(|error| Problem::new(Code::BadGzip, path, format!("not sound gzip: {error}")))?;
        if read as u64 > room {
            return Err(too_large(path, limits.max_inflated));
        }
        rest = member.into_inner().into_inner();
        let padding = rest.iter().take_while(|byte| **byte == 0).count();
        rest = rest.get(padding..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(inflated);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).expect("packs");
        encoder.finish().expect("packs")
    }

    fn unpack(packed: &[u8]) -> Result<Vec<u8>, Code> {
        let limits = Limits { max_inflated: 1000 };
        inflate(packed, Path::new("x.gz"), &limits).map_err(|problem| problem.code)
    }

    #[test]
    fn members_and_zero_padding_are_read() {
        let mut packed = pack(b"one ");
        packed.extend([0; 7]);
        packed.extend(pack(b"two"));
        packed.extend([0; 3]);
        assert_eq!(unpack(&packed), Ok(b"one two".to_vec()));
    }

    #[test]
    fn what_is_not_sound_is_refused() {
        let packed = pack(&[b'x'; 500]);
        for cut in 0..packed.len() {
            assert_eq!(unpack(&packed[..cut]), Err(Code::BadGzip), "cut at {cut}");
        }
        let mut bent = packed.clone();
        let checksum = bent.len() - 6;
        bent[checksum] ^= 1;
        assert_eq!(unpack(&bent), Err(Code::BadGzip));
        let mut trailing = packed;
        trailing.extend(b"\0garbage");
        assert_eq!(unpack(&trailing), Err(Code::BadGzip));
        assert_eq!(unpack(b"plain text"), Err(Code::BadGzip));
    }

    #[test]
    fn a_bomb_stops_at_the_cap() {
        assert_eq!(unpack(&pack(&[0; 1000])).map(|bytes| bytes.len()), Ok(1000));
        assert_eq!(unpack(&pack(&[0; 1001])), Err(Code::TooLarge));
        assert_eq!(unpack(&[pack(&[1; 600]), pack(&[1; 600])].concat()), Err(Code::TooLarge));
    }
}
