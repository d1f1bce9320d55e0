#!/bin/sh
# Take out of an environment what running does not need: the packages' own tests, what only compilers and type
# checkers read, physics, other databases, and symbols for debuggers. The Dockerfile calls it; it needs binutils.
set -eu
site=$(echo "$1"/lib/python3.*/site-packages)

find "$site" -depth -type d \( -name tests -o -name test -o -name benchmarks \) -exec rm -rf {} +
find "$site" -type f \( -name '*.pyi' -o -name '*.pxd' -o -name '*.pyx' -o -name '*.h' -o -name '*.c' -o -name '*.?pp' -o -name '*.a' \) -delete
# what nothing of ours, and nothing else of theirs, imports when it is loaded
for part in physics stats crypto diffgeom holonomic liealgebras vector categories parsing/autolev parsing/latex; do
    rm -rf "$site/sympy/$part"
done
for database in mysql oracle mssql; do # a store is of SQLite or PostgreSQL
    rm -rf "$site/sqlalchemy/dialects/$database"
done
rm -rf "$site"/numpy/f2py "$site"/numpy/_core/_simd.*.so "$site"/sqlalchemy/testing "$site"/alembic/testing
# libraries that a wheel brings along have been rewritten, and are left as they are
find "$site" -name '*.so' -not -path '*.libs/*' -exec strip --strip-unneeded {} +
