//! Replays the fuzzing corpus, including inputs that once failed.

use std::fs;
use std::path::Path;

#[test]
fn the_fuzzing_corpus_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds");
    for (target, check) in fuzz::TARGETS {
        let seeds = fs::read_dir(folder.join(target)).unwrap_or_else(|error| panic!("seeds of {target}: {error}"));
        let mut count = 0;
        for seed in seeds {
            let path = seed.expect("a seed can be listed").path();
            let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            // The name is printed if the check panics.
            println!("{}", path.display());
            check(&bytes);
            count += 1;
        }
        assert!(count > 0, "{target} has no seeds");
    }
}
