/** What `shoal bench --json` writes, key by key: others read it, so that a change here is a change for them. */
import { z } from 'zod';

const amount = z.number().positive();
const ceilings = { copyGBs: amount, fmaGFLOPs: amount, dispatchMicroseconds: amount };
const backend = z.enum(['reference', 'wasm', 'webgpu']);
const clock = z.enum(['device', 'wall']);

const published = z.strictObject({
  value: amount,
  unit: z.string().min(1),
  hardware: z.string().min(1),
  source: z.string().min(1),
  measured: amount.nullable(),
  ratio: amount.nullable(),
});

const row = z.strictObject({
  suite: z.enum(['recursive-filter', 'convolution', 'letkf', 'gain-covariance', 'shallow-water', 'cycle']),
  name: z.string().min(1),
  backend,
  threads: z.int().positive().nullable(),
  milliseconds: amount,
  median: amount,
  runs: z.int().positive(),
  clock,
  GBs: amount.nullable(),
  GFLOPs: amount.nullable(),
  fractionOfCeiling: amount.nullable(),
  bound: z.enum(['bandwidth', 'arithmetic']).nullable(),
  errorAgainstReference: z.number().min(0).nullable(),
  published: published.nullable(),
  otherPublished: z.array(published),
  // Of a whole cycle.
  waits: z.number().min(0).nullable(),
  submissions: z.number().min(0).nullable(),
  dispatches: amount.nullable(),
  deviceMilliseconds: amount.nullable(),
  notes: z.array(z.string().min(1)),
});

export const benchDocumentSchema = z.strictObject({
  machine: z.strictObject({
    system: z.string(),
    processor: z.string(),
    cores: z.int().positive(),
    memoryBytes: amount,
    versions: z.record(z.string(), z.string()),
  }),
  ceilings: z.strictObject(ceilings),
  backends: z
    .array(
      z.strictObject({
        name: backend,
        adapter: z.string(),
        precision: z.enum(['float32', 'float64']),
        ceilings: z.strictObject({ ...ceilings, clock, tickMicroseconds: amount }),
      }),
    )
    .min(1),
  rows: z.array(row),
  failures: z.array(z.strictObject({ name: z.string(), backend, reason: z.string().min(1) })),
});
