/** The thread in which the reference backend runs benchmarks, so that Ctrl-C is noticed; `thread.ts` starts it. */
import { setImmediate } from 'node:timers/promises';
import {
  benchmarkNamed,
  createReferenceBackend,
  driveBenchmarks,
  Given,
  memoryOf,
  resultOf,
  serveCalls,
  toPlainError,
} from '../../../engine/index.ts';
import type { Benchmark, CallMessage, HostMessage, Port } from '../../../engine/index.ts';
import { portOfThisThread } from '../thread.ts';
import type { BenchCommands, BenchEvent } from './thread.ts';

function named(name: string): Benchmark {
  const benchmark = benchmarkNamed(name);
  if (!benchmark) throw new Error(`there is no benchmark ${name}`);
  return benchmark;
}

const turn = (): Promise<void> => setImmediate();
const backend = createReferenceBackend();
const port: Port<CallMessage<keyof BenchCommands>, HostMessage<BenchEvent>> = portOfThisThread();

const tell = serveCalls<BenchCommands, BenchEvent>(port, {
  measure: ({ names, budget }) =>
    driveBenchmarks(
      backend,
      names.map(named),
      {
        opened: (opened) => tell({ type: 'opened', backend: opened }),
        begin: (name) => tell({ type: 'begin', name }),
        row: (row) => tell({ type: 'row', row }),
        failed: (name, error) => tell({ type: 'failed', name, failure: toPlainError(error) }),
      },
      {
        exact: (name) => resultOf(backend, named(name)),
        budget,
        signal: new AbortController().signal,
        turn,
      },
    ),
  result: async (name) => {
    tell({ type: 'begin', name });
    const values = await resultOf(backend, named(name));
    return new Given(values, memoryOf([values]));
  },
});
