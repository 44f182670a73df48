#!/usr/bin/env bash
# Installs what reads fields.nc from outside, from Debian's packages: ncdump, and xarray and netCDF4 of the system's Python.
# Where that cannot be done it says so, and the test that needs them is skipped.
set -uo pipefail
packages=(netcdf-bin python3-xarray python3-netcdf4)
has_readers() { command -v ncdump >/dev/null && /usr/bin/python3 -c 'import netCDF4, xarray' 2>/dev/null; }
install() {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${packages[@]}" >/dev/null
}
has_readers && exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then install; fi
has_readers || echo "fields.nc is not read from outside here; what is missing: apt-get install ${packages[*]}" >&2
exit 0
