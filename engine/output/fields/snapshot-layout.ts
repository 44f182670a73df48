/**
 * What lies in the record of a snapshot and where: a header that says in JSON what there is, and behind it the arrays, each
 * beginning at a multiple of eight bytes. A reader that wants one plane of a cycle takes that from its place.
 */
import { z } from 'zod';

const ALIGNMENT = 8;

export const snapshotHeaderSchema = z.strictObject({
  cycle: z.int().min(-1),
  timeSeconds: z.number(),
  cells: z.int().min(1),
  methods: z.array(
    z.strictObject({
      method: z.string(),
      divergedAt: z.int().min(0).optional(),
      hasSpread: z.boolean(),
      hasForecastSpread: z.boolean().default(false),
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
  }),
});

export type SnapshotHeader = z.output<typeof snapshotHeaderSchema>;

export const STATE_NAMES = ['eta', 'hu', 'hv'] as const;
export type StateName = (typeof STATE_NAMES)[number];

/** Numbers of an observation, by observation; `variable` is a place in the header's list. */
export const OBSERVATION_COLUMNS = {
  x: 'float64',
  y: 'float64',
  values: 'float64',
  inverseErrorStd: 'float64',
  network: 'uint16',
  variable: 'uint16',
} as const;
/** Share of the window that had passed at each observation: records of an earlier version have none. */
export const SHARE_COLUMN = 'share';
/** Numbers of an observation by method. */
export const METHOD_COLUMNS = ['innovations', 'departures', 'believed'] as const;

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
export interface SnapshotLayout {
  readonly parts: ReadonlyMap<string, RecordPart>;
  /** Bytes of all arrays. */
  readonly bytes: number;
}

export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Names of the arrays of a record. Methods are counted: a label may be any text. */
export const partNames = {
  truth: (variable: StateName) => `truth.${variable}`,
  state: (method: number, when: 'forecast' | 'analysis', variable: StateName) => `${method}.${when}.${variable}`,
  spread: (method: number, when: 'forecast' | 'analysis') => `${method}.${when}.spread`,
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
  methods.forEach(({ hasSpread, hasForecastSpread, members }, method) => {
    for (const when of ['forecast', 'analysis'] as const) {
      addState((variable) => partNames.state(method, when, variable));
    }
    if (hasSpread) add(partNames.spread(method, 'analysis'), 'float32', cells);
    if (hasForecastSpread) add(partNames.spread(method, 'forecast'), 'float32', cells);
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
