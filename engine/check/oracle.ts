/**
 * Operator cases that ship: small ones of those that the tests have, computed by numpy in float64 by somebody else's code. They
 * are put into the program when it is built.
 */
import type { ReadCaseFile } from '../cases/index.ts';

const descriptions = import.meta.glob<string>(
  [
    '../../../test/oracle/recursive-filter/{1d-n64-s2-k1-a,2d-33x47-s3-k4-a}/case.json',
    '../../../test/oracle/{convolution/random5-8x8x8-a,letkf/8x8-k6-p3-a}/case.json',
    '../../../test/oracle/{gain-covariance/16x16-L12-m20-a,variational/3dvar-12x15-p20-a}/case.json',
  ],
  { query: '?raw', import: 'default', eager: true },
);
const arrays = import.meta.glob<string>(
  [
    '../../../test/oracle/recursive-filter/{1d-n64-s2-k1-a,2d-33x47-s3-k4-a}/*.npy',
    '../../../test/oracle/{convolution/random5-8x8x8-a,letkf/8x8-k6-p3-a}/*.npy',
    '../../../test/oracle/{gain-covariance/16x16-L12-m20-a,variational/3dvar-12x15-p20-a}/*.npy',
  ],
  { query: '?inline', import: 'default', eager: true },
);

/** Decodes a data: address in base64. */
function bytesOf(address: string): Uint8Array {
  return Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), (character) => character.charCodeAt(0));
}

export interface EmbeddedCase {
  /** `letkf/8x8-k6-p3-a`. */
  readonly name: string;
  readonly read: ReadCaseFile;
}

export const embeddedCases: readonly EmbeddedCase[] = Object.entries(descriptions).map(([path, description]) => {
  const folder = path.slice(0, path.lastIndexOf('/'));
  return {
    name: folder.split('/').slice(-2).join('/'),
    read: (file) => {
      const array = arrays[`${folder}/${file}`];
      if (file === 'case.json') return Promise.resolve(new TextEncoder().encode(description));
      return Promise.resolve(array === undefined ? undefined : bytesOf(array));
    },
  };
});
