#!/bin/sh
# Builds LTL2BA and LTL3BA in a folder. zoo.toml calls them, with spin and lbt, which Debian and
# Ubuntu have as packages.
#
#	sudo apt-get install spin lbt
#	zoo.sh FOLDER
set -eu

if [ $# -ne 1 ]; then
	echo 'usage: zoo.sh FOLDER' >&2
	exit 2
fi
mkdir -p "$1"
cd "$1"

clone() { [ -d "$1" ] || git clone --quiet --depth 1 "https://github.com/$2" "$1"; }
clone ltl2ba.src utwente-fmt/ltl2ba
clone ltl3ba.src lkm1321/ltl3ba

: >ltl2ba.src/config.h # the sources ask for it, but use none of its definitions
cc -O2 -w -DNXT -Iltl2ba.src -o ltl2ba ltl2ba.src/*.c
make --silent -C ltl3ba.src native CPPFLAGS='-O2 -w -IBuDDy/src'
cp ltl3ba.src/ltl3ba ltl3ba
