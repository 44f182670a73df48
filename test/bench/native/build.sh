#!/usr/bin/env bash
# Builds the native baselines with gcc for this processor: build.sh FOLDER
set -euo pipefail
folder=$1
cd "$(dirname "$0")"
for program in lax_wendroff central_upwind recursive_filter convolution letkf gain_covariance; do
  "${CC:-gcc}" -std=gnu11 -O3 -march=native -fopenmp -Wall -Wextra -Werror "$program.c" harness.c -o "$folder/$program" -lm
done
