/** Where `--json` sends the document. */
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { SUITES } from '../../../engine/index.ts';
import { disk, writeNamedFile } from '../../files/disk.ts';
import { UsageError, isSystemError } from '../failure.ts';

/** stdout, which then carries nothing else; a file beside the table; or none. */
export type JsonTarget = { readonly kind: 'stdout' } | { readonly kind: 'file'; readonly path: string } | undefined;

/** @param option true where `--json` has no value */
export function jsonTarget(option: boolean | string | undefined): JsonTarget {
  if (option === undefined || option === false) return undefined;
  if (option === true || option === '-') return { kind: 'stdout' };
  if (SUITES.some((suite) => suite === option)) {
    throw new UsageError(`--json ${option}: this is the name of a suite; write --json - for stdout, or --json <file>`);
  }
  if (option === '') throw new UsageError('--json: the file’s name is empty');
  return { kind: 'file', path: option };
}

/** Found out before minutes are spent. @throws UsageError, and errors of the file system, when it cannot be a file */
export async function assertWritable(path: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) throw new UsageError(`--json ${path}: is a folder, a file is needed`);
  } catch (error) {
    if (!(isSystemError(error) && error.code === 'ENOENT')) throw error;
  }
}

/** Writes the document whole or not at all. */
export async function writeDocument(path: string, document: object): Promise<void> {
  await disk.makeFolder(dirname(resolve(path)));
  await writeNamedFile(resolve(path), `${JSON.stringify(document, null, 2)}\n`);
}
