#!/bin/sh
# Hold the page to its rules, for which Python is not needed. `fast` leaves out the slow tests, as check.sh does.
set -eu
extent=$1
began=$(date +%s)

say() {
    printf '\n== The page: %s (after %s s of its own)\n' "$1" "$(($(date +%s) - began))"
}

if ! command -v npm >/dev/null 2>&1; then
    echo "Node is not installed: the page's own types and tests are left out."
    [ "$extent" = fast ]
    exit
fi
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    say "installing its tools"
    npm ci --no-progress --loglevel=error
fi
say "format"
npm run --silent format-check
say "lint"
npm run --silent lint
say "types"
npm run --silent types
say "tests"
if [ "$extent" = all ]; then npm test --silent; else npm run --silent test-quick; fi
