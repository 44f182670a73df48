/** Results as `shoal bench --json` writes them, of two backends, with what can be absent absent. */
import type { BenchDocument, BenchmarkRow } from '../../engine/index.ts';

export const benchmarkRow: BenchmarkRow = {
  suite: 'letkf',
  name: 'letkf-256-k32-l9',
  table: null,
  parameters: {},
  variantOf: null,
  series: null,
  stepForward: null,
  overStepForward: null,
  backend: 'wasm',
  threads: 2,
  milliseconds: 5,
  median: 6,
  runs: 100,
  clock: 'wall',
  bytes: 1e7,
  flops: 2e7,
  GBs: 2,
  GFLOPs: 4,
  fractionOfCeiling: 0.2,
  bound: 'bandwidth',
  errorAgainstReference: 9.6e-7,
  errorAgainstExact: null,
  nanosecondsPerCell: null,
  growth: null,
  overOneThread: null,
  published: {
    value: 2.75,
    unit: 'ms for 16384 points',
    hardware: 'H100',
    source: 'somewhere',
    includes: null,
    measured: 0.094,
    ratio: 29.3,
  },
  otherPublished: [],
  waits: null,
  submissions: null,
  dispatches: null,
  deviceMilliseconds: null,
  notes: ['a note'],
};

const CEILINGS = {
  copyGBs: 10,
  fmaGFLOPs: 40,
  dispatchMicroseconds: 0.5,
  clock: 'wall',
  tickMicroseconds: 0.1,
} as const;

export function benchmarkDocument(): BenchDocument {
  const reference = { backend: 'reference', threads: 1, errorAgainstReference: null } as const;
  return {
    asked: null,
    machine: {
      system: 'linux',
      processor: 'A processor',
      cores: 8,
      memoryBytes: 2 ** 34,
      versions: { shoal: '0.1.0' },
    },
    ceilings: { copyGBs: 10, fmaGFLOPs: 40, dispatchMicroseconds: 0.5 },
    backends: [
      { name: 'wasm', adapter: 'WebAssembly SIMD', precision: 'float32', threads: 2, ceilings: CEILINGS },
      {
        name: 'reference',
        adapter: 'JavaScript, one thread',
        precision: 'float64',
        threads: 1,
        ceilings: { ...CEILINGS, copyGBs: 5, fmaGFLOPs: 4 },
      },
    ],
    rows: [
      benchmarkRow,
      { ...benchmarkRow, ...reference, GBs: 0.2, GFLOPs: 0.4, published: null },
      {
        ...benchmarkRow,
        suite: 'cycle',
        name: 'cycle-256-k32-s20',
        GBs: null,
        GFLOPs: null,
        fractionOfCeiling: null,
        bound: null,
        published: null,
        waits: 0,
        submissions: 0,
        dispatches: 74,
      },
      { ...benchmarkRow, suite: 'convolution', name: 'convolution-124x132x130', GBs: 3, GFLOPs: 24, published: null },
      { ...benchmarkRow, suite: 'shallow-water', name: 'richtmyer-512', GBs: 6, GFLOPs: 9, published: null },
    ],
    failures: [{ name: 'convolution-256x256x256', backend: 'wasm', reason: 'too large' }],
  };
}
