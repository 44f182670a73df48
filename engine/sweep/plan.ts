/**
 * The cases of a sweep, one by one when they are wanted: each combination of values is put into the scenario and validated once, and
 * of a case nothing is kept but its hash, so that many thousands fit into little memory. The hash is of everything that determines
 * its numbers, and of nothing else, so that a case is found again whatever sweep it comes from. It also names the case's folder.
 */
import type { OpenHdf5 } from '../files/hdf5-reader.ts';
import {
  estimateEffort,
  estimateMemory,
  estimateSeconds,
  fileReferences,
  readScenarioFiles,
} from '../scenario/index.ts';
import type { ReadFile, Scenario } from '../scenario/index.ts';
import type { Problem } from '../settings/index.ts';
import { createRunningChecksum, extentOf, type RunningChecksum } from '../output/stored-files.ts';
import { filesNamedBy, type Versions } from '../output/run-record.ts';
import type { BackendName } from '../compute/backend.ts';
import { axesOf, baseOf, createCombinations } from './axes.ts';
import type { PlannedAxis, Combinations, PreparedCombination } from './axes.ts';
import { measureNamed, usualMeasures } from './measures.ts';
import { nameOf, refuseSweep, seedsOf, type ReadSweep } from './read-definition.ts';
import type { SweepMeasure } from './results.ts';

/** The files that the scenarios of a sweep name: read once each, checked for every scenario that may judge them otherwise. */
interface FileHashing {
  /** Reads and checks the files of a scenario. @throws ScenarioError naming what is wrong with one */
  of(scenario: Scenario): Promise<FileHashes>;
  /** Hashes for a scenario whose files were checked. */
  known(scenario: Scenario): FileHashes;
  /** Hashes for all scenarios so far. */
  all(): FileHashes;
}

/**
 * @param source what to call the scenario in an error
 * @param openHdf5 reads NetCDF-4 files where it can be stopped; where it is missing they are refused
 */
function createFileHashing(readFile: ReadFile, source: string, openHdf5: OpenHdf5 | undefined): FileHashing {
  const hashes = new Map<string, string>();
  const checked = new Set<string>();
  const read: ReadFile = async (name, most) => {
    const bytes = await readFile(name, most);
    if (!hashes.has(name)) hashes.set(name, (await extentOf(bytes)).sha256);
    return bytes;
  };
  const known = (scenario: Scenario): FileHashes =>
    Object.fromEntries(filesNamedBy(scenario).map((name) => [name, hashes.get(name) ?? '']));
  return {
    known,
    all: () => Object.fromEntries(hashes),
    async of(scenario) {
      const references = fileReferences(scenario);
      if (references.length === 0) return {};
      const { grid, background, experiment, model } = scenario;
      const judged = JSON.stringify([references, grid, background.members, experiment, model]);
      if (!checked.has(judged)) {
        checked.add(judged);
        await readScenarioFiles(scenario, read, source, openHdf5);
      }
      return known(scenario);
    },
  };
}

/** Version of the form in which a case is hashed. */
const FORM = 1;
/** Hexadecimal digits of a hash: 128 bits, so that no two of any number of cases that there will be are alike. */
const DIGITS = 32;

/** Where the numbers come from. */
export interface NumbersOrigin {
  /** The adapter as the backend names it: of two of another name, bits may differ. */
  readonly backend: { readonly name: BackendName; readonly adapter: string };
  /** `shoal` is this program's own: another version may compute something else. */
  readonly versions: Versions;
}

/** SHA-256 by name of the files that a scenario refers to. */
type FileHashes = Readonly<Record<string, string>>;

/** @returns the scenario's methods that have a part in the numbers: interventions name them by their index, so that all stay then */
function methodsOf({ methods, interventions }: Scenario, labels: readonly string[]): unknown {
  return interventions.length > 0 ? methods : methods.filter(({ label }) => labels.includes(label));
}

/** What truth, background and observations follow from, and how long the run is: the scenario without names, seed and methods. */
function worldOf(scenario: Scenario): unknown {
  const {
    $schema: _schema,
    version: _version,
    name: _name,
    title: _title,
    description: _description,
    lesson: _lesson,
    expected: _expected,
    branches: _branches,
    seed: _seed,
    methods: _methods,
    ...world
  } = scenario;
  return world;
}

/** Hash of a combination of settings, whatever the seed. */
export interface CombinationHash {
  /** The same for combinations that share truth, background and observations. */
  readonly world: string;
  /** @returns the hash of the case with that seed */
  readonly withSeed: (seed: number) => string;
}

function checksumOf(value: unknown): RunningChecksum {
  const checksum = createRunningChecksum();
  checksum.add(new TextEncoder().encode(JSON.stringify(value)));
  return checksum;
}

/**
 * @param scenario as parsed; its own seed has no part
 * @param labels of the methods that run
 */
export function hashCombination(
  scenario: Scenario,
  labels: readonly string[],
  files: FileHashes,
  { backend, versions }: NumbersOrigin,
): CombinationHash {
  const named = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  const origin = [FORM, backend.name, backend.adapter, versions['shoal'] ?? ''];
  const world = worldOf(scenario);
  const all = checksumOf([origin, world, named, labels, methodsOf(scenario, labels)]);
  return {
    // Interventions name methods by their index, so that no others may come between them.
    world: checksumOf(scenario.interventions.length > 0 ? [world, named, scenario.methods] : [world, named]).extent
      .sha256,
    withSeed(seed) {
      const own = all.fork();
      own.add(new TextEncoder().encode(`\n${seed}`));
      return own.extent.sha256.slice(0, DIGITS);
    },
  };
}

/** One run of the scenario: values of the axes, and a seed. */
export interface PlannedCase {
  /** In the plan, from 0. */
  readonly index: number;
  readonly hash: string;
  /** One for each axis, in their order. */
  readonly values: readonly unknown[];
  readonly seed: number;
  /** As it runs: values set, seed too, with every default. */
  readonly scenario: Scenario;
  /** Labels of the methods that run. */
  readonly methods: readonly string[];
  /** SHA-256 by name of the files that the scenario refers to. */
  readonly files: FileHashes;
}

/** What a plan knows of a case without making it. */
export interface SweepPlan {
  readonly name: string;
  /** As its file has it, with the values that all cases have, and without its lesson and what is expected of it. */
  readonly scenario: Readonly<Record<string, unknown>>;
  readonly origin: NumbersOrigin;
  readonly axes: readonly PlannedAxis[];
  readonly seeds: readonly number[];
  /** Labels of the methods that run, in the scenario's order. */
  readonly methods: readonly string[];
  readonly measures: readonly SweepMeasure[];
  /** Cases, by combination and then by seed, which is fastest. */
  readonly count: number;
  readonly hashes: readonly string[];
  /** A number for the world of each combination: combinations of the same one share truth, background and observations. */
  readonly worlds: Uint32Array;
  /** Estimated seconds of a case of each combination by itself, and what of them its company shares. */
  readonly seconds: Float64Array;
  readonly sharedSeconds: Float64Array;
  /** What the largest case is estimated to hold. */
  readonly bytes: number;
  /** SHA-256 by name of all files that the scenarios refer to. */
  readonly files: FileHashes;
  valuesAt(index: number): readonly unknown[];
  seedAt(index: number): number;
  /** Makes a case, for the price of validating its scenario unless the one before was of the same combination. */
  caseAt(index: number): PlannedCase;
}

/** The scenario that a sweep starts from. */
export interface SweepScenario {
  /** As its file has it, in the present version. */
  readonly raw: unknown;
  /** What to call it in an error. */
  readonly file: string;
  /** Reads a file that it names, beside it. */
  readonly readFile: ReadFile;
  /** Reads those that are NetCDF-4 where it can be stopped; where it is missing they are refused. */
  readonly openHdf5?: OpenHdf5 | undefined;
}

/** What is known of every combination once each was made and released. */
type Survey = Pick<SweepPlan, 'hashes' | 'worlds' | 'seconds' | 'sharedSeconds' | 'bytes'> & {
  /** Values of combinations that leave some to the scenario. */
  readonly completed: ReadonlyMap<number, readonly unknown[]>;
};

/** Receives how many of the combinations are checked. */
export type PlanProgress = (checked: number, total: number) => void;

/** What a survey needs beside the combinations. */
interface SurveyOptions {
  readonly seeds: readonly number[];
  readonly files: FileHashing;
  readonly origin: NumbersOrigin;
  readonly onProgress: PlanProgress | undefined;
}

/** Makes every combination once. @throws ScenarioError naming the first that is wrong, or that equals an earlier one */
async function survey(
  sweep: ReadSweep,
  combinations: Combinations,
  labels: readonly string[],
  { seeds, files, origin, onProgress }: SurveyOptions,
): Promise<Survey> {
  const { count, at, prepare } = combinations;
  const { name } = origin.backend;
  const hashes: string[] = [];
  const [seconds, sharedSeconds] = [new Float64Array(count), new Float64Array(count)];
  const worlds = new Uint32Array(count);
  const worldNumbers = new Map<string, number>();
  const firstOf = new Map<string, number>();
  const completed = new Map<number, readonly unknown[]>();
  let bytes = 0;
  for (let c = 0; c < count; c++) {
    const { scenario, values } = prepare(c);
    if (at(c).includes(undefined)) completed.set(c, values);
    const { world, withSeed } = hashCombination(scenario, labels, await files.of(scenario), origin);
    worlds[c] = worldNumbers.get(world) ?? worldNumbers.size;
    worldNumbers.set(world, worlds[c]);
    seconds[c] = estimateSeconds(estimateEffort(scenario, labels), name);
    sharedSeconds[c] = estimateSeconds(estimateEffort(scenario, []), name);
    bytes = Math.max(bytes, estimateMemory(withMethods(scenario, labels), ELEMENT_BYTES[name]));
    for (const seed of seeds) hashes.push(withSeed(seed));
    const hash = hashes[c * seeds.length];
    const twin = firstOf.get(hash);
    if (twin !== undefined) throw refuseSweep(sweep, [sameCase(sweep, twin, c)]);
    firstOf.set(hash, c);
    onProgress?.(c + 1, count);
  }
  return { hashes, worlds, seconds, sharedSeconds, bytes, completed };
}

/** Bytes of a real on each backend. */
const ELEMENT_BYTES = { reference: 8, wasm: 4, webgpu: 4 } as const;

function withMethods(scenario: Scenario, labels: readonly string[]): Scenario {
  return { ...scenario, methods: scenario.methods.filter(({ label }) => labels.includes(label)) };
}

function sameCase({ definition: { cases } }: ReadSweep, twin: number, c: number): Problem {
  const why = 'what differs between them has no part in the methods that run';
  if (!cases) return { path: ['grid'], message: `combinations ${twin} and ${c} give the same numbers: ${why}` };
  return { path: ['cases', c], message: `gives the same numbers as cases[${twin}]: ${why}` };
}

/**
 * Plans a sweep: checks every combination of values, and the files that the scenarios name.
 *
 * @param origin where the cases will be computed
 * @param onProgress called after each combination
 * @throws ScenarioError naming file, place, what was found and what is allowed
 */
export async function planSweep(
  sweep: ReadSweep,
  start: SweepScenario,
  origin: NumbersOrigin,
  onProgress?: PlanProgress,
): Promise<SweepPlan> {
  const { definition, file } = sweep;
  const base = baseOf(sweep, start);
  const { scenario: first, labels } = base;
  const { axes, problems } = axesOf(definition, first);
  if (problems.length > 0) throw refuseSweep(sweep, problems);
  const combinations = createCombinations(sweep, base, axes);
  const given = seedsOf(definition);
  const seeds = given.length > 0 ? given : [first.seed];
  const files = createFileHashing(start.readFile, `${file}: ${start.file}`, start.openHdf5);
  const { completed, ...known } = await survey(sweep, combinations, labels, { seeds, files, origin, onProgress });

  const combinationOf = (index: number): number => Math.floor(index / seeds.length);
  const seedAt = (index: number): number => seeds[index % seeds.length];
  let latest: (PreparedCombination & { readonly combination: number }) | undefined;
  return {
    ...known,
    name: nameOf(sweep),
    scenario: base.raw,
    origin,
    axes,
    seeds,
    methods: labels,
    measures: (definition.measures ?? usualMeasures(first)).flatMap((name) => measureNamed(name) ?? []),
    count: combinations.count * seeds.length,
    files: files.all(),
    valuesAt: (index) => completed.get(combinationOf(index)) ?? combinations.at(combinationOf(index)),
    seedAt,
    caseAt(index) {
      const combination = combinationOf(index);
      if (latest?.combination !== combination) latest = { combination, ...combinations.prepare(combination) };
      const { scenario, values } = latest;
      const seed = seedAt(index);
      return {
        index,
        hash: known.hashes[index],
        values,
        seed,
        scenario: { ...scenario, seed },
        methods: labels,
        files: files.known(scenario),
      };
    },
  };
}
