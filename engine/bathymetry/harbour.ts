/** A bottom that rises evenly along x to a beach, and before the beach a breakwater across it with an opening in the middle. */
import type { z } from 'zod';
import type { Grid } from '../models/index.ts';
import { kindSchema, quantity } from '../settings/index.ts';
import { byCell, defineBathymetry, depthField, share, shoreDepthField } from './definition.ts';

/** Cells from the middle of the breakwater to its foot, along x: a slope that the grid resolves. */
const BREAKWATER_HALF_WIDTH = 2;

const harbourSchema = kindSchema(
  'harbour',
  {
    title: 'Harbour',
    description:
      'A bottom that rises evenly along x to a beach, and before the beach a breakwater across it with an opening in the middle.',
    gist: 'A beach behind a breakwater with an opening.',
  },
  {
    depth: depthField('Depth of the water at rest where x begins.', 20),
    endDepth: shoreDepthField('End depth', 'Depth of the water at rest where x ends; below zero is dry land.', -4),
    breakwater: quantity({
      title: 'Place of the breakwater',
      description: 'As a share of the basin’s length along x.',
      minimum: 0,
      maximum: 1,
      default: 0.65,
    }),
    crest: quantity({
      title: 'Crest',
      description: 'Height of the breakwater’s crest above the water at rest; below zero it is under water.',
      unit: 'm',
      minimum: -12_000,
      maximum: 12_000,
      default: 5,
    }),
    opening: quantity({
      title: 'Opening',
      description: 'Width of the opening, as a share of the basin’s length along y.',
      minimum: 0,
      maximum: 1,
      default: 0.2,
    }),
  },
);

/**
 * The elevation of a breakwater over the slope beneath it: a ridge along y, as high as its crest in the middle and
 * falling to the slope within `BREAKWATER_HALF_WIDTH` cells, absent in the opening.
 */
function elevationAt(
  { depth, endDepth, breakwater, crest, opening }: z.output<typeof harbourSchema>,
  { nx, ny }: Grid,
  j: number,
  i: number,
): number {
  const slope = -depth + (depth - endDepth) * share(i, nx);
  if (Math.abs(share(j, ny) - 0.5) < opening / 2) return slope;
  const away = Math.abs(i - breakwater * (nx - 1)) / BREAKWATER_HALF_WIDTH;
  return away < 1 ? Math.max(slope, crest + (slope - crest) * away) : slope;
}

export const harbour = defineBathymetry(harbourSchema, {
  depth: ({ depth }) => depth,
  greatestDepth: ({ depth, endDepth }) => Math.max(depth, endDepth),
  elevation: (settings, grid) => byCell(grid, (j, i) => elevationAt(settings, grid, j, i)),
});
