/**
 * Panels in windows of their own, for another screen: blank windows of this page, which draws into them. A panel is back in its
 * place as soon as its window is closed, or the page.
 */
import { signal } from '@preact/signals';
import { OWN_WINDOW } from '../preload/bridge.ts';
import type { EvidenceTab } from './overlays.ts';
import type { Notices } from './notices.ts';

export interface OwnPanel {
  readonly id: string;
  readonly title: string;
  /** Part of the evidence; the panel is the stage if omitted. */
  readonly tab?: EvidenceTab;
  /** Figure of that part, if it is shown alone. */
  readonly figure?: string;
}

export const STAGE_PANEL: OwnPanel = { id: 'stage', title: 'Stage' };

export function tabPanel(tab: EvidenceTab, title: string): OwnPanel {
  return { id: `evidence-${tab}`, title, tab };
}

export function figurePanel(tab: EvidenceTab, figure: string, title: string): OwnPanel {
  return { id: `figure-${figure}`, title, tab, figure };
}

/** Draws a panel in a window. @returns what ends that */
type DrawPanel = (panel: OwnPanel, root: HTMLElement, view: Window) => () => void;

const WIDTH = 960;
const HEIGHT = 640;

const BLOCKED =
  'Allow pop-up windows for this page, at the end of the address bar or in the settings of the browser, and try again.';

function loaded(sheet: HTMLLinkElement): Promise<void> {
  return new Promise((resolve) => {
    sheet.addEventListener('load', () => resolve());
    sheet.addEventListener('error', () => resolve());
  });
}

/** Gives a blank window the styles of the page. @returns once they are there */
async function copyStyles(from: Document, to: Document): Promise<void> {
  const styles = [...from.querySelectorAll<HTMLLinkElement | HTMLStyleElement>('link[rel=stylesheet], style')];
  const copies = styles.map((style) => {
    const copy = to.importNode(style, true);
    // Whether an address is complete depends on the window.
    if ('href' in style) copy.setAttribute('href', style.href);
    if (style.nonce) copy.nonce = style.nonce;
    return copy;
  });
  const waits = copies.flatMap((copy) => ('href' in copy ? [loaded(copy)] : []));
  to.head.replaceChildren(...copies);
  await Promise.all(waits);
}

/** Keeps what styles depend on, such as the theme, as in the page. @returns what ends that */
function followRoot(from: HTMLElement, to: HTMLElement): () => void {
  const copy = (): void => {
    for (const { name, value } of from.attributes) to.setAttribute(name, value);
  };
  copy();
  const observer = new MutationObserver(copy);
  observer.observe(from, { attributes: true });
  return () => observer.disconnect();
}

/** @param page a stand-in for the browser's window, for tests */
export function createOwnWindows({ notify }: Pick<Notices, 'notify'>, page: () => Window = () => window) {
  const panels = signal<ReadonlyMap<string, OwnPanel>>(new Map());
  const opened = new Map<string, { readonly view: Window; readonly end: () => void }>();
  let draw: DrawPanel | undefined;

  function bringBack(id: string): void {
    const found = opened.get(id);
    if (!found) return;
    opened.delete(id);
    const left = new Map(panels.value);
    left.delete(id);
    panels.value = left;
    found.end();
    found.view.close();
  }

  function bringAllBack(): void {
    for (const id of opened.keys()) bringBack(id);
  }

  /** Shows a panel in a window of its own; the one that shows it already comes to the front. */
  async function detach(panel: OwnPanel): Promise<void> {
    const { id, title } = panel;
    const before = opened.get(id);
    if (before) {
      before.view.focus();
      return;
    }
    const view = page().open('', OWN_WINDOW + id, `popup,width=${WIDTH},height=${HEIGHT}`);
    if (!view) {
      notify('warning', `${title} cannot be shown in its own window`, { lines: [BLOCKED] });
      return;
    }
    const { document: blank } = view;
    const { document: own } = page();
    const root = blank.createElement('div');
    root.id = 'app';
    blank.body.replaceChildren(root);
    const stopFollowing = followRoot(own.documentElement, blank.documentElement);
    let stopDrawing: (() => void) | undefined;
    const end = (): void => {
      stopFollowing();
      stopDrawing?.();
    };
    opened.set(id, { view, end });
    view.addEventListener('pagehide', () => bringBack(id));
    // Added once, however often.
    page().addEventListener('pagehide', bringAllBack);
    await copyStyles(own, blank);
    blank.title = `${title} – Shoal`;
    if (opened.get(id)?.view !== view) return;
    // It leaves its place before it is drawn elsewhere: of a stage there is one.
    panels.value = new Map([...panels.value, [id, panel]]);
    stopDrawing = draw?.(panel, root, view);
  }

  return {
    /** Those that are shown in windows of their own, by their ids. */
    panels,
    detach,
    bringBack,
    bringAllBack,
    /** @returns whether a panel has a window, which comes to the front */
    focus: (id: string): boolean => {
      opened.get(id)?.view.focus();
      return opened.has(id);
    },
    toggle: (panel: OwnPanel): void => (opened.has(panel.id) ? bringBack(panel.id) : void detach(panel)),
    /** Says how panels are drawn. */
    drawWith: (how: DrawPanel): void => {
      draw = how;
    },
  };
}
