/** Two hundred cycles in basins with a dry rim: no method diverges, on the backend of the verification. */
import { describe, expect, it } from 'vitest';
import { backends } from '../setup/backends.ts';
import { dryRimScenario } from '../setup/dry-rim.ts';
import { runScenario } from '../setup/run-scenario.ts';

const wanted = process.env['SHOAL_VERIFICATION_BACKEND'] ?? 'reference';
const large = { members: 20, cycles: 200 };

describe(`basins with a dry rim on ${wanted}`, () => {
  it.each([
    { ...large, cells: 32, dx: 1000, depth: 10, edgeDepth: -2, seed: 1, observed: ['u', 'v'] },
    { ...large, cells: 24, dx: 50, depth: 2, edgeDepth: -1, seed: 7, observed: ['u', 'v'] },
    { ...large, cells: 24, dx: 100, depth: 1, edgeDepth: -1, seed: 4, observed: ['speed', 'eta'] },
    { ...large, cells: 24, dx: 1, depth: 0.3, edgeDepth: -0.2, seed: 11, observed: ['h', 'hu', 'hv'] },
  ] as const)('break no method: $depth m deep, seed $seed', async (rim) => {
    const found = backends.find(({ name }) => name === wanted);
    if (!found) throw new Error(`the backend '${wanted}' is not here`);
    const backend = await found.open();
    const { events } = await runScenario(backend, dryRimScenario(rim));
    backend.dispose();
    expect(events.flatMap((event) => (event.type === 'diverged' ? [event.message] : []))).toEqual([]);
  });
});
