/** The table of what the shipped scenarios give over their seeds, from their own `expected`. */
import { comparedVariables, unitOf } from '../../engine/index.ts';
import type { Scenario } from '../../engine/index.ts';

export const TABLE_HEADER = [
  '| scenario | method | compared | RMSE of the analysis, median (range) | skill, median (range) |',
  '| --- | --- | --- | --- | --- |',
];

function number(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function percent(value: number): string {
  return `${(100 * value).toFixed(0)} %`;
}

/** One line a method; a number is the median over the seeds, with lowest and highest; of the pattern if that is shown first. */
export function tableRows(scenario: Scenario): string[] {
  const compared = comparedVariables(scenario);
  return Object.entries(scenario.expected?.results ?? {}).map(([label, { analysis, skill, pattern, skillPattern }]) => {
    const shown = pattern ?? analysis;
    const errors = compared.map((variable) => {
      const range = shown[variable as keyof typeof shown];
      return range ? `${number(range.median)} (${number(range.low)}–${number(range.high)})` : '–';
    });
    const names = compared.map((variable) => [variable, unitOf(variable)].filter(Boolean).join(', '));
    const share = skillPattern ?? skill;
    const skills = share ? `${percent(share.median)} (${percent(share.low)} to ${percent(share.high)})` : '–';
    const what = `${names.join('; ')}${pattern ? ' (pattern)' : ''}`;
    return `| \`${scenario.name}\` | ${label} | ${what} | ${errors.join('; ')} | ${skills} |`;
  });
}
