/** A standing wave, the water at rest. */
import { z } from 'zod';
import type { RandomStream } from '../random/stream.ts';
import { kindSchema } from '../settings/index.ts';
import { defineInitialState, differs } from './definition.ts';
import { amplitudeField } from './fields.ts';
import { fill, still } from './flow.ts';
import type { Basin, FlowAt } from './flow.ts';

const standingWaveSchema = kindSchema(
  'standing-wave',
  {
    title: 'Standing wave',
    description: 'Surface a·cos(mπx/Lx)·cos(nπy/Ly), the water at rest.',
    gist: 'A standing wave.',
  },
  {
    modes: z
      .tuple([z.int().min(0).max(1000), z.int().min(0).max(1000)])
      .default([1, 1])
      .meta({ title: 'Modes', description: 'Half waves m along x and n along y.' }),
    amplitude: amplitudeField('Height a of the wave, drawn from this range.', [0.1, 0.1]),
  },
);

/** cos of `modes` half waves along an axis, at a place measured from the first centre; the walls lie half a cell beyond. */
function standingPhase(modes: number, place: number, cells: number, d: number): number {
  return Math.cos((modes * Math.PI * (place + d / 2)) / (cells * d));
}

/** η = a cos(mπx′/Lx) cos(nπy′/Ly), x′ and y′ measured from the walls, which lie half a cell beyond the outer centres. */
function standingWaveFlow(spec: z.output<typeof standingWaveSchema>, { grid }: Basin, stream: RandomStream): FlowAt {
  const [m, n] = spec.modes;
  const a = stream.between(...spec.amplitude);
  return (x, y) => still(a * standingPhase(m, x, grid.nx, grid.dx) * standingPhase(n, y, grid.ny, grid.dy));
}

export const standingWave = defineInitialState(standingWaveSchema, {
  world: 'basin',
  reach({ amplitude }) {
    const highest = Math.max(...amplitude.map(Math.abs));
    return { lowest: -highest, highest, speed: 0 };
  },
  varies: ({ amplitude }) => differs(amplitude),
  draw: (settings, basin, stream) => fill(standingWaveFlow(settings, basin, stream), basin),
});
