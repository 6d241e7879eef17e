# Completes the words of `understudy`: its commands, their options as their own help lists them, then a program and its words.
_understudy() {
  local word=${COMP_WORDS[COMP_CWORD]} at
  for ((at = 2; at < COMP_CWORD; ++at)); do
    if [[ ${COMP_WORDS[at]} == -- ]]; then
      COMPREPLY=($(compgen -c -f -- "$word"))
      return
    fi
  done
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "run check diff trace report info doctor --help --version" -- "$word"))
  else
    COMPREPLY=($(compgen -W "-- $(understudy "${COMP_WORDS[1]}" --help 2>/dev/null | grep -o -E -- '^ +(-[a-z],)?--[a-z-]+' | sed 's/.*--/--/')" -- "$word"))
  fi
}
complete -F _understudy understudy
