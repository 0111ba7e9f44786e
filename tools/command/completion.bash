# Completes the commands and flags of oneline in bash: those that its help lists.
_oneline() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words=
  if [[ $COMP_CWORD -eq 1 || $command == help ]]; then
    words="help --help --version $("${COMP_WORDS[0]}" help 2>/dev/null |
      sed -n 's/^  \([a-z]*\) .*/\1/p; /--help/q')"
  elif [[ $word == -* ]]; then
    words="--help $("${COMP_WORDS[0]}" help "$command" 2>/dev/null |
      grep -o '^  --[a-z0-9_]*=\?')"
  else
    # Bash divides "--rate=1MB" into three words.
    local IFS=$'\n'
    COMPREPLY=($(compgen -f -- "${word#=}"))
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [[ ${COMPREPLY-} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o filenames -F _oneline oneline
