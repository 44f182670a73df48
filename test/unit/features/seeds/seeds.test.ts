/** A run repeated with several seeds in the window, without its window: what is asked for, progress, cancel, and the result. */
import { describe, expect, it } from 'vitest';
import {
  createReferenceBackend,
  formatResultsTable,
  readSweepResults,
  validateScenario,
} from '../../../../engine/index.ts';
import type { SeedsCommands, SeedsEvent } from '../../../../app/features/seeds/seeds-service.ts';
import { openSeeds, createSeeds, seedsOf } from '../../../../app/features/seeds/seeds-state.ts';
import type { SeedsSubject } from '../../../../app/features/seeds/seeds-state.ts';
import { seedsData, seedsRows } from '../../../../app/features/seeds/page/result.tsx';
import { serveSeeds } from '../../../../app/features/seeds/seeds-service.ts';
import { createRunEdits } from '../../../../app/document/scenario/run-edits.ts';
import { createRunStates } from '../../../../app/document/run-view.ts';
import { SMALL_SCENARIO } from '../../sweep/small-sweep.ts';
import { wires } from '../../workers/wires.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { catalogueOf } from '../../../../app/document/scenario/bundled-scenarios.ts';

const methods = SMALL_SCENARIO.methods.filter(({ kind }) => kind === 'free-run' || kind === 'letkf');
const raw = { ...SMALL_SCENARIO, methods };

function subjectOf(changed: object = raw): SeedsSubject {
  const { scenario } = validateScenario(changed, 'small');
  return {
    raw: changed,
    scenario,
    files: {},
    command: (seeds, backend) => `run ${seeds} ${backend}`,
    needs: undefined,
  };
}

/** Runs over seeds whose workers are in this thread; how many were started, and how many of them are still there. */
function seedsHere(workers = 2) {
  let clock = 0;
  const all: { readonly isTerminated: () => boolean }[] = [];
  const seeds = createSeeds({
    workers: () => workers,
    now: () => (clock += 100),
    start() {
      const wire = wires<SeedsCommands, SeedsEvent>();
      all.push(wire);
      serveSeeds(
        wire.worker,
        () => Promise.resolve(createReferenceBackend()),
        () => Promise.resolve(),
      );
      return wire.page;
    },
  });
  return { ...seeds, started: () => all.length, running: () => all.filter((wire) => !wire.isTerminated()).length };
}

describe('what is asked for', () => {
  it('is ten seeds, and the command line says the same', () => {
    const { choose, seeds, asked, command } = seedsHere();
    choose(subjectOf());
    expect(seeds.value).toHaveLength(10);
    expect(command('wasm')).toBe('run 10 wasm');
    asked.value = '3-5,9';
    expect(command('wasm')).toBe('run 3-5,9 wasm');
  });

  it('is refused in words, and nothing begins', async () => {
    const { choose, seeds, asked, begin, started } = seedsHere();
    choose(subjectOf());
    asked.value = '1';
    expect(seeds.value).toBe('found 1 seed, two or more are needed');
    await begin('reference');
    expect(started()).toBe(0);
  });

  it('has the settings on screen, those that wait included, and not the seed', () => {
    const laboratory = laboratoryOf();
    const { scenario, course } = createRunStates();
    const shipped = catalogueOf(laboratory).bundledScenario('one-stone');
    scenario.openScenario(shipped, { name: 'one-stone.json', kind: 'bundled', files: {} });
    scenario.setDraftValue('background.members', 40);
    scenario.setDraftValue('seed', 99);
    openSeeds(laboratory, { scenario, course, edits: createRunEdits(scenario, course) } as never);
    expect(laboratory.overlays.overlay.value).toBe('seeds');
    expect(seedsOf(laboratory).subject.value?.scenario.background.members).toBe(40);
    expect(seedsOf(laboratory).command('wasm')).toBe(
      'npm run shoal -- run one-stone --seeds 10 --set background.members=40 --backend wasm',
    );
  });
});

describe('seeds beside the page', () => {
  it('are run by workers, with progress, and say which method is better', async () => {
    const { choose, asked, begin, progress, study, results, started, running } = seedsHere();
    choose(subjectOf());
    asked.value = '6';
    const ended = begin('reference');
    expect(progress.value).toEqual({ done: 0, seeds: 6, share: 0, seconds: 0.1 });
    const done: number[] = [];
    const shares: number[] = [];
    const stop = progress.subscribe((now) => {
      if (!now) return;
      done.push(now.done);
      shares.push(now.share);
    });
    await ended;
    stop();
    expect([started(), running()]).toEqual([2, 0]);
    expect(progress.value).toBeUndefined();
    expect(new Set(done)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
    // Cycles count as well as seeds.
    expect(new Set(shares).size).toBeGreaterThan(7);
    expect(shares.at(-1)).toBe(1);
    expect(study.value?.complete).toEqual([1, 2, 3, 4, 5, 6]);
    const rows = study.value ? seedsRows(study.value) : [];
    expect(rows.map(({ method }) => method)).toEqual(['free-run', 'letkf']);
    expect(rows[1].medians).toHaveLength(3);
    expect(rows[1].verdicts.map(({ words }) => words).join()).toMatch(/ of 6 seeds/);
    // What is saved is the sweep of the command line.
    const saved = results.value;
    if (!saved || !study.value) throw new Error('there is no result');
    const file = new TextEncoder().encode(JSON.stringify(saved));
    expect(readSweepResults(file, 'sweep.json').cases.every(({ state }) => state === 'complete')).toBe(true);
    expect(formatResultsTable(saved).trim().split('\n')).toHaveLength(1 + 6 * 2);
    const { columns, rows: data } = seedsData(study.value, (label) => label.toUpperCase());
    expect(data.map(([method]) => method)).toEqual(['FREE-RUN', 'LETKF']);
    expect(data.every(({ length }) => length === columns.length)).toBe(true);
  });

  it('stop when they are cancelled, and those that are complete stay until other settings are chosen', async () => {
    const { choose, asked, begin, cancel, progress, failure, study, running } = seedsHere(1);
    choose(subjectOf());
    asked.value = '50';
    const ended = begin('reference');
    const stop = progress.subscribe((now) => {
      if (now && now.done > 1) cancel();
    });
    // The page may be closed and opened meanwhile: the run continues.
    choose(subjectOf({ ...raw, title: 'another' }));
    await ended;
    stop();
    expect([failure.value, running()]).toEqual([undefined, 0]);
    expect(study.value?.complete).toEqual([1, 2]);
    choose(subjectOf());
    expect(study.value?.complete).toEqual([1, 2]);
    choose(subjectOf({ ...raw, title: 'another' }));
    expect(study.value).toBeUndefined();
  });

  it('say why they failed', async () => {
    const { choose, begin, failure } = createSeeds({
      workers: () => 1,
      start() {
        const { page, worker } = wires<SeedsCommands, SeedsEvent>();
        serveSeeds(
          worker,
          () => Promise.reject(new Error('no such device')),
          () => Promise.resolve(),
        );
        return page;
      },
    });
    choose(subjectOf());
    await begin('webgpu');
    expect(failure.value).toBe('no such device');
  });
});
