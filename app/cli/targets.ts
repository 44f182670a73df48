/** Where `--json`, `--markdown`, `--png` and `--out` send what was found: checked before it is computed, written whole or not at all. */
import { stat } from 'node:fs/promises';
import { dirname, join, parse, resolve } from 'node:path';
import { SUITES } from '../../engine/index.ts';
import { disk, writeNamedFile } from '../files/disk.ts';
import { isSystemError, UsageError } from './context.ts';

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

/** @returns the path of the file. @throws UsageError where the value is a suite, or empty */
export function markdownPath(option: string): string {
  if (SUITES.some((suite) => suite === option)) {
    throw new UsageError(`--markdown ${option}: this is the name of a suite; write --markdown <file>`);
  }
  if (option === '') throw new UsageError('--markdown: the file’s name is empty');
  return option;
}

/** Found out before minutes are spent. @throws UsageError, and errors of the file system, when it cannot be a file */
export async function assertWritable(
  path: string,
  option: '--json' | '--markdown' | '--png' | '--out' = '--json',
): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) throw new UsageError(`${option} ${path}: is a folder, a file is needed`);
  } catch (error) {
    if (!(isSystemError(error) && error.code === 'ENOENT')) throw error;
  }
}

/** `results.json` → `results.stopped.json`: what a call that was stopped leaves. */
export function stoppedPath(path: string): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.stopped${ext}`);
}

/** Writes a text whole or not at all. */
export async function writeText(path: string, text: string): Promise<void> {
  await disk.makeFolder(dirname(resolve(path)));
  await writeNamedFile(resolve(path), text);
}

/** Writes the document whole or not at all. */
export function writeDocument(path: string, document: object): Promise<void> {
  return writeText(path, `${JSON.stringify(document, null, 2)}\n`);
}
