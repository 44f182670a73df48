/** What a scenario's fields have against each other, after each of them is right by itself. All problems are told at once. */
import { extents, greatestDepth, reachOf, tidy } from './basin.ts';
import { fileNameProblem, fileReferences } from './files.ts';
import { DEFAULT_MEMORY_BYTES, memoryProblem } from './memory.ts';
import { observationProblems } from './networks.ts';
import { describeValue, listWords, suggestion } from './problem.ts';
import type { Path, Problem } from './problem.ts';
import type { Scenario } from './schema.ts';

/** The narrowest number that a backend computes with; a run with wider ones checks again, with its own machine's limit. */
const SMALLEST_ELEMENT_BYTES = 4;
const REMEDY = 'use the scheme "central-upwind"';

/** @returns every problem across fields; none for a scenario that can run */
export function checkScenario(scenario: Scenario): Problem[] {
  return [
    ...schemeProblems(scenario),
    ...coriolisProblems(scenario),
    ...initialProblems(scenario),
    ...arrayNameProblems(scenario),
    ...observationProblems(scenario),
    ...methodProblems(scenario),
    ...sizeProblems(scenario),
  ];
}

/** What Lax–Wendroff cannot do. */
function schemeProblems({ model, truth, background }: Scenario): Problem[] {
  if (model.scheme !== 'lax-wendroff') return [];
  const problems: Problem[] = [];
  const tell = (path: Path, message: string): void => void problems.push({ path: ['model', ...path], message });
  const { bathymetry, coriolis, friction } = model;
  if (bathymetry.kind !== 'flat') {
    tell(
      ['bathymetry'],
      `found ${describeValue(bathymetry.kind)}, allowed is "flat" with the scheme "lax-wendroff"; ${REMEDY}`,
    );
  }
  for (const name of ['f', 'beta'] as const) {
    if (coriolis[name] !== 0)
      tell(['coriolis', name], `found ${coriolis[name]}, allowed is 0 with the scheme "lax-wendroff"; ${REMEDY}`);
  }
  if (friction.manning !== 0) {
    tell(['friction', 'manning'], `found ${friction.manning}, allowed is 0 with the scheme "lax-wendroff"; ${REMEDY}`);
  }
  const depth = greatestDepth(bathymetry);
  for (const [part, initial] of Object.entries({ truth: truth.initial, background: background.initial })) {
    const { lowest } = reachOf(initial);
    if (depth === undefined || depth + lowest > 0) continue;
    const message = `found a surface ${-lowest} m below the water at rest, which is ${depth} m deep; "lax-wendroff" keeps no dry cells, ${REMEDY}`;
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

function methodProblems({ methods, background, expected }: Scenario): Problem[] {
  const problems: Problem[] = [];
  const labels = new Map<string, number>();
  let ensemble = false;
  methods.forEach((method, index) => {
    const path: Path = ['methods', index];
    const first = labels.get(method.label);
    if (first === undefined) labels.set(method.label, index);
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
  for (const label of Object.keys(expected ?? {})) {
    if (labels.has(label)) continue;
    const known = [...labels.keys()];
    const message = `no method has this label, allowed are ${listWords(known.map(describeValue))}${suggestion(label, known)}`;
    problems.push({ path: ['expected', label], atKey: true, message });
  }
  return problems;
}

function sizeProblems(scenario: Scenario): Problem[] {
  const message = memoryProblem(scenario, SMALLEST_ELEMENT_BYTES, DEFAULT_MEMORY_BYTES);
  return message === undefined ? [] : [{ path: ['grid'], message: `the run ${message}` }];
}
