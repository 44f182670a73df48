/** The progress bar: drawn on stderr, only on a terminal. */
import { Presets, SingleBar } from 'cli-progress';
import type { ExperimentEvent } from '../../../engine/index.ts';
import type { Terminal } from '../context.ts';

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

/** What the preparation of a run does, for people. */
const PARTS = { drawing: 'drawing the initial states', 'spin-up': 'spin-up' } as const;

export function createProgress(terminal: Terminal): Progress {
  if (!terminal.showsProgress) return SILENT;
  const preparing = createBar('{bar} {percentage} % | {step}');
  const bar = createBar('{bar} {percentage} % | cycle {value} of {total} | {step} | ETA {eta_formatted}');
  let running: SingleBar | undefined;
  const end = (): void => {
    running?.stop();
    running = undefined;
  };
  return {
    listen(event) {
      switch (event.type) {
        case 'preparing':
          if (!running) preparing.start(1, 0, { step: PARTS[event.part] });
          running = preparing;
          preparing.update(event.share, { step: PARTS[event.part] });
          break;
        case 'start':
          end();
          bar.start(event.cycles, event.firstCycle, { step: 'starting' });
          running = bar;
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
        case 'trace':
        case 'warning':
        case 'end':
          break;
        default:
          event satisfies never;
      }
    },
    end,
  };
}
