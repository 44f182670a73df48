/** What a run is made of beside its methods: model, truth, propagators and the observer of the truth. */
import type { Backend, RealField } from '../compute/backend.ts';
import type { Model, Propagator } from '../models/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import { numberOf, type Checkpoint } from './checkpoint.ts';
import { createModel } from './draw.ts';
import { drawStates, type DrawOptions, type Drawn } from './drawn-states.ts';
import { createDriving, type Driving } from './driving.ts';
import { createHiddenTruth, createTruthModel, type HiddenTruth } from './hidden-truth.ts';
import { createTruthObserver, type TruthObserver } from './truth-observer.ts';

/** Each part is owned by the run. */
export interface Parts {
  readonly backend: Backend;
  readonly scenario: Scenario;
  readonly files: ScenarioFiles;
  readonly model: Model;
  /** The wave rate that the methods' "auto" steps are made for, 1/s. */
  readonly pace: number;
  /** That of the truth's model. */
  readonly truthPace: number;
  /** As everybody looks at it: on the methods' grid, as their model takes it. */
  readonly truth: RealField;
  /** As its own model has it. */
  readonly hidden: HiddenTruth;
  /** Whether the truth is moved on as the methods' states are, so that it can go along with them. */
  readonly hasOneModel: boolean;
  /** One for each member count. */
  readonly propagatorOf: (members: number) => Promise<Propagator>;
  readonly observer: TruthObserver;
  readonly driving: Driving;
  readonly own: <Owned extends { dispose(): void }>(owned: Owned) => Owned;
}

/** @returns the parts, and what the run begins with if there is no checkpoint */
export async function prepareParts(
  backend: Backend,
  scenario: Scenario,
  files: ScenarioFiles,
  own: Parts['own'],
  checkpoint: Checkpoint | undefined,
  drawing: DrawOptions,
): Promise<{ readonly parts: Parts; readonly drawn: Drawn | undefined }> {
  const undriven = createModel(scenario, files);
  const driving = createDriving(scenario);
  const model = driving.ofMethods(undriven);
  const truthModel = createTruthModel(scenario, model);
  const drawn = checkpoint ? undefined : await drawStates(backend, scenario, model, drawing);
  if (drawn) own(drawn.ensemble);
  const pace = drawn?.pace ?? numberOf(checkpoint, 'pace');
  const truthPace = drawn?.truthPace ?? (truthModel.model === model ? pace : numberOf(checkpoint, 'truthPace'));
  const propagators = new Map<number, Promise<Propagator>>();
  const propagatorOf = (members: number): Promise<Propagator> => {
    const propagator = propagators.get(members) ?? model.prepare(backend, members, pace, drawing.signal).then(own);
    propagators.set(members, propagator);
    return propagator;
  };
  const { nx, ny } = model.grid;
  const truth = own(backend.allocate('truth', 'real', model.variables.length * nx * ny));
  const ofTruth = driving.ofTruth(truthModel.model === model ? undriven : truthModel.model);
  const hasOneModel = ofTruth === model;
  const truthPropagator = hasOneModel
    ? await propagatorOf(1)
    : own(await ofTruth.prepare(backend, 1, truthPace, drawing.signal));
  const hidden = own(await createHiddenTruth(backend, model, truthModel, truth, truthPropagator));
  const observer = own(
    await createTruthObserver(backend, scenario, files, model, truth, {
      firstCycle: checkpoint?.cycle ?? 0,
      members: [scenario.background.members],
    }),
  );
  return {
    parts: {
      backend,
      scenario,
      files,
      model,
      pace,
      truthPace,
      truth,
      hidden,
      hasOneModel,
      propagatorOf,
      observer,
      driving,
      own,
    },
    drawn,
  };
}
