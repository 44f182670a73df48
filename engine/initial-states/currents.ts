/** Initial states with currents in balance: a jet and vortices. */
import type { z } from 'zod';
import { coriolisAt } from '../operators/geostrophic-balance/index.ts';
import type { RandomStream } from '../random/stream.ts';
import { count, drawnFrom, kindSchema, cellLength } from '../settings/index.ts';
import {
  defineInitialState,
  differs,
  speedField,
  widthField,
  difference,
  extent,
  fill,
  placeField,
  around,
} from './definition.ts';
import type { Basin, FlowAt } from './definition.ts';

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

const jetSchema = kindSchema(
  'jet',
  {
    title: 'Jet',
    description:
      'Currents along x with the profile speed·sech²((y − y₀)/width), in geostrophic balance, with as much water as at rest; two run against each other. Where y is periodic, less a uniform return current Σ f u/Σ f, so that the surface closes.',
    gist: 'Balanced currents along x.',
  },
  {
    count: count({
      title: 'Jets',
      description: 'One jet in the middle of the basin, or two, at 1/4 and 3/4, the second one running backwards.',
      minimum: 1,
      maximum: 2,
      default: 2,
    }),
    speed: speedField('Speed in the middle of each jet, drawn from this range.', [3, 3]),
    width: widthField('Distance from the middle at which the speed has fallen to sech²(1) = 0.42 of it.'),
    shift: drawnFrom({
      title: 'Shift',
      description: 'Displacement of each jet along y, drawn from this range.',
      unit: 'm',
      minimum: -1e8,
      maximum: 1e8,
      default: [0, 0],
    }),
  },
);

/**
 * Jets along x with the profile Σ speed·sech²((y − y₀)/width), in geostrophic balance on the grid: between rows j and j + 1 the
 * surface rises by −(dy/g)·f·u there, and the current of a row is the mean of the two beside it, which is what centred
 * differences of the surface balance. The second of two jets runs backwards.
 *
 * The mean of the surface is 0, so that every draw has as much water as the sea at rest. Where y is periodic, jets reach round,
 * and a uniform current c = Σ f u/Σ f is taken away, the return flow with which the surface comes back to where it
 * began. (With β it follows f, which has a step at the seam.)
 */
function jetFlow(spec: z.output<typeof jetSchema>, basin: Basin, stream: RandomStream): FlowAt {
  const { grid, gravity, coriolis } = basin;
  const { ny, dy, periodicY } = grid;
  const length = extent(ny, dy, periodicY);
  const centres = spec.count === 1 ? [0.5] : [0.25, 0.75];
  const drawn = centres.map((centre, index) => ({
    speed: stream.between(...spec.speed) * (index === 0 ? 1 : -1),
    middle: centre * length + stream.between(...spec.shift),
  }));
  /** The same jet one period on, and one back. */
  const images = periodicY ? [-length, 0, length] : [0];
  const profile = (y: number): number => {
    let u = 0;
    for (const { speed, middle } of drawn) {
      const off = difference(y, middle, length, periodicY);
      for (const image of images) u += speed / Math.cosh((off + image) / spec.width) ** 2;
    }
    return u;
  };
  // Between the rows j − 1 and j, for j from 0 to ny; on a periodic axis the first and the last are one.
  const rotation = Float64Array.from({ length: ny + 1 }, (_, j) => {
    const above = coriolisAt(coriolis, j - 0.5, grid);
    return periodicY && (j === 0 || j === ny) ? coriolis.f : above;
  });
  const between = Float64Array.from({ length: ny + 1 }, (_, j) => profile((j - 0.5) * dy));
  if (periodicY) {
    const [flux, total] = [1, 0].map((power) =>
      between.reduce((sum, u, j) => (j < ny ? sum + rotation[j] * u ** power : sum), 0),
    );
    const returning = total === 0 ? 0 : flux / total;
    between.forEach((u, j) => (between[j] = u - returning));
  }
  const eta = new Float64Array(ny);
  for (let j = 1; j < ny; j++) eta[j] = eta[j - 1] - (dy / gravity) * rotation[j] * between[j];
  const mean = eta.reduce((sum, elevation) => sum + elevation, 0) / ny;
  return (_x, y) => {
    const j = Math.round(y / dy);
    return { eta: eta[j] - mean, u: (between[j] + between[j + 1]) / 2, v: 0 };
  };
}

export const jet = defineInitialState(jetSchema, {
  world: 'basin',
  reach: ({ speed }) => ({ lowest: 0, highest: 0, speed: Math.max(...speed.map(Math.abs)) }),
  varies: ({ speed, shift }) => differs(speed) || differs(shift),
  warnings(_settings, { model }) {
    if (model.coriolis === undefined || model.coriolis.f !== 0) return [];
    const message = 'without the Coriolis force (model.coriolis.f is 0) nothing keeps the jets in place';
    return [{ path: [], message }];
  },
  draw: (settings, basin, stream) => fill(jetFlow(settings, basin, stream), basin),
});
