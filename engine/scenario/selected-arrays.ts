/** Beds and states from variables of a NetCDF-4 file: the planes of their variables as one array, in metres and m²/s. */
import { CaseError } from '../errors.ts';
import { openVariables } from '../files/hdf5-variable.ts';
import type { Labels, VariableFile } from '../files/hdf5-variable.ts';
import type { OpenHdf5 } from '../files/hdf5-reader.ts';
import type { NpyArray } from '../files/npy.ts';
import { modelKindDefinition, waterOf } from '../model-kinds/index.ts';
import { quote } from '../settings/index.ts';
import type { ArraySelection, Path, Problem, ScenarioFiles } from '../settings/index.ts';
import { scenarioBed } from './bed.ts';
import type { Scenario } from './schema.ts';

/** Units of lengths as files write them, in metres. */
const LENGTHS = { m: 1, metre: 1, metres: 1, meter: 1, meters: 1, cm: 0.01, mm: 0.001, km: 1000 } as const;
/** Units of momenta, in m²/s. */
const MOMENTA = {
  'm2 s-1': 1,
  'm2/s': 1,
  'm^2/s': 1,
  'm**2 s**-1': 1,
  'm²/s': 1,
  'cm2 s-1': 1e-4,
  'cm2/s': 1e-4,
} as const;

/** A reference to such a file, as far as it is needed here. */
interface SelectedReference {
  readonly file: string;
  readonly role: 'bathymetry' | 'truth' | 'background' | 'network';
  readonly selection?: ArraySelection;
}

/** @returns the labels of `dimension=label, …`. @throws CaseError for what is written otherwise */
function labelsIn(at: string, file: string): Labels {
  const labels = new Map<string, string>();
  for (const part of at.split(',').filter((each) => each.trim() !== '')) {
    const [, name, label] = /^\s*([^=]*[^=\s])\s*=\s*(.*\S)\s*$/.exec(part) ?? [];
    if (name === undefined) {
      throw new CaseError(`${file}: found ${quote(part.trim())} in "at", allowed: dimension=label, such as time=10`);
    }
    labels.set(name, label);
  }
  return labels;
}

/** @returns the name of a variable that is not given, by that of the surface: hu for eta; empty where the file has none */
async function companionOf(open: VariableFile, surface: string, name: string): Promise<string> {
  if (!/eta/.test(surface)) return '';
  const companion = surface.replace(/eta(?!.*eta)/, name);
  return (await open.has(companion)) ? companion : '';
}

/**
 * Reads what a setting selects: a bed [ny][nx], or states [variable][ny][nx], for each member where the file has so many.
 *
 * @throws CaseError naming file, variable, what was found and what is allowed
 */
export async function readSelectedArray(
  bytes: Uint8Array,
  { file, role, selection }: SelectedReference,
  scenario: Scenario,
  openHdf5: OpenHdf5 | undefined,
): Promise<NpyArray> {
  if (!openHdf5) throw new CaseError(`${file}: NetCDF files cannot be read here`);
  const { variables = [], at = '' } = selection ?? {};
  const { nx, ny } = scenario.grid;
  const { members } = scenario.background;
  const labels = labelsIn(at, file);
  const isWater = waterOf(scenario.model) !== undefined;
  const open = await openVariables(openHdf5, bytes, file);
  const planesOf = (variable: string, units: Readonly<Record<string, number>>) =>
    open.planes({ variable, at: labels, nx, ny, units, several: role === 'background' ? members : undefined });
  try {
    const [surface, ...momenta] = variables;
    const first = await planesOf(surface, isWater ? LENGTHS : {});
    if (role === 'bathymetry') return { shape: [ny, nx], data: first.data, type: 'f8' };
    const { length } = modelKindDefinition(scenario.model).variables;
    const parts = [first];
    for (const [index, given] of (isWater ? momenta : []).entries()) {
      const name = given || (await companionOf(open, surface, ['hu', 'hv'][index]));
      const found =
        name === '' ? { data: new Float64Array(first.data.length), count: first.count } : await planesOf(name, MOMENTA);
      if (found.count !== first.count) {
        throw new CaseError(`${file}: ${name}: found ${found.count} states, allowed: ${first.count}, as of ${surface}`);
      }
      parts.push(found);
    }
    const cells = nx * ny;
    const data = new Float64Array(first.count * length * cells);
    for (let state = 0; state < first.count; state++) {
      parts.forEach((part, variable) =>
        data.set(part.data.subarray(state * cells, (state + 1) * cells), (state * length + variable) * cells),
      );
    }
    return { shape: first.count > 1 ? [first.count, length, ny, nx] : [length, ny, nx], data, type: 'f8' };
  } finally {
    open.close();
  }
}

/** Surface and bed are the same to float32 precision. */
const SAME_HEIGHT = 2 ** -23;

/** @returns where a surface, or a depth, that a file gives leaves no water over the bed, for schemes that need some everywhere */
export function surfaceProblems(scenario: Scenario, files: ScenarioFiles): Problem[] {
  const water = waterOf(scenario.model);
  if (!water) return [];
  const { nx } = scenario.grid;
  const dryAllowed = water.scheme === 'central-upwind';
  let bed: Float64Array | undefined;
  const places: readonly (readonly [Path, Scenario['truth' | 'background']['initial']])[] = [
    [['truth', 'initial', 'variable'], scenario.truth.initial],
    [['background', 'initial', 'variable'], scenario.background.initial],
  ];
  return places.flatMap(([path, initial]): Problem[] => {
    if (initial.kind !== 'netcdf') return [];
    const { file, variable, hu, hv, at, holds } = initial;
    const { data } = files.array(file, { variables: [variable, hu, hv], at });
    bed ??= scenarioBed(scenario, files);
    const ground = bed;
    const cells = ground.length;
    const depthAt = (index: number): number => data[index] - (holds === 'depth' ? 0 : ground[index % cells]);
    const isSurface = (index: number): boolean => Math.floor(index / cells) % 3 === 0;
    const least = (index: number): number => (dryAllowed ? -SAME_HEIGHT * Math.abs(ground[index % cells]) : 0);
    const bad = data.findIndex((_, i) => isSurface(i) && (dryAllowed ? depthAt(i) < least(i) : depthAt(i) <= 0));
    if (bad < 0) return [];
    const cell = bad % cells;
    const place = `[${Math.floor(cell / nx)}, ${cell % nx}]`;
    const allowed = dryAllowed ? 'at least 0' : 'above 0';
    const message = `${file}: ${variable}: found a depth of ${depthAt(bad)} m at [y, x] = ${place}, allowed: ${allowed}`;
    return [{ path, message }];
  });
}
