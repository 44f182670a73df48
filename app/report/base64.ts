/** Bytes inside an address. */

/** Letters are made of that many bytes at a time: a function takes no more arguments than some ten thousand. */
const CHUNK = 8192;

/** @returns the bytes in base64 */
export function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

/** @param type a MIME type. @returns an address that holds the bytes themselves */
export function dataUrl(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${base64Of(bytes)}`;
}
