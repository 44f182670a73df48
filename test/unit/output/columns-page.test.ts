/** The page of columns is made of the columns' own definitions: `npx vitest -u` writes it again after a change. */
import { expect, it } from 'vitest';
import { MEASURES } from '../../../engine/index.ts';
import { csvColumns } from '../../../engine/output/diagnostics-csv.ts';

const VARIABLES = ['h', 'hu', 'hv'];

const INTRODUCTION = `# Columns and measures

A quantity has one name in all outputs: the column of \`diagnostics.csv\`, the variable in the group \`diagnostics\` of \`fields.nc\`,
the measure of a sweep or a tuning. In the JSON of \`shoal run\` the same quantity is nested: \`rmse.analysis.h\` is \`rmse_analysis_h\`,
\`rmsePattern.analysis.h\` is \`rmse_pattern_analysis_h\`, \`skillByVariable.h\` is \`skill_h\`. Files of an earlier version, which call a
measure \`rmse.analysis.h\`, \`spread-error.forecast.h\` or \`chi-square\` and the times \`forecast_ms\` and \`analysis_ms\`, are still read.

\`rmse\` is the whole error. \`rmse_level\` is the error of the basin's mean level alone, \`rmse_pattern\` that of the rest: in each cycle
rmse² = rmse_level² + rmse_pattern². What a method does not have is empty, NaN in \`fields.nc\` and absent or null in JSON: a method with
one state (3D-Var) has no spread. A list is numbers separated by spaces.
`;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The columns of all variables in one row, with \`*\` in place of the variable. */
function joined(columns: readonly { name: string; longName: string; unit: string | undefined }[]): string[][] {
  const rows = new Map<string, string[]>();
  for (const { name, longName, unit } of columns) {
    const suffix = /, of ([^ ]+)$/.exec(longName)?.[1];
    const key = suffix !== undefined && name.endsWith(`_${suffix}`) ? name.replace(/_[^_]+$/, '_*') : name;
    const words = key === name ? longName : longName.replace(/, of [^ ]+$/, '');
    const own = unit === undefined ? 'that of the observation' : unit === '' ? '–' : unit;
    const row = rows.get(key);
    if (!row) rows.set(key, [`\`${key}\``, own, words]);
    else if (!row[1].split(', ').includes(own)) row[1] += `, ${own}`;
  }
  return [...rows.values()];
}

it('lists every column and measure, with its unit and what it is', async () => {
  const columns = csvColumns(VARIABLES);
  expect(columns.filter(({ longName }) => longName === '')).toEqual([]);
  const measures = MEASURES.map(({ name, title, unit, best }) => [
    `\`${name}\``,
    unit === '' ? '–' : unit,
    title,
    typeof best === 'object' ? `near ${best.near}` : best === 'none' ? '–' : best,
  ]);
  const page = [
    INTRODUCTION,
    `## Columns of \`diagnostics.csv\`, one row a method and cycle\n\nIn place of \`*\` is a variable: ${VARIABLES.join(', ')}, or \`x\` of Lorenz-96; in \`departures_\` what is observed.\n`,
    table(['column', 'unit', 'meaning'], joined(columns)),
    '\n## Measures of a sweep and a tuning, means over the cycles after the spin-up\n',
    table(['measure', 'unit', 'meaning', 'best'], measures),
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../../engine/output/COLUMNS.md');
});
