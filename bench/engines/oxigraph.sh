#!/bin/bash
# Loads a million triples into Oxigraph and queries them, without this library
# and with it preloaded. The answers must be the same.
# Usage: oxigraph.sh LIBONELINE [RUNS]
#
# Run it where oxigraph links RocksDB as a shared library, as Debian 13's does,
# with a LIBONELINE that was built there. Needs curl and rocksdb-tools as well.
# Prints a line for each run: how many tables have which filter; the seconds that
# loading and querying took; in brackets the processor time of the server.
set -euo pipefail
library=$1
runs=${2:-3}
port=7879
parts=5

. "$(dirname "$0")/../report/begin.sh"
server=
stop_server() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
  fi
}
trap 'stop_server; rm -rf "$work"' EXIT

# Each item has a label and four references to other items.
awk -v parts=$parts -v items=200000 -v out="$work" 'BEGIN {
  for (i = 0; i < items; ++i) {
    file = out "/" int(i * parts / items) ".nt"
    item = "<http://example.org/item/" i ">"
    text = sprintf("%d is the number of this item, and this is its label", i)
    print item, "<http://example.org/label>", "\"" text "\" ." >file
    for (j = 1; j <= 4; ++j)
      print item, "<http://example.org/refers" j ">", \
        "<http://example.org/item/" (i * 7919 + j * 104729) % items "> ." >file
  }
}'
# As many items that exist as that do not: what they are, and what refers to
# them.
awk -v items=200000 -v port=$port 'BEGIN {
  url = "http://127.0.0.1:" port "/query?query=SELECT%20*%20WHERE%20%7B"
  for (i = 0; i < 1500; ++i) {
    item = "%3Chttp://example.org/item/" (i * 15485863) % (2 * items) "%3E"
    label = "%3Chttp://example.org/label%3E"
    print "url = \"" url item "%20?p%20?o%7D\""
    print "url = \"" url "?s%20?p%20" item ".%20?s%20" label "%20?l%7D\""
  }
}' >"$work/queries"

# start_server [NAME=VALUE...]
start_server() {
  env "$@" oxigraph serve --location "$work/db" \
    --bind 127.0.0.1:$port >"$work/log" 2>&1 &
  server=$!
  tries=0
  until curl --silent --output /dev/null http://127.0.0.1:$port/; do
    tries=$((tries + 1))
    if [ $tries -gt 300 ] || ! kill -0 "$server" 2>/dev/null; then
      cat "$work/log" >&2
      exit 1
    fi
    sleep 0.1
  done
}

add() { awk -v a="$1" -v b="$2" 'BEGIN {printf "%.3f", a + b}'; }

# timed_curl ARGUMENTS...: runs curl and adds the times to $wall and $cpu.
timed_curl() {
  begin=$(date +%s.%N)
  curl --silent --show-error --fail "$@"
  wall=$(add "$wall" "$(add "$(date +%s.%N)" "-$begin")")
  cpu=$(add "$cpu" "$(awk -v ticks="$(getconf CLK_TCK)" \
    '{print ($14 + $15) / ticks}' "/proc/$server/stat")")
}

# run [NAME=VALUE...]
run() {
  rm -rf "$work/db"
  wall=0 cpu=0 part=0
  # RocksDB writes its tables when the next server starts.
  while [ $part -lt $parts ]; do
    start_server "$@"
    timed_curl --header 'Content-Type: application/n-triples' \
      --data-binary "@$work/$part.nt" "http://127.0.0.1:$port/store?default"
    stop_server
    part=$((part + 1))
  done
  load="$wall s ($cpu s)"
  wall=0 cpu=0
  start_server "$@"
  timed_curl --header 'Accept: text/tab-separated-values' \
    --config "$work/queries" >"$work/answers"
  stop_server
  LC_ALL=C sort "$work/answers" >"$work/sorted"
  [ -e "$work/first" ] || mv "$work/sorted" "$work/first"
  [ ! -e "$work/sorted" ] || cmp "$work/first" "$work/sorted"
  filters=$(sst_dump --file="$work/db" --show_properties --command=none |
    sed -n 's/.*filter policy name: //p' | grep -v N/A | sort | uniq -c |
    tr -s ' ' | tr '\n' ' ')
  echo "tables:$filters loading: $load querying: $wall s ($cpu s)" \
    "lines of answers: $(wc -l <"$work/first")"
}

while [ "$runs" -gt 0 ]; do
  run ONELINE_REPLACE_BUILTIN=0
  run ONELINE_REPLACE_BUILTIN=1 LD_PRELOAD="$library"
  runs=$((runs - 1))
done
