#!/bin/sh
# Install what the tests need beyond Python, where it is not found: Chromium, Node and npm, through apt; where CI is
# set, PostgreSQL and Redis, too.
set -eu

has() {
    command -v "$1" >/dev/null 2>&1
}

missing=
has chromium || has chromium-browser || has google-chrome || [ -n "${CHROMIUM:-}" ] || missing="$missing chromium"
has node || missing="$missing nodejs"
has npm || missing="$missing npm"
if [ -n "${CI:-}" ]; then # elsewhere nobody gets servers unasked; without them, what needs them is left out
    has redis-server || missing="$missing redis-server"
    has postgres || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing="$missing postgresql"
fi
[ -n "$missing" ] || exit 0

if ! has apt-get; then
    echo "The tests need$missing, and this system has no apt-get. Please install them and run again." >&2
    exit 1
fi
as_root=
if [ "$(id -u)" != 0 ]; then
    if ! has sudo; then
        echo "The tests need$missing. As root: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "Installing$missing."
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update --quiet=2
# shellcheck disable=SC2086 # one word for each package
$as_root apt-get install --quiet=2 --yes --no-install-recommends $missing >/dev/null
