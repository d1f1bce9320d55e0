#!/bin/sh
# Make .venv, or the environment named second, and install what the lock file named first pins, then the
# project itself.
# Needs a Python from 3.11 on with its venv module, and nothing else.
set -eu
lock=$1
venv=${2:-.venv}

# A candidate may be a launcher for a version that is not there, so each is asked, not only found.
is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}
can_make_venv() {
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1
}
find_python() {
    found=
    for candidate in ${PYTHON:-} python3.13 python3.12 python3.11 python3 python; do
        is_new_enough "$candidate" || continue
        found=${found:-$candidate}
        if can_make_venv "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    if [ -z "$found" ]; then
        echo "Gradlens needs Python 3.11 or newer, and found none." >&2
        echo "On Debian or Ubuntu: sudo apt-get install python3 python3-venv" >&2
    else
        version=$("$found" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        echo "$found is Python $version without its venv module, which Gradlens needs." >&2
        echo "On Debian or Ubuntu: sudo apt-get install python$version-venv" >&2
    fi
    return 1
}

if ! is_new_enough "$venv/bin/python" || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    python=$(find_python)
    echo "Making $venv with $("$python" --version)."
    rm -rf "$venv"
    "$python" -m venv "$venv"
fi

echo "Installing the packages that $lock pins."
began=$(date +%s)
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes --requirement "$lock"
"$venv/bin/python" -m compileall -q -j 0 -x '/tests?/' "$venv/lib" >/dev/null || true # pip would use one processor, and
# compile the tests of the packages, too; what is left is a template or of another Python, and never imported
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
echo "Installed in $(($(date +%s) - began)) s."
