# Every script parses and can be started.
source "$(dirname "$0")/report.sh"

bad=''
while IFS= read -r file; do
  case $(head -n1 "$file") in
    '#!'*bash*)
      bash -n "$file" 2>/dev/null || bad+="$file does not parse"$'\n'
      [ -x "$file" ] || bad+="$file starts with #! and is not executable"$'\n' ;;
    '#!'*python3*)
      python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$file" 2>/dev/null || bad+="$file does not parse"$'\n'
      [ -x "$file" ] || bad+="$file starts with #! and is not executable"$'\n' ;;
    *) case $file in *.sh) bash -n "$file" 2>/dev/null || bad+="$file does not parse"$'\n' ;; esac ;;
  esac
done < <(git grep -lI '' -- "${PROSE[@]}")
verdict 'scripts that are broken' "$bad"
exit "$failed"
