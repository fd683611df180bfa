# `make` alone lists the targets. Every target installs and builds what it needs, even in a fresh clone.

SHELL := /bin/bash
.DEFAULT_GOAL := help

SWIFT ?= swift
PREFIX ?= /usr/local

# The released program is one self-contained file: Swift's runtime is linked in. The build uses the same options as
# `make install` and `make dist`, so that nothing is compiled twice and the tested program is the released one.
# Libraries in ../lib/potluck, as in the archive, take precedence. --disable-new-dtags selects RPATH, because only that
# also applies to the dependencies of those libraries.
RELEASE := -c release --static-swift-stdlib \
	-Xlinker --disable-new-dtags -Xlinker -rpath -Xlinker '$$ORIGIN/../lib/potluck'

# CI builds once, for the tests, and tries those programs: CHECKED=1. They keep their assertions, and the engine is optimised.
ifdef CHECKED
ifneq ($(filter bench bench-peers clusters demo dist fuzz heritage install release shipped soak,$(MAKECMDGOALS)),)
$(error CHECKED=1 tries the debug build, but this target needs the release build; leave CHECKED out)
endif
RELEASE :=
KIND := debug
else
KIND := release
endif

# CI builds with STRICT=1. It has a folder of its own, because changing flags rebuilds everything.
ifdef STRICT
FLAGS := --scratch-path .build/strict --explicit-target-dependency-import-check error \
	-Xswiftc -warnings-as-errors -Xcc -Werror
BUILD := .build/strict
else
FLAGS :=
BUILD := .build
endif

# The version of wasmtime that the program uses.
WASMTIME := $(shell sed -n 's/^.define POTLUCK_WASMTIME_VERSION "\(.*\)"/\1/p' Sources/CWasmtime/include/potluck_wasmtime.h)

SOURCES := $(wildcard Sources Tests Plugins Benchmarks Examples Tools docs/Kit.docc Package.swift)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: deps
deps: ## install missing packages (Debian and Ubuntu; no questions)
	@Tools/deps build

# Nodes on this machine need no modules, which take as long to make as half of the program.
.PHONY: program
program: deps
	$(SWIFT) build $(RELEASE) $(FLAGS) --product potluck
	@Tools/lanes .build/lanes

.PHONY: build
build: program ## build potluck, its modules, its libraries of lanes and its runtime for Python
	@Tools/python-runtime .build/python/runtime.wasm
	@Tools/modules $(BUILD)/$(KIND)/potluck .build/modules

# One build for everything besides `potluck`: the checks, the simulator, the lab and the benchmarks.
.PHONY: release
release: build
	$(SWIFT) build $(RELEASE) $(FLAGS)

.PHONY: demo
demo: $(if $(WEB),build,program) ## run Monty Hall on a server and two workers on this machine (WEB=1: with its web page; RANKS=1: heat on a plate)
	@$(if $(RANKS),Tools/demo-ranks,WEB='$(WEB)' Tools/demo) $(BUILD)/release/potluck

.PHONY: tests
tests: deps
	@Tools/deps test
	@Tools/lanes .build/lanes
	@Tools/python-runtime .build/python/runtime.wasm
	$(SWIFT) build --build-tests $(FLAGS)

.PHONY: test
test: tests ## run all tests (FILTER=NAME runs some)
	@Tools/test $(BUILD) $(if $(FILTER),--filter '$(FILTER)')

# VERBOSE=1 prints everything that happens in a schedule. TRACE=FILE replays a node's trace.
.PHONY: sim
sim: deps ## simulate clusters (SEED=, RUNS=; BUSY=1: many jobs and viewers; RANKS=1: programs with ranks; TRACE=FILE replays a trace)
	$(SWIFT) build $(RELEASE) $(FLAGS) --product potluck-sim
	@SEED='$(SEED)' RUNS='$(RUNS)' BUSY='$(BUSY)' RANKS='$(RANKS)' TRACE='$(TRACE)' VERBOSE='$(VERBOSE)' $(BUILD)/$(KIND)/potluck-sim

.PHONY: fuzz
fuzz: deps ## fuzz all input formats (SEEDS=) and check golden tallies
	$(SWIFT) build $(RELEASE) $(FLAGS) --product potluck-check
	@$(BUILD)/release/potluck-check $(SEEDS)

.PHONY: check
check: ## run all checks: lint, warnings, WebAssembly, tests
	@$(MAKE) --no-print-directory STRICT=1 lint wasm release test

# CI has no time for a second build. Run this before a release and after a change to the kit, the build or the packages.
.PHONY: shipped
shipped: release ## check what is shipped: the release build, the modules, every bench, the packages on a bare system
	@$(MAKE) --no-print-directory wasm
	@$(BUILD)/release/potluck-check 200000
	@$(MAKE) --no-print-directory sim SEED=1 RUNS=1000
	@$(MAKE) --no-print-directory bench SHORT=1
	@$(MAKE) --no-print-directory dist

# The long versions of what CI runs briefly.
.PHONY: soak
soak: release ## run all schedules, fuzzing, sanitizers and benchmarks: hours
	@$(BUILD)/release/potluck-check 10000000
	@$(MAKE) --no-print-directory sim RUNS=1000000
	@$(MAKE) --no-print-directory sim BUSY=1 RUNS=200000
	@$(MAKE) --no-print-directory sim RANKS=1 RUNS=1000000
	@POTLUCK_SILENCE=240 POTLUCK_SCHEDULES=all POTLUCK_FUZZ=10000 POTLUCK_MISTAKES=0/1 POTLUCK_KILLS=200 POTLUCK_DAMAGES=1000 POTLUCK_OUTSIDERS=1000 POTLUCK_COMPILES=1000 POTLUCK_DRAWS=1073741824 POTLUCK_COVERAGE=4000 $(MAKE) --no-print-directory test
	@POTLUCK_PROGRAMS=100000 POTLUCK_SEEDS=20 $(MAKE) --no-print-directory python
	@Benchmarks/soak $(BUILD)/release/potluck
	@$(MAKE) --no-print-directory wasm dist
	@Tools/arm-check dist/potluck_cluster-*-any.whl
	@Tools/wasmtime-wheels
	@$(MAKE) --no-print-directory chaos RUNS=100
	@$(MAKE) --no-print-directory lab sanitize bench

.PHONY: lint
lint: deps ## check the source format
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

.PHONY: format
format: deps ## format the sources
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

.PHONY: wasm
wasm: deps
	Tools/wasm-check

# .build/docs/index.html opens from disk.
.PHONY: docs
docs: ## build the reference of the kit for authors, and check it
	@Tools/deps docs
	@Tools/docs

# Screenshots are left in .build/pages. The room is a session of the program with pages in Chromium.
PAGES ?= chromium firefox room
.PHONY: pages
pages: build ## open the web page in Chromium and Firefox, and check what it shows and computes (CHECKS= runs some)
	@Tools/deps pages
	@for place in $(PAGES); do \
		if [ $$place != room ]; then Tests/Pages/run $$place $(BUILD)/$(KIND)/potluck .build/modules $(CHECKS) || exit; \
		elif Tests/Lab/lab allowed; then Tests/Pages/room $(BUILD)/$(KIND)/potluck $(CHECKS) || exit; \
		else echo "Skipping the room."; fi; done

.PHONY: python
python: build ## test the Python module against the program (PYTHON= chooses another Python)
	@Tools/deps python
	@Tools/python $(BUILD)/$(KIND)/potluck

.PHONY: lab
lab: ## test on virtual networks (needs root or user namespaces)
	@if Tests/Lab/lab allowed; then $(MAKE) --no-print-directory lab-here; else echo "Skipping the lab."; fi

.PHONY: lab-here
lab-here: build
	@Tools/deps lab
	$(SWIFT) build $(RELEASE) $(FLAGS) --product PotluckBench
	$(SWIFT) build $(RELEASE) $(FLAGS) --product PotluckRogue
	POTLUCK=$(BUILD)/$(KIND)/potluck Tests/Lab/all $(SHOW)

# SHORT=1 leaves out Slurm and the engines from PyPI.
.PHONY: clusters
clusters: build ## run the examples for Slurm, MPI and others, and compare digests (SHOW=, SHORT=1)
	@Tools/deps batch $(if $(SHORT),,clusters)
	@POTLUCK=$(BUILD)/release/potluck Tests/Clusters/all --require $(if $(SHORT),--quick) $(SHOW)

# SEED= and RUNS= say which; SHORT=1 draws schedules of a few seconds.
.PHONY: chaos
chaos: ## play random schedules of faults on real processes in the lab, and judge each (SEED=, RUNS=, SHORT=1)
	@if Tests/Lab/lab allowed; then $(MAKE) --no-print-directory chaos-here; else echo "Skipping chaos."; fi

.PHONY: chaos-here
chaos-here: build
	@Tools/deps lab
	@POTLUCK=$(BUILD)/$(KIND)/potluck SEED='$(SEED)' RUNS='$(RUNS)' SHORT='$(SHORT)' Tests/Lab/chaos

.PHONY: heritage
heritage: release ## measure the tables of docs/HERITAGE.md
	Tools/heritage

.PHONY: bench
bench: release ## compare the speed with C, in about ten minutes (SHORT=1 only runs each benchmark once)
	@$(if $(SHORT),:,Tools/deps peers)
	@BUILD=$(BUILD) Benchmarks/run $(if $(SHORT),short)

.PHONY: bench-peers
bench-peers: release ## measure the same work through Open MPI, Dask and Ray (SHORT=1 only shows that it runs)
	@Tools/deps contest
	Benchmarks/peers $(BUILD)/release/potluck $(BUILD)/release/PotluckBench .build/peers $(if $(SHORT),short)

# Each has a folder of its own, because changing flags rebuilds everything.
.PHONY: sanitize
sanitize: deps ## run the tests under ThreadSanitizer and AddressSanitizer
	Tools/sanitize thread
	Tools/sanitize address

.PHONY: dist
dist: build ## build the archive, the .deb and the wheels, and test each on a bare system
	@Tools/deps dist
	Tools/dist $(BUILD)/release/potluck dist
	Tools/dist-check dist

# Nothing is built under sudo: root may have no Swift, and files owned by root would be in the way later.
.PHONY: install
install: $(if $(SUDO_USER),,build) ## install potluck under PREFIX (/usr/local)
	@test -x $(BUILD)/release/potluck || { echo "Run \`make build\` first, without sudo." >&2; exit 1; }
	install -D -s -m 755 $(BUILD)/release/potluck $(DESTDIR)$(PREFIX)/bin/potluck
	@library=.build/wasmtime/$(WASMTIME)/libwasmtime.so; \
		if [ -e "$$library" ]; then install -D -m 644 "$$library" $(DESTDIR)$(PREFIX)/lib/potluck/libwasmtime.so; fi
	@for module in .build/modules/*.wasm; do \
		if [ -e "$$module" ]; then install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/potluck/modules "$$module"; fi; done
	@for library in .build/lanes/*.so; do \
		if [ -e "$$library" ]; then install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/potluck "$$library"; fi; done
	@rm -rf $(DESTDIR)$(PREFIX)/lib/potluck/kit
	@for file in .build/kit/*/*; do \
		if [ -e "$$file" ]; then install -D -m 644 "$$file" "$(DESTDIR)$(PREFIX)/lib/potluck/$${file#.build/}"; fi; done
	Tools/install-python $(DESTDIR)$(PREFIX)/lib/potluck
	Tools/install-texts $(BUILD)/release/potluck $(DESTDIR)$(PREFIX)/share
	Tools/install-units $(DESTDIR)$(PREFIX)/lib/systemd
	Tools/install-docs $(DESTDIR)$(PREFIX)/share/doc/potluck

# Everything that `make install` has put there, also by an earlier version. Files of users are left: docs/OPERATING.md.
.PHONY: uninstall
uninstall: ## remove what `make install` has installed (PREFIX=)
	rm -rf $(DESTDIR)$(PREFIX)/bin/potluck $(DESTDIR)$(PREFIX)/lib/potluck $(DESTDIR)$(PREFIX)/share/doc/potluck
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,share/man/man1/potluck.1 share/man/man1/potluck-*.1 \
		share/bash-completion/completions/potluck share/zsh/site-functions/_potluck \
		share/fish/vendor_completions.d/potluck.fish lib/systemd/system/potluck@.service lib/systemd/user/potluck@.service)

.PHONY: clean
clean: ## remove all build products
	rm -rf .build dist
