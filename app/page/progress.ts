/** Long work, shown in the top bar with its share, the time that is left and a way to stop it. */
import { signal } from '@preact/signals';

export interface LongWork {
  readonly id: number;
  readonly title: string;
  /** 0 to 1; undefined where it cannot be known. */
  readonly share: number | undefined;
  /** Estimated from the share so far. */
  readonly secondsLeft: number | undefined;
  readonly cancel: (() => void) | undefined;
}

export interface LongWorkHandle {
  update(share: number): void;
  end(): void;
}

/** The long work of one page. */
export function createProgress() {
  const longWork = signal<readonly LongWork[]>([]);
  let nextId = 1;

  /** Shows work that takes more than a moment. @param cancel where it can be stopped */
  function beginWork(title: string, cancel?: () => void, now: () => number = () => performance.now()): LongWorkHandle {
    const id = nextId++;
    const start = now();
    const show = (share: number | undefined): void => {
      const seconds = (now() - start) / 1000;
      const secondsLeft = share !== undefined && share > 0.02 ? (seconds * (1 - share)) / share : undefined;
      const others = longWork.value.filter((work) => work.id !== id);
      longWork.value = [...others, { id, title, share, secondsLeft, cancel }].sort((a, b) => a.id - b.id);
    };
    show(undefined);
    return {
      update: (share) => show(Math.max(0, Math.min(1, share))),
      end() {
        longWork.value = longWork.value.filter((work) => work.id !== id);
      },
    };
  }

  return { longWork, beginWork };
}

export type Progress = ReturnType<typeof createProgress>;
