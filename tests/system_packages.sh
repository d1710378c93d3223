#!/usr/bin/env bash
# What the tests need from the operating system: installed when that is allowed, named plainly when not.
set -u
missing=()
command -v bwrap >/dev/null || missing+=(bubblewrap)
[ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
    || command -v google-chrome >/dev/null || missing+=(chromium)
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    echo "Installing ${missing[*]} with apt-get"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" && exit 0
fi
cat <<EOF
Missing: ${missing[*]}. The tests that need them will fail.
Install them and run again; on Debian and Ubuntu: sudo apt-get install ${missing[*]}
EOF
