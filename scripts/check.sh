#!/bin/sh
# Hold the project to its rules. `fast` leaves out what starts whole programs or a browser; `all` is what CI runs.
# Where types are right, nothing is said of them: pytest comes last, so that its summary is the last thing printed.
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

page_found=$(mktemp)
types_found=$(mktemp)
check_page() {
    [ "$extent" = fast ] || sh scripts/install_tools.sh || return
    sh scripts/check_page.sh "$extent"
}
check_page >"$page_found" 2>&1 & # uses one processor, beside what Python needs
page=$!
types=
trap 'kill "$page" $types 2>/dev/null || true; rm -f "$page_found" "$types_found"' EXIT
make --no-print-directory .venv/installed-for-tests

say "Format and lint"
"$bin/ruff" format --check .
"$bin/ruff" check .

"$bin/mypy" >"$types_found" 2>&1 & # beside the page's tests, and where these end first, beside those of pytest
types=$!

say "The page"
wait "$page" || { cat "$page_found"; exit 1; }
cat "$page_found"

say "Tests"
set -- -n "$at_a_time" --dist loadfile --no-loadscope-reorder # files in their order: the browser's come last
failed=
if [ "$extent" = fast ]; then
    "$bin/python" -m pytest "$@" -q -m "not slow and not browser" || failed=tests
else
    "$bin/python" -m pytest "$@" || failed=tests
fi

wait "$types" || { say "Types"; cat "$types_found"; failed=types; }
[ -z "$failed" ]
