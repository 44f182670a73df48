/** What `--help` shows below the options: examples of each command, and what its exit code means. */

/** By command, without the program's name. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  run: [
    'run one-stone',
    'run one-stone --seeds 10',
    'run my.json --set background.members=40 --method letkf -o runs/forty',
    'run one-stone --json -q > results.json',
    'new my.json && shoal run - < my.json',
  ],
  explain: ['explain runs/one-stone-7 --cycle 9 --at 20,30', 'explain runs/one-stone-7 --cycle 9 --observation 4'],
  compare: ['compare runs/one-stone-7 runs/one-stone-8'],
  bundle: ['bundle runs/one-stone-7 -o one-stone.shoal'],
  reproduce: ['reproduce one-stone.shoal'],
  report: ['report runs/one-stone-7 -o one-stone.html'],
  start: ['start', 'start my.json', 'start one-stone --no-open'],
  list: ['list', 'list --json'],
  validate: ['validate my.json other.json', 'validate one-stone --json', 'validate - < my.json'],
  schema: ['schema > scenario.schema.json', 'schema --sweep'],
  new: ['new my.json', 'new my.json --from sampling-error'],
  sweep: [
    'sweep first-light-letkf --dry-run',
    'sweep my-sweep.json --workers 4 -o sweeps/mine',
    'sweep my-sweep.json --slurm --slurm-option partition=short',
  ],
  tune: ['tune one-stone --method letkf', 'tune my.json --method letkf --parameter inflation=1,1.1,1.2 -o tuned.json'],
  apply: ['apply cases/letkf --backend reference -o computed'],
  bench: ['bench --quick', 'bench letkf cycle --backend wasm --json results.json'],
  check: ['check', 'check -o check.html'],
  doctor: ['doctor', 'doctor --json'],
  completion: ['completion bash > ~/.local/share/bash-completion/completions/shoal', 'completion fish | source'],
};

const EXIT_CODES = [
  'Exit codes:',
  '  0    done',
  '  1    a run or a check failed, or a method diverged',
  '  2    bad usage or bad input',
  '  130  stopped by Ctrl-C',
];

/** @returns what follows the options in a command's help */
export function helpAfter(command: string): string {
  const examples = (EXAMPLES[command] ?? []).map((words) => `  $ shoal ${words}`);
  return ['', ...(examples.length > 0 ? ['Examples:', ...examples, ''] : []), ...EXIT_CODES].join('\n');
}
