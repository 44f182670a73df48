/** What both hosts know of files: kinds, sizes, and how a set of files becomes an opened scenario. */
import type { OpenedFile } from './host.ts';

/** A scenario may have this many bytes; the engine says so with a readable message, the host only keeps from reading more. */
export const LARGEST_SCENARIO_BYTES = 4 * 2 ** 20 + 1;

/** A file by its name, read when it is needed. */
export interface NamedFile {
  readonly name: string;
  bytes(): Promise<Uint8Array>;
}

/** Files of the web as named files. */
export function namedFile(file: Blob & { readonly name: string }): NamedFile {
  return { name: file.name, bytes: async () => new Uint8Array(await file.arrayBuffer()) };
}

function isScenario({ name }: NamedFile): boolean {
  return name.toLowerCase().endsWith('.json');
}

/**
 * @returns the scenario among files that were chosen or dropped together, with the others beside it; of several the first.
 *   Where there is none, the first file: whoever opens it will say what is wrong with it
 */
export async function openedFrom(files: readonly NamedFile[]): Promise<OpenedFile | undefined> {
  const scenario = files.find(isScenario) ?? files[0];
  if (!scenario) return undefined;
  return {
    name: scenario.name,
    bytes: await scenario.bytes(),
    siblings: async (name) => files.find((file) => file.name === name)?.bytes(),
  };
}
