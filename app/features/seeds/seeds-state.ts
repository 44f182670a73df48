/** The scenario of one window run with several seeds: what is asked for, how far it is, and what the seeds say so far. */
import { batch, computed, signal } from '@preact/signals';
import {
  formatRanges,
  parseSeeds,
  startService,
  summariseSeeds,
  problemsIn,
  validateScenario,
} from '../../../engine/index.ts';
import type { BackendName, KeptCase, Scenario, Service, ServicePort, SweepResults } from '../../../engine/index.ts';
import { versionsHere } from '../../page/versions-here.ts';
import { createStoppable, workerPort } from '../../workers/worker-port.ts';
import type { SeedsCommands, SeedsEvent } from './seeds-service.ts';
import { type Laboratory, slot } from '../../page/laboratory.ts';
import { commandLine } from '../../document/run/command-line.ts';
import type { Command } from '../../page/commands.ts';
import type { RunView } from '../../document/run-view.ts';
import { catalogueOf } from '../../document/scenario/bundled-scenarios.ts';

/** The scenario that the page was opened with. */
export interface SeedsSubject {
  /** As its file would have it. */
  readonly raw: unknown;
  readonly scenario: Scenario;
  /** Contents of the files that it names. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** @returns the command line that does the same. @param seeds as they are typed */
  readonly command: (seeds: string, backend: BackendName) => string;
  /** The file that the scenario has to be saved as before the command works. */
  readonly needs: string | undefined;
}

/** How far a run over seeds is. */
export interface SeedsProgress {
  /** Seeds that are complete or failed. */
  readonly done: number;
  readonly seeds: number;
  /** Completed share of all cycles of all seeds, 0 to 1. */
  readonly share: number;
  /** Since it began. */
  readonly seconds: number;
}

export interface SeedsOptions {
  readonly start?: (backend: BackendName) => ServicePort<SeedsCommands, SeedsEvent>;
  readonly workers?: (backend: BackendName, seeds: number) => number;
  /** Milliseconds. */
  readonly now?: () => number;
}

const USUAL_SEEDS = '10';

/** @param backend that the worker opens; it is the worker's name */
function startWorker(backend: BackendName): ServicePort<SeedsCommands, SeedsEvent> {
  return workerPort(
    new Worker(new URL('./seeds-worker.ts', import.meta.url), { type: 'module', name: backend }),
    (why) => new Error(`A worker that runs the seeds broke down: ${why}`),
  );
}

/** @returns how many workers compute at once: one for each core but the one of the run on screen; a GPU is one device */
export function workersFor(backend: BackendName, seeds: number): number {
  const cores = typeof navigator === 'undefined' ? 1 : navigator.hardwareConcurrency;
  return backend === 'webgpu' ? 1 : Math.max(1, Math.min(seeds, cores - 1));
}

export function createSeeds({
  start = startWorker,
  workers = workersFor,
  now = () => performance.now(),
}: SeedsOptions = {}) {
  const subject = signal<SeedsSubject | undefined>(undefined);
  /** As they are typed. */
  const asked = signal(USUAL_SEEDS);
  const progress = signal<SeedsProgress | undefined>(undefined);
  /** Results of the cases so far. */
  const results = signal<SweepResults | undefined>(undefined);
  /** Why there is no result. */
  const failure = signal<string | undefined>(undefined);
  /** The seeds, or what is wrong with what is typed. */
  const seeds = computed(() => parseSeeds(asked.value));
  const study = computed(() => results.value && summariseSeeds(results.value));
  const { run, cancel } = createStoppable((reason) => {
    failure.value = reason;
  });

  /** Takes a scenario, unless one is being run. What was found of the same scenario stays. */
  function choose(next: SeedsSubject): void {
    if (progress.value) return;
    const isSame = JSON.stringify(subject.value?.raw) === JSON.stringify(next.raw);
    batch(() => {
      subject.value = next;
      failure.value = undefined;
      if (!isSame) results.value = undefined;
    });
  }

  /** Puts what came of a case into the results. */
  function keep(index: number, kept: KeptCase): void {
    const known = results.value;
    if (known) results.value = { ...known, cases: known.cases.with(index, { ...known.cases[index], ...kept }) };
  }

  /** Runs the cases one after the other in a worker that stays warm, until none is left. */
  async function runCases(
    service: Service<SeedsCommands>,
    next: () => number | undefined,
    done: (index: number) => void,
  ) {
    for (let index = next(); index !== undefined; index = next()) {
      const kept = await service.call('run', index);
      batch(() => {
        keep(index, kept);
        done(index);
      });
    }
  }

  /** Runs the scenario with each seed, in workers beside the page. */
  async function begin(backend: BackendName): Promise<void> {
    const [of, wanted] = [subject.value, seeds.value];
    if (progress.value || !of || typeof wanted === 'string') return;
    const began = now();
    const shares = new Float64Array(wanted.length);
    const finished = new Set<number>();
    const show = (): void => {
      const share = shares.reduce((sum, each) => sum + each, 0) / wanted.length;
      progress.value = { done: finished.size, seeds: wanted.length, share, seconds: (now() - began) / 1000 };
    };
    batch(() => {
      failure.value = undefined;
      results.value = undefined;
      show();
    });
    const listen = ({ index, share }: SeedsEvent): void => {
      shares[index] = share;
      if (progress.value) show();
    };
    let upcoming = 0;
    const next = (): number | undefined => (upcoming < wanted.length ? upcoming++ : undefined);
    const done = (index: number): void => {
      shares[index] = 1;
      finished.add(index);
      show();
    };
    const services = Array.from({ length: workers(backend, wanted.length) }, () =>
      startService<SeedsCommands, SeedsEvent>(start(backend), listen),
    );
    const end = (error?: Error): void => services.forEach((service) => service.end(error));
    const order = { raw: of.raw, seeds: wanted, files: of.files, versions: versionsHere() };
    await run(end, async () => {
      await Promise.all(
        services.map(async (service) => {
          const planned = await service.call('plan', order);
          results.value ??= planned;
          await runCases(service, next, done);
        }),
      );
    });
    progress.value = undefined;
  }

  /** The command line that does the same as what is asked for. */
  function command(backend: BackendName): string {
    const wanted = seeds.value;
    return typeof wanted === 'string' ? '' : (subject.value?.command(countOf(wanted), backend) ?? '');
  }

  return { subject, asked, seeds, progress, results, study, failure, choose, begin, cancel, command };
}

/** @returns seeds as the command line has them: `10` for 1 to 10 */
function countOf(seeds: readonly number[]): string {
  const isCount = seeds.every((seed, index) => seed === index + 1);
  return isCount ? String(seeds.length) : formatRanges(seeds);
}

export type Seeds = ReturnType<typeof createSeeds>;

/** @returns the runs over several seeds of a page */
export const seedsOf = slot<Laboratory, Seeds>(() => createSeeds());

/** The run on screen with the changes that wait. @throws ScenarioError */
function subjectOf(laboratory: Laboratory, { edits, scenario: { origin, openedScenario } }: RunView): SeedsSubject {
  const raw = edits.runOrDraft.value;
  const { scenario } = validateScenario(raw, 'the scenario on screen');
  const { name, kind, files } = origin.value;
  const original =
    kind === 'bundled'
      ? catalogueOf(laboratory).bundledScenario(name.replace(/\.json$/, '')).scenario
      : openedScenario.value;
  return {
    raw,
    scenario,
    files,
    command: (seeds, backend) =>
      commandLine({ origin: { name, kind }, original: original ?? scenario, running: scenario, backend, seeds }),
    needs: kind === 'run' ? name : undefined,
  };
}

/** The way from the run on screen to the page that repeats it with several seeds. */
export function openSeeds(laboratory: Laboratory, run: RunView): void {
  try {
    seedsOf(laboratory).choose(subjectOf(laboratory, run));
    laboratory.overlays.openOverlay('seeds');
  } catch (error) {
    const lines = problemsIn(error).map(({ message }) => message);
    laboratory.notices.notify('warning', 'The settings have problems', { lines });
  }
}

export function seedsCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  return [
    {
      id: 'run.seeds',
      group: 'Run',
      title: 'Repeat with several seeds…',
      keywords: 'many seeds random compare methods better winner significant interval statistics sweep',
      enabled: () => run.course.info.value !== undefined,
      run: () => openSeeds(laboratory, run),
    },
  ];
}
