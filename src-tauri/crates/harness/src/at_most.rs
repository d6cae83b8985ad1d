//! A list of which only the beginning is kept, so that one line of an agent cannot fill our memory.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};

/// The first `MAX` entries of a list; what comes after them is read over.
#[derive(Debug)]
pub(crate) struct AtMost<T, const MAX: usize>(pub(crate) Vec<T>);

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for AtMost<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct List<T, const MAX: usize>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for List<T, MAX> {
            type Value = AtMost<T, MAX>;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut kept = Vec::new();
                while kept.len() < MAX {
                    match list.next_element()? {
                        Some(entry) => kept.push(entry),
                        None => return Ok(AtMost(kept)),
                    }
                }
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(AtMost(kept))
            }
        }
        from.deserialize_seq(List(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_after_the_bound_is_read_over() {
        let list: AtMost<u8, 2> = serde_json::from_str("[1, 2, 3, \"four\"]").unwrap();
        assert_eq!(list.0, [1, 2]);
        let short: AtMost<u8, 2> = serde_json::from_str("[1]").unwrap();
        assert_eq!(short.0, [1]);
        assert!(serde_json::from_str::<AtMost<u8, 2>>("[1, 2, 3").is_err());
        assert!(serde_json::from_str::<AtMost<u8, 2>>("{}").is_err());
    }
}
