//! Command lines with their output, as data: `fixtures/cli/*.trycmd`, each in a folder of its own. The README's
//! console blocks are run too. `TRYCMD=overwrite` rewrites the expected output; the diff is read by eye.

#[test]
fn command_lines_print_what_the_fixtures_say() {
    trycmd::TestCases::new().env("NO_COLOR", "1").case("fixtures/cli/*.trycmd");
}
