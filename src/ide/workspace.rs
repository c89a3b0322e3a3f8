//! The packages that somebody works on: which there are, which of them a file belongs to, and what the checker says of each.
//! A game is checked by itself and with each expansion beside it; a package that another depends on is checked with that.

use super::texts::Location;
use crate::base::{FileId, Span};
use crate::model::{Index, Trees};
use crate::play::{Checked, Library, Package, PlayError, Unsaved};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many folders deep packages are looked for.
const DEEPEST: usize = 4;
/// Folders that are looked into at the most.
const MOST_FOLDERS: usize = 4096;

/// A game, or a game with an expansion, as it is checked.
pub struct Subject {
    package: Package,
    /// The folders whose files it is made of.
    folders: Vec<PathBuf>,
    checked: Option<Arc<Checked>>,
    /// Whether scenarios and scripts were checked, too, for the texts as they are.
    whole: bool,
    /// Trees of its texts; and of those without its scenarios, which have other places among all.
    trees: Trees,
    sketched: Trees,
}

impl Subject {
    /// What people call it.
    pub fn name(&self) -> String {
        self.package.full_name()
    }

    /// The package.
    pub fn package(&self) -> &Package {
        &self.package
    }

    fn has(&self, path: &Path) -> bool {
        self.folders.iter().any(|folder| path.starts_with(folder))
    }
}

/// The packages that somebody works on.
#[derive(Default)]
pub struct Workspace {
    roots: Vec<PathBuf>,
    unsaved: Unsaved,
    subjects: Vec<Subject>,
    /// Folders of packages that are known.
    known: BTreeSet<PathBuf>,
}

impl Workspace {
    /// The packages in some folders, and those beside any file that is opened.
    pub fn new(roots: Vec<PathBuf>) -> Workspace {
        let mut workspace = Workspace { roots, ..Workspace::default() };
        workspace.look_again();
        workspace
    }

    /// Looks for packages again: a manifest was changed, or files came or went.
    pub fn look_again(&mut self) {
        let mut folders = BTreeSet::new();
        let mut left = MOST_FOLDERS;
        for root in &self.roots {
            collect(root, 0, &mut left, &mut folders);
        }
        folders.extend(self.unsaved.keys().filter_map(|path| folder_of(path)));
        folders.extend(std::mem::take(&mut self.known).into_iter().filter(|folder| has_manifest(folder)));
        // What is beside a package may extend it, or be what it extends.
        let beside: Vec<PathBuf> = folders.iter().filter_map(|folder| Some(folder.parent()?.to_owned())).collect();
        for folder in beside.iter().collect::<BTreeSet<_>>() {
            collect(folder, DEEPEST - 1, &mut left, &mut folders);
        }
        self.subjects = folders.iter().flat_map(|folder| subjects(folder, &self.unsaved)).collect();
        self.known = folders;
    }

    /// The text of a file as it is edited, or as it was saved.
    pub fn text(&self, path: &Path) -> Option<String> {
        match self.unsaved.get(path) {
            Some(text) => Some(text.clone()),
            None => std::fs::read_to_string(path).ok(),
        }
    }

    /// Whether a file is being edited.
    pub fn is_open(&self, path: &Path) -> bool {
        self.unsaved.contains_key(path)
    }

    /// The files that are being edited.
    pub fn open_files(&self) -> impl Iterator<Item = &Path> {
        self.unsaved.keys().map(PathBuf::as_path)
    }

    /// Takes the text of a file as it is edited now.
    pub fn edit(&mut self, path: &Path, text: String) {
        if self.unsaved.get(path).is_some_and(|known| *known == text) {
            return;
        }
        let new = !self.unsaved.contains_key(path);
        Arc::make_mut(&mut self.unsaved).insert(path.to_owned(), text);
        let foreign = new && folder_of(path).is_some_and(|folder| !self.known.contains(&folder));
        if foreign || is_manifest(path) {
            self.look_again();
        } else {
            self.touch(path);
        }
    }

    /// Forgets the text of a file: what was saved counts again.
    pub fn close(&mut self, path: &Path) {
        Arc::make_mut(&mut self.unsaved).remove(path);
        self.touch(path);
    }

    /// Notes that a file has changed on disk.
    pub fn touch(&mut self, path: &Path) {
        if is_manifest(path) {
            self.look_again();
            return;
        }
        for subject in self.subjects.iter_mut().filter(|subject| subject.has(path)) {
            (subject.checked, subject.whole) = (None, false);
        }
    }

    /// What the checker says of the texts of all packages that a file belongs to: first of the one it lies in.
    pub fn check(&mut self, path: &Path) -> Vec<Arc<Checked>> {
        self.check_as(path, false)
    }

    /// The same, with what is only found when everything is compiled, and scenarios under options of their own.
    pub fn check_whole(&mut self, path: &Path) -> Vec<Arc<Checked>> {
        self.check_as(path, true)
    }

    /// What the checker soonest says of all packages that a file belongs to: the errors in rules and cards.
    pub fn sketch(&self, path: &Path) -> Vec<Arc<Checked>> {
        let of = |subject: &Subject| {
            let package = subject.package.clone().edited(&self.unsaved);
            Checked::sketched(&package, &subject.sketched).ok().map(Arc::new)
        };
        self.subjects(path).filter_map(of).collect()
    }

    /// Whether all that can be found was looked for, of all packages that a file belongs to.
    pub fn is_whole(&self, path: &Path) -> bool {
        self.subjects.iter().filter(|subject| subject.has(path)).all(|subject| subject.whole)
    }

    fn check_as(&mut self, path: &Path, whole: bool) -> Vec<Arc<Checked>> {
        let unsaved = Arc::clone(&self.unsaved);
        let mut found: Vec<(usize, Arc<Checked>)> = Vec::new();
        for subject in self.subjects.iter_mut().filter(|subject| subject.has(path)) {
            if subject.checked.is_none() || whole && !subject.whole {
                let package = subject.package.clone().edited(&unsaved);
                let trees = &subject.trees;
                let checked = if whole { Checked::indexed(&package, trees) } else { Checked::texts(&package, trees) };
                (subject.checked, subject.whole) = (checked.ok().map(Arc::new), whole);
            }
            // The package in which the file lies comes first, and by itself before it is with others.
            let own = subject.package.path().is_some_and(|folder| path.starts_with(full(folder)));
            let rank = 2 * usize::from(!own) + usize::from(!subject.package.expansions().is_empty());
            found.extend(subject.checked.clone().map(|checked| (rank, checked)));
        }
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, checked)| checked).collect()
    }

    /// The packages that a file belongs to, the one it lies in first.
    pub fn subjects(&self, path: &Path) -> impl Iterator<Item = &Subject> {
        self.subjects.iter().filter(move |subject| subject.has(path))
    }

    /// Checks the packages of a file with another text in its place.
    pub fn try_text(&self, path: &Path, text: String) -> Vec<Arc<Checked>> {
        let mut texts = Unsaved::clone(&self.unsaved);
        Arc::make_mut(&mut texts).insert(path.to_owned(), text);
        self.try_texts(&[path.to_owned()], &texts)
    }

    /// Checks the packages of some files with other texts.
    pub fn try_texts(&self, paths: &[PathBuf], texts: &Unsaved) -> Vec<Arc<Checked>> {
        let of = |subject: &&Subject| paths.iter().any(|path| subject.has(path));
        let subjects = self.subjects.iter().filter(of);
        let check = |subject: &Subject| {
            Checked::texts(&subject.package.clone().edited(texts), &subject.trees).ok().map(Arc::new)
        };
        subjects.filter_map(check).collect()
    }

    /// The texts that are being edited.
    pub fn unsaved(&self) -> &Unsaved {
        &self.unsaved
    }
}

/// A file among those of a check.
pub fn file_of(checked: &Checked, path: &Path) -> Option<FileId> {
    let path = path.to_string_lossy();
    checked.sources.files().find(|file| checked.sources.name(*file) == path)
}

/// Where a span of a check stands.
pub fn location(checked: &Checked, span: Span) -> Location {
    let path = PathBuf::from(checked.sources.name(span.file));
    Location { path, start: span.start as usize, end: span.end as usize }
}

/// What names mean, as far as a check knows.
pub fn index_of(checked: &Checked) -> &Index {
    static NONE: std::sync::LazyLock<Index> = std::sync::LazyLock::new(Index::default);
    checked.index.as_ref().unwrap_or(&NONE)
}

fn is_manifest(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "game.toml")
}

fn has_manifest(folder: &Path) -> bool {
    folder.join("game.toml").is_file()
}

/// The folder of the package that a file lies in.
fn folder_of(path: &Path) -> Option<PathBuf> {
    path.ancestors().skip(1).find(|folder| has_manifest(folder)).map(Path::to_owned)
}

/// A path without links.
pub fn full(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The folders below one that are packages. Nothing is looked for within a package.
fn collect(folder: &Path, depth: usize, left: &mut usize, found: &mut BTreeSet<PathBuf>) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    if has_manifest(folder) {
        found.insert(full(folder));
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    if depth >= DEEPEST {
        return;
    }
    for entry in entries.flatten() {
        let name = entry.file_name();
        let hidden = name.to_string_lossy().starts_with('.') || name == "target" || name == "node_modules";
        if !hidden && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&entry.path(), depth + 1, left, found);
        }
    }
}

/// How a package is checked.
fn subjects(folder: &Path, unsaved: &Unsaved) -> Vec<Subject> {
    // What lies beside it counts before what is built in.
    let library = Library::new(folder.parent().map(Path::to_owned));
    let package = Package::folder(folder).edited(unsaved);
    let found: Result<Vec<Package>, PlayError> = library.subjects(package.clone(), &[]);
    let found = found.unwrap_or_else(|_| vec![package]);
    found
        .into_iter()
        .map(|package| {
            let mut folders = Vec::new();
            add_folders(&package, &mut folders);
            package.expansions().iter().for_each(|package| add_folders(package, &mut folders));
            Subject {
                package,
                folders,
                checked: None,
                whole: false,
                trees: Trees::default(),
                sketched: Trees::default(),
            }
        })
        .collect()
}

/// The folder of a package, and of those it depends on.
fn add_folders(package: &Package, folders: &mut Vec<PathBuf>) {
    let Some(path) = package.path().map(full) else { return };
    if folders.contains(&path) {
        return;
    }
    folders.push(path.clone());
    let needs = package.manifest().map(|manifest| manifest.dependencies).unwrap_or_default();
    for wanted in needs {
        let beside = path.with_file_name(&wanted.name);
        if has_manifest(&beside) {
            add_folders(&Package::folder(&beside), folders);
        }
    }
}

/// Locations by file.
pub fn by_file<T>(items: impl IntoIterator<Item = (PathBuf, T)>) -> BTreeMap<PathBuf, Vec<T>> {
    let mut files: BTreeMap<PathBuf, Vec<T>> = BTreeMap::new();
    for (path, item) in items {
        files.entry(path).or_default().push(item);
    }
    files
}
