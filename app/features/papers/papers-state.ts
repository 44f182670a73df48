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
} from '../../../engine/index.ts';
import type { PaperCommands } from '../../services/papers.ts';
import { workerPort } from '../../workers/worker-port.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import { createBenchmarks, type Benchmarks } from '../benchmarks/benchmarks-state.ts';

/** The table of one paper: its rows at the paper’s sizes, and what was measured of them here. */
interface PaperTableState {
  readonly benchmarks: readonly Benchmark[];
  readonly measured: Benchmarks;
}

/** @param backend that the worker opens; it is the worker's name */
function startWorker(backend: BackendName): ServicePort<PaperCommands> {
  return workerPort(
    new Worker(new URL('./paper-worker.ts', import.meta.url), { type: 'module', name: backend }),
    (why) => new Error(`The worker that computes the papers’ figures broke down: ${why}`),
  );
}

function tableOf(paper: Paper, extent: Extent): PaperTableState {
  const benchmarks = benchmarksOf([paper.suite], extent);
  return { benchmarks, measured: createBenchmarks({ benchmarks, keepsRows: true }) };
}

export function createPapers(start = startWorker, extent: Extent = 'papers') {
  const chosen = signal<Paper['id']>(PAPERS[0].id);
  const tables = new Map(PAPERS.map((paper) => [paper.id, tableOf(paper, extent)]));
  let service: { readonly backend: BackendName; readonly calls: Service<PaperCommands> } | undefined;

  /** @returns the service that answers on a backend; the one of another backend ends */
  function serviceOn(backend: BackendName): Service<PaperCommands> {
    if (service?.backend === backend) return service.calls;
    service?.calls.end();
    const calls = startService<PaperCommands>(start(backend), undefined, () => {
      service = undefined;
    });
    service = { backend, calls };
    return calls;
  }

  return {
    chosen,
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
