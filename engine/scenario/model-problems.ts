/** What a scenario's parts have against its model: kinds that are of water alone, and variables that the model does not have. */
import { forcingDefinition, FORCINGS } from '../forcing/index.ts';
import { INITIAL_STATES, initialStateDefinition } from '../initial-states/index.ts';
import { modelKindDefinition } from '../model-kinds/index.ts';
import { networkDefinition, NETWORKS } from '../networks/index.ts';
import { describeValue, listWords } from '../settings/index.ts';
import type { KindDefinition, Path, Problem } from '../settings/index.ts';
import type { Scenario } from './schema.ts';

function kindsOf(definitions: readonly KindDefinition[]): string {
  return listWords(definitions.map(({ kind }) => describeValue(kind)));
}

/** @returns what a model cannot go with; the rest of a scenario is judged where there is none of it */
export function modelProblems(scenario: Scenario): Problem[] {
  const { model, grid, truth, background, observations } = scenario;
  const definition = modelKindDefinition(model);
  const problems: Problem[] = [...(definition.problems?.(model, grid) ?? [])];
  const withModel = `with the model "${definition.kind}"`;
  const tell = (path: Path, found: string, allowed: string): void => {
    problems.push({ path, message: `found ${describeValue(found)}, allowed is ${allowed} ${withModel}` });
  };
  const names = definition.observed.map(({ name }) => name);
  observations.forEach(({ variable, network }, index) => {
    const path: Path = ['observations', index];
    if (!names.includes(variable)) tell([...path, 'variable'], variable, listWords(names.map(describeValue)));
    if (definition.world === 'basin' || !networkDefinition(network.kind).inBasins) return;
    const allowed = kindsOf(NETWORKS.filter((each: { readonly inBasins?: boolean }) => !each.inBasins));
    tell([...path, 'network'], network.kind, allowed);
  });
  if (definition.world === 'basin') return problems;
  for (const [part, { initial }] of Object.entries({ truth, background })) {
    if (!initialStateDefinition(initial.kind).ofWater) continue;
    const suiting = INITIAL_STATES.filter(
      (each: { readonly ofWater?: boolean; readonly isOfTruth?: boolean }) =>
        !each.ofWater && (part === 'background' || !each.isOfTruth),
    );
    tell([part, 'initial'], initial.kind, kindsOf(suiting));
  }
  const { kind } = truth.forcing;
  if (forcingDefinition(kind).ofWater) {
    const suiting = FORCINGS.filter((each: { readonly ofWater?: boolean }) => !each.ofWater);
    tell(['truth', 'forcing'], kind, kindsOf(suiting));
  }
  return problems;
}
