#!/usr/bin/env bash
# A bot in curl and jq: it joins a ladder and plays.
#
#   SHOAL_URL=http://127.0.0.1:8430 clients/http/bot.sh NAME [LADDER [MATCHES]]
#
# Its token is kept in NAME.token. It plays on the ladder `main` and for ever unless told otherwise. Whatever breaks on
# the way, the same request is sent again: a move counts once, however often it is sent.
set -euo pipefail

url=${SHOAL_URL:-http://127.0.0.1:8430}
name=${1:?usage: bot.sh NAME [LADDER [MATCHES]]}
ladder=${2:-main}
matches=${3:-0}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 077
: >"$work/token" # a header in a file: a token in a command line is there for all to see

# call VERB PATH [BODY]: the answer is in $answer. Fails if the server says no; waits for as long as it says nothing.
call() {
  local pause=1 status
  while true; do
    : >"$work/headers"
    status=$(curl --silent --max-time 30 --request "$1" --header @"$work/token" \
      --header 'Content-Type: application/json' ${3+--data "$3"} \
      --dump-header "$work/headers" --output "$work/answer" --write-out '%{http_code}' "$url$2") || status=000
    case $status in
      200) answer=$(<"$work/answer") && return 0 ;;
      000 | 429 | 502 | 503 | 504)
        # As long as the server asks for, else longer each time; and never all bots at once.
        local asked
        asked=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$work/headers")
        sleep "$((${asked:-$pause})).$((RANDOM % 10))"
        pause=$((pause < 8 ? pause * 2 : 8))
        ;;
      *)
        answer=$(<"$work/answer")
        echo "$1 $2: $status $(jq -r '.error.details[]?.reason // empty, .error.message' <<<"$answer" | xargs)" >&2
        return 1
        ;;
    esac
  done
}

# Reads what a poll was told, and prints a line for all that is to be done. One jq for everything: starting it takes longest.
orders() {
  jq --raw-output --argjson dice "$RANDOM" '
    # Which option to answer with: this is where a bot is better than another.
    def value:
      if has("stop") then 4
      elif has("playDuo") then 3
      elif has("takePile") or has("keep") then 2
      elif has("lastChance") then 0
      else 1 end;
    def choice:
      (map(value) | max) as $best | map(select(value == $best)) | .[$dice % length].optionId // 0;

    (.matches[]?
      | if .status == "MATCH_STATUS_WAITING" then "ready \(.matchId) {}"
        elif .decision then
          "play \(.matchId) \(.decision | {decisionId, optionId: (.options | choice)} | tojson)"
        else empty end),
    (.finished[]? | "over \(.matchId) \(.result.termination)"),
    "resume \(.resumeToken | @uri)"'
}

if [[ ! -e $name.token ]]; then
  request=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)
  call POST /v1/bots "$(jq -n --arg name "$name" --arg id "$request" '{name: $name, requestId: $id}')"
  jq -re '.token | select(. != "")' <<<"$answer" >"$name.token"
fi
echo "Authorization: Bearer $(<"$name.token")" >"$work/token"
call POST "/v1/ladders/$ladder:join" '{}'

resume='' over=0
while ((matches == 0 || over < matches)); do
  call GET "/v1/decisions?wait=20s&maxMatches=1&rulesets=base&resumeToken=$resume"
  while read -r order what body; do
    case $order in
      # A refusal is no reason to stop: too late, or over meanwhile, and the next poll says where things stand.
      ready | play) call POST "/v1/matches/$what:$order" "$body" || true ;;
      over) over=$((over + 1)) && echo "$what: $body" ;;
      resume) resume=$what ;;
    esac
  done < <(orders <<<"$answer")
done
