/** The files that a scenario refers to: .npy arrays and .csv tables beside it, read and checked against the scenario. */
import { bathymetryDefinition } from '../bathymetry/index.ts';
import { CaseError } from '../errors.ts';
import type { OpenHdf5 } from '../files/hdf5-reader.ts';
import { parseNpy, type NpyArray } from '../files/array-files.ts';
import { modelKindDefinition, waterOf } from '../model-kinds/index.ts';
import { initialStateDefinition } from '../initial-states/index.ts';
import { networkDefinition } from '../networks/index.ts';
import {
  arrayKey,
  scenarioError,
  extents,
  fileNameProblem,
  isOutside,
  multipleOf,
  placeProblem,
  unknownFile,
} from '../settings/index.ts';
import type { ArraySelection, FileType, NamedFile, Path, Problem, ScenarioFiles, Table } from '../settings/index.ts';
import { MAXIMUM_ROWS, parseTable, createTally, readSelectedArray, surfaceProblems } from './selected-arrays.ts';
import type { ParsedTable, Tally } from './selected-arrays.ts';
import { groundProblems } from './bed.ts';
import { momentsOf } from './networks.ts';
import type { Scenario } from './schema.ts';

/**
 * Reads a file beside the scenario; fails in any way if there is none.
 * @param most bytes that such a file can have: a larger one may be refused unread
 */
export type ReadFile = (relativePath: string, most: number) => Promise<Uint8Array>;

/** A table's longest lines are far shorter than this, and an array's header is. */
const LONGEST_LINE_BYTES = 256;
const LONGEST_HEADER_BYTES = 2 ** 16 + 12;
const LARGEST_ELEMENT_BYTES = 8;
/** A file with variables may hold much that is not asked for; it is read, and copied into a run folder, as a whole. */
const MOST_VARIABLES_BYTES = 2 ** 29;

/** A file that a scenario refers to. */
export interface FileReference {
  /** Where the scenario names it. */
  readonly path: Path;
  readonly file: string;
  readonly type: FileType;
  /** Selection in a file with more than one array. */
  readonly selection?: ArraySelection;
  /** What may be in it: bottom elevations, states of one member or of all, places. */
  readonly role: 'bathymetry' | 'truth' | 'background' | 'network';
}

/** @returns the files that the scenario refers to, in its order */
export function fileReferences({ model, truth, background, observations }: Scenario): FileReference[] {
  const bathymetry = waterOf(model)?.bathymetry;
  return [
    ...(bathymetry
      ? referenceAt(['model', 'bathymetry'], 'bathymetry', bathymetry, bathymetryDefinition(bathymetry.kind).reads)
      : []),
    ...referenceAt(['truth', 'initial'], 'truth', truth.initial, initialStateDefinition(truth.initial.kind).reads),
    ...referenceAt(
      ['background', 'initial'],
      'background',
      background.initial,
      initialStateDefinition(background.initial.kind).reads,
    ),
    ...observations.flatMap(({ network }, index) =>
      referenceAt(['observations', index, 'network'], 'network', network, networkDefinition(network.kind).reads),
    ),
  ];
}

/** The file of a setting whose kind reads one. */
function referenceAt<Settings>(
  path: Path,
  role: FileReference['role'],
  settings: Settings,
  reads: NamedFile<Settings> | undefined,
): FileReference[] {
  if (!reads) return [];
  const selection = reads.select?.(settings);
  return [
    { path: [...path, 'file'], file: reads.file(settings), type: reads.type, role, ...(selection && { selection }) },
  ];
}

/** @returns bytes that a file of this role can have at most */
export function largestFileBytes({ type }: FileReference, { grid, model, background }: Scenario): number {
  if (type === '.csv') return MAXIMUM_ROWS * LONGEST_LINE_BYTES;
  if (type === '.nc') return MOST_VARIABLES_BYTES;
  const { length } = modelKindDefinition(model).variables;
  return LONGEST_HEADER_BYTES + length * background.members * grid.nx * grid.ny * LARGEST_ELEMENT_BYTES;
}

/**
 * Reads every file that the scenario refers to.
 * @param scenarioFile what to call the scenario in an error
 * @param openHdf5 reads NetCDF-4 files where it can be stopped; where it is missing they are refused
 * @throws ScenarioError with one line for each file that is missing, mis-shaped, or holds what it must not
 */
export async function readScenarioFiles(
  scenario: Scenario,
  readFile: ReadFile,
  scenarioFile: string,
  openHdf5: OpenHdf5 | undefined,
): Promise<ScenarioFiles> {
  const arrays = new Map<string, NpyArray>();
  const tables = new Map<string, Table>();
  const problems: Problem[] = [];
  for (const reference of fileReferences(scenario)) {
    const { file, path, type } = reference;
    const tell = (message: string): void => void problems.push({ path, message });
    const wrongName = fileNameProblem(file, type);
    if (wrongName !== undefined) {
      tell(wrongName);
      continue;
    }
    try {
      const bytes = await readFile(file, largestFileBytes(reference, scenario));
      if (type === '.npy') {
        const array = parseNpy(bytes, file);
        arrayProblems(array, reference, scenario).forEach((problem) => tell(`${file}: ${problem}`));
        arrays.set(file, array);
      } else if (type === '.nc') {
        arrays.set(arrayKey(file, reference.selection), await readSelectedArray(bytes, reference, scenario, openHdf5));
      } else {
        const found = createTally();
        const parsed = parseTable(new TextDecoder().decode(bytes), found);
        tellPlaces(parsed, scenario, momentsAt(reference, scenario), found);
        found.lines().forEach((problem) => tell(`${file}: ${problem}`));
        tables.set(file, parsed.table);
      }
    } catch (error) {
      tell(error instanceof CaseError ? error.message : `${file} cannot be read: ${reasonOf(error)}`);
    }
  }
  if (problems.length > 0) throw scenarioError(problems, scenarioFile);
  const files: ScenarioFiles = {
    array: (file, selection) => arrays.get(arrayKey(file, selection)) ?? unknownFile(file),
    table: (file) => tables.get(file) ?? unknownFile(file),
  };
  const ofGround = [...surfaceProblems(scenario, files), ...groundProblems(scenario, files)];
  if (ofGround.length > 0) throw scenarioError(ofGround, scenarioFile);
  return files;
}

function reasonOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && Reflect.get(error, 'code') === 'ENOENT') {
    return "there is no such file in the scenario's folder";
  }
  return error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error);
}

/** A shape as numpy writes it. */
function shapeText(shape: readonly number[]): string {
  return `[${shape.join(', ')}]`;
}

function arrayProblems({ shape, data }: NpyArray, { role }: FileReference, scenario: Scenario): string[] {
  const { nx, ny } = scenario.grid;
  const { members } = scenario.background;
  const { length } = modelKindDefinition(scenario.model).variables;
  const allowed = role === 'bathymetry' ? [[ny, nx]] : [[length, ny, nx]];
  if (role === 'background') allowed.push([members, length, ny, nx]);
  if (!allowed.some((extents) => shapeText(extents) === shapeText(shape))) {
    return [`found an array of shape ${shapeText(shape)}, allowed: ${allowed.map(shapeText).join(' or ')}`];
  }
  const place = (index: number): string => `at [${indexOf(index, shape).join(', ')}]`;
  const bad = data.findIndex((value) => !Number.isFinite(value));
  if (bad !== -1) return [`found ${data[bad]} ${place(bad)}, allowed: finite numbers`];
  const water = waterOf(scenario.model);
  if (role === 'bathymetry' || water === undefined) return [];
  const cells = nx * ny;
  const dryAllowed = water.scheme === 'central-upwind';
  const empty = data.findIndex((h, i) => Math.floor(i / cells) % 3 === 0 && (dryAllowed ? h < 0 : h <= 0));
  if (empty === -1) return [];
  return [`found a depth of ${data[empty]} m ${place(empty)}, allowed: ${dryAllowed ? 'at least 0' : 'above 0'}`];
}

/** Position along each axis, from the position in C order. */
function indexOf(position: number, shape: readonly number[]): number[] {
  const index: number[] = [];
  let rest = position;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index.unshift(rest % shape[axis]);
    rest = Math.floor(rest / shape[axis]);
  }
  return index;
}

/** Shares of the window at which the network that names a file observes. */
function momentsAt({ path }: FileReference, { observations }: Scenario): readonly number[] {
  return momentsOf(observations[Number(path[1])]);
}

/** Reports the lines that observe nowhere or never. */
function tellPlaces(
  { table, lines }: ParsedTable,
  scenario: Scenario,
  moments: readonly number[],
  problems: Tally,
): void {
  const { cycles, window } = scenario.experiment;
  const end = cycles * window;
  const [mostX, mostY] = extents(scenario);
  for (let i = 0; i < table.count; i++) {
    const [x, y, time] = [table.x[i], table.y[i], table.time[i]];
    if (isOutside(x, mostX) || isOutside(y, mostY)) {
      problems.tell(() => `line ${lines[i]}: ${placeProblem([x, y], scenario)}`);
    }
    const isAtMoment = moments.some((share) => multipleOf(time - share * window, window));
    if (time <= 0 || time > end * (1 + 1e-9) || !isAtMoment) {
      const allowed = moments.every((share) => share === 1)
        ? `multiples of experiment.window (${window} s)`
        : `the moments of the network (timing.moments) in windows of ${window} s,`;
      problems.tell(() => `line ${lines[i]}: found time ${time} s, allowed: ${allowed} up to ${end} s`);
    }
  }
}
