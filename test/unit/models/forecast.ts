/** What the tests of the models share: forecasts of one call, and the fields they start from. */
import type { Backend } from '../../../engine/index.ts';
import type { Model } from '../../../engine/models/index.ts';

/** Forecasts an ensemble of physical fields, one member after the other, by `steps` or `seconds`, and checks it. */
export async function forecast(
  backend: Backend,
  model: Model,
  fields: Float64Array,
  duration: { readonly steps: number } | { readonly seconds: number },
): Promise<Float64Array> {
  const { nx, ny } = model.grid;
  const members = fields.length / (model.variables.length * nx * ny);
  const propagator = await model.prepare(backend, members);
  const state = backend.allocate('state', 'real', fields.length);
  backend.write(state, model.toState(fields));
  try {
    if ('steps' in duration) await propagator.advanceSteps(state, duration.steps);
    else await propagator.advance(state, duration.seconds);
    await propagator.check('forecast');
    return model.fromState(Float64Array.from(await backend.read(state)));
  } finally {
    propagator.dispose();
    state.dispose();
  }
}

/** h, hu, hv at the centres of cells, given by x and y in cells. */
export function fieldsOf(
  nx: number,
  ny: number,
  at: (x: number, y: number) => readonly [h: number, hu: number, hv: number],
): Float64Array {
  const cells = nx * ny;
  const fields = new Float64Array(3 * cells);
  for (let cell = 0; cell < cells; cell++) {
    at(cell % nx, Math.floor(cell / nx)).forEach((value, variable) => {
      fields[variable * cells + cell] = value;
    });
  }
  return fields;
}

/** A hump of water on a depth of 1 m, off the middle, drifting. */
export function hump(nx: number, ny: number, height = 0.2): Float64Array {
  return fieldsOf(nx, ny, (x, y) => {
    const h = 1 + height * Math.exp(-((x - 0.6 * nx) ** 2 + (y - 0.4 * ny) ** 2) / 8);
    return [h, 0.1 * h, -0.2 * h];
  });
}

/** Members one after the other. */
export function ensembleOf(members: readonly Float64Array[]): Float64Array {
  const length = members[0].length;
  const all = new Float64Array(members.length * length);
  members.forEach((member, m) => all.set(member, m * length));
  return all;
}

/** Mirrored along x: columns reversed, hu negated. */
export function mirrored(fields: Float64Array, nx: number, ny: number): Float64Array {
  const cells = nx * ny;
  return fields.map((_, i) => {
    const variable = Math.floor(i / cells);
    const x = i % nx;
    return (variable === 1 ? -1 : 1) * fields[i - x + (nx - 1 - x)];
  });
}

/** x and y exchanged, and with them hu and hv. */
export function transposed(fields: Float64Array, nx: number, ny: number): Float64Array {
  const cells = nx * ny;
  const out = new Float64Array(fields.length);
  [0, 2, 1].forEach((source, variable) => {
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++) out[variable * cells + x * ny + y] = fields[source * cells + y * nx + x];
    }
  });
  return out;
}

export function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
