/** What was changed while a run continued, in one line of words: for marks, lists, undo and titles. */
import { tidy } from '../settings/index.ts';
import { changesBetween } from './change-effect.ts';
import { describeChange } from './describe-change.ts';
import { changesAt, isSetting, scenarioAt, withSetting } from './interventions.ts';
import type { Intervention, InterventionOf, Scenario } from './schema.ts';

function gaugesText(count: number): string {
  return `${count} ${count === 1 ? 'gauge' : 'gauges'}`;
}

function placeText([x, y]: readonly [number, number]): string {
  return `(${tidy(x)}, ${tidy(y)})`;
}

function describeGauges({ add, remove }: InterventionOf<'gauges'>): string {
  if (add.length === 1 && remove.length === 1)
    return `gauge moved from ${placeText(remove[0])} to ${placeText(add[0])}`;
  if (remove.length === 0) return `${gaugesText(add.length)} added`;
  if (add.length === 0) return `${gaugesText(remove.length)} removed`;
  return `${gaugesText(add.length)} added, ${remove.length} removed`;
}

const SEEN_BY = { truth: '', all: ', seen by all', each: ', each its own' } as const;

function describeDrop({ x, y, height, seenBy }: InterventionOf<'drop'>): string {
  const place = placeText([x, y]);
  const what = height < 0 ? `${tidy(-height)} m of water taken at ${place}` : `drop of ${tidy(height)} m at ${place}`;
  return what + SEEN_BY[seenBy];
}

/** The scenario as it is just before one of its interventions, or before one that would come last in its cycle. */
function justBefore(scenario: Scenario, intervention: Intervention): Scenario {
  const index = scenario.interventions.indexOf(intervention);
  if (index === -1) return scenarioAt(scenario, intervention.cycle);
  return scenarioAt({ ...scenario, interventions: scenario.interventions.slice(0, index) }, Infinity);
}

/**
 * @param scenario that has the intervention, or would have it
 * @returns as in `letkf: inflation 1.1 → 3`, `3 gauges added`, `drop of 0.2 m at (12, 30)`, places in cells
 */
export function describeIntervention(scenario: Scenario, intervention: Intervention): string {
  switch (intervention.kind) {
    case 'setting': {
      const before = justBefore(scenario, intervention);
      const changes = changesBetween(before, withSetting(before, intervention));
      return changes.map((change) => describeChange(before, change)).join(', ') || `${intervention.path} as it was`;
    }
    case 'gauges':
      return describeGauges(intervention);
    case 'drop':
      return describeDrop(intervention);
    case 'island':
      return `island of ${tidy(intervention.height)} m at ${placeText([intervention.x, intervention.y])}`;
    default:
      return intervention satisfies never;
  }
}

/** @returns what the scenario changes with a cycle, one line each; settings first */
export function describeInterventions(scenario: Scenario, cycle: number): readonly string[] {
  const others = scenario.interventions.filter((each) => each.cycle === cycle && !isSetting(each));
  return [
    ...changesAt(scenario, cycle).map((change) => describeChange(scenario, change)),
    ...others.map((each) => describeIntervention(scenario, each)),
  ];
}
