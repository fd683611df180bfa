# `make` alone says what there is. Every target does its own set-up, from a fresh clone on.

SHELL := /bin/bash
.DEFAULT_GOAL := help

SWIFT ?= swift
PREFIX ?= /usr/local

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

# The version whose library the program takes.
WASMTIME := $(shell sed -n 's/^.define POTLUCK_WASMTIME_VERSION "\(.*\)"/\1/p' Sources/CWasmtime/include/potluck_wasmtime.h)

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

# Everything that is tried besides: one build serves the checks, the simulator, the lab and the benches.
.PHONY: release
release: build
	$(SWIFT) build $(RELEASE) $(FLAGS)

.PHONY: demo
demo: build ## a server and two workers on this machine find each other and play Monty Hall
	@Tools/demo $(BUILD)/release/potluck

# All tests at once would starve those that wait for real sockets and processes; a few more than there are cores do not.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4

.PHONY: tests
tests: deps
	$(SWIFT) build --build-tests $(FLAGS)

.PHONY: test
test: tests ## run every test (FILTER= takes a part of a name)
	@Tools/test $(BUILD) $(if $(FILTER),--filter '$(FILTER)')

# VERBOSE=1 tells all that happens in a schedule; TRACE=FILE lives a node's record again.
.PHONY: sim
sim: deps ## live simulated schedules of a whole cluster (SEED=, RUNS=; TRACE=FILE replays a record)
	$(SWIFT) build $(RELEASE) $(FLAGS) --product potluck-sim
	@SEED='$(SEED)' RUNS='$(RUNS)' TRACE='$(TRACE)' VERBOSE='$(VERBOSE)' $(BUILD)/release/potluck-sim

.PHONY: fuzz
fuzz: deps ## try a million strange packets, frames, messages and records (SEEDS=), and the golden tallies
	$(SWIFT) build $(RELEASE) $(FLAGS) --product potluck-check
	@$(BUILD)/release/potluck-check $(SEEDS)

.PHONY: check
check: ## what a change must pass: layout, warnings, WebAssembly, kernels, tests
	@$(MAKE) --no-print-directory STRICT=1 lint wasm release kernels test

# The long forms of what CI does in short.
.PHONY: soak
soak: release ## all schedules, all fuzzing, sanitizers, kills and benches: hours
	@$(BUILD)/release/potluck-check 10000000
	@$(MAKE) --no-print-directory sim RUNS=1000000
	@POTLUCK_FUZZ=10000 POTLUCK_KILLS=200 POTLUCK_DAMAGES=1000 POTLUCK_OUTSIDERS=1000 $(MAKE) --no-print-directory test
	@Benchmarks/soak $(BUILD)/release/potluck
	@$(MAKE) --no-print-directory lab sanitize bench

.PHONY: lint
lint: deps ## check that the sources are laid out as `make format` would
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

.PHONY: format
format: deps ## lay out the sources
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

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
bench: release ## compare our speed with C's (SHORT=1 only shows that every bench runs)
	@BUILD=$(BUILD) Benchmarks/run $(if $(SHORT),short)

# Each has a folder of its own, because changing flags rebuilds everything.
.PHONY: sanitize
sanitize: deps ## run all tests that can under ThreadSanitizer and AddressSanitizer
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
	@library=.build/wasmtime/$(WASMTIME)/libwasmtime.so; \
		if [ -e "$$library" ]; then install -D -m 644 "$$library" $(DESTDIR)$(PREFIX)/lib/potluck/libwasmtime.so; fi
	@for module in .build/modules/*.wasm; do \
		if [ -e "$$module" ]; then install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/potluck/modules "$$module"; fi; done

.PHONY: clean
clean: ## remove everything that was built
	rm -rf .build dist
