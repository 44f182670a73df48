import { kindSchema, pair } from '../settings/index.ts';
import type { Problem } from '../settings/index.ts';
import { defineNetwork, fixed } from './definition.ts';
import { positionsOf } from './positions.ts';

/** Cells offset, offset + stride, … below `cells`. */
function cellsAlong(cells: number, offset: number, stride: number): number {
  return Math.max(0, Math.ceil((cells - offset) / stride));
}

export const regular = defineNetwork(
  kindSchema(
    'regular',
    {
      title: 'Regular',
      description: 'Every so many cells along each axis.',
      gist: 'Cells offset, offset + stride, … along each axis.',
    },
    {
      stride: pair({
        title: 'Stride',
        description: 'Cells between neighbours, along x and along y.',
        unit: 'cells',
        integer: true,
        minimum: 1,
        maximum: 8192,
        default: [4, 4],
      }),
      offset: pair({
        title: 'Offset',
        description: 'The first cell observed, along x and along y.',
        unit: 'cells',
        integer: true,
        minimum: 0,
        maximum: 8191,
        default: [0, 0],
      }),
    },
  ),
  {
    keepsDistances: () => true,
    capacity: ({ stride, offset }, { nx, ny }) =>
      cellsAlong(nx, offset[0], stride[0]) * cellsAlong(ny, offset[1], stride[1]),
    problems: ({ offset }, { grid }) =>
      [grid.nx, grid.ny].flatMap((cells, axis): Problem[] => {
        if (offset[axis] < cells) return [];
        const message = `found ${offset[axis]}, allowed: a cell of the grid: from 0 to ${cells - 1}`;
        return [{ path: ['offset', axis], message }];
      }),
    create({ stride, offset }, { grid }) {
      const points: [number, number][] = [];
      for (let y = offset[1]; y < grid.ny; y += stride[1]) {
        for (let x = offset[0]; x < grid.nx; x += stride[0]) points.push([x, y]);
      }
      return fixed(positionsOf(points));
    },
  },
);
