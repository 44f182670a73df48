/** Things that people must be told: shown at the lower left of the stage, read out by screen readers, dismissed by hand. */
import { signal } from '@preact/signals';

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
  function notify(
    kind: NoticeKind,
    title: string,
    {
      lines = [],
      actions = [],
    }: { readonly lines?: readonly string[]; readonly actions?: readonly NoticeAction[] } = {},
  ): number {
    const same = notices.value.find(
      (each) => each.kind === kind && each.title === title && each.lines.join('\n') === lines.join('\n'),
    );
    const id = same?.id ?? nextId++;
    const notice: Notice = { id, kind, title, lines, actions, count: (same?.count ?? 0) + 1 };
    notices.value = [...notices.value.filter((each) => each.id !== id), notice].slice(-MAXIMUM_NOTICES);
    return id;
  }

  function dismiss(id: number): void {
    notices.value = notices.value.filter((notice) => notice.id !== id);
  }

  /** Takes away every notice of that title, when its reason has gone. */
  function dismissTitled(title: string): void {
    notices.value = notices.value.filter((notice) => notice.title !== title);
  }

  return { notices, notify, dismiss, dismissTitled };
}

export type Notices = ReturnType<typeof createNotices>;
