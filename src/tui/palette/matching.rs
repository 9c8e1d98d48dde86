//! How well a text matches what is typed.

/// What a word costs that is no part of the text, but whose letters stand in it in order.
const SCATTERED: usize = 3;

/// The cost of a match, less is better; `None` if there is none. Each word of the query counts by itself: it
/// stands in the text whole, best at the beginning of a word, or its letters do in order, best close
/// together. Both must be in lower case.
#[must_use]
pub fn cost(text: &str, query: &str) -> Option<usize> {
    query.split_whitespace().map(|word| whole(text, word).or_else(|| scattered(text, word))).sum()
}

fn whole(text: &str, word: &str) -> Option<usize> {
    let begins = |at: usize| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        match before {
            None => 0,
            Some(c) if !c.is_alphanumeric() => 1,
            Some(_) => 2,
        }
    };
    text.match_indices(word).map(|(at, _)| begins(at)).min()
}

fn scattered(text: &str, word: &str) -> Option<usize> {
    let mut letters = word.chars().peekable();
    let mut skipped = 0;
    let mut begun = false;
    for c in text.chars() {
        let Some(letter) = letters.peek() else { break };
        if c == *letter {
            letters.next();
            begun = true;
        } else if begun {
            skipped += 1;
        }
    }
    letters.peek().is_none().then_some(SCATTERED + skipped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_come_before_parts_and_parts_before_letters() {
        let costs = ["order: name", "reorder", "or, later: d, e, r"].map(|text| cost(text, "order"));
        assert!(costs.is_sorted() && costs[0] < costs[1] && costs[1] < costs[2], "{costs:?}");
        assert_eq!(cost("order", "redo"), None, "letters count in order only");
        assert!(cost("finch-9b", "f9") < cost("finch-3.1-9b", "f9"), "close together is better");
    }

    #[test]
    fn every_word_must_match_in_any_order() {
        assert!(cost("finch-9b/release-berth/run_2", "run_2 finch").is_some());
        assert_eq!(cost("finch-9b/release-berth/run_2", "run_3 finch"), None);
        assert_eq!(cost("anything", "  "), Some(0));
    }
}
