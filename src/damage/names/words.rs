//! Where words stand, so that a text or a call is looked for by its rarest word and not by reading all.

use std::collections::HashMap;

/// Words, which are runs of letters and digits, and the places of each in ascending order. What a place is, a byte
/// of a text or one of many texts, is up to who notes it. Hashes are keyed by chance, so that no words can be made
/// to collide.
#[derive(Default)]
pub(in crate::damage) struct Words {
    places: HashMap<String, Vec<usize>>,
}

impl Words {
    /// Notes the words of a text; `place` gives the place of one by the byte at which it begins.
    pub fn note(&mut self, text: &str, place: impl Fn(usize) -> usize) {
        for (start, word) in words(text) {
            let place = place(start);
            match self.places.get_mut(word) {
                Some(places) if places.last() == Some(&place) => {}
                Some(places) => places.push(place),
                None => _ = self.places.insert(word.to_owned(), vec![place]),
            }
        }
    }

    /// Of the words of a needle the one with the fewest places: the byte of the needle at which it begins, and its
    /// places; none if one of the words does not occur. `None` if the needle has no words.
    pub fn rarest(&self, needle: &str) -> Option<(usize, &[usize])> {
        let places = |(start, word)| (start, self.places.get(word).map_or(&[][..], Vec::as_slice));
        words(needle).map(places).min_by_key(|(_, places)| places.len())
    }
}

/// The words of a text, and the bytes at which they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let begin = rest.find(char::is_alphanumeric)?;
        let (_, from) = rest.split_at(begin);
        let end = from.find(|c: char| !c.is_alphanumeric()).unwrap_or(from.len());
        let (word, behind) = from.split_at(end);
        rest = behind;
        Some((text.len() - behind.len() - word.len(), word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rarest_word_is_looked_for() {
        let text = "ord_1 ord_2, ORD_2: été/17";
        let mut found = Words::default();
        found.note(text, |start| start);
        assert_eq!(found.rarest("ord_1"), Some((4, &[4][..])));
        assert_eq!(found.rarest("ord 2"), Some((0, &[0, 6][..])));
        assert_eq!(found.rarest("(été"), Some((1, &[20][..])));
        assert_eq!(found.rarest("ord_3"), Some((4, &[][..])));
        assert_eq!(found.rarest("_: "), None);
    }
}
