/** What a scenario's parts have against its model: kinds that are of another world, and variables that the model does not have. */
import { FORCINGS, forcingDefinition } from '../forcing/index.ts';
import { INITIAL_STATES, initialStateDefinition } from '../initial-states/index.ts';
import { modelKindDefinition } from '../model-kinds/index.ts';
import { NETWORKS, networkDefinition } from '../networks/index.ts';
import { describeValue, listWords } from '../settings/index.ts';
import type { Path, Problem } from '../settings/index.ts';
import type { Scenario } from './schema.ts';

/** A kind of a setting, with the world that it is of where it is of one alone. */
interface Worldly {
  readonly kind: string;
  readonly world?: 'basin' | 'ring';
}

/** @returns what a model cannot go with; the rest of a scenario is judged if there is none of it */
export function modelProblems(scenario: Scenario): Problem[] {
  const { model, grid, truth, background, observations } = scenario;
  const definition = modelKindDefinition(model);
  const { kind, world, observed } = definition;
  const problems: Problem[] = [...(definition.problems?.(model, grid) ?? [])];
  const tell = (path: Path, found: string, allowed: readonly string[]): void => {
    const words = listWords(allowed.map(describeValue));
    problems.push({ path, message: `found ${describeValue(found)}, allowed: ${words} with the model "${kind}"` });
  };
  const suits = (each: Worldly): boolean => each.world === undefined || each.world === world;
  const judge = (path: Path, found: Worldly, all: readonly Worldly[]): void => {
    if (suits(found)) return;
    tell(
      path,
      found.kind,
      all.filter(suits).map((each) => each.kind),
    );
  };
  const names = observed.map(({ name }) => name);
  observations.forEach(({ variable, network }, index) => {
    const path: Path = ['observations', index];
    if (!names.includes(variable)) tell([...path, 'variable'], variable, names);
    judge([...path, 'network'], networkDefinition(network.kind), NETWORKS);
  });
  const ofItself = INITIAL_STATES.filter((each: { readonly isOfTruth?: boolean }) => !each.isOfTruth);
  judge(['truth', 'initial'], initialStateDefinition(truth.initial.kind), ofItself);
  judge(['background', 'initial'], initialStateDefinition(background.initial.kind), INITIAL_STATES);
  judge(['truth', 'forcing'], forcingDefinition(truth.forcing.kind), FORCINGS);
  return problems;
}
