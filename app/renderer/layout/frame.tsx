/**
 * The frame: bar, panels, stage and timeline in one window without scroll. A closed panel is a rail with its sign;
 * in presentation mode it is not there, and an open one lies over the stage.
 */
import type { ComponentChildren } from 'preact';
import { useLaboratory } from '../state/context.ts';
import type { Side } from '../state/preferences.ts';
import { Icon } from './icons.tsx';
import type { IconName } from './icons.tsx';

import { Splitter } from './splitter.tsx';

interface PanelProperties {
  readonly side: Side;
  readonly title: string;
  readonly icon: IconName;
  readonly children: ComponentChildren;
}

function Panel({ side, title, icon, children }: PanelProperties) {
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
        <button
          type="button"
          class="icon-button"
          aria-expanded={false}
          aria-label={`Show ${title.toLowerCase()}`}
          title={`Show ${title.toLowerCase()}`}
          onClick={() => showOrHidePanel(side)}
        >
          <Icon name={icon} />
        </button>
        <span class="rail-title" aria-hidden="true">
          {title}
        </span>
      </nav>
    );
  }
  return (
    <section class={`panel panel-${side}`} data-over={isOver} style={{ width: `${width}px` }} aria-label={title}>
      <header class="panel-header">
        <h2>{title}</h2>
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
      <div class="panel-body">{children}</div>
      {!isOver && <Splitter side={side} width={width} title={title.toLowerCase()} />}
    </section>
  );
}

interface FrameProperties {
  readonly bar: ComponentChildren;
  readonly settings: ComponentChildren;
  readonly stage: ComponentChildren;
  readonly evidence: ComponentChildren;
  /** Between the stage with its panels and the timeline; nothing for most of the time. */
  readonly lesson: ComponentChildren;
  readonly timeline: ComponentChildren;
}

export function Frame({ bar, settings, stage, evidence, lesson, timeline }: FrameProperties) {
  return (
    <div class="frame">
      {bar}
      <div class="frame-middle">
        <Panel side="settings" title="Settings" icon="settings">
          {settings}
        </Panel>
        <main class="frame-stage" aria-label="Stage">
          <h2 class="visually-hidden">Stage</h2>
          {stage}
        </main>
        <Panel side="evidence" title="Evidence" icon="evidence">
          {evidence}
        </Panel>
      </div>
      <div>{lesson}</div>
      {timeline}
    </div>
  );
}
