/** The overlay of each view: its title, its measures and its colour bar, each in a corner of its own. */
import { useRun } from '../../document/context.ts';
import { barredViews } from '../barred-views.ts';
import type { DrawnView } from '../stage-model.ts';
import { ColourBarOfView } from './colour-bar.tsx';
import { Measures, measuredViews } from './measures.tsx';
import { Title } from './titles.tsx';
import { stageOf } from '../stage-state.ts';

interface ViewFrameProperties {
  readonly view: DrawnView;
  readonly hasBar: boolean;
  /** Whether no other view has the same measures already. */
  readonly isMeasured: boolean;
  readonly loweredAt: number | undefined;
}

function ViewFrame({ view, hasBar, isMeasured, loweredAt }: ViewFrameProperties) {
  const { highlightedMethod } = useRun().view;
  const { x, y, width, height } = view.rect;
  return (
    <section
      class="view-frame"
      data-highlighted={highlightedMethod.value === view.subject}
      style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}
    >
      <Title view={view} />
      {isMeasured && <Measures view={view} loweredAt={loweredAt} />}
      {hasBar && (
        <ColourBarOfView words={view.words} range={view.range} isKnown={view.rangeIsKnown} grownAt={view.grownAt} />
      )}
    </section>
  );
}

export function ViewFrames() {
  const {
    view: { shownLook, rangeMode, world },
  } = useRun();
  const { drawnFrame } = stageOf(useRun());
  const frame = drawnFrame.value;
  if (!frame) return null;
  const [barred, measured] = [
    barredViews(frame.views, shownLook.value),
    // A ring's places are counted, and have no directions.
    world.value?.isRing ? [] : measuredViews(frame.views),
  ];
  return (
    <>
      {frame.views.map((view) => (
        <ViewFrame
          key={view.key}
          view={view}
          hasBar={rangeMode.value === 'auto' && barred.includes(view)}
          isMeasured={measured.includes(view)}
          loweredAt={frame.loweredAt}
        />
      ))}
    </>
  );
}
