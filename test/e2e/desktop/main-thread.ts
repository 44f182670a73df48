/** What the page's own thread was busy with, from the browser's trace: by the processor's time, which other programs do not lengthen. */
import type { Page } from 'playwright-core';

/** Marks in the trace where something begins. */
const MARK = 'begins: ';

/** The part of a trace's event that is read; times in µs. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of this thread. */
  readonly tdur?: number;
}

/** The longest task between the beginning of one thing and that of the next, ms. */
export interface LongestTask {
  readonly name: string;
  /** Processor time. */
  readonly busy: number;
  /** By the clock. */
  readonly elapsed: number;
}

export interface MainThreadTrace {
  /** Says what begins now. */
  begin(name: string): Promise<void>;
  /** Ends the trace. @returns the longest task of each thing that was begun, in their order */
  end(): Promise<readonly LongestTask[]>;
}

function longestTasks(events: readonly TraceEvent[]): readonly LongestTask[] {
  const marks = events.filter(({ name }) => name.startsWith(MARK)).sort((a, b) => a.ts - b.ts);
  const tasks = events.filter(({ name, ph }) => ph === 'X' && name.endsWith('RunTask'));
  return marks.slice(0, -1).map(({ name, pid, tid, ts }, k) => {
    const own = tasks.filter(
      (task) => task.pid === pid && task.tid === tid && task.ts >= ts && task.ts < marks[k + 1].ts,
    );
    const most = (of: 'dur' | 'tdur'): number => Math.max(0, ...own.map((task) => (task[of] ?? 0) / 1000));
    return { name: name.slice(MARK.length), busy: most('tdur'), elapsed: most('dur') };
  });
}

/** Begins to trace a page. @throws Error where the browser cannot */
export async function traceMainThread(page: Page): Promise<MainThreadTrace> {
  const browser = page.context().browser();
  if (!browser) throw new Error('only a page of a browser can be traced');
  await browser.startTracing(page, {
    categories: ['-*', 'toplevel', 'disabled-by-default-devtools.timeline', 'blink.user_timing'],
  });
  const begin = async (name: string): Promise<void> => {
    await page.evaluate((mark) => void performance.mark(mark), MARK + name);
  };
  return {
    begin,
    async end() {
      await begin('nothing more');
      const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
        readonly traceEvents: readonly TraceEvent[];
      };
      return longestTasks(traceEvents);
    },
  };
}
