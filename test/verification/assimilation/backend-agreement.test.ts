/** Every backend gives the same run as the reference: how far they may differ is derived where they are compared. */
import { afterAll, describe, expect, it } from 'vitest';
import { agreementProblems, compareRuns } from '../../../engine/check/assimilation/twin.ts';
import type { Backend } from '../../../engine/index.ts';
import { allBackends } from '../../setup/backends.ts';
import { isNightly } from '../../setup/nightly.ts';

const AFTER = [1, 10, 40];

/** A GPU in software takes most of a minute: `npm run nightly` has it; its kernels are compared one by one in `npm test`. */
const others = allBackends.filter(({ name }) => isNightly || name !== 'webgpu').slice(1);
const pairs = others.map((other) => [other.name, other] as const);

describe.each(pairs)('reference and %s', (name, { open }) => {
  // A GPU in software takes half a minute a run, and the unfurnished backend has the operators of the reference: there the scheme
  // with the most in it.
  const chosen = name === 'wasm' ? agreementProblems : agreementProblems.slice(0, 1);
  const opened: Backend[] = [];
  afterAll(() => opened.forEach((backend) => backend.dispose()));

  it.each(chosen)(
    'give the same run of every method with $scheme after 1, 10 and 40 cycles',
    async (problem) => {
      const [reference, other] = [await allBackends[0].open(), await open()];
      opened.push(reference, other);
      const { differences, diagnostics } = await compareRuns(reference, other, problem, AFTER);
      expect(new Set(differences.map(({ cycle }) => cycle))).toEqual(new Set(AFTER));
      for (const { state, cycle, difference, bound } of differences) {
        expect(difference, `${state} after ${cycle} cycles`).toBeLessThanOrEqual(bound);
      }
      // And the runs are of some interest: the filters are well below the free run, and drops have fallen.
      const last = diagnostics.filter(({ cycle }) => cycle >= 20);
      const error = (kind: string) =>
        last.filter(({ method }) => method === kind).reduce((sum, { rmse }) => sum + rmse.analysis['h'], 0);
      for (const kind of ['3dvar', 'letkf', 'enkf']) expect(error(kind)).toBeLessThan(0.7 * error('free-run'));
    },
    300_000,
  );
});
