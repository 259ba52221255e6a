#!/bin/sh
# Builds the translators of docs/zoo.md from fixed commits of their public sources. FOLDER/bin gets
# a command of each tool's name, which zoo.toml calls:
#
#	build.sh FOLDER [TOOL]...
#	PATH=FOLDER/bin:$PATH xcheck run -c zoo.toml --ignore-missing
#
# Without TOOL it builds all whose compilers are installed. Debian has them, and lbt and spin:
#
#	apt-get install git make g++ default-jdk-headless erlang-base ocaml menhir ghc rustc python3 \
#		libbdd-dev spin lbt autoconf automake libtool bison flex
#
# Spot (ltl2tgba) takes ten minutes. One that is on PATH is used instead: its library serves
# ltl3tela and ltl2sdba, too. The exit status is 1 if a tool fails, or if a named one is skipped.
# shellcheck disable=SC2015,SC2086,SC2317 # lists of words; functions that the last loop calls
set -u
all='ltl2tgba ltl3tela ltl2sdba ltl3dra ltl3ba lbt ltl_to_nga luke36_ltl ltl2ba ltl2ba_json libltl2ba
spin ltl2buchi jltl2ba jltl2dstar erlang_ltl2buchi ltl_to_ba haskell_ltl2ba ltlmodelchecking
rust_model_checker'

# missing THING skips the tool: the last line of its log is the reason.
missing() { echo "$1" && exit 3; }
need() { for program; do command -v "$program" >/dev/null || missing "$program"; done; }
# fetch OWNER/NAME COMMIT PROGRAM... enters the sources of a commit, which need the programs.
fetch() {
	dir=$folder/src/$1 repository=$1 commit=$2
	shift 2
	need git "$@"
	mkdir -p "$dir"
	cd "$dir"
	git init -q .
	git cat-file -e "$commit" 2>/dev/null || git fetch -q --depth 1 "https://github.com/$repository" "$commit"
	git checkout -q -f "$commit"
	git clean -q -d -f -x
}
# launcher NAME COMMAND makes a command that calls another one.
launcher() { printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1" && chmod +x "$bin/$1"; }
# spot sets the flags of a compiler for the library that ltl2tgba belongs to.
spot() {
	need ltl2tgba
	prefix=$(readlink -f "$(command -v ltl2tgba)")
	prefix=${prefix%/bin/*}
	[ -e "$prefix/include/spot" ] || missing 'the library of Spot'
	flags="-std=c++17 -O2 -w -I$prefix/include -L$prefix/lib -Wl,-rpath,$prefix/lib"
}

build_lbt() { need lbt; }
build_spin() { need spin; }
build_ltl2tgba() {
	if ! command -v ltl2tgba; then
		fetch vtramo/spot 368eb6e0cd1e6c07fbe86bffe1e1783a17e2e87f autoreconf bison c++ flex libtoolize make python3
		autoreconf -i
		./configure --prefix="$folder/spot" --disable-python --disable-devel --disable-debug --disable-static CXXFLAGS=-O1
		for part in picosat buddy lib ltdl spot bin; do make -j 2 -C $part install; done # doc needs LaTeX
		ln -s "$folder/spot/bin/ltl2tgba" "$bin"
	fi
}
build_ltl3tela() {
	spot
	fetch jurajmajor/ltl3tela 02092adca492678407bd74b5d3bbe103d8c2b400 c++
	c++ $flags -o "$bin/ltl3tela" ./*.cpp -lspot -lbddx
}
# In Spot 2.12 marks are no integers, and a comparison with a null pointer does not compile. The tool
# writes a file of a fixed name into the current folder.
build_ltl2sdba() {
	spot
	fetch Ahimtar/ltl2sdba 1ba561f69fcb16eb92dafa8dfb1fee2121ceb300 c++
	sed -i 's/t\.acc\.id == 0/!t.acc/' semideterministic.cpp
	sed -i 's/if (spot_id_to_vwaa_set == nullptr)/if constexpr (!std::is_same<T, unsigned>::value)/' automaton.cpp
	c++ -include cmath $flags -o ltl2sdba ./*.cpp -lspot -lbddx
	launcher ltl2sdba "dir=\$(mktemp -d) && trap 'rm -r \"\$dir\"' EXIT && cd \"\$dir\" && '$PWD/ltl2sdba' \"\$@\""
}
build_ltl3dra() {
	fetch xblahoud/ltl3dra 1d1b38f5f3637e8a381008d31108acce28bcdcfc c++ make
	echo '#include <bdd.h>' | c++ -x c++ -E - >/dev/null || missing libbdd-dev
	make CPPFLAGS='-O2 -w -DNXT'
	cp ltl3dra "$bin"
}
build_ltl3ba() {
	fetch lkm1321/ltl3ba b47f820f148048c0a026b7fdf7595136c1611bd7 cc c++ make
	make native CPPFLAGS='-O2 -w -IBuDDy/src'
	cp ltl3ba "$bin"
}
build_ltl_to_nga() {
	fetch tlsdmstn56/LTL_to_NGA 239e817e8e89ae5a8ed34b4590f4991c72259fac c++
	c++ -std=c++20 -O2 -w -Iinclude -o "$bin/ltl_to_nga" "$here/ltl_to_nga.cpp" src/ltl/*.cpp src/utils/reader.cpp
}
build_luke36_ltl() {
	fetch luke36/LTL 92953606c08b9dc84361524a109b84566bb95bb0 g++
	rm main.cpp
	g++ -std=c++17 -O2 -w -fno-access-control -I. -o "$bin/luke36_ltl" "$here/luke36_ltl.cpp" ./*.cpp
}
build_ltl2ba() {
	fetch utwente-fmt/ltl2ba ea33bb2091a34f6af8dba8e26978fecb969aa93b cc
	: >config.h # the sources ask for it, but use none of its definitions
	cc -O2 -w -DNXT -I. -o "$bin/ltl2ba" ./*.c
}
build_ltl2ba_json() {
	fetch guhetier/ltl2ba 9aeced99d3fc69033729733dee6ebfaf0e2b5013 cc
	cc -O2 -w -fcommon -DNXT -o "$bin/ltl2ba_json" ./*.c
}
build_libltl2ba() {
	fetch esbmc/libltl2ba b910c686b02a99ec44a760d2c1dd9ea983e3f18e cc
	cc -O2 -w -Iinc -o "$bin/libltl2ba" src/*.c
}
build_ltl2buchi() {
	fetch esb-dev/ltl2buchi c7118bd4e9f2da6f203217d64310b4a30c61f8aa javac
	javac -nowarn -encoding ISO-8859-1 -d classes -sourcepath src "$here/LTL2BuchiLines.java"
	launcher ltl2buchi "exec java -XX:+UseSerialGC -cp '$PWD/classes' LTL2BuchiLines \"\$@\""
}
build_jltl2ba() { prism jltl2ba; }
build_jltl2dstar() { prism jltl2dstar; }
prism() {
	fetch prismmodelchecker/prism 9486c774830b78b6ad0e491e0b56d6082d660cb7 javac
	javac -nowarn -d "$folder/$1" -cp 'prism/lib/*' -sourcepath prism/src:prism/ext/lp_solve_5.5_java/src/java \
		"$here/Prism.java"
	launcher "$1" "exec java -XX:+UseSerialGC -cp '$folder/$1' Prism $1"
}
build_erlang_ltl2buchi() {
	fetch hanssv/Erlang-LTL2Buchi f2b554d5420be7fc407f992a5e630f81850616ef erl erlc
	erlc -o ebin src/*.erl "$here/erlang_ltl2buchi.erl"
	launcher erlang_ltl2buchi "exec erl +S 1 -noshell -pa '$PWD/ebin' -eval \"erlang_ltl2buchi:main([\$*])\""
}
# A newer menhir wants the type of the rule.
build_ltl_to_ba() {
	fetch rbouar/LTL-to-BA bc7ba4213b6c93afb683d403eda296349cf9bcc1 menhir ocamllex ocamlopt
	cd prototype
	sed -i 's/^%start.*/%type <Ltl.ltlFormula> formula\n&/' parser.mly
	menhir parser.mly
	ocamllex lexer.mll
	cp "$here/ltl_to_ba.ml" .
	ocamlopt -w -a -o "$bin/ltl_to_ba" ltl.ml buchi.ml parser.mli parser.ml lexer.ml ltl_to_ba.ml
}
build_haskell_ltl2ba() {
	fetch yangzhixuan/ltl2ba f775b662f487ef491c012c50a257775e10585466 ghc
	ghc -O -w -isrc -outputdir objects -o "$bin/haskell_ltl2ba" "$here/haskell_ltl2ba.hs"
}
build_ltlmodelchecking() {
	fetch cblmemo/LTLModelChecking 7ffd3a43c97f18b73b0ed87cd9c2e13eebe721d9 python3
	launcher ltlmodelchecking "PYTHONPATH='$PWD/src' exec python3 '$here/ltlmodelchecking.py'"
}
# The head of the branch working. Its parser, which needs a library, stays out.
build_rust_model_checker() {
	fetch Benestar/rust-model-checker 7c1f41954c7057fbc9d30eca5e5faac378867a12 rustc
	sed -i '/lalrpop/d;/macro_use/d;/mod lexer/d;/mod parser/d' src/lib.rs src/ltl/mod.rs
	rustc -O --edition 2018 --cap-lints allow --crate-type rlib --crate-name rust_model_checker src/lib.rs
	rustc -O --edition 2018 -L . --extern rust_model_checker -o "$bin/rust_model_checker" "$here/rust_model_checker.rs"
}

[ $# -gt 0 ] || { echo 'usage: build.sh FOLDER [TOOL]...' >&2 && exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/bin" && folder=$(cd "$1" && pwd) || exit 2
bin=$folder/bin PATH=$folder/bin:$PATH status=0
shift
named=$#
[ "$named" -gt 0 ] || set -- $all
for tool; do
	command -v "build_$tool" >/dev/null || { echo "unknown tool $tool: expected one of" $all >&2 && exit 2; }
	log=$folder/$tool.log
	(set -e && "build_$tool") >"$log" 2>&1
	case $? in
	0) echo "$tool: built" ;;
	3) echo "$tool: skipped because $(tail -n 1 "$log") is missing" && [ "$named" -eq 0 ] || status=1 ;;
	*) echo "$tool: failed, log in $log" && status=1 ;;
	esac
done
exit $status
