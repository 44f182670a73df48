/**
 * SHA-256 of what lies in a run folder, as lower-case hexadecimal digits: `sha256sum` gives the same. It finds damage and
 * careless edits; somebody who writes a new checksum as well is not kept from anything.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Where a file ends and what it holds up to there. */
export interface Extent {
  readonly bytes: number;
  readonly sha256: string;
}

/** The checksum of something that grows. */
export interface RunningChecksum {
  add(bytes: Uint8Array): void;
  /** Extent of all that was added so far. */
  readonly extent: Extent;
  /** Another one that continues from here by itself. */
  fork(): RunningChecksum;
}

function runningFrom(hash: ReturnType<typeof sha256.create>, before: number): RunningChecksum {
  let bytes = before;
  return {
    add(more) {
      hash.update(more);
      bytes += more.byteLength;
    },
    get extent() {
      return { bytes, sha256: bytesToHex(hash.clone().digest()) };
    },
    fork: () => runningFrom(hash.clone(), bytes),
  };
}

export function createRunningChecksum(): RunningChecksum {
  return runningFrom(sha256.create(), 0);
}

/** @returns the extent of a whole file; by the platform's own code, which is faster for what is large, where it is offered */
export async function extentOf(bytes: Uint8Array): Promise<Extent> {
  // A page has it only where it was served securely.
  const subtle: Pick<typeof crypto.subtle, 'digest'> | undefined = globalThis.crypto?.subtle;
  const view = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  const digest = subtle ? new Uint8Array(await subtle.digest('SHA-256', view)) : sha256(view);
  return { bytes: bytes.byteLength, sha256: bytesToHex(digest) };
}

/** @returns what is wrong with a file's content, or undefined where it is what it was */
export function extentProblem(found: Extent, written: Extent): string | undefined {
  if (found.bytes !== written.bytes) return `found ${found.bytes} bytes, ${written.bytes} were written`;
  return found.sha256 === written.sha256 ? undefined : 'its content is not what was written (checksum)';
}
