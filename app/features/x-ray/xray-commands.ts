/** What can be done with an X-ray, by keys and in the palette. */
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import type { GridPoint } from '../../document/views/view-state.ts';
import { distanceBetween } from './influence-figure.tsx';
import { xrayOf } from './xray-state.ts';

/** The place that is meant: that of the crosshair, of the newest probe, or the middle of the basin. */
function placeMeant({ view: { hoveredCell, probes }, course: { info } }: RunView): GridPoint | undefined {
  const basin = info.value?.basin;
  if (!basin) return undefined;
  return hoveredCell.value ?? probes.value.at(-1) ?? { x: Math.floor(basin.nx / 2), y: Math.floor(basin.ny / 2) };
}

/** @returns the number of the observation of the cycle on screen that is the nearest; undefined where it has none */
function nearestObservation({ course: { currentSnapshot, info } }: RunView, place: GridPoint): number | undefined {
  const observations = currentSnapshot.value?.observations;
  const basin = info.value?.basin;
  if (!observations || !basin) return undefined;
  let nearest: { readonly index: number; readonly distance: number } | undefined;
  for (const [index, known] of observations.inverseErrorStd.entries()) {
    const distance = distanceBetween({ x: observations.x[index], y: observations.y[index] }, place, basin);
    if (known > 0 && distance < (nearest?.distance ?? Infinity)) nearest = { index, distance };
  }
  return nearest?.index;
}

/** The evidence that belongs to it comes with an X-ray that begins. */
function begin({ evidence }: Laboratory, run: RunView, place: GridPoint, observation?: number): void {
  const xray = xrayOf(run);
  if (!xray.isOn.value) evidence.evidenceTab.value = 'xray';
  xray.chooseAt(place, observation);
}

/** Begins at the place that is meant, continues with it there, or ends it where it is there already. */
function toggle(laboratory: Laboratory, run: RunView): void {
  const { subject, answers, leave } = xrayOf(run);
  const place = placeMeant(run);
  const about = subject.value;
  const at = about?.kind === 'point' ? about : answers.value?.place.cell;
  const pointsElsewhere = run.view.hoveredCell.value !== undefined && (at?.x !== place?.x || at?.y !== place?.y);
  if (about && !pointsElsewhere) leave();
  else if (place) begin(laboratory, run, place);
}

/** @returns the commands of an X-ray */
export function xrayCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  const { isOn, leave } = xrayOf(run);
  const hasRun = (): boolean => run.course.info.value !== undefined;
  return [
    {
      id: 'stage.xray',
      group: 'Stage',
      title: 'X-ray of the point',
      shortcuts: ['X'],
      keywords: 'why explain covariance correlation column weights influence',
      enabled: hasRun,
      checked: () => isOn.value,
      run: () => toggle(laboratory, run),
    },
    {
      id: 'stage.xray-observation',
      group: 'Stage',
      title: 'X-ray of the nearest observation',
      shortcuts: ['Shift+X'],
      keywords: 'why explain single increment gain likelihood bayes',
      enabled: hasRun,
      run() {
        const place = placeMeant(run);
        const observation = place && nearestObservation(run, place);
        if (place && observation !== undefined) begin(laboratory, run, place, observation);
        else {
          laboratory.notices.notify('information', 'The cycle on screen has no observations', {
            lines: ['Step to a cycle that has some, and ask again.'],
          });
        }
      },
    },
    {
      id: 'stage.xray-leave',
      group: 'Stage',
      title: 'Leave the X-ray',
      shortcuts: ['Escape'],
      enabled: () => isOn.value,
      run: leave,
    },
  ];
}
