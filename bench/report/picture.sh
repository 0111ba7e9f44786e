#!/bin/bash
# `make measure-picture`: README's picture, from what `make measure-kinds` measured.
set -euo pipefail
cd "$(dirname "$0")/../.."
gnuplot bench/report/picture.gnuplot
