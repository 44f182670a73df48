/** How far the benchmarks are: a bar on a terminal, like that of a run. */
import { createBar } from '../run/progress.ts';
import type { Terminal } from '../terminal.ts';

export interface BenchProgress {
  begin(what: string): void;
  done(): void;
  end(): void;
}

const SILENT: BenchProgress = { begin: () => undefined, done: () => undefined, end: () => undefined };

export function createBenchProgress(terminal: Terminal, total: number): BenchProgress {
  if (!terminal.showsProgress) return SILENT;
  const bar = createBar('{bar} {percentage} % | {value} of {total} | {step} | ETA {eta_formatted}');
  let running = false;
  return {
    begin(step) {
      if (running) bar.update({ step });
      else bar.start(total, 0, { step });
      running = true;
    },
    done: () => bar.increment(),
    end() {
      if (running) bar.stop();
      running = false;
    },
  };
}
