/**
 * Weights of an ensemble transform that are known on a coarse grid, interpolated bilinearly to every cell and applied there
 * [yang2009]:
 *
 *   xᵃ⁽ⁱ⁾ = x⁽¹⁾ + Σ_m T_im (x⁽ᵐ⁾ − x⁽¹⁾),   T = Σ of the four nodes around the cell, each by its share.
 *
 * Since Σ_m T_im = 1 at the nodes and the shares sum to 1, it is Σ_m T_im x⁽ᵐ⁾ with the digits of small differences kept. Where a
 * cell is a node, it has that node's weights as they are.
 */
import { kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';

/** Evenly spread: node j lies at `spacing` · j cells. */
interface Nodes {
  readonly count: number;
  /** Cells from one to the next. */
  readonly spacing: number;
}

/**
 * Nodes at every `every`-th cell, from the first one on. Between walls the last node is the first that no cell lies beyond,
 * outside of the basin where their number does not come out even; round a periodic axis they are a little nearer then.
 */
export function nodesAlong(cells: number, every: number, periodic: boolean): Nodes {
  if (!periodic) return { count: Math.ceil((cells - 1) / every) + 1, spacing: every };
  const count = Math.ceil(cells / every);
  return { count, spacing: cells / count };
}

/** For each cell of an axis, the nodes on both sides, and the share of the second one, from 0 to below 1. */
export interface NodeTable {
  readonly left: Uint32Array;
  readonly right: Uint32Array;
  readonly fraction: Float64Array;
}

export function nodeTable(cells: number, { count, spacing }: Nodes, periodic: boolean): NodeTable {
  const left = Uint32Array.from({ length: cells }, (_, cell) => Math.min(count - 1, Math.floor(cell / spacing)));
  const last = periodic ? 0 : count - 1;
  return {
    left,
    right: left.map((node) => (node + 1 < count ? node + 1 : last)),
    fraction: Float64Array.from(left, (node, cell) => Math.max(0, cell / spacing - node)),
  };
}

/** The nodes on both sides of a cell of an axis, those without a share omitted. */
export function nodesAround(
  { left, right, fraction }: NodeTable,
  cell: number,
): readonly (readonly [number, number])[] {
  const share = fraction[cell];
  return share > 0
    ? [
        [left[cell], 1 - share],
        [right[cell], share],
      ]
    : [[left[cell], 1]];
}

export interface WeightInterpolationParameters {
  readonly nx: number;
  readonly ny: number;
  readonly variables: number;
  /** k */
  readonly members: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** As `nodesAlong` makes them. */
  readonly nodesX: Nodes;
  readonly nodesY: Nodes;
}

function nodeTables({ nx, ny, periodicX, periodicY, nodesX, nodesY }: WeightInterpolationParameters) {
  return [nodeTable(nx, nodesX, periodicX), nodeTable(ny, nodesY, periodicY)] as const;
}

/** [cell](left, right) */
function pairs({ left, right }: NodeTable): number[] {
  return Array.from(left).flatMap((node, cell) => [node, right[cell]]);
}

/** In SIMD: variables that are combined at once, bytes at the beginning of the work space, for the places of four cells. */
const VARIABLES = 3;
const POINTERS = 64;
/** Reals between the transforms of neighbouring nodes beyond their own, so that these do not share lines of a cache. */
const APART = 16;
/** On a GPU: members of the analysis by an invocation. */
const MEMBERS = 8;

/** Cost: the weights once, the ensemble in and the analysis out; three blends a weight and cell, a product a variable. */
export const weightInterpolation = kernelOperator({
  name: 'weight-interpolation',
  block: parameterBlock('WeightInterpolation', {
    nx: 'count',
    ny: 'count',
    variables: 'count',
    members: 'count',
    nodesX: 'count',
    nodesY: 'count',
    /** Reals from the transform of a node of the row to the next one's. */
    stride: 'part',
    /** Nodes on both sides of each cell along x, then along y: [nx + ny](left, right). */
    nodes: 'index table',
    /** The share of the second of them. */
    fractions: 'real table',
    /** [member i of the analysis][member m][nodesY][nodesX], their sum over m is 1. */
    weights: 'read real',
    /** [members][variables][ny][nx] */
    ensemble: 'read real',
    /** As `ensemble`, another field. */
    analysis: 'write real',
  }),
  values: ({ nx, ny, variables, members, nodesX, nodesY }: WeightInterpolationParameters) => ({
    nx,
    ny,
    variables,
    members,
    nodesX: nodesX.count,
    nodesY: nodesY.count,
  }),
  tables(parameters) {
    const [x, y] = nodeTables(parameters);
    return { nodes: [...pairs(x), ...pairs(y)], fractions: [...x.fraction, ...y.fraction] };
  },
  cost: ({ nx, ny, variables, members: k, nodesX, nodesY }, elementBytes) => ({
    bytes: (k * k * nodesX.count * nodesY.count + 2 * nx * ny * variables * k) * elementBytes,
    flops: nx * ny * k * k * (3 + 2 * variables) + 3 * ny * nodesX.count * k * k,
  }),
  reference(parameters) {
    const { nx, ny, variables, members: k, nodesX, nodesY } = parameters;
    const [tableX, tableY] = nodeTables(parameters);
    const cells = nx * ny;
    const nodes = nodesX.count * nodesY.count;
    const transform = new Float64Array(k * k);
    return ({ weights, ensemble, analysis }) => {
      for (let y = 0; y < ny; y++) {
        const [below, above] = [tableY.left[y] * nodesX.count, tableY.right[y] * nodesX.count];
        const up = tableY.fraction[y];
        for (let x = 0; x < nx; x++) {
          const [left, right] = [tableX.left[x], tableX.right[x]];
          const along = tableX.fraction[x];
          for (let e = 0; e < k * k; e++) {
            const at = e * nodes;
            const one = (1 - up) * weights[at + below + left] + up * weights[at + above + left];
            const other = (1 - up) * weights[at + below + right] + up * weights[at + above + right];
            transform[e] = (1 - along) * one + along * other;
          }
          for (let v = 0; v < variables; v++) {
            const first = v * cells + y * nx + x;
            const origin = ensemble[first];
            for (let i = 0; i < k; i++) {
              let sum = 0;
              for (let m = 1; m < k; m++)
                sum += transform[i * k + m] * (ensemble[first + m * variables * cells] - origin);
              analysis[first + i * variables * cells] = origin + sum;
            }
          }
        }
      }
    };
  },
  wasm({ ny, members, nodesX }) {
    const stride = members * members + APART;
    const scratchBytes = POINTERS + 16 * VARIABLES * members + 4 * stride * nodesX.count;
    return { kernel: 'weightInterpolation', parts: ny, stride, scratchBytes };
  },
  webgpu: {
    code: () => [import('./weight-interpolation.wgsl?raw')],
    items: ({ nx, ny }) => nx * ny,
    layers: ({ members }) => Math.ceil(members / MEMBERS),
  },
});
