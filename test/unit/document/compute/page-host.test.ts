/** Waiting for the page's GPU between the parts of long cycles. */
import { expect, it } from 'vitest';
import { createGpuPace } from '../../../../app/document/compute/page-host.ts';

/** A GPU that does one part after the other; each takes the same time. */
function gpu() {
  let now = 0;
  let finish: (() => void)[] = [];
  const queue = {
    onSubmittedWorkDone: () =>
      new Promise<undefined>((resolve) => {
        finish.push(() => resolve(undefined));
      }),
  };
  return {
    pace: createGpuPace(queue, () => now),
    get waiting() {
      return finish.length;
    },
    /** All that was submitted is done after so many ms. */
    async do(milliseconds: number): Promise<void> {
      now += milliseconds;
      const ended = finish;
      finish = [];
      for (const end of ended) end();
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
  };
}

/** @returns whether the next part waited for the GPU, which took so long */
async function waits(on: ReturnType<typeof gpu>, milliseconds: number): Promise<boolean> {
  let isOver = false;
  const over = on.pace().then(() => {
    isOver = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 0));
  const waited = !isOver;
  await on.do(milliseconds);
  await over;
  return waited;
}

it('waits for each part while parts are long, and no more after many short ones', async () => {
  const on = gpu();
  expect([await waits(on, 20), await waits(on, 20)]).toEqual([true, true]);
  const short: boolean[] = [];
  for (let part = 0; part < 40; part++) short.push(await waits(on, 1));
  expect(short.lastIndexOf(true)).toBe(31);
});

it('waits for the first part alone where all are short, and again from the part after a long one', async () => {
  const on = gpu();
  expect([await waits(on, 1), await waits(on, 1), await waits(on, 9), await waits(on, 1)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

it('looks at one part at a time', async () => {
  const on = gpu();
  await waits(on, 1);
  await Promise.all([on.pace(), on.pace(), on.pace()]);
  expect(on.waiting).toBe(1);
});

it('leaves a lost device to those who wait for results', async () => {
  const pace = createGpuPace({ onSubmittedWorkDone: () => Promise.reject(new Error('lost')) });
  await expect(pace()).resolves.toBeUndefined();
});
