/** What is written over the basins on the stage: the headline, and the error as one live curve. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useRun } from '../../document/context.ts';
import { isFreeRun, type MethodStyle } from '../../document/views/method-style.ts';
import { counted, countedCycles } from '../../document/views/series.ts';
import { chartsOf } from '../../figures/chart-state.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { GLIDE_MILLISECONDS, isMoving } from '../../document/views/cameras.ts';
import { observeSize } from '../../plot/use-size.ts';
import { stageOf } from '../../stage/stage-state.ts';
import type { Command } from '../../page/commands.ts';
import type { RunView } from '../../document/run-view.ts';
import { demonstrationOf } from './demonstration.ts';
import { errorRowOf } from './chrome.ts';
import { headlineOf, LiveCurve } from './live-curve.tsx';
import './presenting.css';

/** Commands of the stage. */
export function presentingCommands(run: RunView): readonly Command[] {
  const demonstration = demonstrationOf(run);
  const errorRow = errorRowOf(run);
  return [
    {
      id: 'stage.error-row',
      group: 'Stage',
      title: 'Errors beneath the views',
      shortcuts: ['E'],
      keywords: 'error row difference truth second',
      checked: () => errorRow.isShown.value,
      run: errorRow.toggle,
    },
    {
      id: 'view.demonstration',
      group: 'View',
      title: 'Demonstration',
      keywords: 'loop kiosk foyer lessons play all scenarios',
      checked: () => demonstration.isOn.value,
      run: () => (demonstration.isOn.value ? demonstration.stop() : demonstration.start()),
    },
  ];
}

export function StageWords() {
  const { presentation } = useLaboratory().preferences;
  return presentation.value ? <Words /> : null;
}

/** Keeps the views clear of the headline, and looks at them from where basins fill a wide screen. */
function useBand() {
  const run = useRun();
  const { band } = stageOf(run);
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return undefined;
    const stopMeasuring = observeSize(measured, () => {
      band.value = measured.offsetHeight;
    });
    const { camera, moveCameras } = run.view;
    // One that moves by itself moves on.
    if (!isMoving(camera.peek())) moveCameras('stage', GLIDE_MILLISECONDS);
    return () => {
      stopMeasuring();
      band.value = 0;
      if (!isMoving(camera.peek())) moveCameras('perspective', GLIDE_MILLISECONDS);
    };
  }, [run, band]);
  return element;
}

/** A longer sentence has two lines, in smaller type. */
const LONG = 48;

function Words() {
  const run = useRun();
  const band = useBand();
  const {
    course: { styles, diagnostics, info, cycle, cycleDomain, plannedCycles },
    view: { hiddenMethods, phase, withheld },
  } = run;
  const isHidden = withheld.value === 'results';
  const [variable = 'h'] = chartsOf(run).shownVariables.value;
  const scenario = info.value?.scenario;
  const spinup = scenario?.experiment.spinup ?? 0;
  const span = countedCycles(cycle.value, spinup, cycleDomain.value);
  const isShown = ({ label }: MethodStyle): boolean => !hiddenMethods.value.has(label);
  const compared = styles.value.filter((style) => isShown(style) || isFreeRun(style.kind));
  const headline = headlineOf(
    compared.map(({ label, title, kind }) => ({
      title,
      isFreeRun: isFreeRun(kind),
      rows: counted(diagnostics.value.get(label) ?? [], span),
    })),
    { variable, phase: phase.value, isSettled: cycle.value >= spinup },
  );
  return (
    <div class="stage-headline" ref={band}>
      <div role="status">
        {headline && !isHidden && (
          <>
            <p class="stage-sentence" data-long={headline.sentence.length > LONG}>
              {headline.sentence}
            </p>
            <p class="stage-basis">{headline.basis}</p>
          </>
        )}
      </div>
      {!isHidden && (
        <LiveCurve
          styles={styles.value.filter(isShown)}
          diagnostics={diagnostics.value}
          variable={variable}
          phase={phase.value}
          cycle={cycle.value}
          cycles={plannedCycles.value}
        />
      )}
    </div>
  );
}
