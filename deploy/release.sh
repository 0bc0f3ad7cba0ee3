#!/usr/bin/env bash
# Make what a release consists of: sdist, wheel, and a CycloneDX bill of materials of the wheel and of each lock file.
#   deploy/release.sh [FOLDER]     dist/ without FOLDER; .venv has what requirements-test.txt lists
set -euo pipefail
cd "$(dirname "$0")/.."
folder="${1:-dist}"
python="${PYTHON:-.venv/bin/python}"
# The time of the commit is that of all files, so that the same commit makes the same bytes.
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH
mkdir -p "$folder"
"$python" -m hatchling build --directory "$folder"

sbom=("$python" -m cyclonedx_py)
written=(--output-reproducible --output-format JSON --validate)
empty="$(mktemp -d)"
trap 'rm -rf "$empty"' EXIT
"$python" -m venv --without-pip "$empty"
"$python" -m pip --python "$empty/bin/python" install --quiet --no-compile "$folder"/botframework_citations-*.whl
rm "$empty"/lib/python*/site-packages/*.dist-info/direct_url.json # where the wheel was on this machine
"${sbom[@]}" environment "${written[@]}" --output-file "$folder/wheel.cdx.json" "$empty/bin/python"
for lock in deploy/*.lock; do
  "${sbom[@]}" requirements "${written[@]}" --output-file "$folder/$(basename "$lock").cdx.json" "$lock"
done
(cd "$folder" && sha256sum -- *)
