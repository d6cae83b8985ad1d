//! Frames: what follows the headers on a stream that carries more than one kind of thing.
//!
//! A frame is one byte of kind, four bytes of length (big-endian), and that many bytes of payload.

use crate::{Refusal, RefusalCode, limits};

/// What a frame carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum FrameKind {
    /// Bytes towards the program, or of an upload.
    Stdin = 1,
    /// Bytes of its stdout or terminal, or of a download.
    Stdout = 2,
    /// Bytes of its stderr.
    Stderr = 3,
    /// No more bytes will come from this side.
    Eof = 4,
    /// JSON [`Exit`](crate::Exit): the program ended.
    Exit = 5,
    /// JSON [`PtySize`](crate::PtySize).
    Resize = 6,
    /// JSON number: send this signal.
    Signal = 7,
    /// Bytes of a log.
    Log = 8,
    /// JSON [`LogOpened`](crate::LogOpened): the log is over, or has been given as far as was asked.
    LogEnd = 9,
    /// JSON [`DiffUpdate`](crate::DiffUpdate).
    Diff = 10,
    /// JSON [`Refusal`]: it broke; nothing follows.
    Error = 11,
    /// From a client: nobody reads the program's stdout any more, it is to be closed. From a relay that shows
    /// a terminal: JSON [`TerminalSkipped`](crate::TerminalSkipped).
    Unread = 12,
}

impl FrameKind {
    /// All kinds of this build.
    pub const ALL: [Self; 12] = [
        Self::Stdin,
        Self::Stdout,
        Self::Stderr,
        Self::Eof,
        Self::Exit,
        Self::Resize,
        Self::Signal,
        Self::Log,
        Self::LogEnd,
        Self::Diff,
        Self::Error,
        Self::Unread,
    ];

    fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == byte)
    }
}

/// The five bytes before a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHeader {
    /// What the payload is.
    pub kind: FrameKind,
    /// Its length, at most [`limits::FRAME_LEN`].
    pub len: usize,
}

impl FrameHeader {
    /// Length of the header itself.
    pub const LEN: usize = 5;

    /// The header of a payload.
    ///
    /// # Errors
    /// [`FrameFault::TooLong`].
    pub fn new(kind: FrameKind, len: usize) -> Result<Self, FrameFault> {
        if len > limits::FRAME_LEN {
            return Err(FrameFault::TooLong { len });
        }
        Ok(Self { kind, len })
    }

    /// As bytes.
    #[must_use]
    pub fn encode(self) -> [u8; Self::LEN] {
        let len = u32::try_from(self.len).unwrap_or(u32::MAX).to_be_bytes();
        [self.kind as u8, len[0], len[1], len[2], len[3]]
    }

    /// From bytes.
    ///
    /// # Errors
    /// [`FrameFault`] when the kind is unknown or the length over the limit.
    pub fn decode(bytes: [u8; Self::LEN]) -> Result<Self, FrameFault> {
        let [kind, len @ ..] = bytes;
        let kind = FrameKind::from_byte(kind).ok_or(FrameFault::UnknownKind { kind })?;
        let len = usize::try_from(u32::from_be_bytes(len)).unwrap_or(usize::MAX);
        Self::new(kind, len)
    }
}

/// A frame that breaks the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameFault {
    /// A kind that this build does not know.
    #[error(
        "the other side sent a frame of the unknown kind {kind}; it may be newer than this build"
    )]
    UnknownKind {
        /// The byte that came.
        kind: u8,
    },
    /// A kind that has no place in this stream.
    #[error("a frame of kind {kind:?} has no place in this stream")]
    OutOfPlace {
        /// The kind that came.
        kind: FrameKind,
    },
    /// Longer than the limit.
    #[error("a frame of {len} bytes is over the limit of {}", limits::FRAME_LEN)]
    TooLong {
        /// The length it announced.
        len: usize,
    },
}

impl From<FrameFault> for Refusal {
    fn from(fault: FrameFault) -> Self {
        let code = match fault {
            FrameFault::UnknownKind { .. } | FrameFault::OutOfPlace { .. } => {
                RefusalCode::UnknownFrame
            }
            FrameFault::TooLong { .. } => RefusalCode::FrameTooLong,
        };
        Self::new(code, fault.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_frame_header_is_a_kind_and_a_big_endian_length() {
        let header = FrameHeader::new(FrameKind::Stderr, 0x0001_0203).unwrap();
        assert_eq!(header.encode(), [3, 0, 1, 2, 3]);
    }

    #[test]
    fn every_kind_keeps_its_byte() {
        let bytes: Vec<u8> = FrameKind::ALL.iter().map(|kind| *kind as u8).collect();
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    }

    #[test]
    fn an_unknown_kind_and_an_overlong_frame_are_typed_faults() {
        assert_eq!(
            FrameHeader::decode([99, 0, 0, 0, 0]),
            Err(FrameFault::UnknownKind { kind: 99 })
        );
        let len = limits::FRAME_LEN + 1;
        let bytes = u32::try_from(len).unwrap().to_be_bytes();
        let header = [1, bytes[0], bytes[1], bytes[2], bytes[3]];
        assert_eq!(
            FrameHeader::decode(header),
            Err(FrameFault::TooLong { len })
        );
    }

    proptest! {
        #[test]
        fn what_decodes_encodes_to_the_same_bytes(bytes: [u8; 5]) {
            if let Ok(header) = FrameHeader::decode(bytes) {
                prop_assert_eq!(header.encode(), bytes);
            }
        }
    }
}
