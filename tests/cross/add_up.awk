# Adds up the lines `NAME: N passed, N failed` of run_test.sh and of scripts, and
# ends with the line `N passed, N failed`; with an error if any failed or none
# passed.
match($0, /: [0-9]+ passed, [0-9]+ failed/) {
  split(substr($0, RSTART + 2), words, " ")
  passed += words[1]
  failed += words[3]
}
END {
  printf "%d passed, %d failed\n", passed, failed
  exit failed > 0 || passed == 0
}
