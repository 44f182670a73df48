/** How far the benchmarks are: a bar on a terminal, like that of a run. */
import { createBar } from '../run/progress.ts';
import type { Terminal } from '../terminal.ts';

export interface BenchProgress {
  /** There are so many more to come than it was made for. */
  more(count: number): void;
  begin(what: string): void;
  done(): void;
  end(): void;
}

const SILENT: BenchProgress = {
  more: () => undefined,
  begin: () => undefined,
  done: () => undefined,
  end: () => undefined,
};

export function createBenchProgress(terminal: Terminal, total: number): BenchProgress {
  if (!terminal.showsProgress) return SILENT;
  const bar = createBar('{bar} {percentage} % | {value} of {total} | {step} | ETA {eta_formatted}');
  let running = false;
  let wanted = total;
  return {
    more(count) {
      wanted += count;
      if (running) bar.setTotal(wanted);
    },
    begin(step) {
      if (running) bar.update({ step });
      else bar.start(wanted, 0, { step });
      running = true;
    },
    done: () => bar.increment(),
    end() {
      if (running) bar.stop();
      running = false;
    },
  };
}
