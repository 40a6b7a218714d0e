export const zshScript = String.raw`#compdef rookery
# rookery in zsh: source this file, or put it as _rookery into a folder of fpath.
_rookery() {
  local -a lines candidates
  local line text directive
  lines=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  directive=4
  for line in "\${lines[@]}"; do
    case $line in
      :*) directive=\${line#:} ;;
      ?*)
        text=\${line%%$'\t'*}
        text=\${text//:/\\:}
        [[ $line == *$'\t'* ]] && text+=:\${line#*$'\t'}
        candidates+=("$text")
        ;;
    esac
  done
  (( \${#candidates} )) && _describe -t rookery rookery candidates
  [[ $PREFIX == -*=* ]] && compset -P '*='
  case $directive in
    0) _files ;;
    16) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _rookery ]]; then _rookery "$@"; else compdef _rookery rookery; fi
`.replaceAll("\\${", "${");
