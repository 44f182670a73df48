/** What was chosen on a device, as plain data: what is kept and read again, from wherever it was kept. */
import { z } from 'zod';
import type { BackendTuning, DeviceTraits, KernelVariants } from '../variants.ts';
import version from 'virtual:shoal-kernels/version';
import type { Backend, FieldKinds, FieldsOf, Operator } from '../backend.ts';

/** A candidate that is ready to run. Whoever opens it disposes it. */
export interface TuningRun {
  readonly run: () => void;
  dispose(): void;
}

export interface TuningBench {
  /** Prepares the operator in the variant that the backend's choices name now. */
  prepare(): Promise<TuningRun>;
  dispose(): void;
}

export interface TuningTask {
  readonly kernel: string;
  readonly sizeClass: string;
  /** The size, for people. */
  readonly size: string;
  /** Names of the variants, the default first. */
  candidates(traits: DeviceTraits): readonly string[];
  /** @throws LimitError where the backend cannot hold the fields */
  open(backend: Backend): TuningBench;
}

interface TuningTaskDescription<Parameters, Kinds extends FieldKinds, Subject, Variant> {
  readonly operator: Operator<Parameters, Kinds>;
  readonly parameters: Parameters;
  readonly variants: KernelVariants<Subject, Variant>;
  /** What the operator asks for a variant with, at these parameters. */
  readonly subject: Subject;
  readonly size: string;
  /** How many elements each field has, or where its contents matter to the time, what makes them. */
  readonly arrays: { readonly [Name in keyof Kinds]: number | (() => ArrayLike<number>) };
}

export function tuningTask<Parameters, Kinds extends FieldKinds, Subject, Variant>({
  operator,
  parameters,
  variants,
  subject,
  size,
  arrays,
}: TuningTaskDescription<Parameters, Kinds, Subject, Variant>): TuningTask {
  return {
    kernel: variants.kernel,
    sizeClass: variants.sizeClass(subject),
    size,
    candidates: (traits) => Object.keys(variants.offered(subject, traits)),
    open(backend) {
      const owned: { dispose(): void }[] = [];
      const dispose = (): void => {
        for (const one of owned.splice(0)) one.dispose();
      };
      try {
        const fields = Object.fromEntries(
          Object.entries(operator.fields).map(([name, kind]) => {
            const given = arrays[name];
            const content = typeof given === 'number' ? given : given();
            const length = typeof content === 'number' ? content : content.length;
            const field = backend.allocate(`${operator.name}.${name}`, kind, length);
            owned.push(field);
            if (typeof content !== 'number') backend.write(field, content);
            return [name, field];
          }),
        ) as FieldsOf<Kinds>;
        return {
          prepare: async () => {
            const prepared = await backend.prepare(operator, parameters);
            return { run: () => prepared.run(fields), dispose: () => prepared.dispose() };
          },
          dispose,
        };
      } catch (error) {
        dispose();
        throw error;
      }
    },
  };
}

/** The version of all kernels: a hash of their sources, made when the program is built (`app/cli/bootstrap/kernels.mjs`). */
export function kernelsVersion(): string {
  return version;
}

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
