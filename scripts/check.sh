#!/bin/sh
# Hold the project to its rules. `fast` leaves out what starts whole programs or a browser; `all` is what CI runs.
# pytest comes last, so that its summary is the last thing printed.
set -eu
extent=$1
bin=.venv/bin
began=$(date +%s)
at_a_time=$(getconf _NPROCESSORS_ONLN) # test files, each in a process of its own; those of the fast part seldom wait
[ "$extent" = fast ] || at_a_time=$((at_a_time + 2)) # with a server and a browser, they are idle almost half of the time
unset PYTHONDONTWRITEBYTECODE # or each of the many processes that tests start compiles every module again

say() {
    printf '\n== %s (after %s s)\n' "$1" "$(($(date +%s) - began))"
}

say "Format and lint"
"$bin/ruff" format --check .
"$bin/ruff" check .

types_found=$(mktemp)
"$bin/mypy" >"$types_found" 2>&1 & # beside the page's tests, which use one processor
types=$!
trap 'kill "$types" 2>/dev/null || true; rm -f "$types_found"' EXIT

if command -v npm >/dev/null 2>&1; then
    if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
        say "Installing the page's tools"
        npm ci --no-progress --loglevel=error
    fi
    say "The page: format"
    npm run --silent format-check
    say "The page: lint"
    npm run --silent lint
    say "The page: types"
    npm run --silent types
    say "The page: tests"
    if [ "$extent" = all ]; then npm test --silent; else npm run --silent test-quick; fi
else
    echo "Node is not installed: the page's own types and tests are left out."
    [ "$extent" = fast ]
fi

say "Types"
wait "$types" || { cat "$types_found"; exit 1; }
cat "$types_found"

say "Tests"
set -- -n "$at_a_time" --dist loadfile --no-loadscope-reorder # files in their order: the browser's come last
if [ "$extent" = fast ]; then
    "$bin/python" -m pytest "$@" -q -m "not slow and not browser"
else
    "$bin/python" -m pytest "$@"
fi
