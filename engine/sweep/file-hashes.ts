/** The files that the scenarios of a sweep name: read once each, checked for every scenario that may judge them otherwise. */
import type { OpenHdf5 } from '../files/hdf5-reader.ts';
import { extentOf } from '../output/checksum.ts';
import { filesNamedBy } from '../output/scenario-copies.ts';
import { fileReferences, readScenarioFiles } from '../scenario/index.ts';
import type { ReadFile, Scenario } from '../scenario/index.ts';
import type { FileHashes } from './case-hash.ts';

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
