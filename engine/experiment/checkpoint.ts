/** What a run must keep so that it can go on as if it had never stopped. Random streams are counted, so they need nothing. */
import type { Backend, RealField } from '../compute/backend.ts';
import { ScenarioError } from '../errors.ts';
import type { Scenario } from '../scenario/index.ts';

export interface Checkpoint {
  /** The cycle that comes next. */
  readonly cycle: number;
  /** States by name, exact: `truth`, `method.<label>`, `drifters`. */
  readonly arrays: Readonly<Record<string, Float64Array>>;
  /** Of the scenario's numbers, the backend and its adapter; a checkpoint fits only its own. */
  readonly fingerprint: string;
}

/** @returns a text that is the same for runs that give the same bits */
export function fingerprintOf(scenario: Scenario, backend: Pick<Backend, 'name' | 'adapter'>): string {
  const { $schema: _schema, title: _title, description: _description, expected: _expected, ...numbers } = scenario;
  return JSON.stringify([backend.name, backend.adapter, numbers]);
}

/**
 * The same states under the settings of another scenario, to go on with from the next cycle. Its methods keep their labels
 * and its grid and members their sizes, or the run that is opened from it is refused.
 */
export function retargetCheckpoint(
  checkpoint: Checkpoint,
  scenario: Scenario,
  backend: Pick<Backend, 'name' | 'adapter'>,
): Checkpoint {
  return { ...checkpoint, fingerprint: fingerprintOf(scenario, backend) };
}

/** Writes an array of a checkpoint back. @throws ScenarioError when it is missing or of another size */
export function restoreField(backend: Backend, { arrays }: Checkpoint, name: string, field: RealField): void {
  const found = Object.hasOwn(arrays, name) ? arrays[name] : undefined;
  if (found?.length !== field.length) {
    throw new ScenarioError([
      `the checkpoint has ${found?.length ?? 'no'} numbers of ${name}, ${field.length} are needed; start a new run`,
    ]);
  }
  backend.write(field, found);
}
