import type { z } from 'zod';
import type { RandomStream } from '../random/stream.ts';
import { choice, drawnFrom, kindSchema } from '../settings/index.ts';
import { defineInitialState, differs } from './definition.ts';
import { amplitudeField } from './fields.ts';
import { fill, still } from './flow.ts';
import type { Basin, FlowAt } from './flow.ts';

const damBreakSchema = kindSchema(
  'dam-break',
  {
    title: 'Dam break',
    description: 'Water at rest, higher before a straight dam than behind it; the dam is gone at once.',
    gist: 'A straight dam that is gone at once.',
  },
  {
    axis: choice({ title: 'Axis', description: 'Axis across the dam.', words: ['x', 'y'], default: 'x' }),
    amplitude: amplitudeField(
      'Height of the surface before the dam, above the water at rest, drawn from this range.',
      [0.5, 0.5],
    ),
    position: drawnFrom({
      title: 'Place of the dam',
      description: 'Drawn from this range, as a share of the basin’s length along the axis.',
      minimum: 0,
      maximum: 1,
      default: [0.5, 0.5],
    }),
  },
);

function damBreakFlow(spec: z.output<typeof damBreakSchema>, { grid }: Basin, stream: RandomStream): FlowAt {
  const a = stream.between(...spec.amplitude);
  const along = spec.axis === 'x';
  const length = along ? (grid.nx - 1) * grid.dx : (grid.ny - 1) * grid.dy;
  const dam = stream.between(...spec.position) * length;
  return (x, y) => still((along ? x : y) < dam ? a : 0);
}

export const damBreak = defineInitialState(damBreakSchema, {
  world: 'basin',
  reach: ({ amplitude: [low, high] }) => ({ lowest: Math.min(0, low), highest: Math.max(0, high), speed: 0 }),
  varies: ({ amplitude, position }) => differs(amplitude) || differs(position),
  draw: (settings, basin, stream) => fill(damBreakFlow(settings, basin, stream), basin),
});
