/**
 * A scenario as the steps of its lesson have it, and what the steps have against it. One that no longer fits, because the grid is
 * smaller or the run shorter than when it was written, hinders no run: it is warned of.
 */
import { ScenarioError } from '../errors.ts';
import { describeProblem, within, describeValue, listWords, suggestion } from '../settings/index.ts';
import type { Problem, Path } from '../settings/index.ts';
import { checkScenario } from './check-scenario.ts';
import { cyclesOf } from './changes.ts';
import { POINTED_PARTS, type LessonSetting, type LessonStep, type Views } from './schema-lesson.ts';
import { problemsOf } from './schema-problems.ts';
import { parseSettings, type Scenario } from './schema.ts';
import { assignInWhole, setPath } from './set-path.ts';
import { answersImpact, methodDefinition } from '../methods/index.ts';
import { modelKindDefinition } from '../model-kinds/index.ts';
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

function nameProblem(name: string, known: readonly string[], path: Path): Problem[] {
  if (known.includes(name)) return [];
  const message = `found ${describeValue(name)}, allowed: ${listWords(known.map(describeValue))}${suggestion(name, known)}`;
  return [{ path, message }];
}

/** @returns a problem for each of the names that is not known, by its place in the list at `path` */
function nameProblems(names: readonly string[], known: readonly string[], path: string): Problem[] {
  return names.flatMap((name, index) => nameProblem(name, known, [path, index]));
}

function methodProblems({ hiddenMethods, difference }: Views, { methods }: Scenario): Problem[] {
  const known = methods.map(({ label }) => label);
  return [
    ...nameProblems(hiddenMethods, known, 'hiddenMethods'),
    ...(difference === undefined ? [] : nameProblem(difference, known, ['difference'])),
  ];
}

function pointedProblems({ show: { pointsAt } }: LessonStep, { methods }: Scenario): Problem[] {
  return nameProblems(pointsAt, [...methods.map(({ label }) => label), ...POINTED_PARTS], 'pointsAt');
}

function xrayProblems({ xray }: Views, scenario: Scenario): Problem[] {
  if (xray === undefined) return [];
  if (xray.kind === 'point') {
    const names = modelKindDefinition(scenario.model).variables.map(({ name }) => name);
    const problems: Problem[] = [];
    if (!names.includes(xray.variable)) {
      const allowed = listWords(names.map(describeValue));
      problems.push({
        path: ['xray', 'variable'],
        message: `found ${describeValue(xray.variable)}, allowed: ${allowed}`,
      });
    }
    if (xray.times && !scenario.methods.some(({ kind }) => methodDefinition(kind).linearises)) {
      problems.push({ path: ['xray', 'times'], message: 'found times, allowed: none in a scenario without 4D-Var' });
    }
    return problems;
  }
  const { networks, observations } = situationOf(scenario);
  // What a file holds is not known before it is read.
  const isKnown = networks.every(({ capacity }) => capacity !== undefined);
  if (!isKnown || xray.index < observations) return [];
  const message = `found ${xray.index}, allowed: below ${observations}, the observations of a cycle at most`;
  return [{ path: ['xray', 'index'], message }];
}

function impactProblems({ impact }: Views, { methods }: Scenario): Problem[] {
  if (impact === undefined || methods.some(answersImpact)) return [];
  return [
    { path: ['impact'], message: 'found an impact, allowed: none without an ensemble filter, such as the LETKF' },
  ];
}

/** @returns everything that does not fit, by paths inside the views */
export function viewProblems(views: Views, scenario: Scenario): Problem[] {
  return [
    ...cellProblems(views, scenario),
    ...methodProblems(views, scenario),
    ...xrayProblems(views, scenario),
    ...impactProblems(views, scenario),
  ];
}

/** Where a setting of a step comes from, in an error. */
const ORIGIN = 'the lesson';

/** @returns the settings that are changed at a step, counted from 0: its own and those of the steps before it */
export function settingsAtStep(steps: readonly LessonStep[], index: number): readonly LessonSetting[] {
  return steps.slice(0, index + 1).flatMap(({ show }) => show.settings);
}

function withSettings(raw: unknown, settings: readonly LessonSetting[]): unknown {
  return settings.reduce((changed, { path, value }) => setPath(changed, path, value, ORIGIN), raw);
}

/**
 * @param raw a scenario as its file has it; it is not changed
 * @returns the same as a step of the lesson has it
 * @throws ScenarioError for a path that leads nowhere, or a value that is not allowed there
 */
export function scenarioAtStep(raw: unknown, steps: readonly LessonStep[], index: number): unknown {
  return withSettings(raw, settingsAtStep(steps, index));
}

/** The settings of one step put into a scenario. @returns the first thing that is wrong with them in place of it */
function tried(scenario: Scenario, settings: readonly LessonSetting[]): Scenario | Problem {
  try {
    const changed = settings.reduce<unknown>(
      (whole, { path, value }) => assignInWhole(whole, path, value, ORIGIN),
      scenario,
    );
    const { data, error } = parseSettings(changed);
    if (!data) return problemsOf(error.issues, changed)[0];
    return checkScenario(data)[0] ?? data;
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return error.problems[0];
  }
}

function isProblem(found: Scenario | Problem): found is Problem {
  return 'message' in found;
}

function cycleProblems({ show }: LessonStep, scenario: Scenario): Problem[] {
  const last = cyclesOf(scenario) - 1;
  return (['cycle', 'playTo'] as const).flatMap((key): Problem[] => {
    const wanted = show[key];
    if (wanted === undefined || wanted <= last) return [];
    return [{ path: [key], message: `found ${wanted}, allowed: at most ${last}, the run’s last cycle` }];
  });
}

/** @returns why steps of the lesson cannot be shown as they say, by paths of the scenario */
export function lessonProblems(scenario: Scenario): Problem[] {
  const problems: Problem[] = [];
  let now = scenario;
  scenario.lesson.forEach((step, index) => {
    const { show } = step;
    const changed = show.settings.length > 0 ? tried(now, show.settings) : now;
    if (isProblem(changed)) {
      const { path, message } = changed;
      problems.push({ path: ['lesson', index, 'show', 'settings'], message: describeProblem({ path, message }) });
      return;
    }
    now = changed;
    const inside = [
      ...cycleProblems(step, now),
      ...pointedProblems(step, now),
      ...within(['views'], viewProblems(show.views, now)),
    ];
    problems.push(...within(['lesson', index, 'show'], inside));
  });
  return problems;
}
