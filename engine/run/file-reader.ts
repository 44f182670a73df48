/** The files that a scenario names, from memory. */
import type { ReadFile } from '../scenario/index.ts';

/** @param files contents by name; a name that is not among them is reported as a missing file */
export function fileReader(files: Readonly<Record<string, Uint8Array>>): ReadFile {
  return (name) => {
    if (Object.hasOwn(files, name)) return Promise.resolve(files[name]);
    return Promise.reject(Object.assign(new Error(`${name} was not opened`), { code: 'ENOENT' }));
  };
}
