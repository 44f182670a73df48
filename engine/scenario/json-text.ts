/**
 * Parses JSON that users write, with or without comments, and keeps the line and column of every value for later messages.
 * Any text either parses or gives a ScenarioError, in time linear in its length.
 */
import { findNodeAtLocation, parseTree, printParseErrorCode, stripComments, visit } from 'jsonc-parser';
import type { JSONVisitor, Node } from 'jsonc-parser';
import { ScenarioError } from '../errors.ts';
import { quote, shown } from '../words.ts';
import { scenarioError, type Locate, type Path, type Problem, type TextPlace } from '../settings/index.ts';
import { SCENARIO_VERSION } from './schema.ts';

/** The largest scenario file that is read, bytes: 4 MiB. Arrays belong in .npy or .csv files beside it. */
export const MAXIMUM_SCENARIO_BYTES = 4 * 2 ** 20;
/** Lists and objects inside each other, at most. The schema needs six. */
const MAXIMUM_DEPTH = 32;
/** The same of what this program writes down, which may have a scenario in it. */
const WRITTEN_DEPTH = 2 * MAXIMUM_DEPTH;

/** Comments are read; whatever else jsonc-parser would tolerate is refused. */
const STRICT = { disallowComments: false, allowTrailingComma: false, allowEmptyContent: false };

/** Keys that would reach into JavaScript's own objects. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export interface JsonText {
  readonly value: unknown;
  readonly locate: Locate;
  /** The text of the value at a path, as written. */
  readonly sourceOf: (path: Path) => string | undefined;
}

/** @throws ScenarioError where the bytes are too many for a scenario, or not UTF-8 */
export function decodeText(bytes: Uint8Array, file: string): string {
  checkSize(bytes.byteLength, file);
  return decodeUtf8(bytes, file);
}

/** @throws ScenarioError where the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ScenarioError([{ file, path: [], message: 'not UTF-8 text; a JSON file is needed' }]);
  }
}

/** @throws ScenarioError naming the limit, and the size unless the file was read no further than one byte beyond it */
function checkSize(bytes: number, file: string): void {
  if (bytes <= MAXIMUM_SCENARIO_BYTES) return;
  const found = bytes === MAXIMUM_SCENARIO_BYTES + 1 ? `more than ${MAXIMUM_SCENARIO_BYTES}` : bytes;
  const message = `the file has ${found} bytes, allowed: ${MAXIMUM_SCENARIO_BYTES} (4 MiB); put arrays into .npy or .csv files beside it`;
  throw new ScenarioError([{ file, path: [], message }]);
}

/** What a scenario file is at least, for whoever has an empty one. */
const LEAST = `a scenario is a JSON object, at least {"version": ${SCENARIO_VERSION}, "name": "…"}`;

/** @returns the text with spaces in place of comments, so that every place stays where it is */
export function withoutComments(text: string): string {
  return text.includes('/') ? stripComments(text, ' ') : text;
}

/**
 * Parses JSON that may have comments.
 *
 * @param least what such a file is at least, in a clause; of a scenario if omitted
 * @throws ScenarioError naming file, line and column of what is not JSON
 */
export function parseJsonText(written: string, file: string, least = LEAST): JsonText {
  checkSize(written.length, file);
  const text = written.startsWith('\uFEFF') ? written.slice(1) : written;
  if (text.trim() === '') throw new ScenarioError([{ file, path: [], message: `the file is empty; ${least}` }]);
  const plain = withoutComments(text);
  checkDepth(plain, file);
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch (error) {
    throw syntaxError(text, file, error);
  }
  const root = parseTree(text, [], STRICT);
  const json: JsonText = {
    value,
    locate: (problem) => locateIn(text, root, problem),
    sourceOf: (path) => {
      const node = root && findNodeAtLocation(root, [...path]);
      return node && text.slice(node.offset, node.offset + node.length);
    },
  };
  const repeated = root === undefined ? new Map<Problem, number>() : repeatedKeys(root);
  if (repeated.size > 0) {
    throw scenarioError([...repeated.keys()], file, (problem) => placeIn(text, repeated.get(problem) ?? 0));
  }
  return json;
}

/**
 * Parses JSON that this program wrote down, of any size, and that may have been changed since.
 *
 * @throws ScenarioError naming file, line and column of what is not JSON, or is nested without end
 */
export function parseWrittenJson(text: string, file: string): unknown {
  if (text.trim() === '') {
    throw new ScenarioError([{ file, path: [], message: 'the file is empty; it may have been cut off' }]);
  }
  assertShallow(text, file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw syntaxError(text, file, error);
  }
}

/** @throws ScenarioError where JSON that this program wrote down is nested without end */
export function assertShallow(text: string, file: string): void {
  checkDepth(text, file, WRITTEN_DEPTH);
}

/**
 * Finds what no scenario may hold, whatever its schema: numbers that are not finite, keys that would reach into JavaScript's
 * own objects, and nesting without end.
 */
export function unsafeValues(value: unknown, sourceOf: JsonText['sourceOf'] = () => undefined): Problem[] {
  const problems: Problem[] = [];
  const visitValue = (value: unknown, path: Path): void => {
    if (path.length > MAXIMUM_DEPTH) {
      problems.push({ path, message: `nested deeper than the ${MAXIMUM_DEPTH} levels that are allowed` });
    } else if (typeof value === 'number' && !Number.isFinite(value)) {
      problems.push({ path, message: `found ${shown(sourceOf(path) ?? String(value))}, allowed: finite numbers` });
    } else if (Array.isArray(value)) {
      value.forEach((entry, index) => visitValue(entry, [...path, index]));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, entry] of Object.entries(value)) {
        const inside = [...path, key];
        if (FORBIDDEN_KEYS.has(key)) {
          problems.push({ path: inside, atKey: true, message: `the key ${quote(key)} is not allowed in a scenario` });
        } else {
          visitValue(entry, inside);
        }
      }
    }
  };
  visitValue(value, []);
  return problems;
}

/** Counts brackets outside text; up to the first error in the file it agrees with the parser. */
function checkDepth(text: string, file: string, most = MAXIMUM_DEPTH): void {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inText) {
      if (c === '\\') i++;
      else if (c === '"') inText = false;
    } else if (c === '"') inText = true;
    else if (c === '{' || c === '[') {
      if (++depth > most) {
        const message = `lists and objects are nested deeper than the ${most} levels that are allowed`;
        throw new ScenarioError([{ file, ...placeIn(text, i), path: [], message }]);
      }
    } else if (c === '}' || c === ']') depth--;
  }
}

function placeIn(text: string, offset: number): TextPlace {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf('\n'); next !== -1 && next < offset; next = text.indexOf('\n', start)) {
    line++;
    start = next + 1;
  }
  return { line, column: offset - start + 1 };
}

/** The position of the value, or of its key, or of the nearest value around it that is there. */
function locateIn(text: string, root: Node | undefined, { path, atKey = false }: Problem): TextPlace | undefined {
  if (root === undefined) return undefined;
  for (let length = path.length; length >= 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node === undefined) continue;
    const key = atKey && length === path.length && node.parent?.type === 'property' ? node.parent : node;
    return placeIn(text, key.offset);
  }
  return undefined;
}

/** Keys that an object has twice, once for each, with the offset of the second one. */
function repeatedKeys(root: Node): Map<Problem, number> {
  const problems = new Map<Problem, number>();
  const visitNode = (node: Node, path: Path): void => {
    const seen = new Map<string, number>();
    node.children?.forEach((child, index) => {
      if (child.type !== 'property') {
        visitNode(child, [...path, index]);
        return;
      }
      const [key, value] = child.children ?? [];
      const name = String(key?.value);
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      if (times === 2) {
        const message = `the key ${quote(name)} is there more than once`;
        problems.set({ path: [...path, name], message }, child.offset);
      }
      if (value !== undefined) visitNode(value, [...path, name]);
    });
  };
  visitNode(root, []);
  return problems;
}

const SYNTAX: Readonly<Record<string, string>> = {
  InvalidNumberFormat: 'a number is not written as JSON numbers are',
  UnexpectedEndOfNumber: 'a number is not written as JSON numbers are',
  PropertyNameExpected: 'a key in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: 'a colon is expected after the key',
  CommaExpected: 'a comma is missing before this',
  CloseBraceExpected: 'the file ends before a closing }',
  CloseBracketExpected: 'the file ends before a closing ]',
  EndOfFileExpected: 'there is more text after the end of the object',
  UnexpectedEndOfComment: 'a comment is not closed by */',
  UnexpectedEndOfString: 'the closing double quote of a text is missing',
  InvalidUnicode: 'a \\u escape needs four hexadecimal digits',
  InvalidEscapeCharacter: 'an unknown escape follows a backslash in a text',
  InvalidCharacter: 'a text contains a control character; write it as an escape',
};

/** Ends the parser's walk at the first error, since what follows one is guesswork. */
class FirstError extends Error {
  readonly code: string;
  readonly offset: number;

  constructor(code: string, offset: number) {
    super(code);
    this.code = code;
    this.offset = offset;
  }
}

function syntaxError(text: string, file: string, parserError: unknown): ScenarioError {
  try {
    const onError: JSONVisitor['onError'] = (code, offset) => {
      throw new FirstError(printParseErrorCode(code), offset);
    };
    visit(text, { onError }, STRICT);
  } catch (error) {
    if (!(error instanceof FirstError)) throw error;
    // The parser gives the beginning of the text that contains such a character.
    const offset = error.code === 'InvalidCharacter' ? firstControl(text, error.offset) : error.offset;
    const message = explainSyntax(text, error.code, offset);
    return new ScenarioError([{ file, ...placeIn(text, offset), path: [], message }]);
  }
  const reason = parserError instanceof Error ? parserError.message.replaceAll(/\s+/g, ' ') : 'it cannot be parsed';
  return new ScenarioError([{ file, path: [], message: `not JSON: ${shown(reason)}` }]);
}

/** Position of the first control character from an offset on. */
function firstControl(text: string, offset: number): number {
  const found = text.slice(offset).search(/\p{Cc}/u);
  return found === -1 ? offset : offset + found;
}

function explainSyntax(text: string, code: string, offset: number): string {
  const found = /^[^\s,:[\]{}"]{1,30}/.exec(text.slice(offset, offset + 31))?.[0] ?? text.slice(offset, offset + 1);
  if (/^[-+]?(nan|inf(inity)?)$/i.test(found)) return `found ${shown(found)}, allowed: finite numbers`;
  if (found.startsWith("'")) return 'found a single quote; text is written in double quotes in JSON';
  if (
    (found === '}' || found === ']') &&
    text
      .slice(Math.max(0, offset - 1000), offset)
      .trimEnd()
      .endsWith(',')
  ) {
    return `not JSON: a comma before the closing ${found} is not allowed`;
  }
  const what = SYNTAX[code] ?? 'this is not part of JSON';
  if (what.startsWith('the ')) return `not JSON: ${what}`;
  return `not JSON: ${what}${found === '' ? ' (the file ends)' : `, found ${quote(found)}`}`;
}
