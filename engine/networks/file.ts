import { fileName, kindSchema } from '../settings/index.ts';
import { defineNetwork } from './definition.ts';
import { positionsOf } from './positions.ts';

/** Times that are distinguished in a window. */
const TIMES_OF_A_WINDOW = 1e6;

/** A time in windows, to the rounding of decimal fractions. */
function keyOf(windows: number): number {
  return Math.round(windows * TIMES_OF_A_WINDOW);
}

/** In grid units, with the value in the unit of the variable. */
type Row = readonly [x: number, y: number, value: number];

export const file = defineNetwork(
  kindSchema(
    'file',
    {
      title: 'From a file',
      description: 'Places, times and perhaps values from a CSV file beside the scenario.',
      gist: 'Places, times and perhaps values from a CSV file.',
    },
    {
      file: fileName({
        title: 'File',
        description: 'A CSV file with a header line: x and y in metres, time in seconds, and value where it is known.',
      }),
    },
  ),
  {
    capacity: () => undefined,
    reads: { type: '.csv', file: (settings) => settings.file },
    create(settings, { grid, windowSeconds, files }) {
      const byTime = new Map<number, Row[]>();
      const { count, x, y, time, value } = files.table(settings.file);
      for (let i = 0; i < count; i++) {
        const key = keyOf(time[i] / windowSeconds);
        const rows = byTime.get(key) ?? [];
        rows.push([x[i] / grid.dx, y[i] / grid.dy, value[i]]);
        byTime.set(key, rows);
      }
      return {
        capacity: [...byTime.values()].reduce((most, { length }) => Math.max(most, length), 0),
        positions(cycle, share = 1) {
          const rows = byTime.get(keyOf(cycle + share)) ?? [];
          const given = Float64Array.from(rows, ([, , known]) => known);
          return { ...positionsOf(rows.map(([along, across]) => [along, across])), given };
        },
      };
    },
  },
);
