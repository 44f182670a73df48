/** The scenario's grid. */
import { count, optionalSection, quantity } from '../settings/index.ts';

/** Cells along one axis, at most: 8192² cells of three float32 variables are 0.8 GB a member. */
export const MAXIMUM_CELLS = 8192;

export const gridSchema = optionalSection(
  { title: 'Grid', description: 'Cells of the basin. The centre of cell (i, j) lies at x = i·dx, y = j·dy.' },
  {
    nx: count({
      title: 'Cells along x',
      description: 'Number of cells along x; on a ring, of its variables.',
      unit: 'cells',
      minimum: 4,
      maximum: MAXIMUM_CELLS,
      default: 64,
    }),
    ny: count({
      title: 'Cells along y',
      description: 'Number of cells along y; 1 on a ring.',
      unit: 'cells',
      minimum: 1,
      maximum: MAXIMUM_CELLS,
      default: 64,
    }),
    dx: quantity({
      title: 'Cell size along x',
      description: 'Distance between cell centres along x.',
      unit: 'm',
      above: 0,
      maximum: 1e6,
      default: 1,
    }),
    dy: quantity({
      title: 'Cell size along y',
      description: 'Distance between cell centres along y.',
      unit: 'm',
      above: 0,
      maximum: 1e6,
      default: 1,
    }),
  },
);
