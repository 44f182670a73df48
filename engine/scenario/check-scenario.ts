/** What a scenario's fields have against each other, after each of them is right by itself. All problems are told at once. */
import { extents, greatestDepth, reachOf, tidy } from './basin.ts';
import { stepProblems } from './effort.ts';
import { fileNameProblem, fileReferences } from './files.ts';
import { interventionProblems } from './interventions.ts';
import { DEFAULT_MEMORY_BYTES, memoryProblem } from './memory.ts';
import { nameKey } from './name-key.ts';
import { observationProblems } from './networks.ts';
import { describeValue, listWords, suggestion } from './problem.ts';
import type { Path, Problem } from './problem.ts';
import type { Scenario } from './schema.ts';
import { SCHEMES } from './schemes.ts';

/** The narrowest number that a backend computes with; a run with wider ones checks again, with its own machine's limit. */
const SMALLEST_ELEMENT_BYTES = 4;
const REMEDY = 'use the scheme "central-upwind"';

/** @returns every problem across fields; none for a scenario that can run */
export function checkScenario(scenario: Scenario): Problem[] {
  const problems = settingProblems(scenario);
  return problems.length > 0 ? problems : interventionProblems(scenario, settingProblems);
}

/** Of the settings as they are when the run begins. */
function settingProblems(scenario: Scenario): Problem[] {
  return [
    ...schemeProblems(scenario),
    ...coriolisProblems(scenario),
    ...initialProblems(scenario),
    ...arrayNameProblems(scenario),
    ...observationProblems(scenario),
    ...methodProblems(scenario),
    ...expectedProblems(scenario),
    ...sizeProblems(scenario),
    ...stepProblems(scenario),
  ];
}

/** What a scheme over a flat bottom cannot do. */
function schemeProblems({ model, truth, background }: Scenario): Problem[] {
  if (!SCHEMES[model.scheme].flatBottom) return [];
  const scheme = describeValue(model.scheme);
  const problems: Problem[] = [];
  const tell = (path: Path, message: string): void => void problems.push({ path: ['model', ...path], message });
  const { bathymetry, coriolis, friction } = model;
  if (bathymetry.kind !== 'flat') {
    tell(
      ['bathymetry'],
      `found ${describeValue(bathymetry.kind)}, allowed is "flat" with the scheme ${scheme}; ${REMEDY}`,
    );
  }
  for (const name of ['f', 'beta'] as const) {
    if (coriolis[name] !== 0)
      tell(['coriolis', name], `found ${coriolis[name]}, allowed is 0 with the scheme ${scheme}; ${REMEDY}`);
  }
  if (friction.manning !== 0) {
    tell(['friction', 'manning'], `found ${friction.manning}, allowed is 0 with the scheme ${scheme}; ${REMEDY}`);
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

/** Geostrophic balance divides by the Coriolis parameter, which must not vanish in the basin. */
function coriolisProblems(scenario: Scenario): Problem[] {
  const { f, beta } = scenario.model.coriolis;
  const [, mostY] = extents(scenario);
  if (Math.abs(f) > (Math.abs(beta) * mostY) / 2) return [];
  const why = `the Coriolis parameter (f ${f}, beta ${beta}) is zero ${beta === 0 ? '' : 'somewhere '}in the basin`;
  const message = `found "geostrophic", allowed is "none" where ${why}`;
  const problems: Problem[] = [];
  if (scenario.truth.perturbation.balance === 'geostrophic')
    problems.push({ path: ['truth', 'perturbation', 'balance'], message });
  if (scenario.background.perturbation.balance === 'geostrophic') {
    problems.push({ path: ['background', 'perturbation', 'balance'], message });
  }
  scenario.methods.forEach((method, index) => {
    if (method.kind !== '3dvar' || method.covariance.balance !== 'geostrophic') return;
    problems.push({ path: ['methods', index, 'covariance', 'balance'], message });
  });
  return problems;
}

function initialProblems(scenario: Scenario): Problem[] {
  const problems: Problem[] = [];
  const { boundary } = scenario.model;
  const [mostX, mostY] = extents(scenario);
  const dropsFit = (width: number, path: Path): void => {
    for (const [axis, most] of [
      ['x', mostX],
      ['y', mostY],
    ] as const) {
      if (boundary[axis] === 'periodic' || width <= most) continue;
      problems.push({
        path,
        message: `found ${width} m, allowed is at most the basin's ${tidy(most)} m along ${axis}: drops stay half a width from the walls`,
      });
      return;
    }
  };
  const { truth, background } = scenario;
  if (truth.initial.kind === 'drops') dropsFit(truth.initial.width, ['truth', 'initial', 'width']);
  if (background.initial.kind === 'drops') dropsFit(background.initial.width, ['background', 'initial', 'width']);
  if (truth.forcing.kind === 'drops') dropsFit(truth.forcing.width, ['truth', 'forcing', 'width']);
  return problems;
}

function arrayNameProblems(scenario: Scenario): Problem[] {
  return fileReferences(scenario).flatMap(({ path, file, type }) => {
    const message = type === '.npy' ? fileNameProblem(file, type) : undefined;
    return message === undefined ? [] : [{ path, message }];
  });
}

function methodProblems({ methods, background }: Scenario): Problem[] {
  const problems: Problem[] = [];
  const labels = new Map<string, number>();
  let ensemble = false;
  methods.forEach((method, index) => {
    const path: Path = ['methods', index];
    const name = nameKey(method.label);
    const first = labels.get(name);
    if (first === undefined) labels.set(name, index);
    else {
      const message = `found the label ${describeValue(method.label)}, which is the label of methods[${first}] too; give each method a label of its own`;
      problems.push({ path: [...path, 'label'], message });
    }
    if (method.kind === 'letkf' || method.kind === 'enkf') ensemble = true;
    if (
      method.kind === '3dvar' &&
      Object.values(method.covariance.standardDeviation).every((deviation) => deviation === 0)
    ) {
      problems.push({
        path: [...path, 'covariance', 'standardDeviation'],
        message: 'found 0 for every variable, allowed is above 0 for one or more',
      });
    }
  });
  if (ensemble && background.members < 2) {
    const message = `found ${background.members}, allowed is at least 2 with the methods "letkf" and "enkf"`;
    problems.push({ path: ['background', 'members'], message });
  }
  return problems;
}

/** Results and scans are of methods that are there, and a scan's rows have a value for each of its parameters. */
function expectedProblems({ methods, expected }: Scenario): Problem[] {
  if (expected === undefined) return [];
  const known = methods.map(({ label }) => label);
  const noMethod = (label: string): string =>
    `no method has this label, allowed are ${listWords(known.map(describeValue))}${suggestion(label, known)}`;
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
