//! What `[with.NAME]` in a manifest comes to: which files it is about, and whether the package is here.

use super::texts::Location;
use super::workspace::Workspace;
use crate::base::FileId;
use crate::play::{Library, Package};
use crate::syntax::parse_manifest;
use std::path::Path;

/// What is told of the part of a manifest at a place, in Markdown, and its name.
pub fn part_at(workspace: &Workspace, path: &Path, offset: usize) -> Option<(Location, String)> {
    path.file_name().filter(|name| *name == "game.toml")?;
    let folder = path.parent()?;
    let (manifest, _) = parse_manifest(FileId(0), &workspace.text(path)?);
    let named = |start: u32, end: u32| (start as usize..=end as usize).contains(&offset);
    let part = manifest.parts.iter().find(|part| named(part.span.start, part.span.end))?;
    let package = Package::folder(folder).edited(workspace.unsaved());
    let all = package.world().ok().and_then(|world| world.list().ok()).unwrap_or_default();
    let files: Vec<String> = part.files.fitting(&all).map(|file| format!("`{file}`")).collect();
    let files = if files.is_empty() { "no file yet".to_owned() } else { files.join(", ") };
    let name = &part.with;
    let here = Library::new(folder.parent().map(Path::to_owned)).versions(name);
    let versions = here.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let wanted = manifest.dependencies.iter().find(|wanted| wanted.name == *name).map(|wanted| &wanted.requirement);
    let told = match wanted {
        None => format!("`{name}` is not among the dependencies."),
        Some(wanted) if here.is_empty() => format!("`{name}` {wanted} is not here."),
        Some(wanted) => match here.iter().find(|version| wanted.matches(version)) {
            Some(version) => format!("`{name}` {version} is here, and {wanted} will do."),
            None => format!("`{name}` {wanted} is not here; there is {versions}."),
        },
    };
    let at = Location { path: path.to_owned(), start: part.span.start as usize, end: part.span.end as usize };
    Some((at, format!("Read only where `{name}` takes part: {files}\n\n{told}")))
}
