/** The variants of the convolution of a volume in SIMD: which passes are made while a plane is in cache, and in what tiles. */
import { sizeClassOf } from '../../compute/variants.ts';
import type { KernelVariants } from '../../compute/variants.ts';
import type { ConvolutionParameters } from './parameters.ts';

/**
 * On the processor. `planes`: tiles of planes along and across rows, and then strips of all planes across planes. `columns`: all
 * three axes of a tile of rows through all planes, in one visit.
 */
export interface VolumeVariant {
  readonly form: 'planes' | 'columns';
  /** Into which the rows of a plane are cut. */
  readonly tiles: number;
}

/** What a core has near at hand, about: the second cache of most processors. */
const CACHE_BYTES = 1.5 * 2 ** 20;
/** The most bytes of the planes in rotation; with more, each of them would come from main memory again. */
const MOST_BYTES = 2 ** 23;
/** Rows of a tile are few against those that its taps reach beyond it, below this. */
const LEAST_ROWS_PER_TAP = 1;

/** The number of planes does not matter to either form. */
function sizeClass({ n2, n3, taps }: ConvolutionParameters): string {
  return `${sizeClassOf(n2, n3)}-${sizeClassOf(taps.length)}`;
}

/** Bytes of the planes that a tile in `columns` goes round in. */
function columnsBytes({ n2, n3, taps }: ConvolutionParameters, tiles: number): number {
  return 4 * (2 * taps.length + 2) * Math.ceil(n2 / tiles) * n3;
}

/** Powers of two of tiles from one a thread on, so that all threads have something to do, as long as tiles are worth having. */
function columnTiles(parameters: ConvolutionParameters, threads: number): number[] {
  const { n1, n2, taps } = parameters;
  if (n1 < 2 * (taps.length + 1)) return [];
  return [1, 2, 4, 8]
    .map((share) => share * threads)
    .filter((tiles) => Math.ceil(n2 / tiles) >= LEAST_ROWS_PER_TAP * taps.length)
    .filter((tiles) => columnsBytes(parameters, tiles) <= MOST_BYTES);
}

function planeTiles({ n2, n3, taps }: ConvolutionParameters): number[] {
  const rows = Math.max(1, Math.floor(CACHE_BYTES / (4 * n3)) - taps.length);
  const least = Math.max(1, Math.ceil(n2 / rows));
  return [least, 2 * least, 4 * least].filter((tiles) => tiles === least || n2 / tiles >= taps.length);
}

function named(form: VolumeVariant['form'], tiles: number): [string, VolumeVariant] {
  return [`${form}-${tiles}`, { form, tiles }];
}

export const volumeVariants: KernelVariants<ConvolutionParameters, VolumeVariant> = {
  kernel: 'convolution.volume',
  sizeClass,
  offered(parameters, { threads }) {
    const columns = columnTiles(parameters, threads);
    const fitting = columns.filter((tiles) => columnsBytes(parameters, tiles) <= CACHE_BYTES);
    const others = columns.filter((tiles) => !fitting.includes(tiles)).toReversed();
    const [firstPlanes, ...otherPlanes] = planeTiles(parameters).map((tiles) => named('planes', tiles));
    return Object.fromEntries([
      ...fitting.map((tiles) => named('columns', tiles)),
      firstPlanes,
      ...others.map((tiles) => named('columns', tiles)),
      ...otherPlanes,
    ]);
  },
};
