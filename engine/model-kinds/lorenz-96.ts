/** The Lorenz-96 model [lorenz1996] as a scenario has it: variables on a ring, in place of a basin. */
import { createLorenz96, createLorenz96Step } from '../models/index.ts';
import { kindSchema, quantity, type BasinSettings, type Problem } from '../settings/index.ts';
import { defineModelKind } from './definition.ts';

const KIND = 'lorenz-96';

const schema = kindSchema(
  KIND,
  {
    title: 'Lorenz-96',
    description:
      'grid.nx variables x on a ring, dx_i/dt = (x_{i+1} − x_{i−2})·x_{i−1} − x_i + F. Time and state have no unit; one unit of time represents five days of weather.',
    gist: 'Variables on a ring, chaotic at F = 8: the benchmark of filters.',
  },
  {
    forcing: quantity({
      title: 'Forcing F',
      description: 'What drives every variable. At 8, with 40 variables, errors double in about 0.4 units of time.',
      minimum: -1000,
      maximum: 1000,
      default: 8,
    }),
    timeStep: quantity({
      title: 'Time step',
      description: 'Length of one step of the fourth-order Runge–Kutta method, which divides experiment.window.',
      above: 0,
      maximum: 1,
      default: 0.05,
    }),
  },
);

/** Rows of a ring, and distance of its places. */
function ringProblems({ ny, dx, dy }: BasinSettings['grid']): Problem[] {
  return Object.entries({ ny, dx, dy }).flatMap(([name, found]): Problem[] => {
    if (found === 1) return [];
    const what = name === 'ny' ? 'a ring has one row' : 'places on a ring are counted';
    return [{ path: ['grid', name], message: `found ${found}, allowed: 1 with the model "${KIND}": ${what}` }];
  });
}

export const lorenz96 = defineModelKind(KIND, schema, {
  variables: [{ name: 'x', unit: '' }],
  observed: [{ name: 'x', unit: '', judges: ['x'] }],
  world: 'ring',
  // Slope, stage and sum of a step.
  hostPlanes: () => 3,
  linearHostPlanes: () => 14,
  problems: (_settings, grid) => ringProblems(grid),
  create: ({ forcing, timeStep }, { nx }) => createLorenz96({ n: nx, forcing, timeStep }),
  steadyState: ({ forcing }) => [forcing],
  climate({ forcing, timeStep }, { nx }, stream, time) {
    const step = createLorenz96Step({ n: nx, forcing });
    const x = Float64Array.from({ length: nx }, () => forcing + stream.normal());
    const steps = Math.ceil(time / timeStep);
    for (let taken = 0; taken < steps; taken++) step(x, time / steps);
    return x;
  },
});
