/**
 * The document of `shoal bench --json`, key by key: what the command line writes, and what a page or a program reads. A key stays
 * once it is there. Keys that earlier versions did not write have a default, so that their files are read as well.
 */
import { z } from 'zod';

/** The suites, in the order in which they run. */
export const SUITES = [
  'recursive-filter',
  'convolution',
  'letkf',
  'gain-covariance',
  'shallow-water',
  'cycle',
  'answer',
] as const;
export type Suite = (typeof SUITES)[number];

const amount = z.number().positive();
const atLeastZero = z.number().min(0);
const text = z.string().min(1);
const backendName = z.enum(['reference', 'wasm', 'webgpu']);
const clock = z.enum(['device', 'wall']);
const threads = z.int().positive().nullable();

/** A published figure, and ours in the same unit. */
const publishedSchema = z.object({
  value: amount,
  unit: text,
  hardware: text,
  source: text,
  /** What else the figure holds than what is timed here; null if nothing is known about it. */
  includes: text.nullable().default(null),
  /** Ours, in the same unit; null where it cannot be said. */
  measured: amount.nullable(),
  /** How many times better ours is: above 1 is faster. */
  ratio: amount.nullable(),
});

const rowSchema = z.object({
  suite: z.enum(SUITES),
  name: text,
  /** The published table that this is a row of. */
  table: text.nullable().default(null),
  /** What distinguishes rows of a table or a series, by its published letter: N, K, t, m, or n for cells a side. */
  parameters: z.record(z.string(), z.union([z.number(), z.string()])).default({}),
  /** The row of which this one is a variant: the same numbers by another form of a kernel. */
  variantOf: text.nullable().default(null),
  /** Rows of one series differ in their size `n` alone. */
  series: text.nullable().default(null),
  backend: backendName,
  /** Threads of the host that compute; null where a device does, with as many as it has. */
  threads,
  /** Time of one run: the least, and the median. */
  milliseconds: amount,
  median: amount,
  /** Entries that these are taken from. */
  runs: z.int().positive(),
  /** By timestamps on the device, or by the wall clock of the host. */
  clock,
  /** Bytes of one run, by formula. */
  bytes: atLeastZero.nullable().default(null),
  flops: atLeastZero.nullable().default(null),
  /** 10⁹ a second, by formula, at the least time; null where the clock is too coarse. */
  GBs: atLeastZero.nullable(),
  GFLOPs: atLeastZero.nullable(),
  /** Fraction of the nearer of the ceilings measured in the same process; null if it is not known. */
  fractionOfCeiling: atLeastZero.nullable(),
  /** Which one that is. */
  bound: z.enum(['bandwidth', 'arithmetic']).nullable(),
  /** max |a − b| / max(1, max |b|) against the reference backend; null for itself, and where the notes say why. */
  errorAgainstReference: atLeastZero.nullable(),
  /** The same against the approximated result, away from the ends; null if it is no approximation. */
  errorAgainstExact: atLeastZero.nullable().default(null),
  /** The least time over cells, steps and members; null where a benchmark has none. */
  nanosecondsPerCell: amount.nullable().default(null),
  /** That of 256² cells in the same series is 1; null if there is no such row. */
  growth: amount.nullable().default(null),
  /** The row of the step forward, where this one is of a linearised step, and how many of those one of these takes. */
  stepForward: text.nullable().default(null),
  overStepForward: amount.nullable().default(null),
  /** How many times the time one thread takes, where the published figure is such a ratio. */
  overOneThread: z.object({ reference: amount.nullable(), wasm: amount.nullable() }).nullable().default(null),
  published: publishedSchema.nullable(),
  otherPublished: z.array(publishedSchema).readonly(),
  /** How often the host waited for the device in a whole cycle, and how much it handed over; null for a single operator. */
  waits: atLeastZero.nullable(),
  submissions: atLeastZero.nullable(),
  dispatches: atLeastZero.nullable(),
  /** Time that the device worked in a whole cycle, by its own clock; null if it has none. */
  deviceMilliseconds: amount.nullable(),
  /** Whatever a reader must know about these numbers. */
  notes: z.array(text).readonly(),
});

const ceilings = { copyGBs: amount, fmaGFLOPs: amount, dispatchMicroseconds: amount };

export const benchDocumentSchema = z.object({
  /** What the call was asked for; null where an earlier version did not keep it. */
  asked: z
    .object({
      suites: z.array(z.enum(SUITES)).readonly(),
      extent: z.string(),
      backends: z.array(backendName).readonly(),
      threads,
    })
    .nullable()
    .default(null),
  machine: z.object({
    system: z.string(),
    processor: z.string(),
    cores: z.int().positive(),
    memoryBytes: amount,
    versions: z.record(z.string(), z.string()),
  }),
  /** Ceilings of the first backend. */
  ceilings: z.object(ceilings),
  backends: z
    .array(
      z.object({
        name: backendName,
        adapter: z.string(),
        precision: z.enum(['float32', 'float64']),
        threads: threads.default(null),
        ceilings: z.object({ ...ceilings, clock, tickMicroseconds: amount }),
      }),
    )
    .min(1)
    .readonly(),
  /** By benchmark, and then by backend. */
  rows: z.array(rowSchema).readonly(),
  failures: z.array(z.object({ name: text, backend: backendName, reason: text })).readonly(),
});

/** What a call of `shoal bench` was asked for. */
export type BenchRequest = Readonly<NonNullable<z.infer<typeof benchDocumentSchema>['asked']>>;
export type BenchDocument = Readonly<z.infer<typeof benchDocumentSchema>>;
export type BenchmarkRow = Readonly<z.infer<typeof rowSchema>>;
export type PublishedComparison = Readonly<z.infer<typeof publishedSchema>>;
