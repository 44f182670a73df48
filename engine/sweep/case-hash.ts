/**
 * The hash of a case: of everything that determines its numbers, and of nothing else, so that a case is found again whatever
 * sweep it comes from. It is also the name of the case's folder.
 */
import { createRunningChecksum, extentOf, type RunningChecksum } from '../output/storage.ts';
import type { Versions } from '../output/run-record.ts';
import type { BackendName } from '../compute/backend.ts';
import type { OpenHdf5 } from '../files/hdf5-reader.ts';
import { filesNamedBy } from '../output/scenario-copies.ts';
import { fileReferences, readScenarioFiles, type Scenario, type ReadFile } from '../scenario/index.ts';

/** The files that the scenarios of a sweep name: read once each, checked for every scenario that may judge them otherwise. */
export interface FileHashing {
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
export function createFileHashing(readFile: ReadFile, source: string, openHdf5: OpenHdf5 | undefined): FileHashing {
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
export type FileHashes = Readonly<Record<string, string>>;

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
