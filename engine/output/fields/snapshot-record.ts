/**
 * A snapshot as bytes: a frame of three numbers, then a header that says what there is, and the arrays. Snapshots follow one
 * another in a file that grows; numbers have the machine's byte order, which is little-endian wherever this program runs.
 */
import { ScenarioError } from '../../errors.ts';
import type { HostPlane, Plane, Snapshot, SnapshotObservations, StatePlanes } from '../../run/index.ts';
import { z } from 'zod';

const ALIGNMENT = 8;

/**
 * What the record of a snapshot has, and where: a header that says in JSON what there is, and behind it the arrays, each
 * beginning at a multiple of eight bytes. A reader that wants one plane of a cycle takes that from its place.
 */
const snapshotHeaderSchema = z.strictObject({
  cycle: z.int().min(-1),
  timeSeconds: z.number(),
  cells: z.int().min(1),
  methods: z.array(
    z.strictObject({
      method: z.string(),
      divergedAt: z.int().min(0).optional(),
      hasSpread: z.boolean(),
      hasForecastSpread: z.boolean().default(false),
      inflation: z.union([z.number(), z.literal('plane')]).optional(),
      members: z.array(z.int().min(0)).default([]),
    }),
  ),
  observations: z.strictObject({
    count: z.int().min(0),
    variables: z.array(z.string()),
    hasShare: z.boolean().default(false),
    innovations: z.array(z.string()),
    departures: z.array(z.string()).default([]),
    believed: z.array(z.string()).default([]),
    impacts: z.array(z.string()).default([]),
  }),
});

export type SnapshotHeader = z.output<typeof snapshotHeaderSchema>;

const STATE_NAMES = ['eta', 'hu', 'hv'] as const;
export type StateName = (typeof STATE_NAMES)[number];

/** Numbers of an observation, by observation; `variable` is a place in the header's list. */
const OBSERVATION_COLUMNS = {
  x: 'float64',
  y: 'float64',
  values: 'float64',
  inverseErrorStd: 'float64',
  network: 'uint16',
  variable: 'uint16',
} as const;
/** Share of the window that had passed at each observation: records of an earlier version have none. */
const SHARE_COLUMN = 'share';
/** Numbers of an observation by method. */
const METHOD_COLUMNS = ['innovations', 'departures', 'believed', 'impacts'] as const;

export const KINDS = { float32: Float32Array, float64: Float64Array, uint16: Uint16Array } as const;
type NumberKind = keyof typeof KINDS;

/** An array of a record. */
export interface RecordPart {
  readonly kind: NumberKind;
  readonly length: number;
  /** From the end of the header, bytes. */
  readonly offset: number;
}

/** Where the arrays are, by name. */
interface SnapshotLayout {
  readonly parts: ReadonlyMap<string, RecordPart>;
  /** Bytes of all arrays. */
  readonly bytes: number;
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Names of the arrays of a record. Methods are counted: a label may be any text. */
export const partNames = {
  truth: (variable: StateName) => `truth.${variable}`,
  state: (method: number, when: 'forecast' | 'analysis', variable: StateName) => `${method}.${when}.${variable}`,
  spread: (method: number, when: 'forecast' | 'analysis') => `${method}.${when}.spread`,
  inflation: (method: number) => `${method}.inflation`,
  /** @param index in the header's list of members */
  member: (method: number, index: number, variable: StateName) => `${method}.member.${index}.${variable}`,
  column: (name: keyof typeof OBSERVATION_COLUMNS | typeof SHARE_COLUMN) => `observations.${name}`,
  /** @param index in the header's list of labels */
  byMethod: (name: (typeof METHOD_COLUMNS)[number], index: number) => `observations.${name}.${index}`,
} as const;

export function layoutOf({ cells, methods, observations }: SnapshotHeader): SnapshotLayout {
  const parts = new Map<string, RecordPart>();
  let bytes = 0;
  const add = (name: string, kind: NumberKind, length: number): void => {
    parts.set(name, { kind, length, offset: bytes });
    bytes += aligned(length * KINDS[kind].BYTES_PER_ELEMENT);
  };
  const addState = (nameOf: (variable: StateName) => string): void => {
    for (const variable of STATE_NAMES) add(nameOf(variable), 'float32', cells);
  };
  addState(partNames.truth);
  methods.forEach(({ hasSpread, hasForecastSpread, inflation, members }, method) => {
    for (const when of ['forecast', 'analysis'] as const) {
      addState((variable) => partNames.state(method, when, variable));
    }
    if (hasSpread) add(partNames.spread(method, 'analysis'), 'float32', cells);
    if (hasForecastSpread) add(partNames.spread(method, 'forecast'), 'float32', cells);
    if (inflation === 'plane') add(partNames.inflation(method), 'float32', cells);
    members.forEach((_, index) => addState((variable) => partNames.member(method, index, variable)));
  });
  for (const name of Object.keys(OBSERVATION_COLUMNS) as (keyof typeof OBSERVATION_COLUMNS)[]) {
    add(partNames.column(name), OBSERVATION_COLUMNS[name], observations.count);
  }
  if (observations.hasShare) add(partNames.column(SHARE_COLUMN), 'float64', observations.count);
  for (const name of METHOD_COLUMNS) {
    observations[name].forEach((_, index) => add(partNames.byMethod(name, index), 'float64', observations.count));
  }
  return { parts, bytes };
}

/** "SHF1" */
const MAGIC = 0x31_46_48_53;
const FRAME_BYTES = 16;
/** No header is nearly as long. */
const LONGEST_HEADER = 2 ** 24;

type Numbers = Float32Array | Float64Array | Uint16Array;

/** @throws RangeError where the plane is not in memory */
export function hostValues(plane: Plane): Float32Array {
  if (plane.kind !== 'host') throw new RangeError('found a plane on a device, allowed: planes in memory');
  return plane.values;
}

function headerOf({ cycle, timeSeconds, truth, methods, observations }: Snapshot): SnapshotHeader {
  const { values, variable, share, innovations, departures = {}, believed = {}, impacts = {} } = observations;
  return {
    cycle,
    timeSeconds,
    cells: hostValues(truth.eta).length,
    methods: methods.map(({ method, divergedAt, spread, forecastSpread, inflation, members = [] }) => ({
      method,
      ...(divergedAt !== undefined && { divergedAt }),
      hasSpread: spread !== undefined,
      hasForecastSpread: forecastSpread !== undefined,
      ...(inflation !== undefined && { inflation: typeof inflation === 'number' ? inflation : 'plane' }),
      members: members.map(({ member }) => member),
    })),
    observations: {
      count: values.length,
      variables: [...new Set(variable)],
      hasShare: share !== undefined,
      innovations: Object.keys(innovations),
      departures: Object.keys(departures),
      believed: Object.keys(believed),
      impacts: Object.keys(impacts),
    },
  };
}

/** The arrays by their names. */
function arraysOf({ truth, methods, observations }: Snapshot, header: SnapshotHeader): Map<string, Numbers> {
  const arrays = new Map<string, Numbers>();
  const addState = (state: StatePlanes, nameOf: (variable: StateName) => string): void => {
    for (const variable of STATE_NAMES) arrays.set(nameOf(variable), hostValues(state[variable]));
  };
  addState(truth, partNames.truth);
  methods.forEach(({ forecast, analysis, spread, forecastSpread, inflation, members = [] }, method) => {
    addState(forecast, (variable) => partNames.state(method, 'forecast', variable));
    addState(analysis, (variable) => partNames.state(method, 'analysis', variable));
    if (spread) arrays.set(partNames.spread(method, 'analysis'), hostValues(spread));
    if (forecastSpread) arrays.set(partNames.spread(method, 'forecast'), hostValues(forecastSpread));
    if (typeof inflation === 'object') arrays.set(partNames.inflation(method), inflation.values);
    members.forEach((member, index) =>
      addState(member.analysis, (variable) => partNames.member(method, index, variable)),
    );
  });
  const { x, y, values, inverseErrorStd, network, variable } = observations;
  const codes = Uint16Array.from(variable, (name) => header.observations.variables.indexOf(name));
  for (const [name, numbers] of Object.entries({ x, y, values, inverseErrorStd, network, variable: codes })) {
    arrays.set(partNames.column(name as Parameters<typeof partNames.column>[0]), numbers);
  }
  if (observations.share) arrays.set(partNames.column(SHARE_COLUMN), observations.share);
  for (const name of METHOD_COLUMNS) {
    Object.values(observations[name] ?? {}).forEach((numbers, index) =>
      arrays.set(partNames.byMethod(name, index), numbers),
    );
  }
  return arrays;
}

/** @param snapshot with planes in memory */
export function encodeSnapshot(snapshot: Snapshot): Uint8Array {
  const header = headerOf(snapshot);
  const text = new TextEncoder().encode(JSON.stringify(header));
  const { parts, bytes: length } = layoutOf(header);
  const begin = FRAME_BYTES + aligned(text.byteLength);
  const bytes = new Uint8Array(begin + length);
  const frame = new DataView(bytes.buffer);
  frame.setUint32(0, MAGIC, true);
  frame.setUint32(4, text.byteLength, true);
  frame.setFloat64(8, bytes.byteLength, true);
  bytes.set(text, FRAME_BYTES);
  for (const [name, array] of arraysOf(snapshot, header)) {
    const part = parts.get(name);
    if (part?.length !== array.length) throw new RangeError(`${name} has ${array.length} numbers, not ${part?.length}`);
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), begin + part.offset);
  }
  return bytes;
}

/** A frame as stored. */
export interface SnapshotFrame {
  /** Without the frame. */
  readonly headerBytes: number;
  /** Bytes of the whole record. */
  readonly totalBytes: number;
}

export const SNAPSHOT_FRAME_BYTES = FRAME_BYTES;

/**
 * @param file that messages name
 * @throws ScenarioError where this is no frame
 */
export function decodeFrame(bytes: Uint8Array, file: string): SnapshotFrame {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const refuse = (message: string): never => {
    throw new ScenarioError([{ file, path: [], message }]);
  };
  if (bytes.byteLength < FRAME_BYTES)
    return refuse(`a record has ${bytes.byteLength} bytes, ${FRAME_BYTES} are needed`);
  if (view.getUint32(0, true) !== MAGIC) return refuse('a record does not begin as one');
  const [headerBytes, totalBytes] = [view.getUint32(4, true), view.getFloat64(8, true)];
  const isPossible = Number.isSafeInteger(totalBytes) && totalBytes >= FRAME_BYTES + aligned(headerBytes);
  if (headerBytes > LONGEST_HEADER || !isPossible) return refuse('a record states a length that cannot be');
  return { headerBytes, totalBytes };
}

/** A record's header, and where the arrays are that it says there are. */
export interface DecodedHeader {
  readonly header: SnapshotHeader;
  readonly layout: SnapshotLayout;
  /** From the beginning of the record to its first array, bytes. */
  readonly begin: number;
}

/**
 * @param bytes of the header alone
 * @param frame of its record
 * @param file that messages name
 * @throws ScenarioError where it is none, or says that there is more, or less, than its record has room for
 */
export function decodeHeader(bytes: Uint8Array, { totalBytes }: SnapshotFrame, file: string): DecodedHeader {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    value = undefined;
  }
  const { data: header, error } = snapshotHeaderSchema.safeParse(value);
  if (!header) {
    const [{ path, message }] = error.issues;
    throw new ScenarioError([{ file, path: path.map(String), message: `the header of a record: ${message}` }]);
  }
  const layout = layoutOf(header);
  const begin = FRAME_BYTES + aligned(bytes.byteLength);
  if (begin + layout.bytes === totalBytes) return { header, layout, begin };
  const message = `the record of cycle ${header.cycle} has ${totalBytes} bytes, ${begin + layout.bytes} are needed`;
  throw new ScenarioError([{ file, path: [], message }]);
}

/** @param bytes that begin where the part does. @returns a copy, which is aligned for its numbers */
export function numbersOf({ kind, length }: RecordPart, bytes: Uint8Array): Numbers {
  const Kind = KINDS[kind];
  return new Kind(bytes.slice(0, length * Kind.BYTES_PER_ELEMENT).buffer);
}

/** Gives the numbers of a part by its name. */
export type TakePart = (name: string) => Numbers;

/** @returns what a record has of observations */
export function observationsIn({ observations }: SnapshotHeader, take: TakePart): SnapshotObservations {
  const { variables, hasShare } = observations;
  const float64 = (name: string): Float64Array => take(name) as Float64Array;
  const byMethod = (name: (typeof METHOD_COLUMNS)[number]): Record<string, Float64Array> =>
    Object.fromEntries(observations[name].map((label, index) => [label, float64(partNames.byMethod(name, index))]));
  return {
    x: float64(partNames.column('x')),
    y: float64(partNames.column('y')),
    values: float64(partNames.column('values')),
    inverseErrorStd: float64(partNames.column('inverseErrorStd')),
    network: take(partNames.column('network')) as Uint16Array,
    variable: Array.from(take(partNames.column('variable')), (code) => variables[code] ?? ''),
    ...(hasShare && { share: float64(partNames.column(SHARE_COLUMN)) }),
    innovations: byMethod('innovations'),
    ...(observations.departures.length > 0 && { departures: byMethod('departures') }),
    ...(observations.believed.length > 0 && { believed: byMethod('believed') }),
    ...(observations.impacts.length > 0 && { impacts: byMethod('impacts') }),
  };
}

/**
 * @param bytes one whole record
 * @param file that messages name
 * @throws ScenarioError where it is not what `encodeSnapshot` makes
 */
export function decodeSnapshot(bytes: Uint8Array, file: string): Snapshot {
  const frame = decodeFrame(bytes, file);
  const headerBytes = bytes.subarray(FRAME_BYTES, FRAME_BYTES + frame.headerBytes);
  const { header, layout, begin } = decodeHeader(headerBytes, frame, file);
  if (frame.totalBytes !== bytes.byteLength) {
    throw new ScenarioError([{ file, path: [], message: `the record of cycle ${header.cycle} is cut off` }]);
  }
  const take: TakePart = (name) => {
    const part = layout.parts.get(name);
    if (!part) throw new RangeError(`the record has no ${name}`);
    return numbersOf(part, bytes.subarray(begin + part.offset));
  };
  const plane = (name: string): HostPlane => ({ kind: 'host', values: take(name) as Float32Array });
  const state = (nameOf: (variable: StateName) => string): StatePlanes => ({
    eta: plane(nameOf('eta')),
    hu: plane(nameOf('hu')),
    hv: plane(nameOf('hv')),
  });
  const { cycle, timeSeconds, methods } = header;
  return {
    cycle,
    timeSeconds,
    truth: state(partNames.truth),
    methods: methods.map(({ method, divergedAt, hasSpread, hasForecastSpread, inflation, members }, index) => ({
      method,
      ...(divergedAt !== undefined && { divergedAt }),
      forecast: state((variable) => partNames.state(index, 'forecast', variable)),
      analysis: state((variable) => partNames.state(index, 'analysis', variable)),
      spread: hasSpread ? plane(partNames.spread(index, 'analysis')) : undefined,
      ...(hasForecastSpread && { forecastSpread: plane(partNames.spread(index, 'forecast')) }),
      ...(inflation !== undefined && {
        inflation: inflation === 'plane' ? plane(partNames.inflation(index)) : inflation,
      }),
      ...(members.length > 0 && {
        members: members.map((member, at) => ({
          member,
          analysis: state((variable) => partNames.member(index, at, variable)),
        })),
      }),
    })),
    observations: observationsIn(header, take),
  };
}
