#!/bin/sh
# header_docs.sh ROOT SYMBOLS: in the public headers each function, exported or inline, has directly before its
# declaration a comment of the form: @brief first, a @param for each parameter in their order, @return unless it is
# void, @par only with a heading that is known, @since last; each with a text. Private are names with two underscores
# and what stands between @cond and @endcond. Every exported function is among those of pool.h.
set -eu
cd "$1/include/asyncpool"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for header in *.h; do
    case $header in
    pool_ffi.h) continue ;; # is for PHP, and generated without comments
    redis_budget_member.h | redis_budget_metrics.h | redis_budget_script.h | redis_budget_wire.h) continue ;; # nobody else's
    esac
    awk -v header="$header" '
        function wrong(text) {
            print header ": " name "(): " text >"/dev/stderr"
            bad = 1
        }
        # The names of the parameters, in front of each a blank; those of a parameter that is a function are its own.
        function parameters(text,    n, i, depth, c, word, all) {
            sub(/^[^(]*\(/, "", text)
            sub(/\)[^)]*$/, "", text)
            n = length(text)
            for (i = 1; i <= n + 1; i++) {
                c = i > n ? "," : substr(text, i, 1)
                if (c == "(") depth++
                if (c == ")") depth--
                if (c != "," || depth > 0) {
                    word = word c
                    continue
                }
                if (match(word, /\(\*[a-z_0-9]+\)/))
                    word = substr(word, RSTART + 2, RLENGTH - 3)
                sub(/ +$/, "", word)
                sub(/.*[ *]/, "", word)
                if (word != "void") all = all " " word
                word = ""
            }
            return all
        }
        # Puts down what the lines of a comment say.
        function read(line) {
            if (line ~ /^ \* @/) {
                tag = line
                sub(/^ \* @/, "", tag)
                sub(/[ \[].*/, "", tag)
                rest = line
                sub(/^ \* @[a-z]+(\[[a-z,]+\])? */, "", rest)
                if (tag == "param") {
                    word = rest
                    sub(/ .*/, "", word)
                    sub(/^[^ ]+ */, "", rest)
                    params = params " " word
                } else if (tag == "par") {
                    headings = headings " " rest
                    rest = "" # its text begins in the next line
                } else if (tag == "since" && rest !~ /^[0-9]+\.[0-9]+$/)
                    rest = ""
                tags = tags " " tag
                texts = texts (rest == "" ? " 0" : " 1")
            } else if (tags != "" && line ~ /^ \* +[^ ]/)
                sub(/0$/, "1", texts)
        }
        function check(declaration,    void) {
            sub(/ *[{;].*/, "", declaration)
            void = declaration ~ /^(static inline )?void pool_/
            if (tags == "") return wrong("no comment directly before its declaration")
            if (tags !~ /^ brief( param)*( return)?( par)* since$/) wrong("the form is not kept:" tags)
            if (texts ~ /0/) wrong("something has no text:" tags)
            if (params != parameters(declaration)) wrong("documents" params ", has" parameters(declaration))
            if (!void != (tags ~ / return/)) wrong(void ? "@return, and it is void" : "no @return")
            if (headings !~ /^( Ownership)?( Threading)?( Re-entrancy)?( Blocking)?$/) wrong("headings:" headings)
        }
        /@cond/ { hidden = 1 }
        /@endcond/ { hidden = 0 }
        $0 == "/**" { comment = 1; tags = texts = params = headings = ""; next }
        comment && $0 == " */" { comment = 0; fresh = 1; next }
        comment { read($0); next }
        # Preprocessor lines, and what goes on in the next one.
        /^#/ || macro { macro = /\\$/; fresh = 0; next }
        !hidden && /^[a-z].*[ *]pool_[a-z0-9_]+\(/ && !/^typedef/ {
            name = $0
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
            if (name !~ /__/) {
                if (!fresh) tags = ""
                whole = $0
                while (whole !~ /[;{]/ && (getline line) > 0) {
                    if (line ~ /^\{/) break
                    sub(/^ +/, " ", line)
                    whole = whole line
                }
                check(whole)
                print name
            }
        }
        { fresh = 0 }
        END { exit bad }' "$header" >"$work/$header" || touch "$work/bad"
    echo "$header: $(wc -l <"$work/$header") functions"
    [ -s "$work/$header" ] || touch "$work/bad"
done
sed -n 's/^T \(.*\)@@.*/\1/p' "$2" | LC_ALL=C sort >"$work/exported"
LC_ALL=C sort "$work/pool.h" | LC_ALL=C comm -13 - "$work/exported" >"$work/missing"
[ ! -s "$work/missing" ] || { echo "not checked in pool.h:" $(cat "$work/missing") >&2; exit 1; }
[ -s "$work/exported" ] && [ ! -e "$work/bad" ]
