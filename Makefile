# The four commands that the document of chezz promises; each is one line, and cargo does the work.
.PHONY: build run run-release test
build: ; cargo build --locked
run: ; cargo run --locked
run-release: ; cargo run --locked --release
test: ; cargo xtask test
