/**
 * The strip under the views: which part of the cycle is on screen, what is to be said, and which colour is which value. It has
 * one height, so that nothing that comes or goes moves the water; and nothing lies over the water.
 */
import type { ComponentChildren } from 'preact';
import { useRun } from '../../state/context.ts';
import { barredViews } from '../barred-views.ts';
import type { Leg } from '../passage.ts';
import { ColourBar } from './colour-bar.tsx';

const LEGS: readonly { readonly id: Leg; readonly title: string; readonly help: string }[] = [
  { id: 'forecast', title: 'Forecast', help: 'The model carries each method’s water to the time of the observations.' },
  {
    id: 'increment',
    title: 'Increment',
    help: 'The observations come in: gold is raised by them, blue is lowered.',
  },
  { id: 'analysis', title: 'Analysis', help: 'The water after the observations: what each method believes now.' },
];

function Legs() {
  const {
    stage: { drawnLeg },
    view: { phase },
  } = useRun();
  const shown: Leg = drawnLeg.value === 'analysis' ? phase.value : drawnLeg.value;
  return (
    <ol class="legs" aria-label="Part of the cycle on screen">
      {LEGS.map(({ id, title, help }) => (
        <li key={id} class={`leg leg-${id}`} aria-current={id === shown ? 'step' : undefined} title={help}>
          {title}
        </li>
      ))}
    </ol>
  );
}

/** One bar for each field; ranges that views have of their own are said in these. */
function Bars() {
  const {
    stage: { drawnFrame },
    view: { rangeMode, shownLook },
  } = useRun();
  const views = drawnFrame.value?.views ?? [];
  if (rangeMode.value === 'auto') return null;
  return (
    <div class="foot-bars">
      {barredViews(views, shownLook.value).map(({ key, words, range, rangeIsKnown, grownAt }) => (
        <ColourBar key={key} words={words} range={range} isKnown={rangeIsKnown} grownAt={grownAt} />
      ))}
    </div>
  );
}

export function StageFoot({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="stage-foot">
      <Legs />
      <div class="foot-words">{children}</div>
      <Bars />
    </div>
  );
}
