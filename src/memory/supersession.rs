//! Which note replaces which: the graph of claims between notes. Pure: sources and claims in, standings and problems
//! out; what a name may mean is in `names`. Cycles and claims on oneself say nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::names::Names;

/// `by` says that it replaces `name`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The source that makes the claim.
    pub by: String,
    /// The name as it is written: `old`, `old.md`, `folder/old`, `[[old]]`.
    pub name: String,
}

/// A claim that says nothing, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Problem {
    /// No note has the name.
    Dangling {
        /// The claim's source.
        by: String,
        /// The name.
        name: String,
    },
    /// A note claims to replace itself.
    OnItself {
        /// The claim's source.
        by: String,
    },
    /// Several notes share the name.
    Ambiguous {
        /// The claim's source.
        by: String,
        /// The name.
        name: String,
        /// The notes that share it.
        shared_by: Vec<String>,
    },
    /// Notes that replace one another in a circle.
    Cycle {
        /// The notes of the circle, in order of their names.
        sources: Vec<String>,
    },
}

/// The resolved claims of a memory.
#[derive(Debug, Default)]
pub struct Supersession {
    replaced_by: HashMap<String, BTreeSet<String>>,
    ambiguous: HashSet<String>,
    problems: Vec<Problem>,
}

impl Supersession {
    /// Resolves `claims` among `sources` (root-relative paths). Sources whose name no claim names may be
    /// left out; the outcome is the same.
    pub fn resolve(sources: &[String], claims: &[Claim]) -> Self {
        let mut resolved = Self::default();
        let names = Names::of(sources);
        for claim in claims {
            resolved.add(claim, names.candidates(&claim.name, &claim.by));
        }
        resolved.drop_cycles();
        resolved.problems.sort();
        resolved.problems.dedup();
        resolved
    }

    /// Several notes share a name that this one is claimed by.
    pub fn is_ambiguous(&self, source: &str) -> bool {
        self.ambiguous.contains(source)
    }

    /// Another note replaces this one.
    pub fn is_superseded(&self, source: &str) -> bool {
        self.replaced_by.contains_key(source)
    }

    /// The notes at the end of every chain of replacements that starts at `source`, in order of their names;
    /// none where nothing replaces it.
    pub fn terminals(&self, source: &str) -> Vec<&str> {
        let mut ends = BTreeSet::new();
        let mut seen = HashSet::new();
        let mut open: Vec<&str> = self.successors(source).collect();
        while let Some(source) = open.pop() {
            if !seen.insert(source) {
                continue;
            }
            if self.is_superseded(source) {
                open.extend(self.successors(source));
            } else {
                ends.insert(source);
            }
        }
        ends.into_iter().collect()
    }

    /// Claims that say nothing, sorted.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn successors(&self, source: &str) -> impl Iterator<Item = &str> {
        self.replaced_by.get(source).into_iter().flatten().map(String::as_str)
    }

    fn add(&mut self, claim: &Claim, candidates: Vec<&str>) {
        let by = claim.by.clone();
        match candidates.as_slice() {
            [] => self.problems.push(Problem::Dangling { by, name: claim.name.clone() }),
            [old] if *old == by => self.problems.push(Problem::OnItself { by }),
            [old] => {
                self.replaced_by.entry((*old).to_owned()).or_default().insert(by);
            }
            several => {
                let shared_by: Vec<String> = several.iter().map(|s| (*s).to_owned()).collect();
                self.ambiguous.extend(shared_by.iter().cloned());
                self.problems.push(Problem::Ambiguous { by, name: claim.name.clone(), shared_by });
            }
        }
    }

    fn drop_cycles(&mut self) {
        for circle in circles(&self.replaced_by) {
            for old in &circle {
                if let Some(by) = self.replaced_by.get_mut(old) {
                    by.retain(|new| !circle.contains(new));
                }
            }
            self.problems.push(Problem::Cycle { sources: circle.into_iter().collect() });
        }
        self.replaced_by.retain(|_, by| !by.is_empty());
    }
}

/// The sets of two or more notes that reach one another (strongly connected, found by Kosaraju's two passes with
/// stacks of our own: a chain of notes may be long).
fn circles(replaced_by: &HashMap<String, BTreeSet<String>>) -> Vec<BTreeSet<String>> {
    let mut forward: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut backward: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (old, new) in replaced_by.iter().flat_map(|(old, by)| by.iter().map(move |new| (old, new))) {
        forward.entry(old).or_default().push(new);
        backward.entry(new).or_default().push(old);
    }
    let mut placed = HashSet::new();
    let mut circles = Vec::new();
    for start in finished_last_first(&forward) {
        let mut circle = BTreeSet::new();
        let mut open = vec![start];
        while let Some(source) = open.pop() {
            if placed.insert(source) {
                circle.insert(source.to_owned());
                open.extend(backward.get(source).into_iter().flatten());
            }
        }
        if circle.len() > 1 {
            circles.push(circle);
        }
    }
    circles
}

fn finished_last_first<'a>(edges: &BTreeMap<&'a str, Vec<&'a str>>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    let mut order = Vec::new();
    for start in edges.keys() {
        let mut open = vec![(*start, false)];
        while let Some((source, done)) = open.pop() {
            if done {
                order.push(source);
            } else if seen.insert(source) {
                open.push((source, true));
                open.extend(edges.get(source).into_iter().flatten().map(|next| (*next, false)));
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(sources: &[&str], claims: &[(&str, &str)]) -> Supersession {
        let sources: Vec<String> = sources.iter().map(|s| (*s).to_owned()).collect();
        let claims: Vec<Claim> =
            claims.iter().map(|(by, name)| Claim { by: (*by).into(), name: (*name).into() }).collect();
        Supersession::resolve(&sources, &claims)
    }

    #[test]
    fn a_name_with_or_without_ending_folder_or_brackets_is_one() {
        for name in [
            "old",
            "old.md",
            "OLD",
            "notes/old",
            "./notes/old.md",
            "[[old]]",
            "[[notes/old|label]]",
            "gone/old",
        ] {
            let found = resolve(&["notes/old.md", "new.md"], &[("new.md", name)]);
            assert_eq!(found.terminals("notes/old.md"), ["new.md"], "{name}");
            assert!(found.problems().is_empty(), "{name}");
        }
    }

    #[test]
    fn a_chain_leads_to_its_last_note() {
        let found = resolve(&["a.md", "b.md", "c.md"], &[("b.md", "a"), ("c.md", "b")]);
        assert_eq!(found.terminals("a.md"), ["c.md"]);
        assert_eq!(found.terminals("b.md"), ["c.md"]);
        assert!(found.terminals("c.md").is_empty() && !found.is_superseded("c.md"));
    }

    #[test]
    fn two_notes_that_both_replace_one_are_both_its_end() {
        let found = resolve(&["a.md", "b.md", "c.md"], &[("b.md", "a"), ("c.md", "a")]);
        assert_eq!(found.terminals("a.md"), ["b.md", "c.md"]);
    }

    #[test]
    fn a_circle_says_nothing_but_its_way_in_still_holds() {
        let found = resolve(
            &["a.md", "b.md", "c.md", "d.md"],
            &[("a.md", "b"), ("b.md", "c"), ("c.md", "a"), ("a.md", "d")],
        );
        assert!(["a.md", "b.md", "c.md"].iter().all(|source| !found.is_superseded(source)));
        assert_eq!(found.terminals("d.md"), ["a.md"]);
        assert_eq!(
            found.problems(),
            [Problem::Cycle { sources: vec!["a.md".into(), "b.md".into(), "c.md".into()] }]
        );
    }

    #[test]
    fn two_circles_leave_the_chain_between_them() {
        let found = resolve(
            &["a.md", "b.md", "m.md", "x.md", "y.md"],
            &[("a.md", "b"), ("b.md", "a"), ("m.md", "a"), ("x.md", "m"), ("x.md", "y"), ("y.md", "x")],
        );
        assert_eq!(found.terminals("a.md"), ["x.md"]);
        assert!(!found.is_superseded("x.md") && !found.is_superseded("b.md"));
    }

    #[test]
    fn a_claim_on_oneself_says_nothing() {
        let found = resolve(&["a.md"], &[("a.md", "a")]);
        assert!(!found.is_superseded("a.md") && !found.is_ambiguous("a.md"));
        assert_eq!(found.problems(), [Problem::OnItself { by: "a.md".into() }]);
    }

    #[test]
    fn a_name_that_several_share_blocks_them_all_and_its_path_does_not() {
        let sources = ["x/old.md", "y/old.md", "new.md"];
        let found = resolve(&sources, &[("new.md", "old")]);
        assert!(found.is_ambiguous("x/old.md") && found.is_ambiguous("y/old.md"));
        assert!(!found.is_ambiguous("new.md") && !found.is_superseded("x/old.md"));
        let found = resolve(&sources, &[("new.md", "x/old.md")]);
        assert!(found.is_superseded("x/old.md") && !found.is_ambiguous("y/old.md"));
    }

    #[test]
    fn a_name_with_its_ending_means_the_note_with_that_ending() {
        let sources = ["old.md", "old.txt", "new.md"];
        let found = resolve(&sources, &[("new.md", "old.md")]);
        assert!(found.is_superseded("old.md") && !found.is_superseded("old.txt"));
        assert!(found.problems().is_empty());
        let found = resolve(&sources, &[("new.md", "old")]);
        assert!(found.is_ambiguous("old.md") && found.is_ambiguous("old.txt"));
        let found = resolve(&["old.txt", "new.md"], &[("new.md", "old.md")]);
        assert!(found.is_superseded("old.txt"));
        let found = resolve(&["x/old.txt", "y/old.md", "new.md"], &[("new.md", "x/old.md")]);
        assert!(found.is_superseded("x/old.txt") && !found.is_superseded("y/old.md"));
        let found = resolve(&["x/old.md", "y/old.md", "old.txt", "new.md"], &[("new.md", "old.md")]);
        assert!(found.is_ambiguous("x/old.md") && !found.is_ambiguous("old.txt"));
    }

    #[test]
    fn a_hash_or_a_bar_is_part_of_a_name_but_not_of_a_link() {
        let sources = ["c# and f#.md", "c.md", "new.md"];
        let found = resolve(&sources, &[("new.md", "c# and f#.md")]);
        assert_eq!(found.terminals("c# and f#.md"), ["new.md"]);
        assert!(!found.is_superseded("c.md") && found.problems().is_empty());
        let found = resolve(&sources, &[("new.md", "[[c#part|label]]")]);
        assert!(found.is_superseded("c.md") && !found.is_superseded("c# and f#.md"));
    }

    #[test]
    fn a_claimant_that_shares_the_name_means_the_other_note() {
        let found = resolve(&["2024/plan.md", "2025/plan.md"], &[("2025/plan.md", "plan")]);
        assert_eq!(found.terminals("2024/plan.md"), ["2025/plan.md"]);
        assert!(!found.is_superseded("2025/plan.md"));
    }

    #[test]
    fn a_name_that_no_note_has_says_nothing() {
        let found = resolve(&["a.md"], &[("a.md", "gone")]);
        assert_eq!(found.problems(), [Problem::Dangling { by: "a.md".into(), name: "gone".into() }]);
    }

    #[test]
    fn a_chain_of_many_thousand_notes_is_walked() {
        let sources: Vec<String> = (0..20_000).map(|n| format!("n{n}.md")).collect();
        let claims: Vec<Claim> =
            (1..20_000).map(|n| Claim { by: format!("n{n}.md"), name: format!("n{}", n - 1) }).collect();
        assert_eq!(Supersession::resolve(&sources, &claims).terminals("n0.md"), ["n19999.md"]);
    }
}
