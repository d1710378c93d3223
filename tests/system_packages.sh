#!/usr/bin/env bash
# What the tests need from the operating system: installed when that is allowed, named plainly when not.
set -u
missing=()
command -v bwrap >/dev/null || missing+=(bubblewrap)
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || missing+=(chromium)
[ ${#missing[@]} -eq 0 ] && exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; then
    echo "Installing ${missing[*]}"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" && exit 0
fi
echo "Missing: ${missing[*]}. The tests that need them will fail; install them with your package manager (on Debian: sudo apt-get install ${missing[*]})."
