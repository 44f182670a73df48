/** The way to a setting from anywhere: its panel opens, all that it lies in unfolds, and it takes the focus. */
import { batch, signal } from '@preact/signals';
import type { Frame } from './frame-sizes.ts';
import { formatPath, parsePath } from '../format/paths.ts';
import { whenDrawn } from './render-pace.ts';

/** @returns what is drawn of a path; the nearest part around it where that has to do */
function drawnAt(path: string, partsDo: boolean): HTMLElement | null | undefined {
  const keys = parsePath(path) ?? [];
  const around = keys.map((_, depth) => formatPath(keys.slice(0, keys.length - depth)));
  const drawn = around.map((each) => document.querySelector<HTMLElement>(`.settings [data-path=${CSS.escape(each)}]`));
  return partsDo ? drawn.find((each) => each !== null) : drawn[0];
}

function focusField(field: HTMLElement): void {
  field.scrollIntoView({ block: 'center' });
  field.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
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
    whenDrawn((isLast) => drawnAt(path, isLast), focusField);
  }

  return { filterQuery, changedOnly, openGroups, openGroup, goToSetting };
}
