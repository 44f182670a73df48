/** A benchmark of a single operator: fields with given contents, one prepared operator, one output. */
import type { Backend, Field, FieldKinds, FieldsOf, Operator } from '../compute/backend.ts';
import type { Workload } from './benchmark.ts';

/** @returns numbers on [−scale, scale) by a linear congruence, whose quality is enough to keep data from being special */
export function someNumbers(length: number, scale: number, seed: number): Float64Array {
  const numbers = new Float64Array(length);
  let state = seed >>> 0;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    numbers[i] = scale * (state / 2 ** 31 - 1);
  }
  return numbers;
}

/** @returns members of a smooth ensemble on n × n cells, [member][y][x] */
export function smoothEnsemble(n: number, members: number): Float64Array {
  const ensemble = new Float64Array(members * n * n);
  for (let member = 0; member < members; member++) {
    const [a, p, b, q, c, r] = someNumbers(6, 1, member + 1);
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        ensemble[(member * n + j) * n + i] =
          a * Math.sin(0.1 * i + 6 * p) + b * Math.cos(0.13 * j + 6 * q) + c * Math.sin(0.07 * (i + j) + 6 * r);
      }
    }
  }
  return ensemble;
}

/** @returns h, hu, hv of members at rest with a low mound each, [member][variable][y][x], h about 1 */
export function mounds(n: number, members: number, stillLevel: number): Float64Array {
  const cells = n * n;
  const state = new Float64Array(3 * cells * members);
  const width = n / 8;
  for (let member = 0; member < members; member++) {
    const x = n / 2 + (member % 7) - 3;
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        const distance = ((i - x) / width) ** 2 + ((j - n / 3) / width) ** 2;
        state[3 * cells * member + j * n + i] = stillLevel + 0.1 * Math.exp(-distance);
      }
    }
  }
  return state;
}

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

/** @returns what one run of an operator gives. @throws LimitError where the backend cannot hold the fields */
export async function operatorResult<Parameters, Kinds extends FieldKinds>(
  backend: Backend,
  operator: Operator<Parameters, Kinds>,
  parameters: Parameters,
  inputs: OperatorInputs<Kinds>,
): Promise<Float64Array> {
  const workload = await openOperator(backend, operator, parameters, inputs);
  try {
    await workload.run();
    return await workload.result();
  } finally {
    workload.dispose();
  }
}
