/** 4D-Var, as a kind of method. */
import { windowElements } from '../../models/index.ts';
import { defineMethod, TANGENT_ENTRIES } from '../definition.ts';
import { takenErrors } from '../shared/error-correlation-setting.ts';
import { threeDVar } from '../three-d-var/index.ts';
import { createFourDVar, fourDVarSchema } from './four-d-var.ts';

/** Operations of a linearised step of a cell, tangent and adjoint together, about. */
const STEP_OPERATIONS = 600;

export const fourDVar = defineMethod(fourDVarSchema, {
  appearance: {
    shades: [
      ['#f3a6c8', '#a8326f'],
      ['#f7c9de', '#7c2452'],
    ],
    dash: '16 3',
    marker: 'plus',
  },
  carries: 'state',
  assimilates: true,
  trustsSpread: false,
  linearises: true,
  takesErrors: takenErrors,
  problems: (settings, situation) => threeDVar.problems?.(asThreeDVar(settings), situation) ?? [],
  warnings: (settings, situation) => threeDVar.warnings?.(asThreeDVar(settings), situation) ?? [],
  memory(settings, sizes, situation) {
    const own = threeDVar.memory?.(asThreeDVar(settings), sizes, situation) ?? { elements: 0 };
    // The trajectory; beginning, end, iterate, two increments and two sensitivities; a tangent linear of every moment.
    const elements =
      windowElements(Math.ceil(situation.steps), sizes.state) +
      7 * sizes.state +
      (1 + situation.moments) * (TANGENT_ENTRIES + 2) * sizes.observations;
    return { ...own, elements: own.elements + elements };
  },
  asking: (settings, sizes, situation) => threeDVar.asking?.(asThreeDVar(settings), sizes, situation) ?? 0,
  effort(settings, situation) {
    const own = threeDVar.effort?.(asThreeDVar(settings), situation) ?? { each: 0, once: 0 };
    const { nx, ny } = situation.grid;
    const { outerLoops, maxIterations } = settings.minimisation;
    const steps = outerLoops * maxIterations * situation.steps * STEP_OPERATIONS * nx * ny;
    return { ...own, each: own.each + steps };
  },
  proposal: (situation, others) => threeDVar.proposal?.(situation, others) ?? {},
  tuning: (settings, situation) => threeDVar.tuning?.(asThreeDVar(settings), situation) ?? { settings: [] },
  create: createFourDVar,
});

/** The settings as those of 3D-Var, whose static covariance and minimisation they are. */
function asThreeDVar(settings: Parameters<typeof createFourDVar>[0]) {
  return { ...settings, kind: '3dvar' as const };
}
