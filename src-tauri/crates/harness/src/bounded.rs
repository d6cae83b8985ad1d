//! A map that forgets its oldest entries, so that no agent can fill our memory.

use std::collections::{HashMap, VecDeque};

/// Values by text, in the order in which they came, at most [`Bounded::MAX_ENTRIES`] of them and at
/// most [`Bounded::MAX_BYTES`] of weight; beyond that the oldest go.
#[derive(Debug)]
pub(crate) struct Bounded<V> {
    entries: HashMap<String, (V, usize)>,
    order: VecDeque<String>,
    weight: usize,
}

impl<V> Default for Bounded<V> {
    fn default() -> Self {
        Self {
            entries: HashMap::new(),
            order: VecDeque::new(),
            weight: 0,
        }
    }
}

impl<V> Bounded<V> {
    /// Most entries kept.
    pub(crate) const MAX_ENTRIES: usize = 1024;
    /// Most weight kept, in bytes.
    pub(crate) const MAX_BYTES: usize = 16 << 20;

    /// Keeps `value`, which weighs `weight` bytes beside its key, in place of what `key` had.
    pub(crate) fn insert(&mut self, key: &str, value: V, weight: usize) {
        self.remove(key);
        let weight = weight.saturating_add(key.len());
        self.entries.insert(key.to_owned(), (value, weight));
        self.order.push_back(key.to_owned());
        self.weight = self.weight.saturating_add(weight);
        while self.entries.len() > Self::MAX_ENTRIES || self.weight > Self::MAX_BYTES {
            let Some(oldest) = self.order.front().cloned() else {
                return;
            };
            self.remove(&oldest);
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&V> {
        self.entries.get(key).map(|(value, _)| value)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.entries.get_mut(key).map(|(value, _)| value)
    }

    /// The keys, oldest first.
    pub(crate) fn keys(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }

    pub(crate) fn contains(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<V> {
        let (value, weight) = self.entries.remove(key)?;
        self.weight = self.weight.saturating_sub(weight);
        if let Some(at) = self.order.iter().position(|other| other == key) {
            self.order.remove(at);
        }
        Some(value)
    }

    /// Everything, oldest first; nothing is left.
    pub(crate) fn drain(&mut self) -> Vec<(String, V)> {
        self.weight = 0;
        let order = std::mem::take(&mut self.order);
        let taken = order.into_iter().filter_map(|key| {
            let (value, _) = self.entries.remove(&key)?;
            Some((key, value))
        });
        taken.collect()
    }

    /// Forgets what `keep` does not want.
    pub(crate) fn retain(&mut self, keep: impl Fn(&V) -> bool) {
        let unwanted = self.entries.iter().filter(|(_, (value, _))| !keep(value));
        let unwanted: Vec<String> = unwanted.map(|(key, _)| key.clone()).collect();
        for key in unwanted {
            self.remove(&key);
        }
    }

    /// Every value, oldest first.
    pub(crate) fn each_mut(&mut self, mut change: impl FnMut(&mut V)) {
        for key in &self.order {
            if let Some((value, _)) = self.entries.get_mut(key) {
                change(value);
            }
        }
    }

    /// Every value, in no order.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.values().map(|(value, _)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_entries_go_when_there_are_too_many() {
        let mut map = Bounded::default();
        for n in 0..=Bounded::<usize>::MAX_ENTRIES {
            map.insert(&n.to_string(), n, 0);
        }
        assert!(!map.contains("0"));
        assert!(map.contains("1"));
        assert_eq!(map.drain().len(), Bounded::<usize>::MAX_ENTRIES);
    }

    #[test]
    fn the_oldest_entries_go_when_they_weigh_too_much() {
        let mut map = Bounded::default();
        map.insert("a", (), Bounded::<()>::MAX_BYTES / 2);
        map.insert("b", (), Bounded::<()>::MAX_BYTES / 2);
        assert!(!map.contains("a"));
        map.insert("huge", (), Bounded::<()>::MAX_BYTES);
        assert!(map.drain().is_empty());
    }

    #[test]
    fn a_key_that_comes_again_replaces_what_it_had() {
        let mut map = Bounded::default();
        map.insert("a", 1, 5);
        map.insert("a", 2, 7);
        assert_eq!(map.remove("a"), Some(2));
        assert_eq!((map.weight, map.order.len()), (0, 0));
    }
}
