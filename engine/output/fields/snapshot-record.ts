/**
 * A snapshot as bytes: a frame of three numbers, a header that says in JSON what follows, and the arrays, each beginning at a
 * multiple of eight bytes. Snapshots lie one behind another in a file that grows; numbers have the machine's byte order, which is
 * little-endian wherever this program runs.
 */
import { z } from 'zod';
import { ScenarioError } from '../../errors.ts';
import type { MethodSnapshot, Plane, Snapshot, StatePlanes } from '../../run/index.ts';

/** "SHF1" */
const MAGIC = 0x31_46_48_53;
const FRAME_BYTES = 16;
const ALIGNMENT = 8;
/** No header is nearly as long. */
const LONGEST_HEADER = 2 ** 24;

const headerSchema = z.strictObject({
  cycle: z.int().min(-1),
  timeSeconds: z.number(),
  cells: z.int().min(1),
  methods: z.array(
    z.strictObject({ method: z.string(), divergedAt: z.int().min(0).optional(), hasSpread: z.boolean() }),
  ),
  observations: z.strictObject({
    count: z.int().min(0),
    variables: z.array(z.string()),
    innovations: z.array(z.string()),
  }),
});
type Header = z.output<typeof headerSchema>;

type Numbers = Float32Array | Float64Array | Uint16Array;

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** @throws RangeError where the plane is not in memory */
function valuesOf(plane: Plane): Float32Array {
  if (plane.kind !== 'host') throw new RangeError('found a plane on a device, allowed are planes in memory');
  return plane.values;
}

const planesOf = ({ eta, hu, hv }: StatePlanes): Float32Array[] => [eta, hu, hv].map(valuesOf);

function headerOf({ cycle, timeSeconds, truth, methods, observations }: Snapshot): Header {
  return {
    cycle,
    timeSeconds,
    cells: valuesOf(truth.eta).length,
    methods: methods.map(({ method, divergedAt, spread }) => ({
      method,
      ...(divergedAt !== undefined && { divergedAt }),
      hasSpread: spread !== undefined,
    })),
    observations: {
      count: observations.values.length,
      variables: [...new Set(observations.variable)],
      innovations: Object.keys(observations.innovations),
    },
  };
}

/** The arrays in the order in which they lie behind a header. */
function arraysOf({ truth, methods, observations }: Snapshot, { observations: { variables } }: Header): Numbers[] {
  const { x, y, values, inverseErrorStd, network, variable, innovations } = observations;
  return [
    ...planesOf(truth),
    ...methods.flatMap(({ forecast, analysis, spread }) => [
      ...planesOf(forecast),
      ...planesOf(analysis),
      ...(spread ? [valuesOf(spread)] : []),
    ]),
    x,
    y,
    values,
    inverseErrorStd,
    network,
    Uint16Array.from(variable, (name) => variables.indexOf(name)),
    ...Object.values(innovations),
  ];
}

/** @param snapshot with planes in memory */
export function encodeSnapshot(snapshot: Snapshot): Uint8Array {
  const header = headerOf(snapshot);
  const text = new TextEncoder().encode(JSON.stringify(header));
  const arrays = arraysOf(snapshot, header);
  const begin = FRAME_BYTES + aligned(text.byteLength);
  const total = arrays.reduce((sum, { byteLength }) => sum + aligned(byteLength), begin);
  const bytes = new Uint8Array(total);
  const frame = new DataView(bytes.buffer);
  frame.setUint32(0, MAGIC, true);
  frame.setUint32(4, text.byteLength, true);
  frame.setFloat64(8, total, true);
  bytes.set(text, FRAME_BYTES);
  let at = begin;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += aligned(array.byteLength);
  }
  return bytes;
}

/** A frame as it lies there. */
export interface SnapshotFrame {
  readonly headerBytes: number;
  /** Of the whole record. */
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

function parseHeader(bytes: Uint8Array, file: string): Header {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    value = undefined;
  }
  const { data, error } = headerSchema.safeParse(value);
  if (data) return data;
  const [{ path, message }] = error.issues;
  throw new ScenarioError([{ file, path: path.map(String), message: `the header of a record: ${message}` }]);
}

/**
 * @param bytes one whole record
 * @param file that messages name
 * @throws ScenarioError where it is not what `encodeSnapshot` makes
 */
export function decodeSnapshot(bytes: Uint8Array, file: string): Snapshot {
  const { headerBytes, totalBytes } = decodeFrame(bytes, file);
  const header = parseHeader(bytes.subarray(FRAME_BYTES, FRAME_BYTES + headerBytes), file);
  const { cycle, timeSeconds, cells, methods, observations } = header;
  let at = FRAME_BYTES + aligned(headerBytes);
  const take = <Of extends Numbers>(
    kind: { new (buffer: ArrayBuffer): Of; BYTES_PER_ELEMENT: number },
    length: number,
  ): Of => {
    const size = length * kind.BYTES_PER_ELEMENT;
    if (at + size > totalBytes || totalBytes !== bytes.byteLength) {
      throw new ScenarioError([{ file, path: [], message: `the record of cycle ${cycle} is cut off` }]);
    }
    // A copy begins where its numbers may lie.
    const found = new kind(bytes.slice(at, at + size).buffer);
    at += aligned(size);
    return found;
  };
  const plane = (): Plane => ({ kind: 'host', values: take(Float32Array, cells) });
  const state = (): StatePlanes => ({ eta: plane(), hu: plane(), hv: plane() });
  const truth = state();
  const taken = methods.map(({ method, divergedAt, hasSpread }): MethodSnapshot => ({
    method,
    ...(divergedAt !== undefined && { divergedAt }),
    forecast: state(),
    analysis: state(),
    spread: hasSpread ? plane() : undefined,
  }));
  const { count, variables, innovations } = observations;
  const [x, y, values, inverseErrorStd] = Array.from({ length: 4 }, () => take(Float64Array, count));
  const network = take(Uint16Array, count);
  const codes = take(Uint16Array, count);
  return {
    cycle,
    timeSeconds,
    truth,
    methods: taken,
    observations: {
      x,
      y,
      values,
      inverseErrorStd,
      network,
      variable: Array.from(codes, (code) => variables[code] ?? ''),
      innovations: Object.fromEntries(innovations.map((method) => [method, take(Float64Array, count)])),
    },
  };
}
