/** The way to a setting from anywhere: its panel opens, all that it lies in unfolds, and it takes the focus. */
import { batch, signal } from '@preact/signals';
import type { Frame } from './frame-sizes.ts';
import { formatPath, parsePath } from '../format/paths.ts';

/** A panel is drawn within a few tries, ms apart. */
const TRIES = 40;
const PAUSE = 25;

/** Focuses what lies at a path as soon as it is drawn; where it is not, the nearest part around it. */
function focusWhenDrawn(path: string, tries = TRIES): void {
  const keys = parsePath(path) ?? [];
  const around = keys.map((_, depth) => formatPath(keys.slice(0, keys.length - depth)));
  const [own, ...others] = around.map((each) =>
    document.querySelector<HTMLElement>(`.settings [data-path=${CSS.escape(each)}]`),
  );
  if (!own && tries > 0) {
    setTimeout(() => focusWhenDrawn(path, tries - 1), PAUSE);
    return;
  }
  const found = own ?? others.find((each) => each !== null);
  found?.scrollIntoView({ block: 'center' });
  found?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
}

/** What of the settings is on screen. */
export function createSettingsForm({ showPane }: Pick<Frame, 'showPane'>) {
  /** Words that the settings are filtered by. */
  const filterQuery = signal('');
  /** Whether only what differs from what runs is shown. */
  const changedOnly = signal(false);
  /** Paths of the groups that are open. */
  const openGroups = signal<ReadonlySet<string>>(new Set(['methods']));

  function openGroup(key: string, open: boolean): void {
    const next = new Set(openGroups.value);
    if (open) next.add(key);
    else next.delete(key);
    openGroups.value = next;
  }

  function goToSetting(path: string): void {
    const keys = parsePath(path) ?? [];
    showPane('settings');
    batch(() => {
      filterQuery.value = '';
      changedOnly.value = false;
      keys.forEach((_, depth) => openGroup(formatPath(keys.slice(0, depth + 1)), true));
      // Settings at the top of the scenario have a group of their own.
      if (keys.length === 1) openGroup('scenario', true);
    });
    setTimeout(() => focusWhenDrawn(path));
  }

  return { filterQuery, changedOnly, openGroups, openGroup, goToSetting };
}
