/** The independent float64 cases under test/oracle, read whole. Format: README of that folder's design, `case.json` per case. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseNpy, type NpyArray } from '../../engine/files/array-files.ts';

export interface OracleCase {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, NpyArray>>;
  readonly outputs: Readonly<Record<string, NpyArray>>;
  readonly tolerance: { readonly float64: number; readonly float32: number };
}

const ROOT = new URL('../oracle/', import.meta.url).pathname;

function readNpy(path: string): NpyArray {
  return parseNpy(readFileSync(path), path);
}

function readArrays(folder: string, files: Readonly<Record<string, string>>): Record<string, NpyArray> {
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, readNpy(join(folder, file))]));
}

/** @returns every case of one operator, by name; throws when there are none, so that a test over them cannot be empty */
export function oracleCases(operator: string): OracleCase[] {
  const names = readdirSync(join(ROOT, operator)).sort();
  if (names.length === 0) throw new Error(`no oracle cases for ${operator}`);
  return names.map((name) => {
    const folder = join(ROOT, operator, name);
    const description = JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8'));
    return {
      name,
      parameters: description.parameters,
      inputs: readArrays(folder, description.inputs),
      outputs: readArrays(folder, description.outputs),
      tolerance: description.tolerance,
    };
  });
}
