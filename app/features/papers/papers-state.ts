/** What the Papers page of one window shows: the chosen paper, its table, and who answers its live figure. */
import { signal } from '@preact/signals';
import {
  benchmarksOf,
  PAPERS,
  startService,
  type BackendName,
  type Benchmark,
  type Extent,
  type Paper,
  type Service,
  type ServicePort,
  type Surface,
  type SurfaceAnswer,
  type SurfaceQuestion,
} from '../../../engine/index.ts';
import type { PaperCommands, PaperEvent } from '../../services/papers.ts';
import { computingPort } from '../../document/compute/workers.ts';
import { createStoppable } from '../../workers/worker-port.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import { createBenchmarks, type Benchmarks } from '../benchmarks/benchmarks-state.ts';

/** The table of one paper: its rows at the paper’s sizes, and what was measured of them here. */
interface PaperTableState {
  readonly benchmarks: readonly Benchmark[];
  readonly measured: Benchmarks;
}

/** @param backend that the worker opens; it is the worker's name */
function startWorker(backend: BackendName): ServicePort<PaperCommands, PaperEvent> {
  return computingPort(
    new Worker(new URL('./paper-worker.ts', import.meta.url), { type: 'module', name: backend }),
    (why) => new Error(`The worker that computes the papers’ figures broke down: ${why}`),
  );
}

function tableOf(paper: Paper, extent: Extent): PaperTableState {
  const benchmarks = benchmarksOf([paper.suite], extent);
  return { benchmarks, measured: createBenchmarks({ benchmarks, keepsRows: true }) };
}

/** @returns the cells of two measurements, each with the higher rate of the two */
function betterSurface(before: Surface | undefined, now: Surface): Surface {
  if (!before) return now;
  const cells = now.cells.map((cell, at) => {
    const known = before.cells[at]?.gigaflops ?? null;
    return known !== null && known > (cell.gigaflops ?? 0) ? { ...cell, gigaflops: known } : cell;
  });
  return { ...now, cells, copyGigaflops: Math.max(before.copyGigaflops, now.copyGigaflops) };
}

function betterAnswer(before: SurfaceAnswer, now: SurfaceAnswer): SurfaceAnswer {
  const better = now.map((each) =>
    betterSurface(
      before.find(({ length }) => length === each.length),
      each,
    ),
  );
  return [...better, ...before.filter(({ length }) => now.every((each) => each.length !== length))];
}

/** The name of what surfaces of the same kind share. */
export function surfaceKey(backend: BackendName, { element, transposed }: SurfaceQuestion): string {
  return [backend, element, transposed].join(' ');
}

/** Tuning surfaces, each measured in a worker of its own, which ends when it is stopped. */
function createSurfaces(start: typeof startWorker) {
  const known = signal<ReadonlyMap<string, SurfaceAnswer>>(new Map());
  /** The key of what is measured. */
  const measuring = signal<string | undefined>(undefined);
  const failure = signal<string | undefined>(undefined);
  const { run, cancel } = createStoppable((reason) => {
    failure.value = reason;
  });
  return {
    known,
    measuring,
    failure,
    cancel,
    measure: async (backend: BackendName, question: SurfaceQuestion): Promise<void> => {
      const key = surfaceKey(backend, question);
      const before = known.value.get(key) ?? [];
      const keep = (answer: SurfaceAnswer): void => {
        known.value = new Map(known.value).set(key, betterAnswer(before, answer));
      };
      const service = startService<PaperCommands, PaperEvent>(start(backend), keep);
      failure.value = undefined;
      measuring.value = key;
      await run(
        (error) => service.end(error),
        async () => keep(await service.call('tuningSurface', question)),
      );
      measuring.value = undefined;
    },
  };
}

export function createPapers(start = startWorker, extent: Extent = 'papers') {
  const chosen = signal<Paper['id']>(PAPERS[0].id);
  const tables = new Map(PAPERS.map((paper) => [paper.id, tableOf(paper, extent)]));
  let service: { readonly backend: BackendName; readonly calls: Service<PaperCommands> } | undefined;

  /** @returns the service that answers on a backend; the one of another backend ends */
  function serviceOn(backend: BackendName): Service<PaperCommands> {
    if (service?.backend === backend) return service.calls;
    service?.calls.end();
    const calls = startService<PaperCommands, PaperEvent>(start(backend), undefined, () => {
      service = undefined;
    });
    service = { backend, calls };
    return calls;
  }

  return {
    chosen,
    surfaces: createSurfaces(start),
    tableOf: (paper: Paper['id']): PaperTableState => {
      const table = tables.get(paper);
      if (!table) throw new RangeError(`there is no paper ${paper}`);
      return table;
    },
    /** Answers a question of a live figure on a backend. */
    ask: <Name extends keyof PaperCommands>(
      backend: BackendName,
      name: Name,
      question: Parameters<PaperCommands[Name]>[0],
    ): Promise<ReturnType<PaperCommands[Name]>> =>
      serviceOn(backend).call(name, question as never) as Promise<ReturnType<PaperCommands[Name]>>,
    /** Ends the worker; the next question starts another one. */
    rest: (): void => {
      service?.calls.end();
      service = undefined;
    },
  };
}

export type Papers = ReturnType<typeof createPapers>;

function createPapersOf(): Papers {
  return createPapers();
}

/** @returns the papers of a page */
export function papersOf(laboratory: Laboratory): Papers {
  return laboratory.use(createPapersOf);
}
