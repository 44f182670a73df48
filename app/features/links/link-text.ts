/**
 * What a link holds, as the part of an address after the sign #, which a browser sends to no server: a version, and a text,
 * deflated [rfc1951] and spelt in base64url [rfc4648]. A link may come from anybody: it is bounded as it is written, and as it
 * grows when it is read.
 */
import { Inflate, deflateSync } from 'fflate';
import { ScenarioError } from '../../../engine/index.ts';
import { LINK_BEGINNING } from '../../host/links.ts';

/** What a link is called where something is wrong with it. */
export const THE_LINK = 'the link';
/** Characters of a whole address with a link: longer ones are cut by what they are sent with. */
export const LONGEST_LINK = 2 ** 15;
/** Bytes that a link may grow to: what fits into the longest one packs twenty times at the utmost. */
const MOST_BYTES = 2 ** 20;
/** Packed bytes that are unpacked at once: at the format's highest ratio, 1032, they become 64 KiB. */
const PIECE_BYTES = 64;
/** Version of the content of a link. */
const VERSION = '1';

const PARTS = new RegExp(`^${LINK_BEGINNING}(\\d{1,9})\\.([\\w-]+)$`);
const NOT_WHOLE = 'it is damaged or not whole; copy all of it again';

/** @returns an error that says of a link what is wrong with it */
function linkError(message: string): ScenarioError {
  return new ScenarioError([{ file: THE_LINK, path: [], message }]);
}

/** @returns the text as a link, from its sign # on, however long it is */
export function packLink(text: string): string {
  const packed = deflateSync(new TextEncoder().encode(text), { level: 9 });
  const spelt = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  const inAddresses = spelt.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return `${LINK_BEGINNING}${VERSION}.${inAddresses}`;
}

/** @throws ScenarioError where they are more than may be, or no whole deflated text */
function inflated(packed: Uint8Array): Uint8Array {
  const whole = new Uint8Array(MOST_BYTES);
  let length = 0;
  const inflate = new Inflate((piece) => {
    if (length + piece.length > MOST_BYTES) {
      throw linkError(`found more than ${MOST_BYTES} bytes packed in it, allowed: ${MOST_BYTES} (1 MiB)`);
    }
    whole.set(piece, length);
    length += piece.length;
  });
  try {
    for (let offset = 0; offset < packed.length; offset += PIECE_BYTES) {
      inflate.push(packed.subarray(offset, offset + PIECE_BYTES), offset + PIECE_BYTES >= packed.length);
    }
  } catch (error) {
    throw error instanceof ScenarioError ? error : linkError(NOT_WHOLE);
  }
  return whole.subarray(0, length);
}

/**
 * @param link from its sign # on
 * @returns the text that was packed
 * @throws ScenarioError where it is too long, of another version, damaged or cut, or grows beyond its bound
 */
export function unpackLink(link: string): string {
  if (link.length > LONGEST_LINK) {
    throw linkError(`found ${link.length} characters, allowed: ${LONGEST_LINK}; ask for the scenario as a file`);
  }
  const [, version, content] = PARTS.exec(link) ?? [];
  if (version === undefined || content === undefined) throw linkError(NOT_WHOLE);
  if (version !== VERSION) {
    throw linkError(`found version ${version}, allowed: ${VERSION}; a newer laboratory may know it`);
  }
  try {
    const bytes = atob(content.replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(bytes, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(inflated(packed));
  } catch (error) {
    throw error instanceof ScenarioError ? error : linkError(NOT_WHOLE);
  }
}
