/** What a scenario may hold without a mistake, and is warned of nevertheless: what is without effect, or unlikely to be meant. */
import { describe, expect, test } from 'vitest';
import type { ScenarioInput } from '../../../engine/scenario/index.ts';
import { parsed, warningLines } from './problems-of.ts';

type Change = Partial<ScenarioInput>;

describe('warnings', () => {
  const letkf = { kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1.05 } as const;
  const quiet: Change = { methods: [{ kind: 'free-run' }, { kind: '3dvar' }, letkf] };
  /** Jets that are drawn, of the truth and of the members. */
  const SHIFTED = { kind: 'jet' as const, shift: [-1, 1] as [number, number] };
  const AROUND = { kind: 'dam-break' as const, amplitude: [0.4, 0.6] as [number, number] };

  test('are none if nothing is amiss', () => {
    expect(warningLines(parsed(quiet))).toEqual([]);
  });

  // The farthest places are √(30² + 33²) = 44.5982 m apart.
  test.each<[string, Change, string]>([
    [
      'a window of no whole number of steps',
      { ...quiet, model: { timeStep: 0.15 } },
      'model.timeStep: 0.15 s does not divide experiment.window, 1 s; steps of 0.142857 s are taken',
    ],
    [
      'a spin-up of no whole number of steps',
      { ...quiet, model: { timeStep: 0.2 }, truth: { spinup: 1.1 } },
      'model.timeStep: 0.2 s does not divide truth.spinup, 1.1 s; steps of 0.183333 s are taken',
    ],
    [
      // c = √(9.81 · 1.5) = 3.83602 m/s and dx = 2 m: 0.521374 s.
      'a step that waves outrun',
      { ...quiet, model: { timeStep: 1 } },
      'model.timeStep: in 1 s a wave of 3.83601 m/s crosses 1.91801 cells, and the run will diverge; no scheme is stable beyond 0.521375 s, safe is 0.260687 s',
    ],
    [
      // √(9.81 · 1 m) · 0.1 s / 2 m = C = 0.1566: ln G = C²/(16·(1 − C²)) = 1/637 a step, 63.7 s, and 64.0 s by the angles that are looked at; 20 cycles of 10 s.
      'a scheme that amplifies diagonal waves by more than e-fold',
      {
        ...quiet,
        model: { scheme: 'lax-wendroff', timeStep: 0.1 },
        grid: { nx: 16, ny: 16, dx: 2, dy: 2 },
        experiment: { cycles: 20, window: 10 },
      },
      'model.scheme: "lax-wendroff" amplifies diagonal waves at every time step: with 0.1 s e-fold in 64.0 s, so that they grow by a factor of exp(3.1) in the 200 s of the run; use "richtmyer", which is stable, or shorter steps',
    ],
    [
      'no cycle left for the means',
      { ...quiet, experiment: { cycles: 5, spinup: 5 } },
      'experiment.spinup: 5 leaves none of the 5 cycles for the means, which are then over all of them',
    ],
    [
      'a taper that reaches everything',
      { methods: [{ ...letkf, localisation: { halfWidth: 22.3 } }] },
      "methods[0].localisation.halfWidth: 22.3 m reaches everything: the basin's farthest places are 44.5982 m apart and the taper ends at 44.6 m",
    ],
    [
      'a taper that reaches no neighbour',
      { methods: [{ ...letkf, localisation: { halfWidth: 1 } }] },
      'methods[0].localisation.halfWidth: 1 m reaches no neighbour: cells are 2 m apart and the taper ends at 2 m',
    ],
    [
      'no inflation of a small ensemble',
      { methods: [{ ...letkf, inflation: 1 }] },
      'methods[0].inflation: 1, without relaxation and with 20 members: the spread will fall below the error',
    ],
    [
      'weights farther apart than they vary',
      { methods: [{ ...letkf, weights: { every: 4 } }] },
      'methods[0].weights.every: weights are computed 12 m apart, which is more than the half-width of 4 m: between them observations are passed over',
    ],
    [
      'draws from cell to cell',
      { methods: [{ ...letkf, additive: { standardDeviation: 0.01, length: 1 } }] },
      'methods[0].additive.length: 1 m is less than half a cell (3 m); every cell gets a number of its own',
    ],
    [
      'draws over the basin',
      { methods: [{ ...letkf, additive: { standardDeviation: 0.01, length: 30 } }] },
      'methods[0].additive.length: 30 m is more than half of the basin (44.5982 m); everything is lifted alike',
    ],
    [
      'draws that dry the basin',
      { methods: [{ ...letkf, additive: { standardDeviation: 0.5, length: 6 } }] },
      'methods[0].additive.standardDeviation: 0.5 m in water 1 m deep: draws of 3 of them dry the bottom',
    ],
    [
      'a correlation within a cell',
      { methods: [{ kind: '3dvar', covariance: { kind: 'gaussian', length: 1 } }] },
      'methods[0].covariance.length: 1 m is less than half a cell (3 m); an observation corrects its own cell alone',
    ],
    [
      'a correlation over the basin',
      { methods: [{ kind: '3dvar', covariance: { kind: 'gaussian', length: 30 } }] },
      'methods[0].covariance.length: 30 m is more than half of the basin (44.5982 m); an observation corrects everything alike',
    ],
    [
      'no observations',
      { ...quiet, observations: [] },
      'observations: there are none, so that every method is a free run',
    ],
    [
      'the same observations twice',
      { ...quiet, observations: [{ name: 'a' }, { name: 'b' }] },
      'observations[1]: observes the same places and variable as observations[0]; together they count as one with a smaller error',
    ],
    [
      'observations after the end',
      { ...quiet, observations: [{ every: 41 }] },
      "observations[0].every: 41 cycles are more than the run's 40: observations never observes",
    ],
    [
      'observations that are all missing',
      { ...quiet, observations: [{ dropout: 1 }] },
      'observations[0].dropout: 1: every observation of observations is missing',
    ],
    [
      'quality control of good observations',
      { ...quiet, observations: [{ qualityControl: 1 }] },
      'observations[0].qualityControl: 1 standard deviations also reject many good observations',
    ],
    [
      'outliers that are none',
      { ...quiet, observations: [{ outliers: { share: 0.1, factor: 1 } }] },
      'observations[0].outliers.factor: 1: outliers are as good as the other observations',
    ],
    [
      'members that are the same',
      { ...quiet, background: { initial: { kind: 'rest' } } },
      'background: all 20 members are the same, so that the ensemble has no spread; give background.perturbation a standard deviation, or the initial state a range',
    ],
    [
      'a truth in the middle of what the members are drawn from',
      { ...quiet, truth: { initial: { kind: 'dam-break' } }, background: { initial: AROUND } },
      'truth: the truth is not drawn from what the members are drawn from (initial.amplitude is [0.5, 0.5] for it and [0.4, 0.6] for them), so that their spread will not be the size of their error, however a method is set; give both the same settings',
    ],
    [
      'a truth of another kind',
      { ...quiet, truth: { initial: { kind: 'rest' } } },
      'truth: the truth is not drawn from what the members are drawn from (it starts from "rest", they from "drops"), so that their spread will not be the size of their error, however a method is set; give both the same settings',
    ],
    [
      'a perturbation of the members that the truth lacks',
      { ...quiet, background: { perturbation: { standardDeviation: 0.1 } } },
      'truth: the truth is not drawn from what the members are drawn from (perturbation.standardDeviation is 0 for it and 0.1 for them), so that their spread will not be the size of their error, however a method is set; give both the same settings',
    ],
    [
      'jets that nothing holds',
      { ...quiet, truth: { initial: SHIFTED }, background: { initial: SHIFTED } },
      'truth.initial: without the Coriolis force (model.coriolis.f is 0) nothing keeps the jets in place',
    ],
    [
      'free runs alone',
      { methods: [{ kind: 'free-run' }, { kind: 'free-run', label: 'again' }] },
      'methods: every method is a free run, and they will all give the same',
    ],
    [
      'impacts that no method has',
      { methods: [{ kind: 'free-run' }, { kind: 'nudging' }], experiment: { impact: { lead: 1 } } },
      'experiment.impact: no method is an ensemble filter, such as the LETKF: there is none',
    ],
  ])('report %s', (_name, changes, warning) => {
    expect(warningLines(parsed(changes))).toEqual([warning]);
  });

  test('do not take drops of each member, or a perturbation, for the same members', () => {
    const forcing = { kind: 'drops', seenBy: 'each' } as const;
    expect(
      warningLines(
        parsed({ ...quiet, background: { initial: { kind: 'rest' } }, truth: { initial: { kind: 'rest' }, forcing } }),
      ),
    ).toEqual([]);
    const perturbation = { standardDeviation: 0.1 };
    const background = { initial: { kind: 'truth' }, perturbation } as const;
    expect(warningLines(parsed({ ...quiet, truth: { perturbation }, background }))).toEqual([]);
    expect(warningLines(parsed({ ...quiet, background }))).toEqual([
      'background.initial: the members are centred on the truth, and their mean starts almost without an error; give truth.perturbation a standard deviation like that of background.perturbation',
    ]);
  });
});
