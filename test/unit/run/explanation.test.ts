/** A run is asked why the analysis of a method is what it is, across a channel over which everything is cloned. */
import { expect, it } from 'vitest';
import { createReferenceBackend, NotKeptError, QuestionError } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';
import { hold } from './hold.ts';

const question = { kind: 'covariance-column', variable: 'h', cell: { x: 4, y: 3 } } as const;

/** Wants to ask. */
const ASKING = [{ forecasts: true, event: () => undefined }];

it.each([false, true])(
  'a run gives the column of B of its 3D-Var, between cycles (across a channel: %s)',
  async (across) => {
    const { run } = hold(tinyScenario(), { across, observers: ASKING });
    await run.ready;
    await run.step();
    const answer = await run.ask({ kind: 'explanation', method: '3dvar', question });
    const { nx, ny } = (await run.ready).basin;
    const cell = 3 * nx + 4;
    expect(answer?.values).toHaveLength(3 * nx * ny);
    // The variance in the cell itself is the largest number of the column: the correlation with itself is 1.
    const surface = Array.from(answer?.values.slice(0, nx * ny) ?? []);
    expect(surface.indexOf(Math.max(...surface))).toBe(cell);
    expect(surface[cell]).toBeGreaterThan(0);
    run.dispose();
  },
);

it('what is asked does not change the run', async () => {
  const asked = hold(tinyScenario(), { observers: ASKING });
  const left = hold(tinyScenario());
  for (let cycle = 0; cycle < 4; cycle++) {
    await asked.run.step();
    await asked.run.ask({ kind: 'explanation', method: '3dvar', question });
    await left.run.step();
  }
  const [one, other] = [await asked.run.ask({ kind: 'checkpoint' }), await left.run.ask({ kind: 'checkpoint' })];
  expect(one.arrays).toEqual(other.arrays);
});

it('a method that has no answer says so, and one that there is not is refused', async () => {
  const { run } = hold(tinyScenario(), { observers: ASKING });
  await run.step();
  expect(await run.ask({ kind: 'explanation', method: 'free-run', question })).toBeUndefined();
  await expect(run.ask({ kind: 'explanation', method: 'nobody', question })).rejects.toThrow('found no method nobody');
  // The run continues.
  await run.step();
  expect((await run.ask({ kind: 'checkpoint' })).cycle).toBe(2);
  run.dispose();
});

const influence = { kind: 'influence', variable: 'h', cell: { x: 4, y: 3 } } as const;
const alone = { kind: 'single-observation', observation: { index: 5 } } as const;

it('a cycle that was not asked about is run again from a checkpoint before it, to the same answers', async () => {
  const asked = hold(tinyScenario(), { observers: ASKING });
  await asked.run.play(4);
  const past = hold(tinyScenario());
  await past.run.play(2);
  const checkpoint = await past.run.ask({ kind: 'checkpoint' });
  await past.run.play(4);
  const late = past.run.ask({ kind: 'explanation', method: 'letkf', question: influence });
  await expect(late).rejects.toBeInstanceOf(NotKeptError);
  await expect(late).rejects.toThrow('the forecast of cycle 3 is not kept');
  // One that the run has continued from is not mistaken for the latest.
  const gone = asked.run.ask({ kind: 'explanation', method: 'letkf', question: influence, cycle: 2 });
  await expect(gone).rejects.toThrow('found a question about cycle 2, the run is at cycle 3');
  const again = hold(tinyScenario(), { across: true, job: { checkpoint }, observers: ASKING });
  await again.run.play(4);
  for (const method of ['3dvar', 'letkf']) {
    for (const question of [influence, alone]) {
      const [one, other] = await Promise.all(
        [asked, again].map(({ run }) => run.ask({ kind: 'explanation', method, question })),
      );
      expect(one).toBeDefined();
      expect(other).toEqual(one);
    }
  }
});

it('without room for the forecasts the run continues, and says that it cannot be asked', async () => {
  const { memoryBytes, explanationBytes } = await hold(tinyScenario()).run.ready;
  expect(explanationBytes).toBeGreaterThan(0);
  const host = { memoryLimitBytes: memoryBytes + explanationBytes - 1 };
  const { run, events } = hold(tinyScenario(), { host, observers: ASKING });
  await run.step();
  await expect(run.ask({ kind: 'explanation', method: '3dvar', question })).rejects.toThrow('is not kept');
  const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
  expect(warnings.join('\n')).toContain('cannot be asked: that needs');
});

it('forecasts are kept as long as somebody wants them', async () => {
  const { run } = hold(tinyScenario());
  const stop = run.observe(ASKING[0]);
  await run.play(2);
  const answer = await run.ask({ kind: 'explanation', method: 'letkf', question: alone });
  expect(answer?.increment.some((value) => value !== 0)).toBe(true);
  stop();
  await run.step();
  await expect(run.ask({ kind: 'explanation', method: 'letkf', question: alone })).rejects.toThrow('is not kept');
});

/** An observation that there was not. */
const nobodys = { variable: 'h', x: 4, y: 3, value: 0.1, errorStd: 0.02 } as const;

it('an observation that nobody made is refused if nothing can be observed, as a question', async () => {
  const { run } = hold(tinyScenario(), { across: true, observers: ASKING });
  await run.step();
  for (const [wrong, message] of [
    [{ x: 12.5 }, 'is outside the grid'],
    [{ variable: 'salinity' }, 'salinity is not an observed variable'],
    [{ errorStd: 0 }, 'found the error 0, allowed: numbers above 0'],
  ] as const) {
    const question = { kind: 'single-observation', observation: { ...nobodys, ...wrong } } as const;
    const refused = run.ask({ kind: 'explanation', method: 'letkf', question });
    await expect(refused).rejects.toBeInstanceOf(QuestionError);
    await expect(refused).rejects.toThrow(message);
  }
  const question = { kind: 'single-observation', observation: nobodys } as const;
  expect((await run.ask({ kind: 'explanation', method: 'letkf', question }))?.isUsed).toBe(true);
  run.dispose();
});

it('what was made to answer is freed with the forecasts', async () => {
  const backend = createReferenceBackend();
  const alive = new Set<string>();
  const allocate = backend.allocate.bind(backend);
  backend.allocate = (label, kind, length) => {
    const field = allocate(label, kind, length);
    alive.add(label);
    const dispose = field.dispose.bind(field);
    return Object.assign(field, {
      dispose() {
        alive.delete(label);
        dispose();
      },
    });
  };
  const { run } = hold(tinyScenario(), { backend });
  await run.step();
  const without = new Set(alive);
  const made = { kind: 'single-observation', observation: nobodys } as const;
  for (let round = 0; round < 2; round++) {
    const stop = run.observe(ASKING[0]);
    await run.step();
    await run.ask({ kind: 'explanation', method: 'letkf', question: made });
    stop();
    await run.ask({ kind: 'innovations' });
    // The network of one place stays: the methods share it, and it is small.
    const left = [...alive].filter((label) => !without.has(label) && !/lone/i.test(label));
    expect(left).toEqual([]);
    expect([...alive].filter((label) => label.startsWith('letkf.lone'))).toEqual([]);
  }
});

it('arrays of an answer are nobody else’s: they are given away with it', async () => {
  const { run } = hold(tinyScenario(), { observers: ASKING });
  await run.step();
  const question = { kind: 'observation', observation: nobodys } as const;
  const answers = [
    await run.ask({ kind: 'explanation', method: '3dvar', question }),
    await run.ask({ kind: 'explanation', method: '3dvar', question }),
  ];
  const buffers = answers.flatMap((answer) =>
    [answer?.prior, answer?.alone, answer?.together].map((each) => each?.members.buffer),
  );
  expect(new Set(buffers).size).toBe(6);
  run.dispose();
});
