#!/usr/bin/env bash
# Prepares a machine for these tests: installs what Electron needs from Debian's packages, and adds the user that it runs as,
# because Chromium's sandbox refuses root. Where that cannot be done it says so, and the tests are skipped.
set -uo pipefail
packages=(libgtk-3-0 libnss3 libasound2 libgbm1 libnotify4 libxss1 xvfb unzip)
user=shoal-window
has_packages() {
  local installed
  installed=$(dpkg-query --show --showformat '${db:Status-Status}\n' "${packages[@]}" 2>/dev/null | grep -c '^installed$')
  [ "$installed" = "${#packages[@]}" ]
}
has_user() { id "$user" >/dev/null 2>&1; }
install() {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${packages[@]}" >/dev/null
}
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  has_packages || install
  has_user || useradd --system --user-group --no-create-home --shell /usr/sbin/nologin "$user"
fi
has_packages && has_user || echo "Electron is not tested here; what is missing: root, apt-get install ${packages[*]}, useradd $user" >&2
exit 0
