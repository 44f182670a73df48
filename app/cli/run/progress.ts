/** What a command that takes long shows on a terminal, progress bars on stderr, and how it is interrupted. */
import { Presets, SingleBar } from 'cli-progress';
import type { ExperimentEvent } from '../../../engine/index.ts';
import { EXIT, type Terminal } from '../context.ts';

/** The cycle in progress may finish within this time; after it, it is given up. */
const PATIENCE_MILLISECONDS = 500;
/** A signal that comes twice at once, from the terminal and from a parent process, is one. */
const SAME_SIGNAL_MILLISECONDS = 400;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ctrl-C in three steps: asked to stop, the cycle in progress given up, and now, whatever is being written. A terminal that is
 * closed (SIGHUP) and a request to end (SIGTERM) count as one.
 */
interface Interruption {
  readonly requested: boolean;
  /** Whether it was asked for a second time. */
  readonly insisted: boolean;
  /** Settles when the cycle in progress has to be given up; never without a signal. */
  readonly outOfPatience: Promise<'out-of-patience'>;
  dispose(): void;
}

/**
 * @param onRequest called once, at the first signal
 * @param patience milliseconds
 */
export function listenForInterruption(onRequest: () => void, patience: number = PATIENCE_MILLISECONDS): Interruption {
  let times = 0;
  let latest = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let giveUp: (() => void) | undefined;
  const outOfPatience = new Promise<'out-of-patience'>((resolve) => {
    giveUp = () => resolve('out-of-patience');
  });
  const listener = (): void => {
    const now = performance.now();
    if (now - latest < SAME_SIGNAL_MILLISECONDS) return;
    latest = now;
    times += 1;
    if (times === 1) {
      onRequest();
      timer = setTimeout(() => giveUp?.(), patience);
    } else if (times === 2) giveUp?.();
    else process.exit(EXIT.interrupted);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    get requested() {
      return times > 0;
    },
    get insisted() {
      return times > 1;
    },
    outOfPatience,
    dispose() {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}

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
