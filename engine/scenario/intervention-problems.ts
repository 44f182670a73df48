/** What interventions have against the rest of the scenario, and against each other: the first fault of each. */
import { ScenarioError } from '../errors.ts';
import { modelKindDefinition, waterOf } from '../model-kinds/index.ts';
import { SCHEMES } from '../models/index.ts';
import { cellProblem, describeProblem, extents, listWords, quote, tidy } from '../settings/index.ts';
import type { Path, Problem } from '../settings/index.ts';
import { knownBed, groundProblem, type Fault } from './bed.ts';
import { effectOf, nextCycleSettings, isSetting, withSetting } from './changes.ts';
import { createGauges, PAINTED_NETWORK, type Gauges } from './gauges.ts';
import { nameKey, type Intervention, type InterventionOf, type Scenario } from './schema.ts';

type Judged<Kind extends Intervention['kind']> = InterventionOf<Kind>;

function fault(at: Path, message: string | undefined): Fault | undefined {
  return message === undefined ? undefined : { at, message };
}

/** The scenario with a changed setting, or why it cannot be changed. */
function tried(scenario: Scenario, setting: Judged<'setting'>): Scenario | string {
  try {
    return withSetting(scenario, setting);
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    const [{ path, message }] = error.problems;
    return describeProblem({ path, message });
  }
}

function settingFault(
  next: Scenario | string,
  { cycle, path }: Judged<'setting'>,
  problemsOfSettings: (scenario: Scenario) => readonly Problem[],
): Fault | undefined {
  if (effectOf(path) !== 'next-cycle') {
    const message = `found ${quote(path)}, allowed: settings that can change while it runs: ${nextCycleSettings()}`;
    return { at: ['path'], message };
  }
  if (typeof next === 'string') return { at: ['value'], message: next };
  const inconsistent = problemsOfSettings(next)[0]?.message;
  if (next.experiment.cycles >= cycle) return fault(['value'], inconsistent);
  return {
    at: ['value'],
    message: `found ${next.experiment.cycles}, allowed: at least ${cycle}, the cycle of the change`,
  };
}

function placeText(place: readonly [number, number]): string {
  return `[${place.join(', ')}]`;
}

/** Walks through the places of an intervention, and leaves the gauges as they are after it. */
function gaugesFault(gauges: Gauges, change: Judged<'gauges'>, scenario: Scenario): Fault | undefined {
  const { add, remove, variable, errorStandardDeviation } = change;
  if (add.length + remove.length === 0) {
    return { at: ['add'], message: 'found no place to add or to remove, allowed: at least one' };
  }
  const faults: Fault[] = [];
  remove.forEach((place, index) => {
    const outside = cellProblem(place, scenario);
    if (outside !== undefined) faults.push({ at: ['remove', index], message: outside });
    else if (gauges.remove(place) === 0) {
      const near = gauges.nearest(place);
      const hint = near ? `; the nearest one is at ${placeText(near)}` : '; there is none';
      const message = `found ${placeText(place)}, which has no fixed gauge, allowed: the place of one${hint}`;
      faults.push({ at: ['remove', index], message });
    }
  });
  add.forEach((place, index) => {
    const [x, y] = place;
    const outside = cellProblem(place, scenario);
    if (outside !== undefined) faults.push({ at: ['add', index], message: outside });
    else if (!gauges.add({ x, y, variable, errorStandardDeviation })) {
      const message = `found ${placeText(place)}, which has a painted gauge of ${variable} already; allowed: one at a place`;
      faults.push({ at: ['add', index], message });
    }
  });
  return faults[0];
}

/** A mound has to be seen by the grid, and may be as wide as the basin. */
function moundFault(
  { x, y, radius }: Pick<Judged<'drop'>, 'x' | 'y' | 'radius'>,
  scenario: Scenario,
): Fault | undefined {
  const { dx, dy } = scenario.grid;
  const outside = cellProblem([x, y], scenario);
  if (outside !== undefined) return { at: [], message: outside };
  const least = Math.max(dx, dy) / 2;
  const most = Math.hypot(...extents(scenario));
  if (radius >= least && radius <= most) return undefined;
  const message = `found ${radius} m, allowed: from half a cell, ${tidy(least)} m, to the basin's diagonal, ${tidy(most)} m`;
  return { at: ['radius'], message };
}

function islandFault(island: Judged<'island'>, scenario: Scenario): Fault | undefined {
  const scheme = waterOf(scenario.model)?.scheme;
  if (scheme !== undefined && SCHEMES[scheme].flatBottom) {
    const message = `found "island" with the scheme ${quote(scheme)}, which knows a flat bottom only; allowed: "central-upwind"`;
    return { at: ['kind'], message };
  }
  if (island.cycle !== 0) {
    const message = `found ${island.cycle}, allowed: 0: an island is part of the bed from the beginning`;
    return { at: ['cycle'], message };
  }
  return moundFault(island, scenario);
}

/** What a model's world does not have, and what cannot be observed of it. */
function worldFault(intervention: Intervention, { model }: Scenario): Fault | undefined {
  const { kind, world, observed } = modelKindDefinition(model);
  if (world === 'ring' && (intervention.kind === 'drop' || intervention.kind === 'island')) {
    const message = `found ${quote(intervention.kind)}, allowed: "setting" or "gauges" with the model "${kind}", which has no water`;
    return { at: ['kind'], message };
  }
  if (intervention.kind !== 'gauges' || intervention.add.length === 0) return undefined;
  const names = observed.map(({ name }) => name);
  if (names.includes(intervention.variable)) return undefined;
  const message = `found ${quote(intervention.variable)}, allowed: ${listWords(names.map(quote))} with the model "${kind}"`;
  return { at: ['variable'], message };
}

/** The name of the painted gauges is theirs. */
function nameProblems({ observations, interventions }: Scenario): Problem[] {
  if (!interventions.some((each) => each.kind === 'gauges' && each.add.length > 0)) return [];
  return observations.flatMap(({ name }, index): Problem[] => {
    if (nameKey(name) !== PAINTED_NETWORK) return [];
    const message = `found ${quote(name)}, which is what results call gauges that interventions add; give the network another name`;
    return [{ path: ['observations', index, 'name'], message }];
  });
}

/**
 * @param scenario without problems of its own
 * @param problemsOfSettings what settings have against each other
 * @returns what is wrong with the interventions, the first of each
 */
export function interventionProblems(
  scenario: Scenario,
  problemsOfSettings: (scenario: Scenario) => readonly Problem[],
): Problem[] {
  const problems = nameProblems(scenario);
  const gauges = createGauges(scenario);
  const bed = scenario.interventions.every(isSetting) ? undefined : knownBed(scenario);
  let now = scenario;
  let latest = 0;

  const judge = (intervention: Intervention): Fault | undefined => {
    const { cycle } = intervention;
    const { cycles } = now.experiment;
    if (cycle < latest)
      return { at: ['cycle'], message: `found ${cycle} after ${latest}, allowed: cycles in ascending order` };
    if (cycle > cycles)
      return { at: ['cycle'], message: `found ${cycle}, allowed: at most ${cycles}, where the run ends` };
    switch (intervention.kind) {
      case 'setting': {
        const next = tried(now, intervention);
        const found = settingFault(next, intervention, problemsOfSettings);
        if (!found && typeof next !== 'string') now = next;
        return found;
      }
      case 'gauges':
        return gaugesFault(gauges, intervention, scenario);
      case 'drop':
        return moundFault(intervention, scenario);
      case 'island':
        return islandFault(intervention, scenario);
      default:
        return intervention satisfies never;
    }
  };
  scenario.interventions.forEach((intervention, index) => {
    const found =
      worldFault(intervention, scenario) ?? judge(intervention) ?? (bed && groundProblem(intervention, scenario, bed));
    if (found) problems.push({ path: ['interventions', index, ...found.at], message: found.message });
    latest = Math.max(latest, intervention.cycle);
  });
  return problems;
}
