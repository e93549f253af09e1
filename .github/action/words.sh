# words TEXT splits a text into words as a shell does, line by line, and puts them into the array words. Quotes hold a word
# together; nothing is evaluated. An open quote is an error.
words() {
  words=()
  local file status
  file=$(mktemp)
  [ -z "${1//[[:space:]]/}" ] || printf '%s\n' "$1" | xargs printf '%s\0' >"$file"
  status=$?
  while IFS= read -r -d '' word; do
    words+=("$word")
  done <"$file"
  rm -f "$file"
  if [ $status -ne 0 ]; then
    echo "::error::the words cannot be split, is a quote left open? $1"
    exit 2
  fi
}
