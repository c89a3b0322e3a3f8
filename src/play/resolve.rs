//! Which version of each package takes part. Each name has candidates in the order in which they would be taken; pubgrub picks
//! those that go together, or finds why none do.
//!
//! A package that need not take part is modelled by a version that stands for its absence, which is taken where it may be.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use pubgrub::{
    Dependencies, DependencyConstraints, DependencyProvider, DerivationTree, External, PackageResolutionStatistics,
    PubGrubError, Ranges,
};

use semver::VersionReq;

use super::package::Package;
use crate::model::Manifest;
use crate::syntax::manifest::Dependency;

/// Stands for a package that takes no part; candidates count from 1.
const ABSENT: u32 = 0;
/// What the players asked for, which no package is named.
const ASKED: &str = "";

type Choices = Ranges<u32>;

/// A candidate, with what it says of others.
#[derive(Clone)]
pub struct Candidate {
    pub package: Package,
    pub manifest: Manifest,
}

/// What takes part, by name.
pub type Chosen = BTreeMap<String, Candidate>;

/// Why nothing goes together.
pub struct Conflict {
    /// A line for each demand; none where there was nothing to choose: then the checker says it, at its place.
    pub why: Option<String>,
    /// All that was found, by name.
    pub found: BTreeMap<String, Vec<Candidate>>,
}

/// Chooses one candidate for each name that is asked for, and for all that these need. `find` gives the candidates of a name that
/// a package needs.
///
/// # Errors
/// [`Conflict`] if none go together.
pub fn resolve(
    game: &str,
    asked: BTreeMap<String, Vec<Candidate>>,
    find: &dyn Fn(&str, &Candidate) -> Vec<Candidate>,
) -> Result<Chosen, Conflict> {
    let wanted: Vec<String> = asked.keys().cloned().collect();
    let resolver = Resolver { game, wanted, known: RefCell::new(asked), find };
    let solution = pubgrub::resolve(&resolver, ASKED.to_owned(), 1u32);
    let why = match &solution {
        Err(PubGrubError::NoSolution(tree)) => resolver.explain(tree),
        _ => None,
    };
    let found = resolver.known.into_inner();
    let Ok(solution) = solution else { return Err(Conflict { why, found }) };
    let chosen = found.into_iter().filter_map(|(name, candidates)| {
        let version = solution.get(&name)?.checked_sub(1)?;
        Some((name, candidates.into_iter().nth(version as usize)?))
    });
    Ok(chosen.collect())
}

struct Resolver<'a> {
    game: &'a str,
    wanted: Vec<String>,
    known: RefCell<BTreeMap<String, Vec<Candidate>>>,
    find: &'a dyn Fn(&str, &Candidate) -> Vec<Candidate>,
}

impl Resolver<'_> {
    /// The candidates of a name that will do.
    fn fitting(&self, name: &str, by: &Candidate, fits: impl Fn(&Manifest) -> bool) -> Choices {
        if !self.known.borrow().contains_key(name) {
            let found = (self.find)(name, by);
            self.known.borrow_mut().insert(name.to_owned(), found);
        }
        let known = self.known.borrow();
        let all = (1u32..).zip(known.get(name).into_iter().flatten());
        all.filter(|(_, it)| fits(&it.manifest))
            .fold(Choices::empty(), |all, (index, _)| all.union(&Choices::singleton(index)))
    }

    /// Why nothing goes together: what each package that matters asks for, and which versions there are.
    fn explain(&self, tree: &DerivationTree<String, Choices, String>) -> Option<String> {
        let known = self.known.borrow();
        if known.values().all(|candidates| candidates.len() < 2) {
            return None;
        }
        let (mut demands, mut names) = (BTreeSet::new(), BTreeSet::new());
        let mut open = vec![tree];
        while let Some(tree) = open.pop() {
            match tree {
                DerivationTree::Derived(derived) => open.extend([derived.cause1.as_ref(), derived.cause2.as_ref()]),
                DerivationTree::External(External::FromDependencyOf(package, versions, other, _)) => {
                    let candidates = (1u32..).zip(known.get(package).into_iter().flatten());
                    for (_, it) in candidates.filter(|(index, _)| versions.contains(index)) {
                        demands.extend(demand(it, other, self.game));
                        names.insert(other);
                    }
                }
                DerivationTree::External(External::Custom(package, _, why)) => {
                    demands.insert(why.clone());
                    names.insert(package);
                }
                DerivationTree::External(_) => {}
            }
        }
        let there = names.iter().map(|name| {
            let versions = known.get(*name).into_iter().flatten().map(|it| it.manifest.version.as_str());
            match versions.collect::<Vec<_>>().join(" and ") {
                none if none.is_empty() => format!("`{name}` is not here"),
                versions => format!("of `{name}` there is {versions}"),
            }
        });
        let lines: Vec<String> = demands.into_iter().chain(there).map(|line| format!("\n  {line}")).collect();
        Some(format!("these packages do not go together:{}", lines.concat()))
    }
}

/// What a package asks of another, in words.
fn demand(it: &Candidate, other: &str, game: &str) -> Option<String> {
    let Manifest { name, version, extends, dependencies, incompatible, .. } = &it.manifest;
    let of = |wanted: &&Dependency| wanted.name == other;
    if let Some(wanted) = extends.iter().find(of).filter(|_| other == game) {
        return Some(format!("`{name}` {version} extends `{other}` {}", wanted.requirement));
    }
    if let Some(said) = incompatible.iter().find(|said| said.name == other) {
        let which = if said.requirement == VersionReq::STAR { String::new() } else { format!(" {}", said.requirement) };
        return Some(format!("`{name}` {version} does not go together with `{other}`{which}: {}", said.reason));
    }
    let wanted = dependencies.iter().find(of)?;
    let verb = if wanted.optional { "goes together only with" } else { "needs" };
    Some(format!("`{name}` {version} {verb} `{other}` {}", wanted.requirement))
}

impl DependencyProvider for Resolver<'_> {
    type P = String;
    type V = u32;
    type VS = Choices;
    type Priority = (bool, Reverse<usize>, Reverse<String>);
    type M = String;
    type Err = Infallible;

    /// What must take part comes first, then what leaves the fewest candidates: what may be absent waits until all is known.
    fn prioritize(&self, package: &String, range: &Choices, _: &PackageResolutionStatistics) -> Self::Priority {
        let candidates = self.known.borrow().get(package).map_or(0, Vec::len);
        (!range.contains(&ABSENT), Reverse(candidates), Reverse(package.clone()))
    }

    fn choose_version(&self, package: &String, range: &Choices) -> Result<Option<u32>, Infallible> {
        if package == ASKED {
            return Ok(Some(1));
        }
        let most = u32::try_from(self.known.borrow().get(package).map_or(0, Vec::len)).unwrap_or(0);
        Ok((ABSENT..=most).find(|version| range.contains(version)))
    }

    fn get_dependencies(
        &self,
        package: &String,
        version: &u32,
    ) -> Result<Dependencies<String, Choices, String>, Infallible> {
        let mut needs = DependencyConstraints::default();
        if package == ASKED {
            needs.extend(self.wanted.iter().map(|name| (name.clone(), Choices::higher_than(1u32))));
            return Ok(Dependencies::Available(needs));
        }
        let it = self.known.borrow().get(package).and_then(|all| all.get((*version).checked_sub(1)? as usize).cloned());
        // What takes no part asks for nothing.
        let Some(it) = it else { return Ok(Dependencies::Available(needs)) };
        let mut add = |name: &str, choices: Choices| {
            let choices = needs.get(name).map_or(choices.clone(), |other: &Choices| other.intersection(&choices));
            needs.insert(name.to_owned(), choices);
        };
        let Manifest { name, version, extends, dependencies, expansion, .. } = &it.manifest;
        if *expansion {
            match extends.iter().find(|wanted| wanted.name == self.game) {
                Some(wanted) => {
                    add(&wanted.name, self.fitting(&wanted.name, &it, |other| other.satisfies(&wanted.requirement)));
                }
                None => {
                    let why = format!("`{name}` {version} is no expansion of `{}`", self.game);
                    return Ok(Dependencies::Unavailable(why));
                }
            }
        }
        // That it depends on itself the checker says.
        for wanted in dependencies.iter().filter(|wanted| wanted.name != *name) {
            let fitting = self.fitting(&wanted.name, &it, |other| other.satisfies(&wanted.requirement));
            let absent = if wanted.optional { Choices::singleton(ABSENT) } else { Choices::empty() };
            add(&wanted.name, fitting.union(&absent));
        }
        for said in it.manifest.incompatible.iter().filter(|said| said.name != *name) {
            let fitting = self.fitting(&said.name, &it, |other| !other.satisfies(&said.requirement));
            add(&said.name, fitting.union(&Choices::singleton(ABSENT)));
        }
        Ok(Dependencies::Available(needs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{FileId, MemoryWorld};
    use crate::syntax::parse_manifest;
    use proptest::prelude::*;

    const NAMES: [&str; 4] = ["a", "b", "c", "d"];

    fn candidate(name: &str, version: u8, needs: &[(usize, u8)]) -> Candidate {
        let needs: BTreeMap<usize, u8> = needs.iter().copied().collect();
        let needs: Vec<String> =
            needs.iter().map(|(other, major)| format!("{} = \"^{major}.0.0\"", NAMES[*other])).collect();
        let text = format!(
            "name = \"{name}\"\ntitle = \"{name}\"\nversion = \"{version}.1.0\"\nedition = 1\nkind = \"expansion\"\n\
             extends = {{ lamps = \"^1.0.0\" }}\ndependencies = {{ {} }}\n",
            needs.join(", ")
        );
        let manifest = parse_manifest(FileId(0), &text).0;
        Candidate { package: Package::memory(name, MemoryWorld::new([("game.toml", text.as_str())])), manifest }
    }

    fn game() -> Candidate {
        let text = "name = \"lamps\"\nversion = \"1.0.0\"\nplayers = { min = 1, max = 1 }\n";
        let manifest = parse_manifest(FileId(0), text).0;
        Candidate { package: Package::memory("lamps", MemoryWorld::default()), manifest }
    }

    /// Whether all that take part have what they need.
    fn goes_together(chosen: &BTreeMap<String, &Candidate>) -> bool {
        chosen.values().all(|it| {
            it.manifest.dependencies.iter().filter(|wanted| wanted.name != it.manifest.name).all(|wanted| {
                chosen.get(&wanted.name).is_some_and(|other| other.manifest.satisfies(&wanted.requirement))
            })
        })
    }

    /// Whether some choice goes together: all are tried.
    fn possible(all: &BTreeMap<String, Vec<Candidate>>, asked: &[&str]) -> bool {
        let mut choices: Vec<BTreeMap<String, &Candidate>> = vec![BTreeMap::new()];
        for name in NAMES {
            let mut more = Vec::new();
            for choice in &choices {
                more.extend(all[name].iter().map(|it| {
                    let mut choice = choice.clone();
                    choice.insert(name.to_owned(), it);
                    choice
                }));
            }
            choices.retain(|_| !asked.contains(&name));
            choices.extend(more);
        }
        choices.iter().any(goes_together)
    }

    proptest! {
        #[test]
        fn what_goes_together_is_found_and_nothing_else(
            needs in prop::collection::vec(prop::collection::vec(prop::collection::vec((0..4usize, 1..4u8), 0..3), 0..4), 4),
            asked in 1..4usize,
        ) {
            let all: BTreeMap<String, Vec<Candidate>> = NAMES.iter().zip(&needs).map(|(name, versions)| {
                let versions = (1u8..).zip(versions).map(|(version, needs)| candidate(name, version, needs));
                let mut newest: Vec<Candidate> = versions.collect();
                newest.reverse();
                ((*name).to_owned(), newest)
            }).collect();
            let asked: Vec<&str> = NAMES.into_iter().take(asked).filter(|name| !all[*name].is_empty()).collect();
            let mut roots: BTreeMap<String, Vec<Candidate>> =
                asked.iter().map(|name| ((*name).to_owned(), all[*name].clone())).collect();
            roots.insert("lamps".to_owned(), vec![game()]);
            let find = |name: &str, _: &Candidate| all.get(name).cloned().unwrap_or_default();
            match resolve("lamps", roots, &find) {
                Ok(chosen) => {
                    prop_assert!(asked.iter().all(|name| chosen.contains_key(*name)));
                    prop_assert!(goes_together(&chosen.iter().map(|(name, it)| (name.clone(), it)).collect()));
                }
                Err(conflict) => {
                    prop_assert!(!possible(&all, &asked));
                    let choice = all.iter().any(|(name, candidates)| {
                        candidates.len() > 1 && conflict.found.contains_key(name)
                    });
                    prop_assert_eq!(conflict.why.is_some(), choice);
                }
            }
        }
    }
}
