/** A plan that takes long says so, once where no bar can be drawn; a short one says nothing. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PlanProgress } from '../../../../engine/index.ts';
import { withPlanProgress } from '../../../../app/cli/sweep/execute.ts';
import { createTerminal } from '../../../../app/cli/context.ts';

const written: string[] = [];
const terminal = createTerminal(
  {},
  { write: () => true },
  {
    write: (text: string) => {
      written.push(text);
      return true;
    },
  },
);

beforeEach(() => {
  vi.useFakeTimers();
  written.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

/** Checks ten combinations, each of which takes so long. */
function planOf(milliseconds: number) {
  return async (onProgress: PlanProgress): Promise<string> => {
    for (let checked = 1; checked <= 10; checked++) {
      vi.advanceTimersByTime(milliseconds);
      onProgress(checked, 10);
    }
    return Promise.resolve('the plan');
  };
}

it('says nothing of a plan that takes less than a second', async () => {
  expect(await withPlanProgress(terminal, planOf(99))).toBe('the plan');
  expect(written).toEqual([]);
});

it('says once what takes longer', async () => {
  expect(await withPlanProgress(terminal, planOf(300))).toBe('the plan');
  expect(written).toEqual(['checking 10 combinations of settings …\n']);
});
