//! Printing a page as PDF with a browser that is installed.

use crate::base::shown;
use crate::play::PlayError;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long a browser may take for one page.
const PATIENCE: Duration = Duration::from_secs(120);

/// What browsers that can print are called.
const NAMES: [&str; 9] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
    "brave-browser",
];
/// Where they lie where they are on no path.
const PLACES: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/// The browser to print with.
///
/// # Errors
/// [`PlayError::Io`] that names what was looked for.
pub fn find() -> Result<PathBuf, PlayError> {
    let folders: Vec<PathBuf> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    let named = |folder: &PathBuf| {
        let endings = [std::env::consts::EXE_SUFFIX];
        NAMES
            .iter()
            .flat_map(move |name| endings.map(|ending| format!("{name}{ending}")))
            .map(|name| folder.join(name))
            .collect::<Vec<_>>()
    };
    let found = folders.iter().flat_map(named).chain(PLACES.map(PathBuf::from)).find(|path| path.is_file());
    found.ok_or_else(|| {
        PlayError::Io(format!(
            "there is no browser to make PDF files with; looked for {} in the folders of PATH\n\
             without `--pdf` there are HTML files, which any browser prints",
            NAMES.join(", ")
        ))
    })
}

/// Prints a page.
///
/// # Errors
/// [`PlayError::Io`] if the browser cannot be run or makes no file.
pub fn print(browser: &Path, page: &Path, pdf: &Path) -> Result<(), PlayError> {
    let full = page.canonicalize().map_err(|error| PlayError::io("find", page, &error))?;
    let full = full.to_string_lossy().replace('\\', "/");
    let full = full.trim_start_matches("//?/");
    let slash = if full.starts_with('/') { "" } else { "/" };
    // What an address would take for something else is written as its bytes.
    let letter = |byte: u8| match byte {
        b'/' | b':' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let address = format!("file://{slash}{}", full.bytes().map(letter).collect::<String>());
    let mut command = Command::new(browser);
    command.args(["--headless", "--disable-gpu", "--no-pdf-header-footer"]);
    command.arg(format!("--print-to-pdf={}", pdf.display())).arg(address);
    let _ = std::fs::remove_file(pdf);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let failed = |error: std::io::Error| PlayError::io("run", browser, &error);
    let mut child = command.spawn().map_err(failed)?;
    // What it says is read while it runs: a full pipe would stop it.
    let mut pipe = child.stderr.take();
    let reader = std::thread::spawn(move || {
        let mut said = Vec::new();
        pipe.iter_mut().for_each(|pipe| drop(pipe.read_to_end(&mut said)));
        said
    });
    let until = Instant::now() + PATIENCE;
    let status = loop {
        match child.try_wait().map_err(failed)? {
            Some(status) => break status,
            None if Instant::now() >= until => {
                let _ = child.kill().and_then(|()| child.wait());
                let seconds = PATIENCE.as_secs();
                return Err(PlayError::Io(format!("`{}` was not done after {seconds} seconds", shown(&browser))));
            }
            None => std::thread::sleep(Duration::from_millis(50)),
        }
    };
    if status.success() && pdf.is_file() {
        return Ok(());
    }
    let said = reader.join().unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
    Err(PlayError::Io(format!("`{}` made no `{}`: {last}", shown(&browser), shown(&pdf))))
}
