/** What was found, in a paragraph, and what differs between the scenarios of several runs. */
import { unitOf, versionDifferences, worseInShort, worseThanFreeRun } from '../../../engine/index.ts';
import { formatNumber, formatQuantity } from '../../format/numbers.ts';
import { describeRunDifferences, describeSeedVerdicts } from '../../figures/results.ts';
import { html, scrolled, tableHead, type Piece, type Markup } from '../markup.ts';
import { countedCycles, nameIn, type Report, type Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';
import { titlesOf } from '../../document/views/method-style.ts';

/** Longer values are cut off; the scenarios have them whole. */
const LONGEST = 120;

function shown(value: unknown): string {
  if (value === undefined) return 'not there';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function runsOf(report: Report): Markup {
  const rows = report.comparison.groups.flatMap(({ number, runs }) =>
    runs.map(
      ({ name, scenario, seed, backend, state, completedCycles, cycles }) =>
        html`<tr>
          <th scope="row">[${number}] ${name}</th>
          <td>${scenario.title || scenario.name}</td>
          <td>${seed}</td>
          <td>${backend.name}</td>
          <td>
            ${state === 'complete' ? `${cycles} cycles` : `${state} after ${completedCycles} of ${cycles} cycles`}
          </td>
        </tr>`,
    ),
  );
  return scrolled(
    'runs',
    html`<table class="words">
      ${tableHead(['Run', 'Scenario', 'Seed', 'Backend', 'State'])}
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  );
}

function settingsDifferences(report: Report): Markup | undefined {
  const { groups } = report.comparison;
  const rows = groups.flatMap(({ number, differences }) =>
    differences.map(
      ({ path, before, after }) =>
        html`<tr>
          <td>[${number}]</td>
          <th scope="row"><code>${path}</code></th>
          <td>${shown(before)}</td>
          <td>${shown(after)}</td>
        </tr>`,
    ),
  );
  if (rows.length === 0) return undefined;
  const table = html`<table class="words">
    ${tableHead(['Run', 'Path', 'In [1]', 'There'])}
    <tbody>
      ${rows}
    </tbody>
  </table>`;
  return html`<h3>Settings that differ from those of [1]</h3>
    ${scrolled('differing settings', table)}`;
}

/** @returns undefined of a single run */
export function differencesSection(report: Report): Section | undefined {
  const { runs, comparison, figured } = report;
  if (runs.length === 1) return undefined;
  const versions = versionDifferences(runs.map(({ compared }) => compared));
  const same = comparison.groups.length === 1 && html`<p>They are of the same settings and differ by their seed.</p>`;
  return {
    id: 'runs',
    title: 'The runs and what differs',
    body: html`${runsOf(report)}${same}${settingsDifferences(report)}
    ${versions.length > 0 && html`<p class="remark">The runs are of other versions, whose numbers may differ: ${versions.join('; ')}.</p>`}
    ${figured.length < runs.length && html`<p class="note">Figures are of ${figured.length} of the ${runs.length} runs; tables have all of them.</p>`}`,
  };
}

/** The least error of one run with the free run's beside it. */
function leastWords(run: ReportedRun, variables: readonly string[], least: string): string {
  const results = run.compared.summary.results(run.record.methods);
  const found = results.find(({ method }) => method === least);
  if (!found || Object.keys(found.rmse.analysis).length === 0) return '';
  const { from, to } = countedCycles(run);
  const errors = variables.map(
    (variable) => `${formatQuantity(found.rmse.analysis[variable], unitOf(variable))} in ${variable}`,
  );
  const isPattern = run.compared.summary.headline === 'pattern';
  const skill = isPattern ? found.skillPattern : found.skill;
  const error = isPattern ? 'error of the pattern' : 'error';
  const gone =
    skill === null || skill === 0
      ? ''
      : ` ${skill > 0 ? `${formatNumber(100 * skill)} % of the free run’s ${error} is gone.` : `The free run’s ${error} is smaller.`}`;
  return `${titlesOf(run.styles)(least)} has the least error of the analysis over the cycles ${from} to ${to}: ${errors.join(', ')}.${gone}`;
}

/** How the methods differ in one run, or which is better over seeds. */
function differencesOf(report: Report): string {
  const { comparison } = report;
  const { over, comparisons } = comparison;
  if (over === undefined) return comparison.why ?? '';
  return over === 'cycles'
    ? describeRunDifferences(comparisons, nameIn(report))
    : describeSeedVerdicts(comparisons, nameIn(report));
}

function caveat({ comparison: { over } }: Report): string {
  return over === 'cycles'
    ? 'This is one seed, and other seeds may differ: a comparison over seeds shows which method is better.'
    : '';
}

/** Why there are no results yet of a run that stopped within its spin-up. */
function beforeResults({ runs }: Report): string {
  const run = runs.find((each) => countedCycles(each).to < countedCycles(each).from);
  if (run === undefined || run.record.completedCycles === 0) return '';
  const { from, to } = countedCycles(run);
  return `Means begin with cycle ${from}, after the spin-up, and ${runs.length > 1 ? run.name : 'the run'} ends with cycle ${to}: there is nothing to compare yet.`;
}

/** What the scenario says of runs over several seeds. */
function expected({ scenario }: ReportedRun): Piece {
  const verdict = scenario.expected?.verdict;
  return verdict !== undefined && html`<p class="expected">What the scenario expects: ${verdict}</p>`;
}

function ended(runs: readonly ReportedRun[]): string[] {
  return runs.flatMap(({ name, record: { state, completedCycles, cycles, reason } }) =>
    state === 'complete'
      ? []
      : [
          `${runs.length > 1 ? name : 'The run'} is not complete: ${state} after ${completedCycles} of ${cycles} cycles${reason === undefined ? '' : ` (${reason})`}.`,
        ],
  );
}

/** Methods that were omitted on the way. */
function diverged(runs: readonly ReportedRun[]): string[] {
  return runs.flatMap((run) => run.divergences.map(({ message }) => message));
}

/** Methods that are worse than the free run in variables that are observed or not, of several runs in how many. */
function worse({ runs }: Report): string[] {
  const lines = runs.flatMap((run) => {
    const { scenario, record, compared } = run;
    const found = worseThanFreeRun(scenario, record.methods, compared.summary, compared.diverged);
    return worseInShort(found.map((each) => ({ ...each, method: titlesOf(run.styles)(each.method) })));
  });
  return [...new Set(lines)].map((line) => {
    const count = lines.filter((each) => each === line).length;
    return `${line}${runs.length > 1 ? ` in ${count} of ${runs.length} runs` : ''}; the results say why.`;
  });
}

export function verdictSection(report: Report): Section {
  const { runs, comparison } = report;
  const { least } = comparison.comparisons;
  const first = runs.length === 1 && least !== undefined ? leastWords(runs[0], comparison.variables, least) : '';
  const early = beforeResults(report);
  const sentences = [early, first, differencesOf(report), early === '' ? caveat(report) : ''];
  const paragraph = sentences.filter((text) => text !== '').join(' ');
  const remarks = [...ended(runs), ...diverged(runs), ...worse(report)];
  return {
    id: 'verdict',
    title: 'Verdict',
    body: html`<p class="verdict">${paragraph === '' ? 'No cycle is complete, and nothing can be said.' : paragraph}</p>
      ${remarks.map((text) => html`<p class="remark">${text}</p>`)}${expected(runs[0])}`,
  };
}
