//! Gzip, as strict as Python's `gzip` module.

use std::io::{self, Read, Write};
use std::path::Path;

use flate2::bufread::GzDecoder;
use libdeflater::Decompressor;
use memchr::memmem;

use super::files::{Limits, read_bytes, too_large};
use crate::model::{Code, Problem};

/// Header, an empty block and trailer: nothing shorter is gzip.
const SHORTEST: usize = 18;

/// Deflate packs at most 1032 to 1, so a trailer that states more is a lie.
const DENSEST: usize = 1032;

/// Unpacks gzip into buffers that are used again and again: fresh memory for a large dump costs a third of
/// unpacking it.
pub struct Inflater {
    engine: Decompressor,
}

impl Default for Inflater {
    fn default() -> Self {
        Self { engine: Decompressor::new() }
    }
}

impl Inflater {
    /// Unpacks one or several gzip members into `out`, whose content is replaced. Zero bytes after a member
    /// are padding; anything else must be another member.
    ///
    /// # Errors
    /// `BAD_GZIP` if a member ends early, fails its checksum, or is none; `TOO_LARGE` beyond the cap, before
    /// memory for it is taken.
    pub fn inflate(
        &mut self,
        packed: &[u8],
        out: &mut Vec<u8>,
        path: &Path,
        limits: &Limits,
    ) -> Result<(), Problem> {
        if self.one_member(packed, out, limits).is_some() {
            return Ok(());
        }
        // Unpacked into nothing first: what is refused costs no memory, what is not exactly its size.
        let size = members(packed, &mut io::sink(), path, limits)?;
        out.clear();
        out.reserve_exact(usize::try_from(size).unwrap_or(0));
        members(packed, out, path, limits).map(drop)
    }

    /// The usual file is one plain member and nothing else, which can be unpacked in one go. `None` for all
    /// others, sound or not.
    fn one_member(&mut self, packed: &[u8], out: &mut Vec<u8>, limits: &Limits) -> Option<()> {
        // Of the optional header fields only a name is usual; the others have rules of their own.
        if packed.len() < SHORTEST || packed.get(3)? & !NAME_FLAG != 0 {
            return None;
        }
        let (_, stated) = packed.split_last_chunk::<4>()?;
        let size = usize::try_from(u32::from_le_bytes(*stated)).ok()?;
        if size as u64 > limits.max_inflated || size > packed.len().saturating_mul(DENSEST) {
            return None;
        }
        // Never more than the size, as growing by itself would take.
        out.reserve_exact(size.saturating_sub(out.len()));
        out.resize(size, 0);
        if self.engine.gzip_decompress(packed, out).ok()? != size {
            return None;
        }
        // The engine stops behind the first member without a word. That member ends in its size: had it
        // ended before the file does, these four bytes would stand somewhere before the end.
        let (_, all_but_last) = packed.split_last()?;
        memmem::find(all_but_last, stated).is_none().then_some(())
    }
}

/// The header's flag for a file name.
const NAME_FLAG: u8 = 0x08;

/// Reads a gzip file whole and unpacks it.
///
/// # Errors
/// As [`read_bytes`] and [`Inflater::inflate`].
pub fn read(path: &Path, limits: &Limits) -> Result<Vec<u8>, Problem> {
    inflate(&read_bytes(path, limits)?, path, limits)
}

/// Unpacks into fresh memory.
///
/// # Errors
/// As [`Inflater::inflate`].
pub fn inflate(packed: &[u8], path: &Path, limits: &Limits) -> Result<Vec<u8>, Problem> {
    let mut out = Vec::new();
    Inflater::default().inflate(packed, &mut out, path, limits)?;
    Ok(out)
}

/// Unpacks member after member, and names what is wrong. Gives the size.
fn members(packed: &[u8], out: &mut impl Write, path: &Path, limits: &Limits) -> Result<u64, Problem> {
    let (mut rest, mut size) = (packed, 0);
    // Members are taken one by one, since a decoder for many would take padding for a broken member.
    loop {
        let room = limits.max_inflated.saturating_sub(size);
        let mut member = GzDecoder::new(rest).take(room.saturating_add(1));
        size += io::copy(&mut member, out)
            .map_err(|error| Problem::new(Code::BadGzip, path, format!("not sound gzip: {error}")))?;
        if size > limits.max_inflated {
            return Err(too_large(path, limits.max_inflated));
        }
        rest = member.into_inner().into_inner();
        let padding = rest.iter().take_while(|byte| **byte == 0).count();
        rest = rest.get(padding..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(size);
        }
    }
}

#[cfg(test)]
mod tests {
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
    fn nothing_behind_the_first_member_is_overlooked() {
        let one = pack(&[b'x'; 500]);
        let trailer = &one[one.len() - 8..];
        assert_eq!(unpack(&[&one[..], &one].concat()).map(|bytes| bytes.len()), Ok(1000));
        assert_eq!(unpack(&[&one[..], trailer].concat()), Err(Code::BadGzip));
        assert_eq!(unpack(&[&one[..], &one[12..]].concat()), Err(Code::BadGzip));
    }

    #[test]
    fn a_buffer_is_used_again() {
        let (mut inflater, mut out) = (Inflater::default(), Vec::new());
        for size in [10, 900, 0, 30] {
            let bytes: Vec<u8> = (0..size).map(|index| (index % 251) as u8).collect();
            let limits = Limits { max_inflated: 1000 };
            inflater.inflate(&pack(&bytes), &mut out, Path::new("x.gz"), &limits).expect("unpacks");
            assert_eq!(out, bytes);
        }
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
        let (mut inflater, mut out) = (Inflater::default(), Vec::new());
        for members in [1, 2] {
            let packed = pack(&[1; 500_000]).repeat(members);
            let limits = Limits { max_inflated: 1 << 20 };
            inflater.inflate(&packed, &mut out, Path::new("x.gz"), &limits).expect("unpacks");
            assert!(out.capacity() <= members * 500_000, "{} bytes", out.capacity());
            let limits = Limits { max_inflated: 400_000 };
            let mut none = Vec::new();
            inflater.inflate(&packed, &mut none, Path::new("x.gz"), &limits).expect_err("is too large");
            assert_eq!(none.capacity(), 0);
        }
    }
}
