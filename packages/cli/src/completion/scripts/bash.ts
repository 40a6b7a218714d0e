/** For bash 3.2 and newer, which macOS has; without the package bash-completion. */
export const bashScript =
  String.raw`# rookery in bash: source this file, or put it where bash-completion looks.
_rookery() {
  local rest=\${COMP_LINE:0:COMP_POINT} words=() index word
  # Bash also splits words at "=" and ":"; what has no space between belongs together.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    if [[ $index -eq 0 || $rest == [[:space:]]* ]]; then
      rest=\${rest#"\${rest%%[![:space:]]*}"}
      words[\${#words[@]}]=
    fi
    word=\${COMP_WORDS[index]}
    [[ $index -eq $COMP_CWORD ]] && word=$rest
    words[\${#words[@]}-1]+=$word
    rest=\${rest#"$word"}
  done

  local current=\${words[\${#words[@]}-1]} line directive=4
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) directive=\${line#:} ;;
      *) COMPREPLY[\${#COMPREPLY[@]}]=\${line%%$'\t'*} ;;
    esac
  done < <("\${words[0]/#\~/$HOME}" __complete "\${words[@]:1}" 2>/dev/null)

  if [[ $directive == 0 || $directive == 16 ]]; then
    local what=-f before=
    [[ $directive == 16 ]] && what=-d
    [[ $current == -*=* ]] && before=\${current%%=*}=
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do
      COMPREPLY[\${#COMPREPLY[@]}]=$before$line
    done < <(compgen "$what" -- "\${current#"$before"}")
  fi

  # Only what stands behind the last of those characters is replaced.
  local breaks= head=
  [[ $COMP_WORDBREAKS == *=* ]] && breaks+==
  [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:
  [[ -n $breaks ]] && head=\${current%"\${current##*[$breaks]}"}
  [[ -n $head ]] && COMPREPLY=("\${COMPREPLY[@]#"$head"}")
  return 0
}
complete -F _rookery rookery
`.replaceAll("\\${", "${");
