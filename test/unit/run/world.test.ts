/** A run whose world is changed while somebody looks at it: what is drawn, asked, forked and refused. */
import { expect, it } from 'vitest';
import { estimateMemory, formatNpy, validateScenario } from '../../../engine/index.ts';
import type { Scenario } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';
import { cyclesOf, open, snapshots } from './hold.ts';

const ADDED: readonly (readonly [number, number])[] = Array.from({ length: 70 }, (_, i) => [
  0.5 + (i % 11),
  0.5 + Math.floor(i / 11),
]);
const GAUGES = { kind: 'gauges', cycle: 2, add: ADDED };
const DROP = { kind: 'drop', cycle: 2, x: 5, y: 4, radius: 2, height: 0.2 };
/** Every cycle is observed, so that there is always something drawn. */
const scenario = tinyScenario({
  observations: [{ name: 'gauges', network: { kind: 'regular', stride: [3, 3] } }],
});

function withChanges(...interventions: readonly object[]): Scenario {
  return validateScenario({ ...scenario, interventions }, 'changed').scenario;
}

it('shows the gauges that were painted with their innovations, by every method, once they observe', async () => {
  const { run, events } = await open(scenario);
  await run.play(2);
  const [drawn] = cyclesOf(events).slice(-1);
  expect(drawn.snapshot.observations.x).toHaveLength(16);
  await run.edit(withChanges(GAUGES));
  await run.play(3);
  const { observations } = snapshots(events).at(-1) ?? {};
  expect(observations?.x).toHaveLength(16 + ADDED.length);
  expect([...(observations?.network ?? [])].filter((network) => network === 1)).toHaveLength(ADDED.length);
  for (const method of ['free-run', '3dvar', 'letkf']) {
    const innovations = observations?.innovations[method] ?? [];
    expect(innovations).toHaveLength(16 + ADDED.length);
    expect([...innovations].every((value) => value !== 0)).toBe(true);
  }
  expect(events.filter(({ type }) => type === 'edited')).toMatchObject([{ cycle: 2, edits: [GAUGES] }]);
  run.dispose();
});

it('answers what each of the gauges makes of the analysis', async () => {
  const { run } = await open(withChanges(GAUGES), { observers: [{ forecasts: true, event: () => undefined }] });
  await run.play(3);
  const question = { kind: 'influence', variable: 'h', cell: { x: 5, y: 4 } } as const;
  const answer = await run.ask({ kind: 'explanation', method: 'letkf', question });
  if (!answer) throw new Error('there is no answer');
  const { contributions, increment } = answer;
  expect(contributions).toHaveLength(16 + ADDED.length);
  // (5.5, 4.5), painted as the 50th, is the nearest; (0.5, 0.5), the first, is out of reach.
  expect(contributions[16 + 49]).not.toBe(0);
  expect(contributions[16]).toBe(0);
  // A sum of 86 products of a weight and an innovation, both below 1.
  expect(Math.abs(contributions.reduce((sum, part) => sum + part, 0) - increment)).toBeLessThan(1e-12);
  run.dispose();
});

it('is forked with gauges and drops to what a run that has them from its start comes to', async () => {
  const { run } = await open(scenario, { ringBytes: 2 ** 26 });
  await run.play();
  const edits = withChanges(GAUGES, DROP).interventions;
  const branch = run.fork(2, edits);
  expect(branch.scenario.interventions).toEqual(edits);
  const job = branch.checkpoint ? { checkpoint: branch.checkpoint } : {};
  const [forked, whole] = [await open(branch.scenario, { job }), await open(withChanges(GAUGES, DROP))];
  await forked.run.play();
  await whole.run.play();
  expect(await forked.run.ask({ kind: 'checkpoint' })).toEqual(await whole.run.ask({ kind: 'checkpoint' }));
  for (const each of [run, forked.run, whole.run]) each.dispose();
});

it('refuses more gauges than there is memory for, and continues without them', async () => {
  const limit = estimateMemory(scenario, 8) + 1000;
  const { run, events } = await open(scenario, { host: { memoryLimitBytes: limit } });
  await run.step();
  await expect(run.edit(withChanges(GAUGES))).rejects.toThrow(/the run needs about .*, allowed:/);
  expect(await run.play()).toBe('complete');
  expect(snapshots(events).at(-1)?.observations.x).toHaveLength(16);
  run.dispose();
});

it('refuses a gauge on land that a file says of', async () => {
  const bed = new Float64Array(120).fill(-1);
  bed[4 * 12 + 5] = 0.25;
  const files = { 'bed.npy': formatNpy([10, 12], bed) };
  const model = { scheme: 'central-upwind', bathymetry: { kind: 'file', file: 'bed.npy' } };
  const dry = validateScenario({ ...scenario, model }, 'dry').scenario;
  const { run } = await open(dry, { job: { files } });
  const wet = {
    kind: 'gauges',
    cycle: 1,
    add: [
      [2, 2],
      [5.2, 4],
    ],
  };
  const onLand = validateScenario({ ...dry, interventions: [wet] }, 'onLand').scenario;
  await expect(run.edit(onLand)).rejects.toThrow(
    /interventions\[0\]\.add\[1\]: found \[5\.2, 4\], which is land, 0\.25 m above/,
  );
  await expect(open(onLand, { job: { files } })).rejects.toThrow(/interventions\[0\]\.add\[1\]/);
  run.dispose();
});
