/** The page of sweeps without its window: what is opened, chosen, and handed to the laboratory. */
import { describe, expect, it } from 'vitest';
import { readerHere } from '../reading/reader-here.ts';
import { createWorkerReader } from '../../../../app/features/reading/worker-reader.ts';
import { serveReading } from '../../../../app/features/reading/reading-service.ts';
import type { ReadingCommands, ReadingQuestion } from '../../../../app/features/reading/reading-service.ts';
import { readHdf5Here } from '../../../../engine/index.ts';
import { openCell } from '../../../../app/features/sweeps/page/index.tsx';
import { createRunView } from '../../../../app/document/run-view.ts';
import { scansOf, inSlices, createSweeps, sweepsOf } from '../../../../app/features/sweeps/sweeps-state.ts';
import { sweepResults } from '../../../setup/sweep-results.ts';
import { wires } from '../../workers/wires.ts';
import { fakeRuns } from '../../document/run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { catalogueOf } from '../../../../app/document/scenario/bundled-scenarios.ts';

const fileOf = (value: unknown, name = 'sweep.json') => ({
  name,
  bytes: new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)),
});

describe('the page of sweeps', () => {
  it('shows a file, by its first measure, of the method whose settings were varied', async () => {
    const sweeps = createSweeps(readerHere);
    await sweeps.open(fileOf(sweepResults()));
    expect(sweeps.table.value?.source).toBe('sweep.json');
    expect(sweeps.subject.value).toEqual({ measure: 0, method: 2 });
    expect(sweeps.axes.value).toEqual({ x: 0, y: 1 });
    expect(sweeps.told.value).toBe(sweeps.findings.value?.best);
    expect(sweeps.contests.value).toBeUndefined();
    sweeps.view.value = 'methods';
    await expect.poll(() => sweeps.contests.value?.length).toBe(sweeps.combinations.value.length);
    sweeps.pointed.value = 3;
    expect(sweeps.told.value).toBe(3);
    sweeps.chooseSubject({ method: 1 });
    expect(sweeps.cells.value.every(({ diverged }) => diverged === 0)).toBe(true);
    sweeps.close();
    expect(sweeps.table.value).toBeUndefined();
  });

  it('reports what is wrong with a file and keeps what was there; of two files the later one is shown', async () => {
    const sweeps = createSweeps(readerHere);
    await sweeps.open(fileOf(sweepResults()));
    await sweeps.open(fileOf('{}', 'empty.json'));
    expect(sweeps.failure.value).toContain('empty.json: format');
    expect(sweeps.table.value?.source).toBe('sweep.json');
    const [first, second] = ['first.json', 'second.json'].map((name) => sweeps.open(fileOf(sweepResults(), name)));
    await Promise.all([first, second]);
    expect(sweeps.table.value?.source).toBe('second.json');
    expect([sweeps.failure.value, sweeps.reading.value]).toEqual([undefined, undefined]);
  });

  it('says so much of what is wrong as can be read', async () => {
    const results = sweepResults();
    const cases = results.cases.map((each) => ({ ...each, seed: -1 }));
    const sweeps = createSweeps(readerHere);
    await sweeps.open(fileOf({ ...results, cases }));
    const lines = sweeps.failure.value?.split('\n') ?? [];
    expect(lines[0]).toContain('sweep.json: cases[0].seed');
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toBe('and more');
  });

  it('reads beside the page, whose thread gets columns and no cases', async () => {
    const { page, worker } = wires<ReadingCommands, ReadingQuestion>();
    serveReading(worker, readHdf5Here);
    const table = await createWorkerReader(() => page).sweep(fileOf(sweepResults()));
    expect(table).toEqual(await readerHere.sweep(fileOf(sweepResults())));
  });
});

describe('long work', () => {
  it('lets the page have its turn after each slice, and ends when it is not wanted any more', async () => {
    let [time, rests] = [0, 0];
    const work = (stop: number, abort = new AbortController()) =>
      inSlices(
        100,
        (number) => {
          time += 1;
          if (number === stop) abort.abort();
          return number;
        },
        {
          signal: abort.signal,
          now: () => time,
          rest: async () => {
            rests += 1;
          },
        },
      );
    expect(await work(-1)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    // Twelve of a millisecond each to a slice.
    expect(rests).toBe(Math.ceil(100 / 12));
    expect(await work(30)).toBeUndefined();
    expect(time).toBe(100 + 36);
  });
});

describe('a cell that is opened', () => {
  it('is the run with its median, or that of a chosen seed, in the laboratory', async () => {
    const laboratory = laboratoryOf();
    const { opened, open } = fakeRuns();
    const run = createRunView(laboratory, open);
    const { overlays } = laboratory;
    const sweeps = sweepsOf(laboratory);
    await sweeps.open(fileOf(sweepResults()));
    overlays.openOverlay('sweeps');
    const best = sweeps.findings.value?.best ?? 0;
    openCell(laboratory, run, best);
    expect(overlays.overlay.value).toBe('none');
    await expect.poll(() => opened.length).toBe(1);
    expect(opened[0].scenario).toMatchObject({ name: 'swept', background: { members: 20 } });
    expect(opened[0].scenario.methods[2]).toMatchObject({ inflation: 1.05, localisation: { halfWidth: 5 } });
    expect(run.scenario.origin.value).toMatchObject({ kind: 'run' });
    expect(run.edits.unsaved.value).toBe(false);
    sweeps.seed.value = 7;
    openCell(laboratory, run, best);
    await expect.poll(() => opened.length).toBe(2);
    expect(opened[1].scenario.seed).toBe(7);
    expect(opened[1].scenario.title).toMatch(/Inflation 1\.05, Half-width 5\u00a0m, Members 20, seed 7$/);
  });

  it('of a scan runs with the first of its seeds', async () => {
    const laboratory = laboratoryOf();
    const { opened, open } = fakeRuns();
    const run = createRunView(laboratory, open);
    const { scenario } = catalogueOf(laboratory).bundledScenario('first-light');
    const scan = scansOf(scenario)[1];
    sweepsOf(laboratory).openScan(scenario, scan);
    openCell(laboratory, run, 0);
    await expect.poll(() => opened.length).toBe(1);
    expect(opened[0].scenario.seed).toBe(scan.seeds[0]);
    expect(opened[0].scenario.methods[2]).toMatchObject({
      kind: 'letkf',
      relaxation: { factor: scan.table[0].values[1] },
    });
  });

  it('whose setting the scenario has not is refused, and the page stays', async () => {
    const laboratory = laboratoryOf();
    const run = createRunView(laboratory, fakeRuns().open);
    const results = sweepResults();
    const [axis, ...others] = results.axes;
    await sweepsOf(laboratory).open(
      fileOf({ ...results, axes: [{ ...axis, path: 'methods[2].inflatoin' }, ...others] }),
    );
    laboratory.overlays.openOverlay('sweeps');
    openCell(laboratory, run, 0);
    expect(sweepsOf(laboratory).failure.value).toContain('methods[2].inflatoin');
    expect(laboratory.overlays.overlay.value).toBe('sweeps');
  });
});
