/** SHA-256 of texts, in a page and in Node alike. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { base64Of } from './base64.ts';

/** @returns lower-case hexadecimal digits */
export function sha256Of(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}

/** @returns the source by which a page's policy allows a style sheet that it contains */
export function policySource(text: string): string {
  return `'sha256-${base64Of(sha256(new TextEncoder().encode(text)))}'`;
}
