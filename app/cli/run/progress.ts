/** Progress bars: drawn on stderr, only on a terminal. */
import { Presets, SingleBar } from 'cli-progress';
import type { ExperimentEvent } from '../../../engine/index.ts';
import type { Terminal } from '../context.ts';

export interface Progress {
  listen(event: ExperimentEvent): void;
  end(): void;
}

/**
 * A bar as all commands have it. Until it is started, and once it is stopped, nothing else has an effect on it; where no bar may be
 * drawn it does not start.
 *
 * @param format as cli-progress has it
 */
export function createBar({ showsProgress }: Terminal, format: string): SingleBar {
  const bar = new SingleBar(
    { format, stream: process.stderr, hideCursor: true, clearOnComplete: true, stopOnComplete: false, etaBuffer: 20 },
    Presets.shades_classic,
  );
  if (!showsProgress) bar.start = () => undefined;
  return bar;
}

/** What the preparation of a run does, for people. */
const PARTS = { drawing: 'drawing the initial states', 'spin-up': 'spin-up' } as const;

export function createProgress(terminal: Terminal): Progress {
  const preparing = createBar(terminal, '{bar} {percentage} % | {step}');
  const bar = createBar(terminal, '{bar} {percentage} % | cycle {value} of {total} | {step} | ETA {eta_formatted}');
  return {
    listen(event) {
      switch (event.type) {
        case 'preparing':
          if (!preparing.isActive && !bar.isActive) preparing.start(1, 0, { step: PARTS[event.part] });
          preparing.update(event.share, { step: PARTS[event.part] });
          break;
        case 'start':
          preparing.stop();
          bar.start(event.cycles, event.firstCycle, { step: 'starting' });
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
    end() {
      preparing.stop();
      bar.stop();
    },
  };
}
