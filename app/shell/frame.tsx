/**
 * The frame: bar, panels, stage and timeline in one window without scroll. A closed panel is a rail with its sign;
 * in stage mode it is hidden, and an open one is over the stage.
 */
import { Fragment, type ComponentChildren } from 'preact';
import { useLaboratory, type Laboratory } from '../page/laboratory.ts';
import { CommandButton, Icon, type IconName } from '../controls/buttons.tsx';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { nextTask, whenDrawn } from '../page/render-pace.ts';
import { PANEL_LIMITS, type Side } from '../page/preferences.ts';
import { takeKey } from '../plot/keys.ts';

const STEP = 16;

/** The line between a panel and the stage: dragged, or moved with the arrow keys; a double press brings the usual width. */
function Splitter({ side, width, title }: { readonly side: Side; readonly width: number; readonly title: string }) {
  const { resizePanel, typeScale } = useLaboratory().preferences;
  const drag = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const { least, most, usual } = PANEL_LIMITS[side];
  const outwards = side === 'settings' ? 1 : -1;
  const resize = (pixels: number): void => resizePanel(side, pixels / typeScale.value);
  return (
    <div
      class={`splitter splitter-${side}`}
      role="separator"
      tabindex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${title}`}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={Math.round(Math.max(least, Math.min(most, width / typeScale.value)))}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        if (drag.current) resize(drag.current.width + outwards * (event.clientX - drag.current.x));
      }}
      onLostPointerCapture={() => {
        drag.current = undefined;
      }}
      onDblClick={() => resizePanel(side, usual)}
      onKeyDown={(event) => {
        takeKey<() => void>(event, {
          ArrowRight: () => resize(width + outwards * STEP),
          ArrowLeft: () => resize(width - outwards * STEP),
          Home: () => resizePanel(side, least),
          End: () => resizePanel(side, most),
        })?.();
      }}
    />
  );
}

/** What a panel may hold. */
interface Pane {
  readonly title: string;
  readonly icon: IconName;
  readonly content: ComponentChildren;
  /** Buttons of its own. */
  readonly tools?: ComponentChildren;
  /** Opens the panel with it. */
  readonly show: () => void;
}

interface PanelProperties {
  readonly side: Side;
  /** The one that is on screen where the panel is open. */
  readonly shown: Pane;
  readonly panes: readonly Pane[];
}

/** Draws what it holds in a task of its own, the first time: a whole window at once would hold the page up. */
function InOwnTask({ children }: { readonly children: ComponentChildren }) {
  const isDue = useSignal(false);
  useEffect(() => {
    void nextTask().then(() => {
      isDue.value = true;
    });
  }, [isDue]);
  return <>{isDue.value && children}</>;
}

function PaneButton({ pane: { title, icon, show } }: { readonly pane: Pane }) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Show ${title.toLowerCase()}`}
      title={`Show ${title.toLowerCase()}`}
      onClick={show}
    >
      <Icon name={icon} />
    </button>
  );
}

function Panel({ side, shown: { title, content, tools }, panes }: PanelProperties) {
  const {
    preferences: { presentation },
    frame: { widthOver, frameSizes, panelOver, showOrHidePanel },
  } = useLaboratory();
  const isOver = presentation.value;
  const width = isOver ? widthOver(side) : frameSizes.value[side];
  if (isOver && panelOver.value !== side) return null;
  if (width === undefined) {
    return (
      <nav class={`rail rail-${side}`} aria-label={title}>
        {panes.map((pane) => (
          <Fragment key={pane.title}>
            <PaneButton pane={pane} />
            <span class="rail-title" aria-hidden="true">
              {pane.title}
            </span>
          </Fragment>
        ))}
      </nav>
    );
  }
  return (
    <section class={`panel panel-${side}`} data-over={isOver} style={{ width: `${width}px` }} aria-label={title}>
      <header class="panel-header">
        <h2>{title}</h2>
        {panes.map((pane) => pane.title !== title && <PaneButton key={pane.title} pane={pane} />)}
        {tools}
        <button
          type="button"
          class="icon-button"
          aria-label={`Hide ${title.toLowerCase()}`}
          title={`Hide ${title.toLowerCase()}`}
          onClick={() => showOrHidePanel(side)}
        >
          <Icon name={side === 'settings' ? 'collapse' : 'expand'} />
        </button>
      </header>
      <div class="panel-body">
        <InOwnTask>{content}</InOwnTask>
      </div>
      {!isOver && <Splitter side={side} width={width} title={title.toLowerCase()} />}
    </section>
  );
}

interface FrameProperties {
  readonly bar: ComponentChildren;
  readonly settings: ComponentChildren;
  readonly runs: ComponentChildren;
  readonly stage: ComponentChildren;
  readonly evidence: ComponentChildren;
  /** Between the stage with its panels and the timeline; nothing for most of the time. */
  readonly lesson: ComponentChildren;
  readonly timeline: ComponentChildren;
}

export function Frame({ bar, settings, runs, stage, evidence, lesson, timeline }: FrameProperties) {
  const { leftPane, showPane, showPanel, panelOver, widthOver } = useLaboratory().frame;
  // In stage mode a lesson and its views are beside the evidence.
  const beside = panelOver.value === 'evidence' ? widthOver('evidence') : 0;
  const left = {
    settings: { title: 'Settings', icon: 'settings', content: settings, show: () => showPane('settings') },
    runs: { title: 'Runs', icon: 'runs', content: runs, show: () => showPane('runs') },
  } as const;
  const right = {
    title: 'Evidence',
    icon: 'evidence',
    content: evidence,
    tools: <CommandButton command="evidence.own-window" icon="own-window" class="icon-button full-only" />,
    show: () => showPanel('evidence'),
  } as const;
  return (
    <div class="frame" style={{ '--beside': `${beside}px` }}>
      {bar}
      <div class="frame-middle">
        <Panel side="settings" shown={left[leftPane.value]} panes={[left.settings, left.runs]} />
        <main class="frame-stage" aria-label="Stage">
          <h2 class="visually-hidden">Stage</h2>
          {stage}
        </main>
        <Panel side="evidence" shown={right} panes={[right]} />
      </div>
      <div>{lesson}</div>
      <InOwnTask>{timeline}</InOwnTask>
    </div>
  );
}

interface Place {
  readonly title: string;
  /** What takes the focus there, the best first. */
  readonly targets: readonly string[];
  /** Opens the panel that contains it. */
  readonly open?: (frame: Laboratory['frame']) => void;
}

const PLACES: readonly Place[] = [
  { title: 'Skip to the stage', targets: ['.stage-canvas', '.frame-stage button, .frame-stage select'] },
  { title: 'Skip to the timeline', targets: ['.timeline [role=slider]', '.timeline button'] },
  {
    title: 'Skip to the evidence',
    targets: ['.evidence [role=tab][aria-selected=true]'],
    open: ({ showPanel }) => showPanel('evidence'),
  },
  { title: 'Skip to the settings', targets: ['.settings input'], open: ({ showPane }) => showPane('settings') },
];

function goTo(laboratory: Laboratory, { targets, open }: Place): void {
  open?.(laboratory.frame);
  // A panel that was closed is drawn first.
  whenDrawn(
    () => targets.map((target) => document.querySelector<HTMLElement>(target)).find((each) => each !== null),
    (found) => found.focus(),
  );
}

/** The first stops of the Tab key: ways past the bar and the panels, seen only while they have the focus. */
export function SkipLinks() {
  const laboratory = useLaboratory();
  return (
    <nav class="skip-links" aria-label="Skip to">
      {PLACES.map((place) => (
        <button key={place.title} type="button" class="button" onClick={() => goTo(laboratory, place)}>
          {place.title}
        </button>
      ))}
    </nav>
  );
}
