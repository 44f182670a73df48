/** What is to be reproduced: a bundle, or a run folder as the bundle that it would be. */
import { stat } from 'node:fs/promises';
import { createBundle, readBundle } from '../../../engine/index.ts';
import type { Bundle, BundleFiles } from '../../../engine/index.ts';
import { unpackBundle } from '../../bundle/bundle-file.ts';
import { LARGEST_BUNDLE_BYTES } from '../../bundle/bundle-name.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { UsageError } from '../failure.ts';
import { createNodeStorage } from '../node-storage.ts';
import { inFolder, namesIn } from '../run/folder.ts';

/** @throws UsageError where the folder holds no run; ScenarioError where one of its files is broken */
export async function bundleOf(folder: string): Promise<BundleFiles> {
  if ((await namesIn(folder)) === undefined) throw new UsageError(`${folder}: there is no such folder`);
  const files = await inFolder(folder, createBundle(createNodeStorage(folder)));
  if (!files) throw new UsageError(`${folder}: not a run folder, there is no run.json in it`);
  return files;
}

/** @param given a file that `shoal bundle` wrote, or a run folder. @throws UsageError, ScenarioError, FileError */
export async function readSource(given: string): Promise<Bundle> {
  const isFolder = await stat(given).then((found) => found.isDirectory());
  if (isFolder) return inFolder(given, readBundle(await bundleOf(given), given));
  return unpackBundle(await readRegularFile(given, LARGEST_BUNDLE_BYTES), given);
}
