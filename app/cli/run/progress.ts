/** The progress bar: drawn on stderr, only on a terminal. */
import { Presets, SingleBar } from 'cli-progress';
import type { ExperimentEvent } from '../../../engine/index.ts';
import type { Terminal } from '../terminal.ts';

export interface Progress {
  listen(event: ExperimentEvent): void;
  end(): void;
}

const SILENT: Progress = { listen: () => undefined, end: () => undefined };

/** A bar as all commands have it, not yet drawn. @param format as cli-progress has it */
export function createBar(format: string): SingleBar {
  return new SingleBar(
    { format, stream: process.stderr, hideCursor: true, clearOnComplete: true, stopOnComplete: false, etaBuffer: 20 },
    Presets.shades_classic,
  );
}

export function createProgress(terminal: Terminal): Progress {
  if (!terminal.showsProgress) return SILENT;
  const bar = createBar('{bar} {percentage} % | cycle {value} of {total} | {step} | ETA {eta_formatted}');
  let running = false;
  return {
    listen(event) {
      switch (event.type) {
        case 'start':
          bar.start(event.cycles, event.firstCycle, { step: 'starting' });
          running = true;
          break;
        case 'forecast':
        case 'analysis':
          bar.update({ step: `${event.type} ${event.method}` });
          break;
        case 'cycle':
          bar.update(event.cycle + 1);
          break;
        case 'diagnostics':
        case 'diverged':
        case 'edited':
        case 'ceilings':
        case 'kernel':
        case 'warning':
        case 'end':
          break;
        default:
          event satisfies never;
      }
    },
    end() {
      if (running) bar.stop();
      running = false;
    },
  };
}
