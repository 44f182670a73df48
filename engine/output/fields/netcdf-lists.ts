/** The dimensions of the lists in the group `diagnostics` of a `fields.nc`, each with the meaning of its places. */
import type { Group } from 'h5wasm';
import { SPREAD_EDGES } from '../../experiment/index.ts';
import { membersOf } from '../../methods/index.ts';
import { spectralOctaves } from '../../operators/consistency/index.ts';
import { comparedVariables, modelGrid } from '../../scenario/index.ts';
import { consistencyLists, rankLists } from '../consistency-columns.ts';
import type { ConsistencyList, ListDimension } from '../consistency-columns.ts';
import type { RunRecord } from '../run-record.ts';
import { describe, scaleOf } from './netcdf-parts.ts';
import type { Attributes } from './netcdf-parts.ts';

/** How long the lists along each dimension are. */
export type ListLengths = Readonly<Record<ListDimension, number>>;

/** The lowest and the highest of each place of a dimension, [place][2]. */
const BOUNDS = 'bounds';

/** Makes the dimensions. @returns their lengths */
export function createListDimensions(group: Group, { methods, scenario }: RunRecord): ListLengths {
  const scale = (name: string, data: Float64Array | Int32Array, attributes: Attributes): void => {
    scaleOf(name, group.create_dataset({ name, data }), attributes);
  };
  scale(BOUNDS, Int32Array.of(0, 1), { long_name: 'lower and upper bound' });
  /** Gives the bounds of each place. */
  const bound = (name: string, of: ListDimension, bounds: readonly (readonly number[])[], words: Attributes): void => {
    const made = group.create_dataset({ name, data: Float64Array.from(bounds.flat()), shape: [bounds.length, 2] });
    describe(made, words);
    [of, BOUNDS].forEach((path, i) => made.attach_scale(i, `/diagnostics/${path}`));
  };

  const ranks = 1 + Math.max(1, ...methods.map(({ kind }) => membersOf(kind, scenario.background.members)));
  scale(
    'rank',
    Int32Array.from({ length: ranks }, (_, rank) => rank),
    { long_name: 'members below, from none to all; a method with fewer has no higher ones' },
  );

  const bins = SPREAD_EDGES.length + 1;
  scale(
    'spread_bin',
    Int32Array.from({ length: bins }, (_, bin) => bin),
    {
      long_name: 'number of the bin, by the spread of a cell over the root mean square spread of its cycle',
      [BOUNDS]: 'spread_bin_bounds',
    },
  );
  bound(
    'spread_bin_bounds',
    'spread_bin',
    Array.from({ length: bins }, (_, bin) => [SPREAD_EDGES[bin - 1] ?? 0, SPREAD_EDGES[bin] ?? Infinity]),
    { long_name: 'spread over the root mean square spread of the cycle', units: '1' },
  );

  const octaves = spectralOctaves(modelGrid(scenario));
  scale(
    'band',
    Float64Array.from(octaves, (lowest) => lowest * Math.SQRT2),
    {
      long_name: 'wavenumber in the geometric middle of an octave',
      units: 'm-1',
      comment: 'cycles per metre; the last octave has all shorter waves as well',
      [BOUNDS]: 'band_bounds',
    },
  );
  bound(
    'band_bounds',
    'band',
    octaves.map((lowest) => [lowest, 2 * lowest]),
    { long_name: 'wavenumber', units: 'm-1' },
  );
  return { rank: ranks, spread_bin: bins, band: octaves.length };
}

/** @returns what a run has lists of */
export function listsOf({ variables, scenario }: RunRecord): readonly ConsistencyList[] {
  const compared = comparedVariables(scenario);
  return [...rankLists(compared), ...consistencyLists(variables, compared)];
}
