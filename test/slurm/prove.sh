#!/usr/bin/env bash
# A sweep through a real Slurm, whose tasks are cancelled, killed and run out of time, and whose whole array is cancelled, has the
# table of the same sweep run locally, bit for bit but for the times. By hand, as root on a Debian machine that may be changed
# (it installs Slurm's packages), in about five minutes; no part of `npm test`, which has a stand-in for Slurm's commands.
#
#   test/slurm/prove.sh [FOLDER]
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(realpath -m "${1:-$(mktemp -d)/shoal slurm}")
shoal=(node "$here/../../app/cli/bootstrap.mjs" sweep "$work/sweep it's.json")
# A minute is the shortest time that Slurm takes.
tasks=(--slurm --chunk-size 6 --slurm-option time=1 --slurm-option mem=700M --slurm-option cpus-per-task=1)
PATIENCE_SECONDS=60

say() { printf '\nprove: %s\n' "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }

# until_true WHAT COMMAND...
until_true() {
  local what=$1 end=$((SECONDS + PATIENCE_SECONDS))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || fail "$what did not come within $PATIENCE_SECONDS s"
    sleep 0.2
  done
}

# sweep_to FOLDER [OPTION...]: begins it, with what it says in FOLDER.out; its process is in $sweep.
sweep_to() {
  local out=$1
  shift
  "${shoal[@]}" --out "$out" "${tasks[@]}" "$@" >"$out.out" 2>&1 &
  sweep=$!
}

# ends_with CODE
ends_with() {
  local code=0
  wait "$sweep" || code=$?
  grep -v '[│├┌└]' "$1.out" >&2
  [[ $code == "$2" ]] || fail "ended with $code, awaited was $2"
}

# latest_job FOLDER: its number. pids_of FOLDER CHUNK: processes of a task, once it runs.
latest_job() { node -p 'JSON.parse(fs.readFileSync(process.argv[1])).jobs.at(-1).job' "$1/slurm/jobs.json"; }
pids_of() { pgrep -f -- "--out $1 .*--chunk $2/8"; }
has_case() { [[ -n $(ls "$1/cases") ]]; }
has_job() { [[ -f $1/slurm/jobs.json ]]; }

# same_table A B: but for milliseconds, every number of both documents and both tables is the same.
same_table() {
  node - "$1" "$2" <<'JS'
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const documents = process.argv.slice(2).map((folder) => {
  const results = JSON.parse(readFileSync(join(folder, 'sweep.json'), 'utf8'));
  const kept = results.measures.map(({ name }) => !name.startsWith('milliseconds'));
  const cases = results.cases.map((each) => ({
    ...each,
    methods: each.methods.map((method) => ({ ...method, values: method.values.filter((_, index) => kept[index]) })),
  }));
  const rows = readFileSync(join(folder, 'sweep.csv'), 'utf8').trim().split('\n').map((row) => row.split(','));
  const columns = rows[0].map((name) => !name.startsWith('milliseconds'));
  const table = rows.map((row) => row.filter((_, column) => columns[column]));
  return { count: cases.filter(({ state }) => state === 'complete').length, text: JSON.stringify({ ...results, cases, table }) };
});
if (documents[0].text !== documents[1].text) process.exit(1);
console.error(`same: ${documents[0].count} cases complete, ${documents[0].text.length} characters compared`);
JS
}

mkdir -p "$work"
slurm=$work/one-node
trap '"$here/one-node.sh" stop "$slurm" || true' EXIT
"$here/one-node.sh" start "$slurm"
# shellcheck disable=SC1091
source "$slurm/environment"
cat >"$work/sweep it's.json" <<'JSON'
{
  "version": 1,
  "scenario": "one-stone",
  "set": { "experiment.cycles": 12 },
  "grid": { "methods[letkf].inflation": [1, 1.05, 1.1], "methods[letkf].localisation.halfWidth": [2, 4] },
  "seeds": { "from": 1, "count": 8 }
}
JSON

say 'locally'
"${shoal[@]}" --out "$work/local" --quiet >/dev/null

say 'through Slurm: one task cancelled, one killed, one stopped until its time is over'
sweep_to "$work/lost"
until_true 'the job' has_job "$work/lost"
job=$(latest_job "$work/lost")
until_true 'task 1' pids_of "$work/lost" 1
until_true 'task 2' pids_of "$work/lost" 2
scancel "${job}_1"
kill -STOP $(pids_of "$work/lost" 2)
until_true 'task 3' pids_of "$work/lost" 3
kill -KILL $(pids_of "$work/lost" 3)
ends_with "$work/lost" 0
sacct --allocations --format=JobID,State,ExitCode,Elapsed >&2
grep -q 'out of time' "$work/lost.out" || fail 'no task ran out of time'
same_table "$work/local" "$work/lost" || fail 'the tables differ'

say 'through Slurm: the whole array cancelled, then resumed'
sweep_to "$work/cancelled"
until_true 'the job' has_job "$work/cancelled"
job=$(latest_job "$work/cancelled")
until_true 'a case' has_case "$work/cancelled"
scancel "$job"
ends_with "$work/cancelled" 130
sweep_to "$work/cancelled" --resume
ends_with "$work/cancelled" 0
same_table "$work/local" "$work/cancelled" || fail 'the tables differ'

say 'through Slurm: left by Ctrl-C, found again'
sweep_to "$work/left"
until_true 'the job' has_job "$work/left"
kill -INT "$sweep"
ends_with "$work/left" 130
sweep_to "$work/left" --resume
ends_with "$work/left" 0
grep -q 'continuing with job' "$work/left.out" || fail 'the job was not found again'
same_table "$work/local" "$work/left" || fail 'the tables differ'

say 'through Slurm: refused'
code=0
"${shoal[@]}" --out "$work/refused" "${tasks[@]}" --slurm-option partition=nowhere >"$work/refused.out" 2>&1 || code=$?
cat "$work/refused.out" >&2
[[ $code == 1 ]] || fail "ended with $code, awaited was 1"
grep -q 'invalid partition' "$work/refused.out" || fail 'Slurm’s words are missing'

say 'all is as it should be'
