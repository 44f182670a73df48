/** A benchmark of a single operator: fields with given contents, one prepared operator, one output. */
import type { Backend, Field, FieldKinds, FieldsOf, Operator } from '../compute/backend.ts';
import type { Workload } from './benchmark.ts';

export interface OperatorInputs<Kinds extends FieldKinds> {
  /** The contents of each field, or how many elements it has. */
  readonly arrays: { readonly [Name in keyof Kinds]: ArrayLike<number> | number };
  readonly output: keyof Kinds & string;
  /** Fields that a run changes and `reset` writes again. */
  readonly changed?: readonly (keyof Kinds & string)[];
  /** Looks at the fields after runs. @throws Error when they went wrong */
  readonly verify?: (read: (name: keyof Kinds & string) => Promise<ArrayLike<number>>) => Promise<void>;
}

/** @throws LimitError where the backend cannot hold the fields */
export async function openOperator<Parameters, Kinds extends FieldKinds>(
  backend: Backend,
  operator: Operator<Parameters, Kinds>,
  parameters: Parameters,
  { arrays, output, changed = [], verify }: OperatorInputs<Kinds>,
): Promise<Workload> {
  const owned: { dispose(): void }[] = [];
  const dispose = (): void => {
    for (const one of owned.splice(0)) one.dispose();
  };
  try {
    const fieldOf = (name: string): Field => {
      const content = arrays[name];
      const length = typeof content === 'number' ? content : content.length;
      const field = backend.allocate(`${operator.name}.${name}`, operator.fields[name], length);
      owned.push(field);
      if (typeof content !== 'number') backend.write(field, content);
      return field;
    };
    const fields: Readonly<Record<string, Field>> = Object.fromEntries(
      Object.keys(operator.fields).map((name) => [name, fieldOf(name)]),
    );
    const kept = changed.map((name) => ({ from: fieldOf(name), to: fields[name] }));
    const prepared = await backend.prepare(operator, parameters);
    owned.push(prepared);
    return {
      kind: 'operator',
      cost: operator.cost(parameters, backend.elementBytes),
      problem: {
        operator: operator.name,
        parameters,
        inputs: Object.fromEntries(
          Object.entries<ArrayLike<number> | number>(arrays).flatMap(([name, content]) =>
            typeof content === 'number' ? [] : [[name, content]],
          ),
        ),
        output,
      },
      reset: () => {
        for (const { from, to } of kept) backend.copy(from, to);
      },
      run: () => prepared.run(fields as FieldsOf<Kinds>),
      result: async () => Float64Array.from(await backend.read(fields[output])),
      verify: async () => verify?.((name) => backend.read(fields[name])),
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}
