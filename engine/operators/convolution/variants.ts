/** The variants of the convolution of a volume on the GPU: which passes are one dispatch, and in what tiles. */
import { sizeClassOf, type DeviceTraits, type KernelVariants } from '../../compute/variants.ts';
import type { ConvolutionParameters } from './reference.ts';

/**
 * On the processor. `planes`: tiles of planes along and across rows, and then strips of all planes across planes. `columns`: all
 * three axes of a tile of rows through all planes, in one visit.
 */
interface VolumeVariant {
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
function planeClass({ n2, n3, taps }: ConvolutionParameters): string {
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
  sizeClass: planeClass,
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

/** Tiles of planes filtered along rows and across them, in workgroup memory. */
export interface PlaneTile {
  readonly form: 'plane';
  /** Four points each, of a row. */
  readonly quads: number;
  readonly rows: number;
  readonly lanes: number;
}

/**
 * How rows are filtered along and across: in one dispatch (`plane`), in two (`lines`), or in two by the kernel of all bands, which
 * takes any taps and sizes.
 */
export type PlaneVariant = PlaneTile | { readonly form: 'lines' } | { readonly form: 'bands' };

/** How a pass across rows or planes is made: by the kernel of all bands, or along segments of columns. */
export type AcrossVariant =
  | { readonly form: 'bands' }
  | {
      readonly form: 'columns';
      /** Numbers that are read and written together: four where rows are a multiple of that long. */
      readonly point: 1 | 4;
      /** Columns of a workgroup. */
      readonly columns: number;
      readonly segments: number;
      /** Groups of four points in a segment. */
      readonly groups: number;
    };

/** What the kernels of volumes take; beyond it the kernel of all bands does it. */
const MOST_TAPS = 16;
const SHORTEST_ROW = 16;
/** The largest workgroup count along one axis that WebGPU guarantees, and the fewest points that one covers along rows. */
const LARGEST_COUNT = 65_535;
const LEAST_COLUMNS = 32;

/** Rows that sixteen taps reach beyond a tile. */
const REACHED_ROWS = MOST_TAPS - 1;

export function tileNumbers({ quads, rows }: PlaneTile): number {
  return 4 * quads * (rows + REACHED_ROWS);
}

/** Whether points can be read and written four at a time. */
export function inQuads({ n3 }: ConvolutionParameters): boolean {
  return n3 % 4 === 0;
}

function isTaken({ n1, n2, n3, taps }: ConvolutionParameters): boolean {
  const counts = [n1, n2, (n2 * n3) / LEAST_COLUMNS];
  return taps.length <= MOST_TAPS && n3 >= SHORTEST_ROW && counts.every((count) => count <= LARGEST_COUNT);
}

function sizeClass({ n1, n2, n3, taps }: ConvolutionParameters): string {
  const rows = n3 % 4 === 0 ? '' : '-odd';
  return `${sizeClassOf(n1, n2, n3)}-${sizeClassOf(taps.length)}${rows}`;
}

/** Points of a row, rows and lanes that a tile has, about. Few reads beyond it, and work for all lanes in both halves, first. */
const TILES: readonly (readonly [points: number, rows: number, lanes: number])[] = [
  [64, 32, 128],
  [64, 64, 256],
  [32, 64, 128],
  [32, 32, 64],
  [64, 32, 256],
  [128, 32, 256],
];

/** The nearest tile to one of that size that cuts a plane evenly. */
function fittedTile({ n2, n3 }: ConvolutionParameters, points: number, rows: number, lanes: number): PlaneTile {
  const across = Math.max(1, Math.round(n3 / points));
  const down = Math.max(1, Math.round(n2 / rows));
  return { form: 'plane', quads: Math.ceil(n3 / (4 * across)), rows: 4 * Math.ceil(n2 / (4 * down)), lanes };
}

function fits(tile: PlaneTile, { workgroupBytes, workgroupInvocations }: DeviceTraits): boolean {
  return 4 * tileNumbers(tile) <= workgroupBytes && tile.lanes <= workgroupInvocations;
}

/** Along rows and across them. */
export const planeVariants: KernelVariants<ConvolutionParameters, PlaneVariant> = {
  kernel: 'convolution.plane',
  sizeClass,
  offered(parameters, traits) {
    if (!isTaken(parameters)) return { bands: { form: 'bands' } };
    const tiles = TILES.map(([points, rows, lanes]): [string, PlaneTile] => [
      `plane-${points}x${rows}-${lanes}`,
      fittedTile(parameters, points, rows, lanes),
    ]).filter(([, tile]) => fits(tile, traits));
    return {
      ...Object.fromEntries(tiles),
      lines: { form: 'lines' },
      bands: { form: 'bands' },
    };
  },
};

/** Long segments read few points twice; short ones leave more invocations to hide the wait for memory. */
const SEGMENTS: readonly (readonly [point: 1 | 4, columns: number, segments: number, groups: number])[] = [
  [1, 64, 4, 8],
  [1, 64, 4, 4],
  [4, 32, 8, 4],
  [1, 64, 4, 16],
  [4, 32, 4, 8],
  [1, 32, 2, 8],
  [1, 128, 1, 8],
];

/** Across planes, and across rows where those are a dispatch by themselves. */
export const acrossVariants: KernelVariants<ConvolutionParameters, AcrossVariant> = {
  kernel: 'convolution.across',
  sizeClass,
  offered(parameters) {
    if (!isTaken(parameters)) return { bands: { form: 'bands' } };
    const offered = SEGMENTS.filter(([point]) => point === 1 || inQuads(parameters)).map(
      ([point, columns, segments, groups]): [string, AcrossVariant] => [
        `columns-${point}x${columns}x${segments}-${4 * groups}`,
        { form: 'columns', point, columns, segments, groups },
      ],
    );
    return { ...Object.fromEntries(offered), bands: { form: 'bands' } };
  },
};
