/**
 * Files as somebody may send them: changed at places of a fixed seed, byte by byte, as text, or as JSON. The same name and number
 * give the same mutant, so that a reported one can be made again.
 */
import { AllDivergedError, CaseError, describeProblem, DivergenceError, ScenarioError } from '../../engine/index.ts';
import { randomStream } from '../../engine/random/stream.ts';
import type { RandomStream } from '../../engine/random/stream.ts';

export interface Mutant {
  /** How it was made, for messages. */
  readonly how: string;
  readonly bytes: Uint8Array;
}

/** Makes a mutant. */
export type Mutation = (bytes: Uint8Array, draw: RandomStream) => Uint8Array;

/** Mutants of each file: few where everything is tested, thousands by hand. */
export const MUTANTS = Number(process.env['SHOAL_MUTANTS'] ?? 6);

function pick<Of>(list: readonly Of[], draw: RandomStream): Of {
  return list[draw.integer(list.length)];
}

function spliced(bytes: Uint8Array, from: number, to: number, put: Uint8Array): Uint8Array {
  const made = new Uint8Array(bytes.length - (to - from) + put.length);
  made.set(bytes.subarray(0, from));
  made.set(put, from);
  made.set(bytes.subarray(to), from + put.length);
  return made;
}

/** @returns a slice of at most 64 places, now and then of any length */
function sliceOf(length: number, draw: RandomStream): readonly [from: number, to: number] {
  const from = draw.integer(length);
  const most = draw.integer(4) === 0 ? length : 64;
  return [from, Math.min(length, from + 1 + draw.integer(most))];
}

/** Numbers that break what counts on small ones. */
const NUMBERS = [
  0,
  -1,
  1,
  255,
  2 ** 16,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 53,
  1e308,
  -1e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
];

/** Writes a number of some kind over what is there. */
function overwrite(bytes: Uint8Array, draw: RandomStream): Uint8Array {
  const number = pick(NUMBERS, draw);
  const words = new DataView(new ArrayBuffer(8));
  const whole = Number.isFinite(number) ? BigInt.asUintN(64, BigInt(Math.trunc(number))) : 0n;
  const width = pick([1, 2, 4, 8, -8], draw);
  if (width === -8) words.setFloat64(0, number, true);
  else words.setBigUint64(0, whole, true);
  const put = new Uint8Array(words.buffer, 0, Math.abs(width));
  const from = draw.integer(Math.max(1, bytes.length - put.length));
  return spliced(bytes, from, Math.min(bytes.length, from + put.length), put);
}

export const BYTES: Readonly<Record<string, Mutation>> = {
  'a bit': (bytes, draw) => {
    bytes[draw.integer(bytes.length)] ^= 1 << draw.integer(8);
    return bytes;
  },
  'a byte': (bytes, draw) => {
    bytes[draw.integer(bytes.length)] ^= 1 + draw.integer(255);
    return bytes;
  },
  'a row of bytes': (bytes, draw) => bytes.fill(draw.integer(256), ...sliceOf(bytes.length, draw)),
  'a number': overwrite,
  'the end cut': (bytes, draw) => bytes.subarray(0, draw.integer(bytes.length)),
  'the beginning cut': (bytes, draw) => bytes.subarray(1 + draw.integer(bytes.length)),
  'a slice doubled': (bytes, draw) => {
    const [from, to] = sliceOf(bytes.length, draw);
    return spliced(bytes, to, to, bytes.subarray(from, to));
  },
  'a slice removed': (bytes, draw) => spliced(bytes, ...sliceOf(bytes.length, draw), new Uint8Array(0)),
};

const LONG = 20_000;
/** Texts that break what counts on names: long ones, those of every object, paths, and what a terminal obeys. */
const TEXTS = [
  '',
  'x'.repeat(LONG),
  '__proto__',
  'constructor',
  'toString',
  '../../../etc/passwd',
  '/etc/passwd',
  'C:\\x\\y.npy',
  'a/../../b.csv',
  'a\0b',
  '\u202Egnp.exe',
  '🌊'.repeat(3),
  '\uD83C',
  '\u001B[2J',
  '=cmd()',
  '-',
];
const WRITTEN_NUMBERS = [
  '0',
  '-0',
  '-1',
  '0.5',
  '1e308',
  '-1e308',
  '5e-324',
  '2147483648',
  '4294967296',
  '9007199254740993',
];
/** What is no JSON, and is a number to some. */
const NO_NUMBERS = ['NaN', '1e999', 'Infinity', '0x10', '1_000', ''];

/** A number, or what is between two separators of a table. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|true|false|null|NaN/g;

function asText(change: (text: string, draw: RandomStream) => string): Mutation {
  return (bytes, draw) => new TextEncoder().encode(change(new TextDecoder().decode(bytes), draw));
}

function withToken(text: string, draw: RandomStream, put: string): string {
  const tokens = [...text.matchAll(TOKENS)];
  if (tokens.length === 0) return text + put;
  const { index, 0: token } = pick(tokens, draw);
  return text.slice(0, index) + put + text.slice(index + token.length);
}

export const TEXT: Readonly<Record<string, Mutation>> = {
  'a number of a text': asText((text, draw) => withToken(text, draw, pick([...WRITTEN_NUMBERS, ...NO_NUMBERS], draw))),
  'a word': asText((text, draw) => withToken(text, draw, pick(TEXTS, draw))),
  'a line twice': asText((text, draw) => {
    const lines = text.split('\n');
    const line = draw.integer(lines.length);
    return lines.toSpliced(line, 0, lines[line]).join('\n');
  }),
  'a line less': asText((text, draw) => {
    const lines = text.split('\n');
    return lines.toSpliced(draw.integer(lines.length), 1).join('\n');
  }),
};

type Holder = Record<string | number, unknown>;

/** Every value inside a value, with what holds it. */
function placesIn(
  value: unknown,
  found: (readonly [Holder, string | number])[] = [],
): (readonly [Holder, string | number])[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const key of Object.keys(value)) {
    found.push([value as Holder, Array.isArray(value) ? Number(key) : key]);
    placesIn((value as Holder)[key], found);
  }
  return found;
}

function nested(depth: number, open: string, close: string): unknown {
  return JSON.parse(open.repeat(depth) + close.repeat(depth));
}

function put(holder: Holder, key: string | number, value: unknown): void {
  // `__proto__` is a key like others, as in a file.
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Changes of a value at a place. */
const CHANGES: readonly ((holder: Holder, key: string | number, draw: RandomStream) => void)[] = [
  (holder, key, draw) => put(holder, key, Number(pick(WRITTEN_NUMBERS, draw))),
  (holder, key, draw) => put(holder, key, pick(TEXTS, draw)),
  (holder, key, draw) => put(holder, key, pick([null, true, [], {}, [[]], [null], { length: 1e9 }], draw)),
  (holder, key, draw) => put(holder, key, pick([[holder[key]], { [key]: holder[key] }], draw)),
  (holder, key, draw) => put(holder, key, nested(1 + draw.integer(1000), '[', ']')),
  (holder, key) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  },
  (holder, key, draw) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 0, structuredClone(holder[Number(key)]));
    else put(holder, pick(TEXTS, draw), holder[key]);
  },
  (holder, key, draw) => {
    const value = holder[key];
    if (Array.isArray(value))
      put(
        holder,
        key,
        Array.from({ length: 1 + draw.integer(2000) }, () => value[0]),
      );
    else if (typeof value === 'number')
      put(holder, key, pick([-value, value + 1, value - 1, value / 2, value * 1e6], draw));
  },
];

/** Changes a parsed value at one place, or at two. */
function changed(value: unknown, draw: RandomStream): unknown {
  const root: Holder = { value };
  for (let times = 1 + draw.integer(2); times > 0; times--) {
    const places = placesIn(root);
    // All of it may be gone already.
    if (places.length === 0) break;
    const [holder, key] = pick(places, draw);
    pick(CHANGES, draw)(holder, key, draw);
  }
  return root['value'];
}

const parsed = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/** @param seal makes right again what of the value depends on the rest, as checksums do: somebody may know how */
export function json(seal: (value: unknown) => unknown = (value) => value): Readonly<Record<string, Mutation>> {
  const written = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(seal(value)) ?? '');
  return {
    'a value': (bytes, draw) => written(changed(parsed(bytes), draw)),
    'a key twice': asText((text, draw) => {
      const keys = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?=\s*:)/g)];
      const { index, 0: key } = pick(keys, draw);
      const value = pick(['null', '-1', '"x"', '[]', '{}'], draw);
      return `${text.slice(0, index)}${key}:${value},${text.slice(index)}`;
    }),
    'open lists': asText((text, draw) => withToken(text, draw, '['.repeat(1 + draw.integer(100_000)))),
  };
}

/** Mutations of JSON files. */
export const JSON_TEXT: Readonly<Record<string, Mutation>> = { ...BYTES, ...TEXT, ...json() };

/**
 * Makes mutants of a file, of each kind in turn.
 *
 * @param name that gives their seed
 */
export function* mutantsOf(
  name: string,
  bytes: Uint8Array,
  kinds: Readonly<Record<string, Mutation>>,
  count = MUTANTS,
): Generator<Mutant> {
  const all = Object.entries(kinds);
  for (let number = 0; number < count; number++) {
    const [kind, mutate] = all[number % all.length];
    const draw = randomStream(1, `test.mutants.${name}`, number, 0);
    yield { how: `${name}, mutant ${number} (${kind})`, bytes: mutate(bytes.slice(), draw) };
  }
}

/** How a file is read that may be a mutant. */
export interface Parser {
  /** Name that gives the seed of its mutants. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly kinds: Readonly<Record<string, Mutation>>;
  /** Resolves with whatever is found in it. */
  readonly read: (bytes: Uint8Array) => unknown;
  /** What each line of a refusal begins with: the file's name. */
  readonly refusal: RegExp;
}

/** Time of the processor that reading a file of this size takes at most, on any machine, milliseconds. */
const MOST_MILLISECONDS = 4000;
/** Memory that stays behind at most: many times what the whole file takes. */
const MOST_BYTES = 2 ** 28;

const OURS = [ScenarioError, CaseError, DivergenceError, AllDivergedError] as const;

/** What is wrong with an error. @returns undefined for one of ours that names its file on lines that can be read */
function faultOf(error: unknown, refusal: RegExp): string | undefined {
  if (!OURS.some((Kind) => error instanceof Kind) || !(error instanceof Error)) {
    return error instanceof Error ? (error.stack ?? error.message).slice(0, 1500) : String(error);
  }
  const lines = error instanceof ScenarioError ? error.problems.map(describeProblem) : [error.message];
  const unreadable = lines.find((line) => !refusal.test(line) || /\p{Cc}/u.test(line) || line.length > LONGEST_LINE);
  if (lines.length === 0) return 'it says nothing';
  return unreadable === undefined ? undefined : `it says ${JSON.stringify(unreadable.slice(0, 500))}`;
}

/** Characters of a line that a user reads. */
const LONGEST_LINE = 6000;

/**
 * Reads mutants of a file.
 *
 * @returns those that were neither read nor refused by an error of ours, or took too long or too much; and how many were refused
 */
export async function readMutants({ name, bytes, kinds, read, refusal }: Parser, count = MUTANTS) {
  const faults: string[] = [];
  let refused = 0;
  for (const { how, bytes: mutant } of mutantsOf(name, bytes, kinds, count)) {
    const before = { memory: process.memoryUsage().arrayBuffers, time: process.cpuUsage() };
    try {
      await read(mutant);
    } catch (error) {
      refused += 1;
      const fault = faultOf(error, refusal);
      if (fault !== undefined) faults.push(`${how}: ${fault}`);
    }
    const { user, system } = process.cpuUsage(before.time);
    if ((user + system) / 1000 > MOST_MILLISECONDS) faults.push(`${how}: took ${(user + system) / 1000} ms`);
    const more = process.memoryUsage().arrayBuffers - before.memory;
    if (more > MOST_BYTES) faults.push(`${how}: took ${more} bytes`);
  }
  return { faults, refused };
}
