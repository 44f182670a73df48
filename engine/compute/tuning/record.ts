/** What was chosen on a device, as plain data: what is kept and read again, from wherever it was kept. */
import { z } from 'zod';
import type { TuningTask } from './task.ts';
import { kernelsVersion } from './kernels-version.ts';
import type { BackendTuning } from '../variants.ts';

const NAME = z.string().min(1).max(200);

const CHOICE = z.strictObject({
  kernel: NAME,
  sizeClass: NAME,
  variant: NAME,
  /** Least time of one run. */
  milliseconds: z.number().positive().finite(),
});

const MOST_CHOICES = 1000;

const RECORD = z.strictObject({
  device: NAME,
  /** Version of the kernels that were measured: choices for others are worthless. */
  version: NAME,
  choices: z.array(CHOICE).max(MOST_CHOICES),
});

export type TunedChoice = Readonly<z.infer<typeof CHOICE>>;

/** The choices for one device. */
export interface TuningRecord {
  readonly device: string;
  readonly version: string;
  readonly choices: readonly TunedChoice[];
}

/** Finds the record that was kept for a device; undefined if there is none. It is not trusted to be one. */
export type FindTuning = (device: string) => Promise<unknown>;

/** @returns the record, or undefined where this is none, or one of another device or of other kernels */
export function readTuningRecord(found: unknown, device: string): TuningRecord | undefined {
  const { success, data } = RECORD.safeParse(found);
  return success && data.device === device && data.version === kernelsVersion() ? data : undefined;
}

/** Chooses what is recorded. A name that is not offered any more does no harm: the first variant is taken for it. */
function applyTuningRecord({ choices }: BackendTuning, record: TuningRecord): void {
  for (const { kernel, sizeClass, variant } of record.choices) choices.choose(kernel, sizeClass, variant);
}

/** Where records are kept. */
export interface TuningStore {
  readonly find: FindTuning;
  /** Keeps a record in place of the one that was kept for its device. */
  readonly keep: (record: TuningRecord) => Promise<unknown>;
}

/** @returns the tasks for which a record has no choice */
export function untunedTasks(record: TuningRecord | undefined, tasks: readonly TuningTask[]): readonly TuningTask[] {
  return tasks.filter(
    ({ kernel, sizeClass }) =>
      !record?.choices.some((choice) => choice.kernel === kernel && choice.sizeClass === sizeClass),
  );
}

/** @returns the choices of both records of a device, the later one's where both have one */
export function mergeTuning(before: TuningRecord | undefined, later: TuningRecord): TuningRecord {
  const isKept = ({ kernel, sizeClass }: TunedChoice): boolean =>
    !later.choices.some((choice) => choice.kernel === kernel && choice.sizeClass === sizeClass);
  return { ...later, choices: [...(before?.choices.filter(isKept) ?? []), ...later.choices] };
}

/** Chooses what was kept for the backend's device, if anything was. @returns the record */
export async function recallTuning(
  tuning: BackendTuning,
  find: FindTuning | undefined,
): Promise<TuningRecord | undefined> {
  const record = readTuningRecord(await find?.(tuning.device), tuning.device);
  if (record) applyTuningRecord(tuning, record);
  return record;
}
