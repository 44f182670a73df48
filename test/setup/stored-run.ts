/** A small run with states of every kind, as its folder has them: being written, or complete. */
import { File, ready } from 'h5wasm';
import { createMemoryStorage, validateScenario } from '../../engine/index.ts';
import type { RunRecord, Snapshot, StatePlanes } from '../../engine/index.ts';
import { createFieldsFile, FIELDS_FILE } from '../../engine/output/fields/fields-file.ts';
import { createFieldsWriter } from '../../engine/output/fields/netcdf.ts';
import { NETCDF_FILE } from '../../engine/output/fields/netcdf-parts.ts';
import { writeRunRecord } from '../../engine/output/run-record.ts';

export const [NX, NY] = [5, 4];
export const CYCLES = [1, 3, 5];

const { scenario } = validateScenario(
  {
    version: 3,
    name: 'small',
    grid: { nx: NX, ny: NY, dx: 2, dy: 4 },
    truth: { initial: { kind: 'rest' } },
    background: { initial: { kind: 'rest' }, members: 3 },
    observations: [
      { name: 'a', variable: 'h', network: { kind: 'regular', stride: [2, 2] } },
      { name: 'b', variable: 'speed', network: { kind: 'regular', stride: [2, 2] }, errorStandardDeviation: 0.1 },
    ],
    methods: [{ kind: 'free-run' }, { kind: 'letkf', label: 'größe', localisation: { halfWidth: 4 } }],
    experiment: { cycles: 6, window: 1 },
  },
  'small.json',
);

export const plane = (first: number) => ({
  kind: 'host' as const,
  values: Float32Array.from({ length: NX * NY }, (_, i) => Math.sin(first + i)),
});
const state = (first: number): StatePlanes => ({ eta: plane(first), hu: plane(first + 1), hv: plane(first + 2) });

/** A snapshot of a run in which the second method diverges in cycle 5, and whose odd cycles have observations. */
export function snapshot(cycle: number): Snapshot {
  const count = cycle === 3 ? 0 : 3;
  const numbers = (first: number): Float64Array => Float64Array.from({ length: count }, (_, i) => first + i / 4);
  const there = Float64Array.from([10, 0, 5]).subarray(0, count);
  const onlyThere = (first: number): Float64Array => numbers(first).map((value, i) => (there[i] > 0 ? value : 0));
  return {
    cycle,
    timeSeconds: cycle + 1,
    truth: state(cycle),
    methods: [
      { method: 'free-run', forecast: state(10 * cycle), analysis: state(20 * cycle), spread: undefined },
      {
        method: 'größe',
        ...(cycle === 5 && { divergedAt: 5 }),
        forecast: state(30 * cycle),
        analysis: state(40 * cycle),
        spread: plane(50 * cycle),
        forecastSpread: plane(51 * cycle),
        // One factor of all cells, then one of each.
        inflation: cycle === 1 ? 1.25 : plane(52 * cycle),
        members: [0, 2].map((member) => ({ member, analysis: state(60 * cycle + member) })),
      },
    ],
    observations: {
      x: numbers(1),
      y: numbers(2),
      values: onlyThere(3),
      inverseErrorStd: there,
      share: Float64Array.from([1, 0.5, 0.25]).subarray(0, count),
      network: Uint16Array.from({ length: count }, (_, i) => i % 2),
      variable: Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 'h' : 'speed')),
      innovations: { 'free-run': onlyThere(7), ...(cycle < 5 && { größe: onlyThere(8) }) },
      departures: { 'free-run': onlyThere(9), ...(cycle < 5 && { größe: onlyThere(10) }) },
      believed: { 'free-run': there, ...(cycle < 5 && { größe: there }) },
    },
  };
}

export async function storedRun(
  form: 'records' | 'netcdf',
): Promise<ReturnType<typeof createMemoryStorage> & { readonly record: RunRecord }> {
  const storage = createMemoryStorage();
  const file = createFieldsFile(storage, undefined);
  for (const cycle of CYCLES) await file.add(snapshot(cycle));
  await file.mark()();
  const record = {
    format: 2,
    state: 'complete',
    scenario,
    seed: 1,
    backend: { name: 'reference', adapter: 'host' },
    versions: {},
    methods: scenario.methods.map(({ label, kind }) => ({ label, kind, members: 3 })),
    variables: ['h', 'hu', 'hv'],
    cycles: 6,
    completedCycles: 6,
    start: '',
    end: '',
    resumed: [],
    warnings: [],
    fields: { every: 2, members: [0, 2] },
    files: { [FIELDS_FILE]: file.extent },
  } as unknown as RunRecord;
  await writeRunRecord(storage, record);
  if (form === 'netcdf') {
    const { FS } = await ready;
    const open = new File('/written.nc', 'w', { track_order: true, libver: ['v108', 'v110'] });
    const writer = createFieldsWriter(open, { record, bed: plane(0).values });
    for (const cycle of CYCLES) writer.add(snapshot(cycle));
    writer.finish();
    open.close();
    await storage.writeWhole(NETCDF_FILE, FS.readFile('/written.nc'));
    await storage.remove(FIELDS_FILE);
  }
  return Object.assign(storage, { record });
}
