/** What a scenario's fields have against each other, after each of them is right by itself. All problems are reported at once. */
import { BATHYMETRIES, bathymetryDefinition, greatestDepth } from '../bathymetry/index.ts';
import { forcingDefinition, FORCINGS } from '../forcing/index.ts';
import { initialStateDefinition, reachOf, INITIAL_STATES } from '../initial-states/index.ts';
import { waterOf, modelKindDefinition } from '../model-kinds/index.ts';
import { SCHEMES } from '../models/index.ts';
import {
  balanceProblem,
  describeValue,
  fileNameProblem,
  formatPath,
  listWords,
  suggestion,
  within,
} from '../settings/index.ts';
import type { Path, Problem } from '../settings/index.ts';
import { branchProblems, inBranches } from './branches.ts';
import { stepProblems } from './effort.ts';
import { fileReferences } from './files.ts';
import { interventionProblems } from './intervention-problems.ts';
import { DEFAULT_MEMORY_BYTES, memoryProblem } from './memory.ts';
import { methodProblems } from './situation.ts';
import { observationProblems } from './networks.ts';
import type { Scenario } from './schema.ts';
import { asTruth, hasOwnModel, truthModelProblems } from './truth-model.ts';
import { NETWORKS, networkDefinition } from '../networks/index.ts';

/** A kind of a setting, with the world that it is of where it is of one alone. */
interface Worldly {
  readonly kind: string;
  readonly world?: 'basin' | 'ring';
}

/** @returns what a model cannot go with; the rest of a scenario is judged if there is none of it */
function modelProblems(scenario: Scenario): Problem[] {
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

/** The narrowest number that a backend computes with; a run with wider ones checks again, with its own machine's limit. */
const SMALLEST_ELEMENT_BYTES = 4;
const REMEDY = 'use the scheme "central-upwind"';

/** @returns every problem across fields; none for a scenario that can run */
export function checkScenario(scenario: Scenario): Problem[] {
  const problems = settingProblems(scenario);
  if (problems.length > 0) return problems;
  const judge = (line: Scenario): Problem[] => interventionProblems(line, settingProblems);
  const ofMain = judge(scenario);
  if (ofMain.length > 0) return ofMain;
  const ofBranches = branchProblems(scenario);
  return ofBranches.length > 0 ? ofBranches : inBranches(scenario, judge);
}

/** Problems of the settings as they are when the run begins. */
function settingProblems(scenario: Scenario): Problem[] {
  const ofModel = [...modelProblems(scenario), ...truthModelProblems(scenario)];
  if (ofModel.length > 0) return ofModel;
  return [
    ...schemeProblems(scenario),
    ...truthSchemeProblems(scenario),
    ...balanceProblems(scenario),
    ...waterProblems(scenario),
    ...fileNameProblems(scenario),
    ...observationProblems(scenario),
    ...methodProblems(scenario),
    ...expectedProblems(scenario),
    ...sizeProblems(scenario),
    ...stepProblems(scenario),
  ];
}

/** What a scheme over a flat bottom cannot do. */
function schemeProblems({ model: settings, truth, background }: Scenario): Problem[] {
  const model = waterOf(settings);
  if (model === undefined || !SCHEMES[model.scheme].flatBottom) return [];
  const scheme = describeValue(model.scheme);
  const problems: Problem[] = [];
  const tell = (path: Path, message: string): void => void problems.push({ path: ['model', ...path], message });
  const { bathymetry, coriolis, friction } = model;
  if (!bathymetryDefinition(bathymetry.kind).isFlat) {
    const flat = listWords(BATHYMETRIES.flatMap((each) => (each.isFlat ? [describeValue(each.kind)] : [])));
    const message = `found ${describeValue(bathymetry.kind)}, allowed: ${flat} with the scheme ${scheme}; ${REMEDY}`;
    tell(['bathymetry'], message);
  }
  for (const name of ['f', 'beta'] as const) {
    if (coriolis[name] !== 0)
      tell(['coriolis', name], `found ${coriolis[name]}, allowed: 0 with the scheme ${scheme}; ${REMEDY}`);
  }
  if (friction.manning !== 0) {
    tell(['friction', 'manning'], `found ${friction.manning}, allowed: 0 with the scheme ${scheme}; ${REMEDY}`);
  }
  const depth = greatestDepth(bathymetry);
  for (const [part, initial] of Object.entries({ truth: truth.initial, background: background.initial })) {
    const { lowest } = reachOf(initial);
    if (depth === undefined || depth + lowest > 0) continue;
    const message = `found a surface ${-lowest} m below the water at rest, which is ${depth} m deep; ${scheme} keeps no dry cells, ${REMEDY}`;
    problems.push({ path: [part, 'initial'], message });
  }
  return problems;
}

/** What the scheme of the truth cannot do and that of the methods can. */
function truthSchemeProblems(scenario: Scenario): Problem[] {
  if (!hasOwnModel(scenario) || schemeProblems(scenario).length > 0) return [];
  return schemeProblems(asTruth(scenario))
    .filter(({ path }) => path[0] !== 'background')
    .map(({ path, message }) => ({
      path: ['truth', 'model', 'scheme'],
      message: `the truth cannot have ${formatPath(path)}: ${message}`,
    }));
}

/** Perturbations in geostrophic balance, if there can be none. */
function balanceProblems(scenario: Scenario): Problem[] {
  return (['truth', 'background'] as const).flatMap((part): Problem[] => {
    const message = balanceProblem(scenario[part].perturbation.balance, scenario);
    return message === undefined ? [] : [{ path: [part, 'perturbation', 'balance'], message }];
  });
}

/** What initial states and forcing have against the basin. */
function waterProblems(scenario: Scenario): Problem[] {
  const { truth, background } = scenario;
  const { forcing } = truth;
  const initial = Object.entries({ truth: truth.initial, background: background.initial }).flatMap(([part, state]) =>
    within([part, 'initial'], initialStateDefinition(state.kind).problems?.(state, scenario) ?? []),
  );
  const falling = forcingDefinition(forcing.kind).problems?.(forcing, scenario) ?? [];
  return [...initial, ...within(['truth', 'forcing'], falling)];
}

function fileNameProblems(scenario: Scenario): Problem[] {
  return fileReferences(scenario).flatMap(({ path, file, type }) => {
    const message = fileNameProblem(file, type);
    return message === undefined ? [] : [{ path, message }];
  });
}

/** Results and scans are of methods that are there, and a scan's rows have a value for each of its parameters. */
function expectedProblems({ methods, expected }: Scenario): Problem[] {
  if (expected === undefined) return [];
  const known = methods.map(({ label }) => label);
  const noMethod = (label: string): string =>
    `no method has this label, allowed: ${listWords(known.map(describeValue))}${suggestion(label, known)}`;
  const results = Object.keys(expected.results)
    .filter((label) => !known.includes(label))
    .map((label): Problem => ({ path: ['expected', 'results', label], atKey: true, message: noMethod(label) }));
  const scans = (expected.scans ?? []).flatMap(({ method, parameters, table, best }, index): Problem[] => {
    const path: Path = ['expected', 'scans', index];
    const most = Object.keys(parameters).length;
    const tell = (inside: Path, values: readonly number[]): Problem[] =>
      values.length === most
        ? []
        : [{ path: [...path, ...inside], message: `found ${values.length} values, the scan has ${most} parameters` }];
    return [
      ...(known.includes(method) ? [] : [{ path: [...path, 'method'], message: noMethod(method) }]),
      ...table.flatMap(({ values }, row) => tell(['table', row, 'values'], values)),
      ...tell(['best'], best),
    ];
  });
  return [...results, ...scans];
}

function sizeProblems(scenario: Scenario): Problem[] {
  const message = memoryProblem(scenario, SMALLEST_ELEMENT_BYTES, DEFAULT_MEMORY_BYTES);
  return message === undefined ? [] : [{ path: ['grid'], message: `the run ${message}` }];
}
