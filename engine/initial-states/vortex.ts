import type { z } from 'zod';
import { coriolisAt } from '../operators/geostrophic-balance/index.ts';
import type { RandomStream } from '../random/stream.ts';
import { cellLength, count, kindSchema } from '../settings/index.ts';
import { defineInitialState, differs } from './definition.ts';
import { placeField, speedField } from './fields.ts';
import { around, extent, fill } from './flow.ts';
import type { Basin, FlowAt } from './flow.ts';

const vortexSchema = kindSchema(
  'vortex',
  {
    title: 'Vortex',
    description: 'Round vortices in balance with gravity, Coriolis and centrifugal force.',
    gist: 'Balanced round vortices.',
  },
  {
    count: count({ title: 'Vortices', description: 'Number of vortices.', minimum: 1, maximum: 100, default: 1 }),
    speed: speedField(
      'Greatest speed, at distance radius from the centre, drawn from this range; below zero turns clockwise.',
      [0.5, 0.5],
    ),
    radius: cellLength({
      title: 'Radius',
      description: 'Distance of the greatest speed from the centre.',
      unit: 'm',
      above: 0,
      maximum: 1e8,
      cells: 6,
    }),
    x: placeField('x', 'each centre'),
    y: placeField('y', 'each centre'),
  },
);

/**
 * Vortices with the azimuthal speed S (r/R) exp(½(1 − r²/R²)) and the surface that balances gravity, Coriolis and
 * centrifugal force: η = −(f S R e + ½ S² e²)/g with e = exp(½(1 − r²/R²)), f being that of the centre.
 */
function vortexFlow(spec: z.output<typeof vortexSchema>, basin: Basin, stream: RandomStream): FlowAt {
  const { grid, gravity, coriolis } = basin;
  const drawn = Array.from({ length: spec.count }, () => {
    const x = stream.between(...spec.x) * extent(grid.nx, grid.dx, grid.periodicX);
    const y = stream.between(...spec.y) * extent(grid.ny, grid.dy, grid.periodicY);
    const f = coriolisAt(coriolis, y / grid.dy, grid);
    return { speed: stream.between(...spec.speed), f, way: around(grid, { x, y }) };
  });
  const R = spec.radius;
  return (x, y) => {
    let [eta, u, v] = [0, 0, 0];
    for (const { speed, f, way } of drawn) {
      const { along, across } = way(x, y);
      const e = Math.exp((1 - (along * along + across * across) / (R * R)) / 2);
      u -= speed * (across / R) * e;
      v += speed * (along / R) * e;
      eta -= (f * speed * R * e + (speed * speed * e * e) / 2) / gravity;
    }
    return { eta, u, v };
  };
}

export const vortex = defineInitialState(vortexSchema, {
  world: 'basin',
  reach: ({ speed }) => ({ lowest: 0, highest: 0, speed: Math.max(...speed.map(Math.abs)) }),
  varies: ({ speed, x, y }) => differs(speed) || differs(x) || differs(y),
  features: (settings) => settings.count,
  draw: (settings, basin, stream) => fill(vortexFlow(settings, basin, stream), basin),
});
