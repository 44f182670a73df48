/** The command that gives what is on screen, for "copy as command". */
import { changesBetween, type Scenario } from '../../../engine/index.ts';
import type { ScenarioOrigin } from '../scenario/run-document.ts';

export interface Shown {
  /** What ships under that name, or a file of that name; of a run, the file that its scenario would be saved as. */
  readonly origin: Pick<ScenarioOrigin, 'name' | 'kind'>;
  /** As the origin has it. */
  readonly original: Scenario;
  /** As it runs. */
  readonly running: Scenario;
  readonly backend: string | undefined;
  /** As `--seeds` has them, in place of the seed. */
  readonly seeds?: string;
}

/** How a run is repeated: a line for a shell. */
export interface RunCommand {
  readonly line: string;
  /** The file that the scenario has to be saved as first; undefined where it ships or has a file. */
  readonly needs: string | undefined;
}

/** @returns a word as a POSIX shell takes it, in quotes where it needs them */
export function quoteWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** @returns one line for a shell; settings that were changed come as `--set`, in the scenario's order */
export function commandLine({ origin, original, running, backend, seeds }: Shown): string {
  const scenario = origin.kind === 'bundled' ? origin.name.replace(/\.json$/, '') : origin.name;
  const sets = changesBetween(original, running)
    .filter(({ effect, path }) => effect !== 'label' && (seeds === undefined || path !== 'seed'))
    .flatMap(({ path, after }) => ['--set', `${path}=${typeof after === 'string' ? after : JSON.stringify(after)}`]);
  const where = backend === undefined ? [] : ['--backend', backend];
  const over = seeds === undefined ? [] : ['--seeds', seeds];
  return ['npm', 'run', 'shoal', '--', 'run', scenario, ...over, ...sets, ...where].map(quoteWord).join(' ');
}
