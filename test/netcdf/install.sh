#!/usr/bin/env bash
# Installs what reads fields.nc from outside, from Debian's packages: ncdump, and xarray and netCDF4 of the system's Python.
# Where that cannot be done the tests that need them say so and are skipped.
set -euo pipefail
if command -v ncdump >/dev/null && /usr/bin/python3 -c 'import netCDF4, xarray' 2>/dev/null; then exit 0; fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
  echo "fields.nc is not read from outside: apt-get install netcdf-bin python3-xarray python3-netcdf4" >&2
  exit 0
fi
apt-get update -qq || true
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends netcdf-bin python3-xarray python3-netcdf4 >/dev/null
