# SPDX-License-Identifier: MIT
# A short way to what CMake and the scripts in tools/ do. `make help` lists the targets.
PREFIX ?= /usr/local
BENCH ?=

.PHONY: all demo test test-builds test-page test-peers test-python fuzz bench install format lint clean help

all: ## build the library and the program, build/imsat
	@tools/deps --check || { echo 'To install it: tools/deps'; exit 1; }
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release --target imsat imsat_shared imsat_generated

demo: ## build, cluster the bundled digits, and explain the result
	@tools/deps
	@$(MAKE) --no-print-directory all
	@tools/demo

test: ## build and run the tests, release and sanitized
	@tools/deps
	@tools/run-tests

test-builds: ## other builds: without optional libraries, for ARM, for older processors, installed
	@tools/deps --builds
	@tools/run-tests builds

test-peers: ## install FAISS, PostgreSQL, SQLite and others, and compare with them
	@tools/deps --peers
	@tools/test-peers

test-python: ## build the package of Python, install it to an empty place, and test it there
	@tools/deps --python
	@tools/test-python

test-page: ## install Chromium and Node, and open pages of reports in it
	@tools/deps --page
	@tools/test-page

fuzz: ## five minutes of hostile inputs for everything that reads, by libFuzzer
	@tools/deps --lint
	@tools/fuzz

# BENCH: further arguments of imsat_bench, as BENCH='--no-peers step'. Peers that cannot be
# installed are left out, and the table says so.
bench: ## install the peers, and measure ours, the machine's limit, and them
	@tools/deps
	@case '$(BENCH)' in *--no-peers*) ;; *) tools/deps --bench || true ;; esac
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release --target imsat_bench
	@build/bench/imsat_bench --account $(BENCH)

install: all ## install to PREFIX (/usr/local), below DESTDIR if that is set
	@cmake --install build --prefix $(PREFIX)

format: ## lay out all C files by .clang-format
	@git ls-files -z '*.c' '*.h' | xargs -0 clang-format -i

lint: ## layout, static checks, scripts, and a build by clang
	@tools/lint

clean: ## remove everything that was built
	@rm -rf build imsat-demo

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1: /p' Makefile | awk -F': ' '{printf "%-11s %s\n", $$1, $$2}'
