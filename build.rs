//! Packs the packages of `content`, each on its own, so that the program holds them compressed: see `src/play/built_in.rs`.

use std::fs;
use std::io::Result;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=content");
    println!("cargo::rerun-if-changed=build.rs");
    let env = |name: &str| std::env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let (content, out) = (env("CARGO_MANIFEST_DIR").join("content"), env("OUT_DIR"));
    let mut table = String::new();
    for folder in folders(&content)? {
        let inside = if is_package(&folder) { vec![folder] } else { folders(&folder)? };
        for package in inside.iter().filter(|folder| is_package(folder)) {
            let name = relative(&content, package);
            let archive = out.join(format!("{}.tar.z", name.replace('/', "--")));
            pack(package, &archive)?;
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

/// What stands in a folder, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>>>()?;
    found.sort();
    Ok(found)
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    Ok(entries(folder)?.into_iter().filter(|path| path.is_dir()).collect())
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for path in entries(folder)? {
        match path.is_dir() {
            true => files(&path, found)?,
            false => found.push(path),
        }
    }
    Ok(())
}

/// Writes the files of a package as one compressed archive, the same for the same texts.
fn pack(package: &Path, archive: &Path) -> Result<()> {
    let mut found = Vec::new();
    files(package, &mut found)?;
    let mut tar = tar::Builder::new(DeflateEncoder::new(fs::File::create(archive)?, Compression::best()));
    for path in found {
        let bytes = fs::read(&path)?;
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, relative(package, &path), bytes.as_slice())?;
    }
    tar.into_inner()?.finish()?;
    Ok(())
}
