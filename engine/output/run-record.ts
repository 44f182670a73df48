/**
 * `run.json`: what was run, where and by which versions, how far it came, and how much of the files that grow belongs to it.
 * It is written after what it speaks of, so that what it says is there is there.
 */
import type { BackendName } from '../compute/backend.ts';
import { createModel, type MethodDivergence, type MethodSummary } from '../experiment/index.ts';
import { mainLine, restateScenario, fileReferences, readScenarioFiles, type Scenario } from '../scenario/index.ts';
import { fileNameProblem, scenarioError, type Problem } from '../settings/index.ts';
import { ScenarioError } from '../errors.ts';
import type { OpenHdf5 } from '../files/hdf5-reader.ts';
import { fileReader } from '../run/index.ts';
import {
  list,
  object,
  oneOf,
  optional,
  parseStored,
  problemsInList,
  problemsWith,
  text,
  wholeFrom,
  readText,
  extentOf,
  extentProblem,
} from './stored-files.ts';
import type { Rules, Extent, Storage } from './stored-files.ts';

const MORE = / \(and (\d+) more like it\)$/;

/** @returns a warning without the numbers that differ from one cycle to another; one that names no cycle as it is */
export function warningShape(message: string): string {
  const [before, ...after] = message.replace(MORE, '').split(/\bcycle \d+/);
  return [before, ...after.map((text) => text.replaceAll(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/g, '#'))].join('cycle #');
}

/** @returns the warnings with another one: one that is there already, but for its numbers, is counted */
export function withWarning(warnings: readonly string[], message: string): readonly string[] {
  const shape = warningShape(message);
  const same = warnings.findIndex((each) => warningShape(each) === shape);
  if (same < 0) return [...warnings, message];
  const known = warnings[same];
  // Of a setting it is enough to be said once.
  if (shape === message) return warnings;
  const count = Number(MORE.exec(known)?.[1] ?? 0) + 1;
  return warnings.with(same, `${known.replace(MORE, '')} (and ${count} more like it)`);
}

/** `failed`: it ended by the error in `reason`. */
export type RunState = 'running' | 'complete' | 'stopped' | 'diverged' | 'failed';

/** What makes a run: continued with another of these it would be another run. */
export interface RunIdentity {
  /** As run: with defaults filled in, overrides and seed applied. */
  readonly scenario: Scenario;
  readonly seed: number;
  /** Labels or kinds that were selected; all methods if omitted. */
  readonly selected?: readonly string[];
  readonly backend: { readonly name: BackendName; readonly adapter: string };
}

/** Versions of what computes, by name; `shoal` is this program's own. */
export type Versions = Readonly<Record<string, string>>;

/** `run.json`. */
export interface RunRecord extends RunIdentity {
  /** 1: rows were not committed; such a run is shown and not continued. */
  readonly format: 1 | 2;
  readonly state: RunState;
  readonly versions: Versions;
  readonly methods: readonly MethodSummary[];
  readonly variables: readonly string[];
  readonly cycles: number;
  /** Cycles that every method has completed. */
  readonly completedCycles: number;
  /** When the run began, ISO 8601. */
  readonly start: string;
  /** When its last cycle was done, or it ended; while it runs, when this record was last written. */
  readonly end: string;
  /** Times of continuation. */
  readonly resumed: readonly string[];
  readonly warnings: readonly string[];
  /** Methods that left what the model can represent: they have no rows from that cycle on, the others continued. */
  readonly diverged?: readonly MethodDivergence[];
  /** Why the run ended early. */
  readonly reason?: string;
  /** How much of each growing file belongs to the run. */
  readonly files?: Readonly<Record<string, Extent>>;
  /** The cycles whose states are kept: every so many; and the members, from 0, beside the means. */
  readonly fields?: { readonly every: number; readonly members?: readonly number[] };
  /** The files that the scenario names, as they are stored in the folder `scenario-files`. */
  readonly scenarioFiles?: Readonly<Record<string, Extent>>;
}

export const RECORD_FILE = 'run.json';

/** What every reader of `run.json` relies on; the scenario in it is checked by itself. */
const RECORD_RULES: Rules = {
  format: oneOf([1, 2]),
  state: oneOf(['running', 'complete', 'stopped', 'diverged', 'failed']),
  scenario: object,
  seed: wholeFrom(0),
  selected: optional(list),
  backend: object,
  versions: object,
  methods: list,
  variables: list,
  cycles: wholeFrom(1),
  completedCycles: wholeFrom(0),
  start: text,
  end: text,
  resumed: list,
  warnings: list,
  reason: optional(text),
  diverged: optional(list),
  files: optional(object),
  scenarioFiles: optional(object),
  fields: optional(object),
};

const FIELDS_RULES: Rules = { every: wholeFrom(1), members: optional(list) };

const DIVERGENCE_RULES: Rules = {
  method: text,
  cycle: wholeFrom(0),
  stage: oneOf(['forecast', 'analysis']),
  cause: text,
  message: text,
  edits: list,
};

const BACKEND_RULES: Rules = { name: oneOf(['reference', 'wasm', 'webgpu']), adapter: text };

const METHOD_RULES: Rules = { label: text, kind: text, members: wholeFrom(1) };

const EXTENT_RULES: Rules = { bytes: wholeFrom(0), sha256: text };

/** What is wrong inside the lists and objects of a record. */
function partProblems(record: RunRecord): Problem[] {
  const { files = {}, scenarioFiles = {}, diverged = [], fields, methods, backend, versions } = record;
  const { variables, warnings, resumed, selected = [] } = record;
  return [
    ...problemsWith(backend, BACKEND_RULES, ['backend']),
    ...Object.entries(versions).flatMap(([name, version]) =>
      problemsWith({ [name]: version }, { [name]: text }, ['versions']),
    ),
    ...Object.entries({ variables, warnings, resumed, selected }).flatMap(([key, texts]) =>
      problemsInList(texts, text, [key]),
    ),
    ...methods.flatMap((each, index) => problemsWith(each, METHOD_RULES, ['methods', index])),
    ...(fields ? problemsWith(fields, FIELDS_RULES, ['fields']) : []),
    ...(Array.isArray(fields?.members) ? problemsInList(fields.members, wholeFrom(0), ['fields', 'members']) : []),
    ...diverged.flatMap((each, index) => problemsWith(each, DIVERGENCE_RULES, ['diverged', index])),
    ...Object.entries({ files, scenarioFiles }).flatMap(([key, extents]) =>
      Object.entries(extents).flatMap(([name, extent]) => problemsWith(extent, EXTENT_RULES, [key, name])),
    ),
  ];
}

/** @returns `run.json` of a folder, its scenario in the present form, or undefined when there is none. @throws ScenarioError naming place, found and allowed */
export async function readRunRecord(storage: Storage): Promise<RunRecord | undefined> {
  const written = await readText(storage, RECORD_FILE);
  if (written === undefined) return undefined;
  const record = parseStored(written, RECORD_FILE, (value) => {
    const problems = problemsWith(value, RECORD_RULES);
    if (problems.length > 0) return problems;
    const of = value as RunRecord;
    const wrong = partProblems(of);
    if (wrong.length > 0) return wrong;
    return of.completedCycles <= of.cycles
      ? []
      : [{ path: ['completedCycles'], message: `found ${of.completedCycles}, the run has ${of.cycles} cycles` }];
  }) as RunRecord;
  return { ...record, scenario: restateScenario(record.scenario) as Scenario };
}

export async function writeRunRecord(storage: Storage, record: RunRecord): Promise<void> {
  await storage.writeWhole(RECORD_FILE, `${JSON.stringify(record, null, 2)}\n`);
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

/** @returns the first place where two values differ, as `path is a in the folder, b now`, or undefined */
export function firstDifference(found: unknown, wanted: unknown, path: string): string | undefined {
  if (Object.is(found, wanted)) return undefined;
  if (typeof found === 'object' && typeof wanted === 'object' && found !== null && wanted !== null) {
    const a = new Map<string, unknown>(Object.entries(found));
    const b = new Map<string, unknown>(Object.entries(wanted));
    for (const key of new Set([...a.keys(), ...b.keys()])) {
      const difference = firstDifference(a.get(key), b.get(key), path === '' ? key : `${path}.${key}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return `${path} is ${shown(found)} in the folder, ${shown(wanted)} now`;
}

/** @returns why a stored run cannot be continued as another, naming the first difference, or undefined when it can */
export function describeDifference(stored: RunIdentity, wanted: RunIdentity): string | undefined {
  const identity = ({ scenario, seed, selected, backend }: RunIdentity): unknown =>
    JSON.parse(
      JSON.stringify({
        backend: { name: backend.name, adapter: backend.adapter },
        seed,
        selected,
        // Its branches are runs of their own.
        scenario: mainLine(scenario),
      }),
    );
  return firstDifference(identity(stored), identity(wanted), '');
}

/** What to think of a run that other versions began. */
export interface VersionJudgement {
  /** Another version of this program may compute something else: the run is not continued by it. */
  readonly refusal: string | undefined;
  /** What computes is otherwise another: the last bits may differ, which is reported and kept in `run.json`. */
  readonly warning: string | undefined;
}

export function judgeVersions(stored: Versions, now: Versions): VersionJudgement {
  const [before, ours] = [stored['shoal'] ?? 'of no version', now['shoal'] ?? 'of no version'];
  const others = [...new Set([...Object.keys(stored), ...Object.keys(now)])].filter(
    (name) => name !== 'shoal' && stored[name] !== now[name],
  );
  const change = (name: string): string => `${name} ${stored[name] ?? 'none'}, now ${now[name] ?? 'none'}`;
  return {
    refusal:
      before === ours
        ? undefined
        : `begun by Shoal ${before}, this is Shoal ${ours}, whose numbers may be others; continue it with Shoal ${before}, or start a new run`,
    warning:
      others.length === 0
        ? undefined
        : `continued where the last bits of the numbers may differ: begun with ${others.map(change).join('; ')}`,
  };
}

/** The files that a scenario names (.npy, .csv), kept in its run folder under `scenario-files`, so that it is whole by itself. */
export const SCENARIO_FILES_FOLDER = 'scenario-files';

/** Gives a file that the scenario names; fails in any way if there is none. */
export type ReadNamedFile = (name: string) => Promise<Uint8Array>;

function pathOf(name: string): string {
  return `${SCENARIO_FILES_FOLDER}/${name}`;
}

/** @returns names of the files that a scenario refers to, each once. @throws ScenarioError for one that leaves the folder */
export function filesNamedBy(scenario: Scenario): readonly string[] {
  const references = fileReferences(scenario);
  const problems = references.flatMap(({ file, path, type }) => {
    const message = fileNameProblem(file, type);
    return message === undefined ? [] : [{ path, message }];
  });
  if (problems.length > 0) throw scenarioError(problems, scenario.name);
  return [...new Set(references.map(({ file }) => file))];
}

/** Copies the scenario's files into the run folder. @returns their extents by name; undefined for a scenario without files */
export async function copyScenarioFiles(
  storage: Storage,
  scenario: Scenario,
  read: ReadNamedFile,
): Promise<Readonly<Record<string, Extent>> | undefined> {
  const extents: Record<string, Extent> = {};
  for (const name of filesNamedBy(scenario)) {
    const bytes = await read(name);
    await storage.writeWhole(pathOf(name), bytes);
    extents[name] = await extentOf(bytes);
  }
  return Object.keys(extents).length > 0 ? extents : undefined;
}

/**
 * Reads the copies of a run folder: those that its scenario names and no other, since anybody may have written the record.
 *
 * @throws ScenarioError naming the file that is missing or another
 */
export async function readScenarioCopies(
  storage: Storage,
  { scenario, scenarioFiles = {} }: Pick<RunRecord, 'scenario' | 'scenarioFiles'>,
): Promise<Readonly<Record<string, Uint8Array>>> {
  const files: Record<string, Uint8Array> = {};
  for (const name of filesNamedBy(scenario)) {
    const written = Object.hasOwn(scenarioFiles, name) ? scenarioFiles[name] : undefined;
    const bytes = written && (await storage.read(pathOf(name)));
    if (!written || !bytes)
      throw new ScenarioError([{ file: pathOf(name), path: [], message: 'the run folder has no copy of this file' }]);
    const problem = extentProblem(await extentOf(bytes), written);
    if (problem !== undefined) throw new ScenarioError([{ file: pathOf(name), path: [], message: problem }]);
    files[name] = bytes;
  }
  return files;
}

/** What is the same for a whole run. */
export interface FieldsGround {
  readonly record: RunRecord;
  /** Elevation of the bed, m above the water at rest, [y][x]. */
  readonly bed: Float32Array;
}

/**
 * @param openHdf5 reads the NetCDF-4 files that a scenario names where it can be stopped
 * @throws ScenarioError where a file that the scenario names is missing in the folder, or another
 */
export async function readFieldsGround(storage: Storage, record: RunRecord, openHdf5: OpenHdf5): Promise<FieldsGround> {
  const { scenario } = record;
  const copies = await readScenarioCopies(storage, record);
  const files = await readScenarioFiles(scenario, fileReader(copies), scenario.name, openHdf5);
  const { bed, grid } = createModel(scenario, files);
  return { record, bed: bed ? Float32Array.from(bed) : new Float32Array(grid.nx * grid.ny) };
}
