//! Work on many things at once, results in their order. One thing alone starts no threads: that would cost
//! more than checking a usual draft.

use rayon::prelude::*;

/// `work` done on every item, on as many threads as there are cores.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    match items {
        [one] => vec![work(one)],
        many => many.par_iter().map(work).collect(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_keep_the_order_of_their_items() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(super::map(&items, |n| n * 2), items.iter().map(|n| n * 2).collect::<Vec<usize>>());
        assert_eq!(super::map(&[7], |n| n + 1), [8]);
    }
}
