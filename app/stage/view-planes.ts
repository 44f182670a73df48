/** What the views show of the snapshots: the planes of one that rests, or those between two on the way. */
import { truthOf } from '../document/lines/shown.ts';
import type { ShownTransit } from '../document/lines/shown.ts';
import { TRUTH } from '../document/views/method-style.ts';
import { fieldOf } from '../fields/fields.ts';
import type { Phase } from '../document/views/view-state.ts';
import type { FieldTextures } from './field-textures.ts';
import { planesOfField } from '../document/views/field-values.ts';
import { planesOnTheWay } from './passage.ts';
import type { Moment, PlaneContents } from './passage.ts';
import { phaseOfField, subjectPlanes } from './snapshot-numbers.ts';
import { planeOfShown } from '../document/views/shown-planes.ts';
import type { StageModel } from './stage-model.ts';
import type { ViewPlace } from './view-grid.ts';
import type { ViewScene } from './view-scene.ts';

export interface ViewPlanes {
  /** Sets what rests. */
  settle(place: ViewPlace, scene: ViewScene, model: StageModel): void;
  /** Sets what moves. @param full the increment that is lit in full, m */
  move(place: ViewPlace, scene: ViewScene, model: StageModel, transit: ShownTransit, at: Moment, full: number): void;
}

const NAMES = ['eta', 'hu', 'hv', 'truthEta', 'forecastEta', 'spread', 'shown', 'increment'] as const;

/** @param textures one for one plane, however many views show it */
export function createViewPlanes(textures: FieldTextures): ViewPlanes {
  const set = ({ field, subject }: ViewPlace, scene: ViewScene, phase: Phase, planes: PlaneContents): void => {
    const wanted = planesOfField(field);
    // On the way an increment is still the last one, while the water beside it has moved on.
    const state = fieldOf(field).of === 'analysis-step' ? field : phase;
    const owner = subject === TRUTH ? TRUTH : `${subject}/${state}`;
    for (const name of NAMES) {
      const plane = name === 'increment' || wanted.includes(name) ? planes[name] : undefined;
      scene.setPlane(name, textures.get(name === 'truthEta' ? `${truthOf(subject)}/eta` : `${owner}/${name}`, plane));
    }
  };
  return {
    settle(place, scene, model) {
      const phase = phaseOfField(place.field, model.phase);
      set(place, scene, phase, subjectPlanes(model.snapshot, place.subject, phase, model.instead) ?? {});
      scene.setGlow(0, 1);
    },
    move(place, scene, model, transit, at, full) {
      const phase = phaseOfField(place.field, model.phase);
      // Who looks at forecasts sees no analysis.
      const seen = phase === 'forecast' ? { ...at, weight: 0, glow: 0 } : at;
      const shown = planeOfShown(model.instead, place.subject);
      const planes = { ...planesOnTheWay(transit, place.subject, place.field, seen), shown };
      set(place, scene, phase, planes);
      const isFreeRun = model.subjects.some((subject) => subject.isFreeRun && subject.label === place.subject);
      scene.setGlow(planes.increment && !isFreeRun ? seen.glow : 0, full);
    },
  };
}
