/**
 * Notices to the user: shown at the lower left of the stage, read out by screen readers, dismissed by hand; and long work, in the top
 * bar with its share, the time that is left and a way to stop it.
 */
import { signal } from '@preact/signals';
import { warningShape } from '../../engine/index.ts';
import type { Host } from '../host/host.ts';

/** @returns why something failed, in words */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Does work that may fail for outside reasons, such as a missing permission or a full disk: reported, never thrown.
 *
 * @param what it is, as in `Saving the run`
 */
export async function attempt(
  { notices }: { readonly notices: Pick<Notices, 'notify'> },
  what: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    notices.notify('error', `${what} failed`, { lines: [reasonOf(error)] });
  }
}

/** Has the host save a file, and says where. @param content text becomes UTF-8 @returns whether it was saved; not if the user cancels */
export async function saveFile(
  { host, notices }: { readonly host: Pick<Host, 'save'>; readonly notices: Pick<Notices, 'notify'> },
  name: string,
  type: string,
  content: string | Uint8Array,
): Promise<boolean> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const saved = await host.save(name, type, bytes);
  if (saved !== undefined) notices.notify('information', `Saved ${saved}`);
  return saved !== undefined;
}

export type NoticeKind = 'information' | 'warning' | 'error';

export interface NoticeAction {
  readonly title: string;
  readonly run: () => void;
}

export interface Notice {
  readonly id: number;
  readonly kind: NoticeKind;
  /** One line: what happened. */
  readonly title: string;
  /** Each problem with its place, one line each. */
  readonly lines: readonly string[];
  readonly actions: readonly NoticeAction[];
  /** How often the same was said. */
  readonly count: number;
  /** The run that it is about, if it is about one: it leaves with the run. */
  readonly run?: object;
}

export interface NoticeDetails {
  readonly lines?: readonly string[];
  readonly actions?: readonly NoticeAction[];
  readonly run?: object;
}

/** Whether a notice says the same as another, but for the numbers of the cycle. */
function saysTheSame(one: Omit<Notice, 'id' | 'count'>, other: Notice): boolean {
  const shape = ({ lines }: Pick<Notice, 'lines'>): string => lines.map(warningShape).join('\n');
  const isOfSame = one.kind === other.kind && one.title === other.title && one.run === other.run;
  return isOfSame && shape(one) === shape(other);
}

/** Older ones leave. */
const MAXIMUM_NOTICES = 6;
/** Information leaves by itself after this; warnings and errors stay until they are dismissed. */
export const INFORMATION_MILLISECONDS = 6000;

/** The notices of one page. */
export function createNotices() {
  const notices = signal<readonly Notice[]>([]);
  let nextId = 1;

  /** @returns the notice's id, for `dismiss`; the same words again raise the count of the notice that is there */
  function notify(kind: NoticeKind, title: string, { lines = [], actions = [], run }: NoticeDetails = {}): number {
    const said = { kind, title, lines, actions, ...(run && { run }) };
    const same = notices.value.find((each) => saysTheSame(said, each));
    const id = same?.id ?? nextId++;
    const notice: Notice = { ...said, id, count: (same?.count ?? 0) + 1 };
    notices.value = [...notices.value.filter((each) => each.id !== id), notice].slice(-MAXIMUM_NOTICES);
    return id;
  }

  /** Says that something failed, and why. */
  function notifyFailure(title: string, error: unknown): void {
    notify('error', title, { lines: [reasonOf(error)] });
  }

  function dismiss(id: number): void {
    notices.value = notices.value.filter((notice) => notice.id !== id);
  }

  /** Takes away every notice of that title, when its reason has gone. */
  function dismissTitled(title: string): void {
    notices.value = notices.value.filter((notice) => notice.title !== title);
  }

  /** Takes away what was said about a run, when it starts again or another takes its place. */
  function dismissRun(run: object): void {
    notices.value = notices.value.filter((notice) => notice.run !== run);
  }

  return { notices, notify, notifyFailure, dismiss, dismissTitled, dismissRun };
}

export type Notices = ReturnType<typeof createNotices>;

/** Long work, shown in the top bar with its share, the time that is left and a way to stop it. */
interface LongWork {
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
