/**
 * The strip under the views: which part of the cycle is on screen, what is to be said, and which colour is which value. It has
 * one height, so that nothing that comes or goes moves the water; and nothing covers the water.
 */
import type { ComponentChildren } from 'preact';
import { useRun } from '../../document/context.ts';
import { barredViews } from '../barred-views.ts';
import type { Leg } from '../passage.ts';
import { fieldOf } from '../../fields/fields.ts';
import { ColourBar } from './colour-bar.tsx';
import { IncrementBar, litNow, StemKey } from './foot-keys.tsx';
import { stageOf } from '../stage-state.ts';

const LEGS: readonly { readonly id: Leg; readonly title: string; readonly help: string }[] = [
  { id: 'forecast', title: 'Forecast', help: 'The model carries each method’s water to the time of the observations.' },
  {
    id: 'increment',
    title: 'Increment',
    help: 'The observations come in: water that they raise is lit gold, water that they lower blue.',
  },
  { id: 'analysis', title: 'Analysis', help: 'The water after the observations: what each method believes now.' },
];

function Legs() {
  const {
    view: { phase },
  } = useRun();
  const { drawnLeg } = stageOf(useRun());
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

/** One bar for each field, and while an increment is lit one for its light; ranges of single views are said in these. */
function Bars() {
  const run = useRun();
  const {
    view: { rangeMode, shownLook },
  } = run;
  const { drawnFrame } = stageOf(run);
  const lit = litNow(run);
  const views = rangeMode.value === 'auto' ? [] : (drawnFrame.value?.views ?? []);
  // While its increment is lit, water does not show its own colours.
  const plain = views.filter(({ field }) => lit === undefined || !fieldOf(field).isWater);
  return (
    <div class="foot-bars">
      <StemKey />
      {lit !== undefined && <IncrementBar full={lit} />}
      {barredViews(plain, shownLook.value).map(({ key, words, range, rangeIsKnown, grownAt }) => (
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
