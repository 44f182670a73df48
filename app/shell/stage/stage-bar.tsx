/** The bar of the stage: its choices on one line, what does not fit there in a panel under it, and the few that a newcomer has. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CommandButton, Icon, type IconName } from '../../controls/buttons.tsx';
import { useOutsidePress } from '../../controls/dialog.tsx';
import { useRun } from '../../document/context.ts';
import { differenceOf } from '../../features/difference/index.ts';
import { ToolButtons } from '../../features/world/world-bar.tsx';
import { toolsIn } from '../../features/world/tools.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import type { Side } from '../../page/preferences.ts';
import { useWidth } from '../../plot/use-size.ts';
import { CameraChoice, DifferenceSelect, PhaseSelect, Recordings, Rows, Scales, Toggles } from './stage-choices.tsx';

/** What does not fit into the bar, in a small panel under it. */
function More({ children }: { readonly children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const panel = useId();
  useOutsidePress(root, open, () => setOpen(false));
  return (
    <div
      class="stage-more"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        setOpen(false);
        root.current?.querySelector('button')?.focus();
      }}
    >
      <button
        type="button"
        class="icon-button"
        aria-label="More choices of the stage"
        title="More choices of the stage"
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" />
      </button>
      <div id={panel} class="stage-more-panel" role="group" aria-label="More choices of the stage" hidden={!open}>
        {children}
      </div>
    </div>
  );
}

/** Groups in their order along the bar, and the place of each in the order of folding; fields and state stay in the bar. */
const GROUPS = [
  { id: 'scales', Group: Scales, fold: 2 },
  { id: 'world', Group: ToolButtons, fold: 5 },
  { id: 'toggles', Group: Toggles, fold: 4 },
  { id: 'cameras', Group: CameraChoice, fold: 3 },
  { id: 'recordings', Group: Recordings, fold: 1 },
] as const;

/**
 * @param width of the bar; while it is 0 nothing was laid out yet, and nothing is measured
 * @param layout whatever else changes the width of the bar or of what is in it
 * @returns how many groups must fold so that the bar stays one line
 */
function useFolds(bar: RefObject<HTMLElement | null>, width: number, layout: string): number {
  const [known, setKnown] = useState({ layout, folds: 0 });
  const folds = known.layout === layout ? known.folds : 0;
  useLayoutEffect(() => {
    const element = bar.current;
    if (width === 0) return;
    // Before anything is painted: fold one group, and look again.
    if (element && folds < GROUPS.length && element.scrollWidth > element.clientWidth) {
      setKnown({ layout, folds: folds + 1 });
    }
  }, [bar, width, layout, folds]);
  return folds;
}

/** @returns true once the type is there by which widths are measured */
function useFonts(): boolean {
  const [ready, setReady] = useState(document.fonts.status === 'loaded');
  useEffect(() => {
    let current = true;
    void document.fonts.ready.then(() => {
      if (current) setReady(true);
    });
    return () => {
      current = false;
    };
  }, []);
  return ready;
}

/** On the stage the panels have no rails: they are called from here. */
function PanelButton({ side, icon }: { readonly side: Side; readonly icon: IconName }) {
  const {
    preferences: { presentation },
    frame: { isPanelShown, showOrHidePanel },
  } = useLaboratory();
  if (!presentation.value) return null;
  const isShown = isPanelShown(side);
  const title = `${isShown ? 'Hide' : 'Show'} ${side}`;
  return (
    <button
      type="button"
      class="icon-button full-only"
      aria-label={title}
      title={title}
      aria-expanded={isShown}
      onClick={() => showOrHidePanel(side)}
    >
      <Icon name={icon} />
    </button>
  );
}

/** What a newcomer has in the bar beside the field: the camera, the stone, and the way to everything else. */
function SimpleBar() {
  const { world } = useRun().view;
  return (
    <div class="stage-bar-simple learner-only">
      <CameraChoice />
      {toolsIn(world.value).includes('drop') && (
        <CommandButton command="world.drop" class="button">
          Throw a stone
        </CommandButton>
      )}
      <CommandButton command="view.full" class="button">
        More
      </CommandButton>
    </div>
  );
}

export function StageBar() {
  const {
    commands: { findCommand },
    preferences: { full, typeScale },
  } = useLaboratory();
  const run = useRun();
  const { camera, fields, phase, rangeMode, exaggeration, difference } = run.view;
  const [bar, width] = useWidth<HTMLDivElement>();
  const line = useRef<HTMLDivElement>(null);
  const fonts = useFonts();
  const layout = [
    width,
    typeScale.value,
    full.value,
    fields.value.join(' '),
    phase.value,
    rangeMode.value,
    exaggeration.value,
    difference.value,
    ...differenceOf(run).choices.value.map(({ title }) => title),
    camera.value,
    // Their buttons are there once the stage is.
    findCommand('stage.film') !== undefined,
  ];
  const folds = useFolds(line, width, [...layout, fonts].join('/'));
  return (
    <div class="stage-bar" role="toolbar" aria-label="Stage" ref={bar}>
      <PanelButton side="settings" icon="settings" />
      <div class="stage-bar-line" ref={line} data-full={folds === GROUPS.length}>
        <Rows />
        <PhaseSelect />
        <DifferenceSelect />
        <span class="stage-bar-space full-only" />
        {GROUPS.map(({ id, Group, fold }) => fold > folds && <Group key={id} />)}
      </div>
      {folds > 0 && (
        <More>
          {GROUPS.map(
            ({ id, Group, fold }) =>
              fold <= folds && (
                <div key={id} class="stage-more-group">
                  <Group />
                </div>
              ),
          )}
        </More>
      )}
      <SimpleBar />
      <PanelButton side="evidence" icon="evidence" />
    </div>
  );
}
