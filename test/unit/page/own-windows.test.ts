/** Panels in windows of their own, with stand-ins for the browser's windows. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNotices } from '../../../app/page/notices.ts';
import { STAGE_PANEL, createOwnWindows, figurePanel, tabPanel } from '../../../app/page/own-windows.ts';

class StandInElement {
  id = '';
  readonly attributes: { readonly name: string; readonly value: string }[] = [];
  setAttribute(name: string, value: string): void {
    this.attributes.push({ name, value });
  }
  replaceChildren(): void {
    this.attributes.length = 0;
  }
}

class StandInWindow extends EventTarget {
  readonly document = {
    title: '',
    documentElement: new StandInElement(),
    head: new StandInElement(),
    body: new StandInElement(),
    createElement: () => new StandInElement(),
    querySelectorAll: () => [],
  };
  readonly opened: (readonly [name: string, view: StandInWindow])[] = [];
  blocks = false;
  focused = 0;
  closed = false;
  open(_address: string, name: string): StandInWindow | null {
    if (this.blocks) return null;
    const view = new StandInWindow();
    this.opened.push([name, view]);
    return view;
  }
  focus(): void {
    this.focused += 1;
  }
  close(): void {
    this.closed = true;
  }
}

function createPage() {
  const page = new StandInWindow();
  const notices = createNotices();
  const drawn: string[] = [];
  const windows = createOwnWindows(notices, () => page as unknown as Window);
  windows.drawWith(({ id }) => {
    drawn.push(id);
    return () => void drawn.splice(drawn.indexOf(id), 1);
  });
  return { page, notices, drawn, windows };
}

beforeEach(() => {
  vi.stubGlobal(
    'MutationObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

const ERRORS = tabPanel('errors', 'Errors');

describe('a panel in its own window', () => {
  it('is drawn there, looks like the page, and is known to be away', async () => {
    const { page, drawn, windows } = createPage();
    page.document.documentElement.setAttribute('data-theme', 'light');
    await windows.detach(ERRORS);
    const [[name, view]] = page.opened;
    expect(name).toBe('shoal-panel-evidence-errors');
    expect(view.document.title).toBe('Errors – Shoal');
    expect(view.document.documentElement.attributes).toEqual([{ name: 'data-theme', value: 'light' }]);
    expect(drawn).toEqual([ERRORS.id]);
    expect([...windows.panels.value.values()]).toEqual([ERRORS]);
  });

  it('comes to the front where it is asked for again', async () => {
    const { page, windows } = createPage();
    await windows.detach(ERRORS);
    await windows.detach(ERRORS);
    expect(page.opened.map(([, { focused }]) => focused)).toEqual([1]);
    expect(windows.focus(figurePanel('errors', 'rmse', 'Error').id)).toBe(false);
  });

  it('is back in its place when its window is closed, or when it is brought back', async () => {
    const { page, drawn, windows } = createPage();
    await windows.detach(ERRORS);
    await windows.detach(STAGE_PANEL);
    const [[, errors], [, stage]] = page.opened;
    errors.dispatchEvent(new Event('pagehide'));
    expect([...windows.panels.value.keys()]).toEqual([STAGE_PANEL.id]);
    windows.toggle(STAGE_PANEL);
    expect(drawn).toEqual([]);
    expect(windows.panels.value.size).toBe(0);
    expect(stage.closed).toBe(true);
  });

  it('ends with the page', async () => {
    const { page, windows } = createPage();
    await windows.detach(ERRORS);
    await windows.detach(STAGE_PANEL);
    windows.bringBack(ERRORS.id);
    page.dispatchEvent(new Event('pagehide'));
    expect(page.opened.map(([, { closed }]) => closed)).toEqual([true, true]);
  });

  it('stays in its place and says what to do where the browser opens no window', async () => {
    const { page, notices, windows } = createPage();
    page.blocks = true;
    await windows.detach(STAGE_PANEL);
    expect(windows.panels.value.size).toBe(0);
    expect(notices.notices.value).toMatchObject([
      { kind: 'warning', title: 'Stage cannot be shown in its own window', lines: [expect.stringContaining('Allow')] },
    ]);
  });
});
