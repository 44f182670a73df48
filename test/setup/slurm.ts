/** A stand-in for Slurm on the PATH, and what goes wrong with it. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const STAND_IN = fileURLToPath(new URL('slurm-stand-in.mjs', import.meta.url));

/** As `slurm-stand-in.mjs` describes it. */
export interface SlurmBehaviour {
  readonly refuse?: string;
  readonly accounting?: boolean;
  readonly unanswered?: number;
  readonly forgets?: boolean;
  readonly tasks?: Readonly<Record<number, readonly string[]>>;
}

export interface SlurmStandIn {
  /** What the process that calls Slurm needs in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** From now on; tasks that have begun keep to what it was. */
  behave(behaviour: SlurmBehaviour): void;
  /** Scripts that were submitted, in order, also those that were refused. */
  submitted(): readonly string[];
}

/** @param folder of its own, which is there */
export function createSlurmStandIn(folder: string, behaviour: SlurmBehaviour = {}): SlurmStandIn {
  const tools = join(folder, 'bin');
  const kept = join(folder, 'submitted');
  mkdirSync(tools);
  for (const tool of ['sbatch', 'squeue', 'sacct', 'scancel']) symlinkSync(STAND_IN, join(tools, tool));
  const behave = (next: SlurmBehaviour): void => writeFileSync(join(folder, 'behaviour.json'), JSON.stringify(next));
  behave(behaviour);
  return {
    environment: { PATH: `${tools}${delimiter}${process.env['PATH'] ?? ''}`, SLURM_STAND_IN: folder },
    behave,
    submitted: () => (existsSync(kept) ? readFileSync(kept, 'utf8').split('\0').slice(0, -1) : []),
  };
}
