/**
 * How the frame divides its width: the stage keeps a least width, panels give way before it does. In stage mode it has all of it;
 * panels are shown over it on request. And the way to a setting from anywhere: its panel and all groups around it open, and it
 * takes the focus.
 */
import { computed, signal, batch } from '@preact/signals';
import { PANEL_LIMITS, type PanelSize, type Preferences, type Side } from './preferences.ts';
import { formatPath, parsePath } from '../format/paths.ts';
import { whenDrawn } from './render-pace.ts';

/** The stage's least width: this much at type × 1, and this share of the window. */
const LEAST_STAGE = 520;
const LEAST_STAGE_SHARE = 0.42;
const RAIL = 40;

interface FrameSizes {
  /** CSS pixels; undefined for a panel that is a rail now. */
  readonly settings: number | undefined;
  readonly evidence: number | undefined;
}

function whole(size: number | undefined): number | undefined {
  return size === undefined ? undefined : Math.round(size);
}

function wantedWidth({ open, width }: PanelSize): number | undefined {
  return open ? width : undefined;
}

/** @returns what each panel gets of a window's width; wanted widths are undefined for closed panels */
export function divideWidth(
  viewport: number,
  scale: number,
  wanted: { readonly settings: number | undefined; readonly evidence: number | undefined },
  keeps: Side,
): FrameSizes {
  const room = viewport - Math.max(LEAST_STAGE * scale, LEAST_STAGE_SHARE * viewport);
  const least = (side: Side): number => PANEL_LIMITS[side].least * scale;
  const scaled = (side: Side): number | undefined => {
    const width = wanted[side];
    return width === undefined ? undefined : width * scale;
  };
  const sizes = { settings: scaled('settings'), evidence: scaled('evidence') };
  const taken = (side: Side): number => sizes[side] ?? RAIL * scale;
  const other: Side = keeps === 'settings' ? 'evidence' : 'settings';
  for (const side of [other, keeps] as const) {
    const size = sizes[side];
    if (size === undefined) continue;
    const excess = taken('settings') + taken('evidence') - room;
    if (excess > 0) sizes[side] = Math.max(least(side), size - excess);
  }
  // Where even the least widths are too much, the other panel becomes a rail, and then the one that stays may have its own.
  const isTooMuch = taken('settings') + taken('evidence') > room;
  if (isTooMuch && sizes[other] !== undefined && sizes[keeps] !== undefined) {
    return divideWidth(viewport, scale, { ...wanted, [other]: undefined }, keeps);
  }
  return { settings: whole(sizes.settings), evidence: whole(sizes.evidence) };
}

/** The left panel holds the settings, or the list of runs. */
type LeftPane = 'settings' | 'runs';

/** Share of the window that a panel over the stage may take. */
const MOST_OVER = 0.6;

/** How one page divides its width. */
export function createFrame({
  evidencePanel,
  panelOf,
  presentation,
  settingsPanel,
  togglePanel,
  typeScale,
}: Preferences) {
  /** CSS pixels. */
  const viewportWidth = signal(1440);
  /** The panel that was opened last stays when there is no room for both. */
  const openedLast = signal<Side>('evidence');

  const frameSizes = computed<FrameSizes>(() => {
    if (presentation.value) return { settings: undefined, evidence: undefined };
    const wanted = { settings: wantedWidth(settingsPanel.value), evidence: wantedWidth(evidencePanel.value) };
    return divideWidth(viewportWidth.value, typeScale.value, wanted, openedLast.value);
  });

  /** The panel over the stage in stage mode: one at most, none at first. */
  const panelOver = signal<Side | undefined>(undefined);
  presentation.subscribe(() => {
    panelOver.value = undefined;
  });

  /** @returns the width of a panel over the stage, CSS pixels */
  function widthOver(side: Side): number {
    return Math.round(Math.min(panelOf(side).value.width * typeScale.value, MOST_OVER * viewportWidth.value));
  }

  /** Whether a panel is on screen, beside the stage or over it. */
  function isPanelShown(side: Side): boolean {
    return presentation.value ? panelOver.value === side : frameSizes.value[side] !== undefined;
  }

  /** Opens a panel that is a rail now, also when the other has to give way for it; closes one that is open. */
  function showOrHidePanel(side: Side): void {
    const isOpen = isPanelShown(side);
    if (presentation.value) {
      panelOver.value = isOpen ? undefined : side;
      return;
    }
    if (!isOpen) openedLast.value = side;
    togglePanel(side, !isOpen);
  }

  /** Opens a panel unless it is on screen. */
  function showPanel(side: Side): void {
    if (!isPanelShown(side)) showOrHidePanel(side);
  }

  /** What the left panel holds. */
  const leftPane = signal<LeftPane>('settings');

  function isPaneShown(pane: LeftPane): boolean {
    return leftPane.value === pane && isPanelShown('settings');
  }

  /** Opens the left panel with what is asked for. */
  function showPane(pane: LeftPane): void {
    leftPane.value = pane;
    showPanel('settings');
  }

  /** Opens it there, or closes it where it is on screen. */
  function showOrHidePane(pane: LeftPane): void {
    if (isPaneShown(pane)) showOrHidePanel('settings');
    else showPane(pane);
  }

  return {
    viewportWidth,
    openedLast,
    frameSizes,
    panelOver,
    leftPane,
    widthOver,
    isPanelShown,
    showOrHidePanel,
    showPanel,
    isPaneShown,
    showPane,
    showOrHidePane,
  };
}

type Frame = ReturnType<typeof createFrame>;

/** Keeps `viewportWidth` up to date. @returns what ends that */
export function followViewport({ viewportWidth }: Pick<Frame, 'viewportWidth'>, window: Window): () => void {
  const update = (): void => {
    viewportWidth.value = window.innerWidth;
  };
  update();
  window.addEventListener('resize', update);
  return () => window.removeEventListener('resize', update);
}

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
