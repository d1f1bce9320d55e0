#!/bin/sh
# Install what the tests need beyond Python, where it is not found: Chromium, Node and npm, through apt; where CI is
# set, PostgreSQL and Redis, too. Firefox and WebKit come where CI is set or `browsers` is asked for; without them, or
# where apt has none, what needs them is left out. Where CI is set comes Chromium's headless shell, too, which opens
# the page with a fifth less of the processor's time; where apt has none, Chromium itself is driven.
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
wished=
quicker=
if [ -n "${CI:-}" ] && [ -z "${CHROMIUM:-}" ] && ! has chromium-headless-shell; then
    quicker=chromium-headless-shell
fi
if [ -n "${CI:-}" ] || [ "${1:-}" = browsers ]; then
    has firefox-esr || has firefox || wished="$wished firefox-esr"
    has WebKitWebDriver || wished="$wished webkit2gtk-driver"
    has Xvfb || wished="$wished xvfb"
fi
[ -n "$missing$wished$quicker" ] || exit 0

if ! has apt-get; then
    [ -n "$missing" ] || exit 0
    echo "The tests need$missing$wished, and this system has no apt-get. Please install them and run again." >&2
    exit 1
fi
as_root=
if [ "$(id -u)" != 0 ]; then
    if ! has sudo; then
        [ -n "$missing" ] || exit 0
        echo "The tests need$missing$wished. As root: apt-get install$missing$wished" >&2
        exit 1
    fi
    as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update --quiet=2

install() {
    echo "Installing $*."
    $as_root apt-get install --quiet=2 --yes --no-install-recommends "$@" >/dev/null
}

# shellcheck disable=SC2086 # one word for each package
[ -z "$missing" ] || install $missing
# shellcheck disable=SC2086
[ -z "$wished" ] || install $wished || echo "Without$wished; the tests in these browsers are left out." >&2
[ -z "$quicker" ] || install "$quicker" || echo "Without $quicker; Chromium itself is driven." >&2
