//! Packs the packages of `content`, each on its own, so that the program holds them compressed: see `src/play/built_in.rs`.

#[path = "src/play/archive/write.rs"]
mod write;

use std::fs;
use std::io::Result;
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    for path in ["content", "build.rs", "src/play/archive/write.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let env = |name: &str| std::env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let (content, out) = (env("CARGO_MANIFEST_DIR").join("content"), env("OUT_DIR"));
    let mut table = String::new();
    for folder in folders(&content)? {
        let inside = if is_package(&folder) { vec![folder] } else { folders(&folder)? };
        for package in inside.iter().filter(|folder| is_package(folder)) {
            let name = relative(&content, package);
            let archive = out.join(format!("{}.cardwright", name.replace('/', "--")));
            let mut found = Vec::new();
            files(package, package, &mut found)?;
            let files = found.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
            write::write(files, "", fs::File::create(&archive)?)?;
            table += &format!("({name:?}, include_bytes!({archive:?})),\n");
        }
    }
    fs::write(out.join("built_in.rs"), format!("&[\n{table}]\n"))
}

fn is_package(folder: &Path) -> bool {
    folder.join("game.toml").is_file()
}

/// The path below a folder, with `/` on every system.
fn relative(folder: &Path, path: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// What stands in a folder, by name, without what is hidden.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>>>()?;
    found.retain(|path| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')));
    found.sort();
    Ok(found)
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    Ok(entries(folder)?.into_iter().filter(|path| path.is_dir()).collect())
}

/// The files of a package, with their bytes.
fn files(package: &Path, folder: &Path, found: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    for path in entries(folder)? {
        match path.is_dir() {
            true => files(package, &path, found)?,
            false => found.push((relative(package, &path), fs::read(&path)?)),
        }
    }
    Ok(())
}
