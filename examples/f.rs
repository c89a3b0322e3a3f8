//! x
fn main() {
    let mut t = String::new();
    for i in 0..6000 {
        t.push_str(&format!("tool \"Card {i}\" {{\n  party: mecha  tier: 4  raw: {}\n  text: \"Buff this by two, then draw.\"\n  activate {{\n    choose m in theirs where raw <= 3 for bounce\n    bounce m\n    buff this by 2\n  }}\n}}\n", i%5));
        if t.len() > 1040000 {
            println!("{i}");
            break;
        }
    }
    for _ in 0..3 {
        let s = std::time::Instant::now();
        let (f, d) = cardwright::syntax::parse(cardwright::base::FileId(0), &t);
        println!("{} items {} diags {} bytes {:?}", f.items.len(), d.len(), t.len(), s.elapsed());
    }
}
