/** By what a bundle is known as a file: for those who hand it on, and do not read it. */

const EXTENSION = '.shoal';

export const BUNDLE_TYPE = 'application/vnd.shoal.bundle+zip';

/** What a packed one may have; read whole, before it is unpacked. */
export const LARGEST_BUNDLE_BYTES = 2 ** 28;

/** Whether a file is to be opened as a bundle. */
export function isBundleName(name: string): boolean {
  return name.toLowerCase().endsWith(EXTENSION);
}

/** @param name of the run */
export function bundleName(name: string): string {
  return name + EXTENSION;
}

/** @returns the most bytes that an opened file may have, by its name. @param scenario those of a scenario */
export function largestOpened(name: string, scenario: number): number {
  return isBundleName(name) ? LARGEST_BUNDLE_BYTES : scenario;
}
