/** What a run will hold in memory, stated before it starts. */
import { LimitError } from '../errors.ts';
import { networkCapacity } from './networks.ts';
import type { Method, Scenario } from './schema.ts';

/** What a run may hold, bytes, where nothing tells of the machine: 16 GiB. */
export const DEFAULT_MEMORY_BYTES = 16 * 2 ** 30;

/** State variables h, hu, hv. */
const VARIABLES = 3;
/** A state, and the one that a step writes. */
const COPIES = 2;
/** Right-hand side, solution, residual, direction and product of conjugate gradients, deviation and normalisation of B. */
const VARIATIONAL_FIELDS = 8;

/**
 * Fields that a run holds at once: two copies of the truth's state and of every member of every method, the work fields of
 * 3D-Var, and the gain of the EnKF (state × observations). Histories and pictures come on top.
 *
 * @param elementBytes 8 for the reference backend, 4 for the others
 * @returns bytes
 */
export function estimateMemory(scenario: Scenario, elementBytes: number): number {
  const state = scenario.grid.nx * scenario.grid.ny * VARIABLES * elementBytes;
  const observations = scenario.observations.reduce(
    (sum, { network }) => sum + (networkCapacity(network, scenario.grid) ?? 0),
    0,
  );
  const bytes = scenario.methods.map((method) => methodBytes(method, state, scenario.background.members, observations));
  return bytes.reduce((sum, each) => sum + each, COPIES * state);
}

function methodBytes({ kind }: Method, state: number, members: number, observations: number): number {
  switch (kind) {
    case 'free-run':
    case 'letkf':
      return COPIES * state * members;
    case 'enkf':
      return COPIES * state * members + state * observations;
    case '3dvar':
      return (COPIES + VARIATIONAL_FIELDS) * state;
    default:
      return kind satisfies never;
  }
}

/** @returns that the run needs more memory than there is, with what would fit, or undefined */
export function memoryProblem(scenario: Scenario, elementBytes: number, limitBytes: number): string | undefined {
  const needed = estimateMemory(scenario, elementBytes);
  if (needed <= limitBytes) return undefined;
  const { grid, background, methods } = scenario;
  const fits = [membersThatFit(scenario, elementBytes, limitBytes), gridThatFits(scenario, elementBytes, limitBytes)];
  const remedies = fits.filter((remedy) => remedy !== undefined);
  return (
    `needs about ${bytesText(needed)} (${grid.nx} × ${grid.ny} cells, ${background.members} members, ${methods.length} methods, ` +
    `${elementBytes} bytes a number), allowed are ${bytesText(limitBytes)}` +
    (remedies.length === 0 ? '' : `; ${remedies.join(' or ')} would fit`)
  );
}

/** @throws LimitError naming the estimate, the limit and what would fit */
export function checkMemory(scenario: Scenario, elementBytes: number, limitBytes: number): void {
  const problem = memoryProblem(scenario, elementBytes, limitBytes);
  if (problem !== undefined) throw new LimitError(`the run ${problem}`);
}

/** @returns bytes in the largest binary unit that they fill, with three digits */
function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  const power = Math.max(0, Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10)));
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${units[power]}`;
}

function membersThatFit(scenario: Scenario, elementBytes: number, limitBytes: number): string | undefined {
  const least = scenario.methods.some(({ kind }) => kind === 'letkf' || kind === 'enkf') ? 2 : 1;
  const withMembers = (members: number): Scenario => ({ ...scenario, background: { ...scenario.background, members } });
  const most = largest(
    scenario.background.members,
    (members) => estimateMemory(withMembers(members), elementBytes) <= limitBytes,
  );
  return most >= least ? `${most} members` : undefined;
}

function gridThatFits(scenario: Scenario, elementBytes: number, limitBytes: number): string | undefined {
  const { nx, ny } = scenario.grid;
  const shrunk = (share: number): Scenario['grid'] => ({
    ...scenario.grid,
    nx: Math.floor((nx * share) / 64),
    ny: Math.floor((ny * share) / 64),
  });
  const most = largest(63, (share) => estimateMemory({ ...scenario, grid: shrunk(share) }, elementBytes) <= limitBytes);
  const grid = shrunk(most);
  return Math.min(grid.nx, grid.ny) >= 4 ? `${grid.nx} × ${grid.ny} cells` : undefined;
}

/** The largest whole number up to `most` that fits, found by halving; 0 where none does. */
function largest(most: number, fits: (value: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
