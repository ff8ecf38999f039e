# What README.md tells people to type exists and answers. $1 is the command line's program.
source "$(dirname "$0")/report.sh"

bad=''
for command in web/serve tests/run; do
  grep -q "^$command" README.md || bad+="README.md does not name $command"$'\n'
  "./$command" --help 2>/dev/null | grep -q "^usage: $command" || bad+="$command --help gives no usage"$'\n'
done
while IFS= read -r link; do
  [ -e "$link" ] || bad+="README.md links to $link, which is not there"$'\n'
done < <(grep -oE '\]\([^)#:]+\)' README.md | sed 's/^](//; s/)$//')
# The files of the map "paper, section | quantity | file".
while IFS= read -r file; do
  [ -e "$file" ] || bad+="README.md names $file, which is not there"$'\n'
done < <(grep -oE '`(src|tests|web|weights|cmake)/[^` ]+`' README.md | tr -d '`')
verdict 'what README.md says and is not so' "$bad"

[ -x "${1:-}" ] || { echo "skipped: no command line was built"; exit $((failed ? 1 : 77)); }
[ -d weights/bert-base-uncased ] || { echo 'the examples need weights/bert-base-uncased: run weights/fetch'; exit 1; }

# The command lines of README.md, as written, in a folder of their own; what is only an example of a path is made.
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$PWD/weights" "$work/weights"
mkdir -p "$work/path/to"
ln -s "$PWD/weights/bert-base-uncased" "$work/path/to/checkpoint"
printf 'The cat sat on the mat.\nIt slept.\tIt woke.\n' > "$work/texts.tsv"
bad='' count=0
while IFS= read -r line; do
  count=$((count + 1))
  (cd "$work" && PATH=$(dirname "$program"):$PATH bash -c "$line") > "$work/out" 2>&1 \
    || bad+="$line"$'\n'"$(tail -n 3 "$work/out")"$'\n'
done < <(grep -E '^nullscope ' README.md)
[ "$count" -ge 5 ] || bad+="only $count lines of README.md start with nullscope"$'\n'
verdict "of $count commands in README.md, those that fail" "$bad"
exit "$failed"
