/** Places, times and perhaps values from a CSV file beside the scenario. */
import { fileName, kindSchema } from '../settings/index.ts';
import { defineNetwork } from './definition.ts';
import { positionsOf } from './positions.ts';

const schema = kindSchema(
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
);

/** In grid units, with the value in the unit of the variable. */
type Row = readonly [x: number, y: number, value: number];

export const file = defineNetwork(schema, {
  capacity: () => undefined,
  reads: { type: '.csv', file: (settings) => settings.file },
  create(settings, { grid, windowSeconds, files }) {
    const byCycle = new Map<number, Row[]>();
    const { count, x, y, time, value } = files.table(settings.file);
    for (let i = 0; i < count; i++) {
      const cycle = Math.round(time[i] / windowSeconds) - 1;
      const rows = byCycle.get(cycle) ?? [];
      rows.push([x[i] / grid.dx, y[i] / grid.dy, value[i]]);
      byCycle.set(cycle, rows);
    }
    return {
      capacity: [...byCycle.values()].reduce((most, { length }) => Math.max(most, length), 0),
      positions(cycle) {
        const rows = byCycle.get(cycle) ?? [];
        const given = Float64Array.from(rows, ([, , known]) => known);
        return { ...positionsOf(rows.map(([along, across]) => [along, across])), given };
      },
    };
  },
});
