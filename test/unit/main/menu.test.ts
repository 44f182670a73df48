/** The application menu, as its template. */
import { describe, expect, it } from 'vitest';
import { MENU_COMMANDS, menuTemplate } from '../../../app/main/menu.ts';
import type { MenuItem } from '../../../app/main/menu.ts';

describe('the menu', () => {
  const items = (template: readonly MenuItem[]): MenuItem[] =>
    template.flatMap((item) => [item, ...items(item.submenu ?? [])]);

  it('runs the palette’s commands by their ids', () => {
    const run: string[] = [];
    const template = menuTemplate({ platform: 'linux', run: (id) => run.push(id), recent: [] });
    const commands = items(template).filter(({ id }) => id !== undefined);
    for (const { click } of commands) click?.();
    expect(run.toSorted()).toEqual(MENU_COMMANDS.toSorted());
    expect(new Set(run).size).toBe(run.length);
  });

  it('shows keys without taking them from the page, and none on macOS', () => {
    const linux = items(menuTemplate({ platform: 'linux', run: () => undefined, recent: [] }));
    const keys = linux.filter(({ accelerator }) => accelerator !== undefined);
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.every(({ registerAccelerator }) => registerAccelerator === false)).toBe(true);
    const mac = items(menuTemplate({ platform: 'darwin', run: () => undefined, recent: [] }));
    expect(mac.some(({ accelerator }) => accelerator !== undefined)).toBe(false);
    expect(mac[0]).toEqual({ role: 'appMenu' });
  });

  it('offers the developer’s tools while developing alone', () => {
    const [developed, used] = [true, false].map((developing) =>
      items(menuTemplate({ platform: 'linux', run: () => undefined, recent: [], developing })).map(({ role }) => role),
    );
    expect(developed).toEqual(expect.arrayContaining(['reload', 'toggleDevTools']));
    for (const role of ['reload', 'forceReload', 'toggleDevTools']) expect(used).not.toContain(role);
  });

  it('ends Help with what the main process does itself', () => {
    const help = [{ label: 'Crash Reports…', click: () => undefined }];
    const [menu] = menuTemplate({ platform: 'linux', run: () => undefined, recent: [], help }).slice(-1);
    expect(menu.submenu?.slice(-2)).toEqual([{ type: 'separator' }, ...help]);
  });

  it('opens recent files', () => {
    let opened = 0;
    const recent = [{ name: 'a.json', open: () => (opened += 1) }];
    const entry = items(menuTemplate({ platform: 'linux', run: () => undefined, recent })).find(
      ({ label }) => label === 'a.json',
    );
    entry?.click?.();
    expect(opened).toBe(1);
  });
});
