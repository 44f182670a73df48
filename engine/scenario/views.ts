/** What views have against the scenario that they are of: points outside the basin, and what there is not. */
import { modelKindDefinition } from '../model-kinds/index.ts';
import { describeValue, listWords, suggestion } from '../settings/index.ts';
import type { Path, Problem } from '../settings/index.ts';
import type { Scenario } from './schema.ts';
import type { Views } from './schema-views.ts';
import { situationOf } from './situation.ts';

/** A cell that views name, and where they do. */
type NamedCell = readonly [cell: { readonly x: number; readonly y: number }, path: Path];

function cellsOf({ probes, crossSection, xray }: Views): readonly NamedCell[] {
  return [
    ...probes.map((probe, index): NamedCell => [probe, ['probes', index]]),
    ...(crossSection ? [[crossSection.from, ['crossSection', 'from']] as const] : []),
    ...(crossSection ? [[crossSection.to, ['crossSection', 'to']] as const] : []),
    ...(xray?.kind === 'point' ? [[xray, ['xray']] as const] : []),
  ];
}

function cellProblems(views: Views, { grid: { nx, ny } }: Scenario): Problem[] {
  return cellsOf(views).flatMap(([{ x, y }, path]): Problem[] => {
    if (x < nx && y < ny) return [];
    return [{ path, message: `found x ${x}, y ${y}, allowed: cells of the grid: x below ${nx}, y below ${ny}` }];
  });
}

function methodProblems({ hiddenMethods }: Views, { methods }: Scenario): Problem[] {
  const known = methods.map(({ label }) => label);
  return hiddenMethods.flatMap((label, index): Problem[] => {
    if (known.includes(label)) return [];
    const message = `found ${describeValue(label)}, allowed: ${listWords(known.map(describeValue))}${suggestion(label, known)}`;
    return [{ path: ['hiddenMethods', index], message }];
  });
}

function xrayProblems({ xray }: Views, scenario: Scenario): Problem[] {
  if (xray === undefined) return [];
  if (xray.kind === 'point') {
    const names = modelKindDefinition(scenario.model).variables.map(({ name }) => name);
    if (names.includes(xray.variable)) return [];
    const allowed = listWords(names.map(describeValue));
    const found = describeValue(xray.variable);
    return [{ path: ['xray', 'variable'], message: `found ${found}, allowed: ${allowed}` }];
  }
  const { networks, observations } = situationOf(scenario);
  // What a file holds is not known before it is read.
  const isKnown = networks.every(({ capacity }) => capacity !== undefined);
  if (!isKnown || xray.index < observations) return [];
  const message = `found ${xray.index}, allowed: below ${observations}, the observations of a cycle at most`;
  return [{ path: ['xray', 'index'], message }];
}

/** @returns everything that does not fit, by paths inside the views */
export function viewProblems(views: Views, scenario: Scenario): Problem[] {
  return [...cellProblems(views, scenario), ...methodProblems(views, scenario), ...xrayProblems(views, scenario)];
}
