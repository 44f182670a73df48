/**
 * The frame: bar, panels, stage and timeline in one window without scroll. A closed panel is a rail with its sign;
 * in presentation mode it is hidden, and an open one is over the stage.
 */
import { Fragment } from 'preact';
import type { ComponentChildren } from 'preact';
import { useLaboratory } from '../page/context.ts';
import type { Side } from '../page/preferences.ts';
import { Icon } from '../controls/icons.tsx';
import type { IconName } from '../controls/icons.tsx';
import { Splitter } from '../controls/splitter.tsx';

/** What a panel may hold. */
interface Pane {
  readonly title: string;
  readonly icon: IconName;
  readonly content: ComponentChildren;
  /** Opens the panel with it. */
  readonly show: () => void;
}

interface PanelProperties {
  readonly side: Side;
  /** The one that is on screen where the panel is open. */
  readonly shown: Pane;
  readonly panes: readonly Pane[];
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

function Panel({ side, shown: { title, content }, panes }: PanelProperties) {
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
      <div class="panel-body">{content}</div>
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
  const { leftPane, showPane, showPanel } = useLaboratory().frame;
  const left = {
    settings: { title: 'Settings', icon: 'settings', content: settings, show: () => showPane('settings') },
    runs: { title: 'Runs', icon: 'runs', content: runs, show: () => showPane('runs') },
  } as const;
  const right = {
    title: 'Evidence',
    icon: 'evidence',
    content: evidence,
    show: () => showPanel('evidence'),
  } as const;
  return (
    <div class="frame">
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
      {timeline}
    </div>
  );
}
