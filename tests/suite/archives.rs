//! Packed packages: the same bytes for the same content, and one clear refusal of whatever strangers put into one.

use cardwright::base::limits;
use cardwright::play::archive::{Files, Refused, comment, digest, manifest, unpack, write};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use std::io::Write;
use tar::{EntryType, Header};

/// An archive as `cardwright pack` writes it.
fn packed(files: &Files) -> Vec<u8> {
    let mut archive = Vec::new();
    let entries = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
    write::write(entries, &comment(&digest(files)), &mut archive).unwrap();
    archive
}

fn files<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Files {
    files.into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())).collect()
}

/// One entry, as any program may write it: nothing is checked here.
fn entry(kind: EntryType, path: &[u8], content: &[u8]) -> Vec<u8> {
    let mut header = Header::new_ustar();
    header.as_mut_bytes()[..path.len()].copy_from_slice(path);
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_entry_type(kind);
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend(content);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

/// An archive of these entries.
fn archive(entries: &[Vec<u8>]) -> Vec<u8> {
    gzip(&[entries.concat(), vec![0; 1024]].concat())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn plain(path: &str) -> Vec<u8> {
    entry(EntryType::Regular, path.as_bytes(), b"x")
}

#[test]
fn the_same_content_is_packed_as_the_same_bytes_and_comes_out_again() {
    let content = files([("rules/a.rules", "rule"), ("game.toml", "name = \"lamps\""), ("über.cards", "")]);
    let first = packed(&content);
    assert_eq!(first, packed(&content));
    assert_eq!(unpack(first.as_slice()), Ok(content.clone()));
    assert_eq!(manifest(first.as_slice()).unwrap(), "name = \"lamps\"");
    let other = files([("rules/a.rules", "rules"), ("game.toml", "name = \"lamps\""), ("über.cards", "")]);
    assert_ne!(digest(&content), digest(&other));
    // What stands on the border of two files counts.
    assert_ne!(digest(&files([("a", "bc")])), digest(&files([("ab", "c")])));
}

#[test]
fn what_does_not_belong_into_a_package_is_refused_by_its_name() {
    for (kind, path, why) in [
        (EntryType::Symlink, "a.rules", "is a link"),
        (EntryType::Link, "a.rules", "is a link"),
        (EntryType::Char, "a.rules", "no plain file"),
        (EntryType::Fifo, "a.rules", "no plain file"),
        (EntryType::GNUSparse, "a.rules", "no plain file"),
        (EntryType::Directory, "rules/", "folder"),
        (EntryType::GNULongName, "././@LongLink", "extension"),
        (EntryType::XHeader, "pax", "extension"),
        (EntryType::Regular, "../evil.rules", "leaves the package"),
        (EntryType::Regular, "rules/../../evil.rules", "leaves the package"),
        (EntryType::Regular, "/etc/passwd", "absolute"),
        (EntryType::Regular, "a\\evil", "`\\`"),
        (EntryType::Regular, ".git/config", "hidden"),
        (EntryType::Regular, "aux.rules", "device of Windows"),
        (EntryType::Regular, "a\u{1b}[2J.rules", "cannot be shown"),
        (EntryType::Regular, "GAME.TOML", "twice"),
        (EntryType::Regular, "game.toml/a", "file and a folder"),
    ] {
        let found = unpack(archive(&[plain("game.toml"), entry(kind, path.as_bytes(), b"")]).as_slice());
        let Err(refused @ Refused::Entry { .. }) = found else { panic!("{path}: {found:?}") };
        assert!(refused.to_string().contains(why), "{path}: {refused}");
        assert!(!refused.to_string().contains('\u{1b}'), "{refused}");
    }
    let no_text = unpack(archive(&[entry(EntryType::Regular, b"a\xff.rules", b"")]).as_slice());
    assert!(no_text.unwrap_err().to_string().contains("not UTF-8"));
}

#[test]
fn an_archive_that_would_become_too_large_is_given_up_on_the_way() {
    // A gibibyte of nothing is a mebibyte when it is packed.
    let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
    let mut head = Header::new_ustar();
    head.set_path("game.toml").unwrap();
    head.set_size(limits::PICTURE_BYTES);
    head.set_cksum();
    bomb.write_all(head.as_bytes()).unwrap();
    for _ in 0..1024 {
        bomb.write_all(&vec![0; 1 << 20]).unwrap();
    }
    let found = unpack(bomb.finish().unwrap().as_slice()).unwrap_err();
    assert!(matches!(&found, Refused::TooLarge(why) if why.contains("200 times")), "{found}");

    let many: Vec<Vec<u8>> = (0..=limits::PACKAGE_FILES).map(|n| plain(&format!("{}.rules", n * 7919))).collect();
    let found = unpack(archive(&many).as_slice()).unwrap_err();
    assert!(matches!(&found, Refused::TooLarge(why) if why.contains("4096 files")), "{found}");

    let mut large = Header::new_ustar();
    large.set_path("a.png").unwrap();
    large.set_size(1 << 40);
    large.set_cksum();
    let found = unpack(gzip(large.as_bytes()).as_slice()).unwrap_err();
    assert!(found.to_string().contains("larger than 4 MiB"), "{found}");
}

#[test]
fn a_damaged_archive_is_refused() {
    let good = packed(&files([("game.toml", "name = \"lamps\""), ("a.rules", "flow { }")]));
    for cut in 0..good.len() {
        assert!(unpack(&good[..cut]).is_err(), "cut at {cut}");
    }
    assert!(unpack([good.as_slice(), b"more"].concat().as_slice()).unwrap_err().to_string().contains("behind its end"));
    assert!(unpack([good.as_slice(), good.as_slice()].concat().as_slice()).is_err());
    let swapped = files([("game.toml", "name = \"other\"")]);
    let mut lying = Vec::new();
    let entries = swapped.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
    write::write(entries, &comment(&"0".repeat(64)), &mut lying).unwrap();
    assert!(unpack(lying.as_slice()).unwrap_err().to_string().contains("digest"));
    for no_archive in
        [&b""[..], b"name = \"lamps\"\n", b"PK\x03\x04", &gzip(b"no tar at all, only a text"), &gzip(&[1; 2048])]
    {
        assert!(manifest(no_archive).is_err());
        let found = unpack(no_archive);
        assert!(found.is_err(), "{found:?}");
    }
}

/// Names as they come: good ones, hostile ones, anything.
fn any_path() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        "[a-c]{1,2}(/[a-cA-C]{1,2}){0,2}".prop_map(String::into_bytes),
        "(\\.{1,2}|/|a|CON|\\\\|:| ){1,5}".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..90),
    ]
}

proptest! {
    #[test]
    fn whatever_comes_out_of_an_archive_is_a_package(
        entries in prop::collection::vec((any::<u8>(), any_path(), prop::collection::vec(any::<u8>(), 0..600)), 0..8),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        plain in any::<bool>(),
    ) {
        let kind = |byte: u8| if plain || byte > 128 { EntryType::Regular } else { EntryType::new(b'0' + byte % 12) };
        let mut tar: Vec<u8> = entries.iter().flat_map(|(byte, path, content)| entry(kind(*byte), path, content)).collect();
        tar.extend([0; 1024]);
        for (at, byte) in &flips {
            let at = at.index(tar.len());
            tar[at] ^= byte;
        }
        if let Ok(files) = unpack(gzip(&tar).as_slice()) {
            let mut names: Vec<String> = files.keys().map(|path| path.to_lowercase()).collect();
            for path in files.keys() {
                prop_assert!(!path.is_empty() && !path.contains(['\\', ':', '\n']) && !path.starts_with('/'), "{path:?}");
                prop_assert!(path.split('/').all(|part| !part.is_empty() && !part.starts_with('.')), "{path:?}");
            }
            names.dedup();
            prop_assert_eq!(names.len(), files.len());
            prop_assert_eq!(unpack(packed(&files).as_slice()), Ok(files));
        }
    }

    #[test]
    fn no_bytes_crash_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..2000), flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let _ = unpack(bytes.as_slice());
        let mut good = packed(&files([("game.toml", "name = \"lamps\""), ("a.rules", "flow { }")]));
        for (at, byte) in &flips {
            let at = at.index(good.len());
            good[at] ^= byte;
        }
        let _ = (unpack(good.as_slice()), manifest(good.as_slice()));
    }
}
