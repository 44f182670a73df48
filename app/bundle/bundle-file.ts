/** A bundle as the one file that people hand on: packed, and read from somebody who may have made it by hand. */
import { readBundle, ScenarioError, type Bundle, type BundleFiles } from '../../engine/index.ts';
import { ARCHIVE_BOUNDS, packFiles, unpackFolder } from '../files/zip.ts';

/** Scenario, rows, record, and what a scenario names. */
const BOUNDS = { ...ARCHIVE_BOUNDS, files: 1000 };

/** The same files give the same bytes. */
export function packBundle(files: BundleFiles): Uint8Array {
  return packFiles(files);
}

/**
 * @param name of the file, for messages
 * @throws ScenarioError where it is none, is damaged, unpacks to more than it may, or a file in it is wrong
 */
export async function unpackBundle(bytes: Uint8Array, name: string): Promise<Bundle> {
  let files: BundleFiles;
  try {
    files = unpackFolder(bytes, BOUNDS);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ScenarioError([{ file: name, path: [], message }]);
  }
  return readBundle(files, name);
}
