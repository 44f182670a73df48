#!/usr/bin/env bash
# Prepares a machine for these tests: installs Firefox, WebKit with its driver, and what they draw with, from Debian's packages.
# Where that cannot be done it says so, and the tests are skipped.
set -uo pipefail
packages=(xvfb firefox-esr webkit2gtk-driver libgl1-mesa-dri)
has_packages() {
  local installed
  installed=$(dpkg-query --show --showformat '${db:Status-Status}\n' "${packages[@]}" 2>/dev/null | grep -c '^installed$')
  [ "$installed" = "${#packages[@]}" ]
}
install() {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${packages[@]}" >/dev/null
}
if ! has_packages && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then install; fi
has_packages || echo "The page is not tested in Firefox and WebKit; what is missing: root, apt-get install ${packages[*]}" >&2
exit 0
