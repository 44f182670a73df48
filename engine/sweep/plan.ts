/**
 * The cases of a sweep, one by one when they are wanted: each combination of values is put into the scenario and validated once, and
 * of a case nothing is kept but its hash, so that many thousands fit into little memory.
 */
import { ScenarioError } from '../errors.ts';
import { extentOf } from '../output/checksum.ts';
import { filesNamedBy } from '../output/scenario-copies.ts';
import {
  assignPath,
  estimateEffort,
  estimateMemory,
  estimateSeconds,
  fileReferences,
  readScenarioFiles,
  validateScenario,
  valueAt,
} from '../scenario/index.ts';
import type { ReadFile, Scenario } from '../scenario/index.ts';
import { describeValue, formatPath, listWords, suggestion } from '../settings/index.ts';
import type { Path, Problem } from '../settings/index.ts';
import { axesOf, resolvePath } from './axes.ts';
import type { PlannedAxis } from './axes.ts';
import { hashCombination } from './case-hash.ts';
import type { FileHashes, NumbersOrigin } from './case-hash.ts';
import { measureNamed, usualMeasures } from './measures.ts';
import { nameOf, refuseSweep, seedsOf } from './read-definition.ts';
import type { ReadSweep } from './read-definition.ts';
import type { SweepMeasure } from './results.ts';

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
  /** As its file has it, with the values that all cases have, and without what is expected of it. */
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
  /** Of each combination, a number for its world: combinations of the same one share truth, background and observations. */
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
}

/** The values of a combination by axis; undefined where a case leaves one as the scenario has it. */
type Combination = readonly unknown[];

/** @returns combinations by number: of a grid the last axis is fastest; of a list as it is; one of nothing where there is neither */
function combinationsOf({ definition: { grid, cases } }: ReadSweep, axes: readonly PlannedAxis[]) {
  if (cases)
    return { count: cases.length, at: (c: number): Combination => axes.map(({ written }) => cases[c][written]) };
  const lists = axes.map(({ written }) => grid?.[written] ?? []);
  return {
    count: lists.reduce((product, { length }) => product * length, 1),
    at(c: number): Combination {
      const values: unknown[] = [];
      let rest = c;
      for (const list of [...lists].reverse()) {
        values.unshift(list[rest % list.length]);
        rest = Math.floor(rest / list.length);
      }
      return values;
    },
  };
}

/** Sets what all cases have, and chooses the methods. @throws ScenarioError */
function baseOf(sweep: ReadSweep, { raw, file }: SweepScenario) {
  const { set = {}, methods } = sweep.definition;
  let base = raw;
  let { scenario } = validateScenario(base, file);
  for (const [written, value] of Object.entries(set)) {
    const path = resolvePath(written, scenario, ['set', written]);
    if (typeof path !== 'string') throw refuseSweep(sweep, [path]);
    try {
      base = assignPath(base, path, value, sweep.file);
      ({ scenario } = validateScenario(base, sweep.file));
    } catch (error) {
      throw located(error, sweep, () => ['set', written], `with ${written} set`);
    }
  }
  const known = scenario.methods.map(({ label }) => label);
  const problems = (methods ?? []).flatMap((label, index): Problem[] => {
    if (known.includes(label)) return [];
    const message = `found ${describeValue(label)}, allowed are ${listWords(known.map(describeValue))}${suggestion(label, known)}`;
    return [{ path: ['methods', index], message }];
  });
  if (problems.length > 0) throw refuseSweep(sweep, problems);
  const labels = known.filter((label) => methods === undefined || methods.includes(label));
  // What is expected is of the scenario as it is, with the scans behind it: of no case, and longer than all the rest.
  const { expected: _expected, ...kept } = base as Readonly<Record<string, unknown>>;
  return { raw: kept, scenario, labels };
}

/**
 * What is wrong with a scenario as problems of the definition: at the value that is to blame, or at its beginning.
 *
 * @param placeOf where the definition has the setting at a path of the scenario
 * @param when the values that were set, for what is wrong across settings
 */
function located(error: unknown, sweep: ReadSweep, placeOf: (path: Path) => Path | undefined, when: string): unknown {
  if (!(error instanceof ScenarioError)) return error;
  return refuseSweep(
    sweep,
    error.problems.map(({ path, message }): Problem => {
      const place = placeOf(path);
      const inside = path.length === 0 || place?.includes(formatPath(path)) ? '' : `${formatPath(path)}: `;
      return { path: place ?? [], message: `${place ? '' : `${when}: `}${inside}${message}` };
    }),
  );
}

/** Whether one path leads into, or out of, what is at the other. */
function meets(a: Path, b: Path): boolean {
  return a.slice(0, b.length).every((key, depth) => key === b[depth]);
}

/** Of one combination, once it is validated. */
interface Prepared {
  readonly combination: number;
  readonly scenario: Scenario;
  readonly values: readonly unknown[];
}

/**
 * Plans a sweep: checks every combination of values, and the files that the scenarios name.
 *
 * @param origin where the cases will be computed
 * @throws ScenarioError naming file, place, what was found and what is allowed
 */
export async function planSweep(sweep: ReadSweep, base: SweepScenario, origin: NumbersOrigin): Promise<SweepPlan> {
  const { definition } = sweep;
  const { raw, scenario: first, labels } = baseOf(sweep, base);
  const { axes, problems } = axesOf(definition, first);
  if (problems.length > 0) throw refuseSweep(sweep, problems);
  const combinations = combinationsOf(sweep, axes);
  const given = seedsOf(definition);
  const seeds = given.length > 0 ? given : [first.seed];

  /** Where the definition has a setting of the c-th combination. */
  const placeIn = (c: number, path: Path): Path | undefined => {
    const axis = axes.find(({ keys }) => meets(keys, path));
    if (!axis) return undefined;
    if (definition.cases) return ['cases', c, axis.written];
    const list = definition.grid?.[axis.written] ?? [];
    return ['grid', axis.written, list.indexOf(combinations.at(c)[axes.indexOf(axis)] as never)];
  };
  const prepare = (c: number): Prepared => {
    const values = combinations.at(c);
    try {
      const changed = axes.reduce<unknown>(
        (before, { path }, a) => (values[a] === undefined ? before : assignPath(before, path, values[a], sweep.file)),
        raw,
      );
      const { scenario } = validateScenario(changed, sweep.file);
      const all = axes.map(({ keys }, a) => values[a] ?? valueAt(scenario, keys) ?? null);
      return { combination: c, scenario, values: all };
    } catch (error) {
      const set = axes.flatMap(({ written }, a) =>
        values[a] === undefined ? [] : [`${written} = ${JSON.stringify(values[a])}`],
      );
      throw located(error, sweep, (path) => placeIn(c, path), `with ${set.join(', ')}`);
    }
  };

  const fileHashes = createFileHashes(base, sweep);
  const hashes: string[] = [];
  const worlds = new Uint32Array(combinations.count);
  const seconds = new Float64Array(combinations.count);
  const sharedSeconds = new Float64Array(combinations.count);
  let bytes = 0;
  const worldNumbers = new Map<string, number>();
  const firstOf = new Map<string, number>();
  /** Values of combinations that leave some to the scenario. */
  const completed = new Map<number, readonly unknown[]>();
  for (let c = 0; c < combinations.count; c++) {
    const { scenario, values } = prepare(c);
    if (combinations.at(c).includes(undefined)) completed.set(c, values);
    assertMethods(sweep, scenario, labels);
    const files = await fileHashes.of(scenario);
    const { world, withSeed } = hashCombination(scenario, labels, files, origin);
    worlds[c] = worldNumbers.get(world) ?? worldNumbers.size;
    worldNumbers.set(world, worlds[c]);
    seconds[c] = estimateSeconds(estimateEffort(scenario, labels), origin.backend.name);
    sharedSeconds[c] = estimateSeconds(estimateEffort(scenario, []), origin.backend.name);
    bytes = Math.max(bytes, estimateMemory(withMethods(scenario, labels), ELEMENT_BYTES[origin.backend.name]));
    for (const seed of seeds) hashes.push(withSeed(seed));
    const hash = hashes[c * seeds.length];
    const twin = firstOf.get(hash);
    if (twin !== undefined) throw refuseSweep(sweep, [sameCase(sweep, twin, c)]);
    firstOf.set(hash, c);
  }
  firstOf.clear();

  let latest: Prepared | undefined;
  const preparedAt = (index: number): Prepared => {
    const c = Math.floor(index / seeds.length);
    if (latest?.combination !== c) latest = prepare(c);
    return latest;
  };
  const seedAt = (index: number): number => seeds[index % seeds.length];
  return {
    name: nameOf(sweep),
    scenario: raw,
    origin,
    axes,
    seeds,
    methods: labels,
    measures: (definition.measures ?? usualMeasures(first)).flatMap((name) => measureNamed(name) ?? []),
    count: combinations.count * seeds.length,
    hashes,
    worlds,
    seconds,
    sharedSeconds,
    bytes,
    files: fileHashes.all(),
    valuesAt(index) {
      const c = Math.floor(index / seeds.length);
      return completed.get(c) ?? combinations.at(c);
    },
    seedAt,
    caseAt(index) {
      const { scenario, values } = preparedAt(index);
      const seed = seedAt(index);
      return {
        index,
        hash: hashes[index],
        values,
        seed,
        scenario: { ...scenario, seed },
        methods: labels,
        files: fileHashes.known(scenario),
      };
    },
  };
}

/** Of a real of each backend. */
const ELEMENT_BYTES = { reference: 8, wasm: 4, webgpu: 4 } as const;

function withMethods(scenario: Scenario, labels: readonly string[]): Scenario {
  return { ...scenario, methods: scenario.methods.filter(({ label }) => labels.includes(label)) };
}

/** A sweep runs the same methods in every case. */
function assertMethods(sweep: ReadSweep, { methods }: Scenario, labels: readonly string[]): void {
  const missing = labels.find((label) => !methods.some((method) => method.label === label));
  if (missing === undefined) return;
  const message = `a case has no method ${describeValue(missing)}, allowed are values that leave the methods’ labels as they are`;
  throw refuseSweep(sweep, [{ path: [], message }]);
}

function sameCase({ definition: { cases } }: ReadSweep, twin: number, c: number): Problem {
  const why = 'what differs between them has no part in the methods that run';
  if (!cases) return { path: ['grid'], message: `combinations ${twin} and ${c} give the same numbers: ${why}` };
  return { path: ['cases', c], message: `gives the same numbers as cases[${twin}]: ${why}` };
}

/** Reads each file that scenarios name once, and checks it against each of those that may judge it otherwise. */
function createFileHashes({ readFile, file: source }: SweepScenario, sweep: ReadSweep) {
  const hashes = new Map<string, string>();
  const checked = new Set<string>();
  const known = (scenario: Scenario): FileHashes =>
    Object.fromEntries(filesNamedBy(scenario).map((name) => [name, hashes.get(name) ?? '']));
  return {
    known,
    all: (): FileHashes => Object.fromEntries(hashes),
    async of(scenario: Scenario): Promise<FileHashes> {
      const references = fileReferences(scenario);
      if (references.length === 0) return {};
      const { grid, background, experiment, model } = scenario;
      const judged = JSON.stringify([references, grid, background.members, experiment, model]);
      if (!checked.has(judged)) {
        checked.add(judged);
        const read: ReadFile = async (name, most) => {
          const bytes = await readFile(name, most);
          if (!hashes.has(name)) hashes.set(name, (await extentOf(bytes)).sha256);
          return bytes;
        };
        await readScenarioFiles(scenario, read, `${sweep.file}: ${source}`);
      }
      return known(scenario);
    },
  };
}
