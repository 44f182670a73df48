/** What the tuner measures: an operator at one size, in each variant of one of its kernels. */
import type { Backend, FieldKinds, FieldsOf, Operator } from '../backend.ts';
import type { DeviceTraits, KernelVariants } from '../variants.ts';

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

export interface TuningTaskDescription<Parameters, Kinds extends FieldKinds, Subject, Variant> {
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
