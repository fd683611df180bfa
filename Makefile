# `make` alone says what there is. Every target does its own set-up, from a fresh clone on.

SHELL := /bin/bash
.DEFAULT_GOAL := help

SWIFT ?= swift
PREFIX ?= /usr/local
CONFIG ?= debug

# What people run is one self-contained file: Swift's runtime is linked in, here as in `make install` and `make dist`,
# so that nothing is compiled twice and what is tried is what is shipped. Libraries beside it, as the archive has them,
# are found first; the old kind of search path, because only that holds for what those libraries load in their turn.
RELEASE := -c release --static-swift-stdlib \
	-Xlinker --disable-new-dtags -Xlinker -rpath -Xlinker '$$ORIGIN/../lib/potluck'

# STRICT=1 is what CI builds with. It has a folder of its own, because changing flags rebuilds everything.
ifdef STRICT
FLAGS := --scratch-path .build/strict --explicit-target-dependency-import-check error \
	-Xswiftc -warnings-as-errors -Xcc -Werror
BUILD := .build/strict
else
FLAGS :=
BUILD := .build
endif

SOURCES := $(wildcard Sources Tests Plugins Benchmarks Tools Package.swift)

.PHONY: help
help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: deps
deps: ## install what is missing on this machine (Debian and Ubuntu; asks nothing)
	@Tools/deps build

.PHONY: build
build: deps ## build potluck, and the modules of what is built in
	$(SWIFT) build $(RELEASE) $(FLAGS) --product potluck
	@Tools/modules $(BUILD)/release/potluck .build/modules

.PHONY: demo
demo: build ## a server and two workers on this machine find each other and play Monty Hall
	@Tools/demo $(BUILD)/release/potluck

# All tests at once would starve those that wait for real sockets and processes; a few more than there are cores do not.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4

.PHONY: test
test: deps ## run every test (CONFIG=release runs them optimised)
	$(SWIFT) test -c $(CONFIG) --disable-xctest $(FLAGS)

# VERBOSE=1 tells all that happens in a schedule; TRACE=FILE lives a node's record again.
.PHONY: sim
sim: deps ## live simulated schedules of a whole cluster (SEED=, RUNS=; TRACE=FILE replays a record)
	$(SWIFT) build $(RELEASE) $(FLAGS) --product potluck-sim
	@SEED='$(SEED)' RUNS='$(RUNS)' TRACE='$(TRACE)' VERBOSE='$(VERBOSE)' $(BUILD)/release/potluck-sim

.PHONY: check
check: ## all that CI checks: layout, warnings, WebAssembly, tests
	@$(MAKE) --no-print-directory STRICT=1 lint warnings kernels wasm test

.PHONY: lint
lint: deps ## check that the sources are laid out as `make format` would
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

.PHONY: format
format: deps ## lay out the sources
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

# Both builds, because each warns of things the other does not see.
.PHONY: warnings
warnings: deps
	$(SWIFT) build --build-tests $(FLAGS)
	$(SWIFT) build $(RELEASE) $(FLAGS)

# What is built already: debug, release or both.
.PHONY: kernels
kernels: build
	Tools/kernel-check $(BUILD)

.PHONY: wasm
wasm: deps
	Tools/wasm-check

.PHONY: lab
lab: ## show that nodes find each other, connect and compute on networks of namespaces (as root, or where users may have them)
	@if Tests/Lab/lab allowed; then $(MAKE) --no-print-directory lab-here; else echo "The lab is skipped."; fi

.PHONY: lab-here
lab-here: build
	@Tools/deps lab
	$(SWIFT) build $(RELEASE) $(FLAGS) --product PotluckLinkBench
	$(SWIFT) build $(RELEASE) $(FLAGS) --product PotluckRogue
	POTLUCK=$(BUILD)/release/potluck Tests/Lab/all $(SHOW)

.PHONY: bench
bench: deps ## compare our speed with C's
	Benchmarks/run

# Each has a folder of its own, because changing flags rebuilds everything.
.PHONY: sanitize
sanitize: deps ## run the links' tests under ThreadSanitizer and AddressSanitizer
	Tools/sanitize thread
	Tools/sanitize address

.PHONY: dist
dist: build ## make the archive and the .deb, and try both on a bare system
	@Tools/deps dist
	Tools/dist $(BUILD)/release/potluck dist
	Tools/dist-check dist

# Under sudo nothing is built: root may have no Swift, and its files would stand in everyone's way.
.PHONY: install
install: $(if $(SUDO_USER),,build) ## install potluck under PREFIX (/usr/local)
	@test -x $(BUILD)/release/potluck || { echo "First say \`make build\`, without sudo." >&2; exit 1; }
	install -D -s -m 755 $(BUILD)/release/potluck $(DESTDIR)$(PREFIX)/bin/potluck
	@for library in .build/wasmtime/*/libwasmtime.so; do \
		if [ -e "$$library" ]; then install -D -m 644 "$$library" $(DESTDIR)$(PREFIX)/lib/potluck/libwasmtime.so; fi; done
	@for module in .build/modules/*.wasm; do \
		if [ -e "$$module" ]; then install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/potluck/modules "$$module"; fi; done

.PHONY: clean
clean: ## remove everything that was built
	rm -rf .build dist
