//! What all pages have alike: their head, which forbids scripts and whatever lies elsewhere, and pictures as part of them.

use crate::front::svg::pen::escaped;
use crate::play::pictures::Picture;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Fonts that are there on most machines.
pub const FONTS: &str = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/// A page in a language, with a title, a style and a body, of which both are HTML already.
pub fn page(language: Option<&str>, title: &str, style: &str, body: &str) -> String {
    let language = language.unwrap_or("en");
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>\n{style}</style>\n</head>\n\
         <body>\n{body}</body>\n</html>\n"
    )
}

/// A picture as an address that is the picture. As such it is only looked at: no script in it is run, and it fetches nothing.
pub fn address(picture: &Picture) -> String {
    format!("data:{};base64,{}", picture.sort, STANDARD.encode(&picture.bytes))
}
