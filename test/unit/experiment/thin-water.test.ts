/** Methods in a basin whose rim is dry: an analysis of thin water must leave a state that the model can forecast. */
import { describe, expect, it } from 'vitest';
import { runBackends } from '../../setup/backends.ts';
import { dryRimScenario } from '../../setup/dry-rim.ts';
import { runScenario } from '../../setup/run-scenario.ts';

/** A last share of a run, in which errors have settled. */
const LAST = 5;

describe.each(runBackends)('a basin with a dry rim on $name', ({ name, open }) => {
  it('breaks no method, and makes none worse than the free run', async () => {
    // In software a GPU takes its time: it runs the first cycles of one method. Its operators have tests of their own.
    const isSlow = name === 'webgpu';
    const size = isSlow ? { cells: 8, members: 4, cycles: 3 } : { cells: 14, members: 8, cycles: 15 };
    const scenario = dryRimScenario({ ...size, dx: 50, depth: 2, edgeDepth: -1, seed: 7, observed: ['u', 'v'] });
    const backend = await open();
    const { events, diagnostics } = await runScenario(backend, scenario, isSlow ? ['free-run', '3dvar'] : undefined);
    backend.dispose();
    expect(events.flatMap((event) => (event.type === 'diverged' ? [event.message] : []))).toEqual([]);
    if (isSlow) return;
    const meanError = (method: string): number => {
      const rows = diagnostics.filter((row) => row.method === method).slice(-LAST);
      return (
        rows.reduce((sum, { rmse }) => sum + Math.hypot(rmse.analysis['hu'], rmse.analysis['hv']), 0) / rows.length
      );
    };
    const free = meanError('free-run');
    const worse = ['3dvar', 'letkf', 'enkf', 'hybrid'].filter((method) => meanError(method) >= free);
    expect(worse).toEqual([]);
  });
});
