/** What was asked: the experiment in words, and by which conventions its numbers are made. */
import { methodDefinition, modelKindDefinition, momentsOf, networkCapacity } from '../../../engine/index.ts';
import type { Scenario } from '../../../engine/index.ts';
import { formatNumber, formatQuantity } from '../../format/numbers.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { headOf } from '../report.ts';
import type { Report, Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function basinWords({ grid: { nx, ny, dx, dy }, model }: Scenario): string {
  const { world, title } = modelKindDefinition(model);
  if (world === 'ring') return `${title}, ${nx} places on a ring`;
  return `${title}, ${nx} × ${ny} cells of ${formatNumber(dx)} m × ${formatNumber(dy)} m`;
}

/** In which cycles a network observes, and when in them. */
function whenWords(network: Scenario['observations'][number]): string {
  const { every, times } = network;
  const most = every === 1 ? 'in each cycle' : `in one of ${every} cycles`;
  const cycles = times.length === 0 ? most : `in ${times.length} ${times.length === 1 ? 'cycle' : 'cycles'}`;
  const shares = momentsOf(network);
  if (shares.every((share) => share === 1)) return `at the end, ${cycles}`;
  return `after ${listed(shares.map((share) => formatNumber(100 * share)))} % of the window, ${cycles}`;
}

/** What one network reports: `256 observations of h by “gauges”, with errors of 0.02 m`. */
function networkWords({ grid, model }: Scenario, network: Scenario['observations'][number]): string {
  const { name, variable, errorStandardDeviation } = network;
  const unit = modelKindDefinition(model).observed.find((each) => each.name === variable)?.unit ?? '';
  const capacity = networkCapacity(network.network, grid);
  const places = capacity === undefined ? '' : ` in up to ${capacity} ${capacity === 1 ? 'place' : 'places'}`;
  return `“${name}” observes ${variable}${places} ${whenWords(network)}, with errors of standard deviation ${formatQuantity(errorStandardDeviation, unit)}`;
}

function titles(styles: readonly MethodStyle[]): string {
  return listed(styles.map(({ title }) => title));
}

function methodsWords({ scenario: { background }, styles }: ReportedRun): string {
  const learning = styles.filter(({ kind }) => methodDefinition(kind).assimilates);
  const others = styles.filter((style) => !learning.includes(style));
  const members = `${background.members} ${background.members === 1 ? 'member' : 'members'}`;
  return [
    ...(learning.length > 0
      ? [
          `${titles(learning)} ${learning.length === 1 ? 'assimilates' : 'assimilate'} them; all begin with the same background of ${members}.`,
        ]
      : []),
    ...(others.length > 0 ? [`${titles(others)}: the same background left to itself, for comparison.`] : []),
  ].join(' ');
}

/** The experiment in a paragraph. */
function experimentWords(run: ReportedRun): string {
  const { scenario, record } = run;
  const { cycles, window, spinup } = scenario.experiment;
  const unit = modelKindDefinition(scenario.model).world === 'ring' ? '' : 's';
  const networks = scenario.observations.map((network) => networkWords(scenario, network));
  const observed = networks.length === 0 ? 'Nothing is observed.' : `Of it ${networks.join('; ')}.`;
  return [
    `A twin experiment. The model: ${basinWords(scenario)}.`,
    `A truth, which no method sees, is followed for ${cycles} cycles of ${formatQuantity(window, unit)}.`,
    observed,
    methodsWords(run),
    `All random numbers follow from the seed ${record.seed}.`,
    spinup > 0 && spinup < cycles ? `Means are over the cycles from ${spinup} on.` : 'Means are over all cycles.',
  ].join(' ');
}

const CONVENTIONS: readonly (readonly [string, string])[] = [
  [
    'RMSE',
    'root of the mean square, over all cells with water in the truth or in a member, of a method’s mean minus the truth; of several cycles the mean of their values.',
  ],
  ['Spread', 'root of the mean variance over the members (n − 1 in the denominator); a method of one state has none.'],
  [
    'Skill',
    '1 − RMSE / RMSE of the free run, both of the analysis, each a mean over the cycles; of several variables the mean.',
  ],
  ['Rank', 'how many members of the forecast lie below the truth in a cell; ties are broken at random.'],
  [
    'χ²/p',
    'dᵀ(HBHᵀ + R)⁻¹d over the number p of observations, d = y − H(x̄ᶠ): 1 in the mean where the errors are what the method takes them for.',
  ],
  ['Inflation', 'multiplies the forecast’s covariance, not its anomalies.'],
  ['Half-width', 'half of the distance beyond which an observation has no influence (Gaspari and Cohn’s taper).'],
  ['Cycle', 'counted from 0: a forecast, the observations of its window, an analysis.'],
];

function conventions(): Markup {
  return html`<dl class="terms">
    ${CONVENTIONS.map(
      ([term, meaning]) =>
        html`<dt>${term}</dt>
          <dd>${meaning}</dd>`,
    )}
  </dl>`;
}

function paragraphsOf({ description }: Scenario): Markup[] {
  return description
    .split(/\n\s*\n/)
    .filter((text) => text.trim() !== '')
    .map((text) => html`<p class="about">${text}</p>`);
}

export function setupSection(report: Report): Section {
  const [first] = report.runs;
  const { groups } = report.comparison;
  // One run represents those with the same settings.
  const told = report.runs.filter(({ compared }) =>
    groups.length === 0 ? compared === first.compared : groups.some(({ runs: [own] }) => own === compared),
  );
  const words = told.map(experimentWords);
  const parts = told.flatMap((run, index) => {
    // What several have in common is said once.
    if (words.indexOf(words[index]) < index) return [];
    const isAlone = words.every((each) => each === words[0]);
    const head = isAlone ? undefined : headOf(report, run);
    return [
      html`${head !== undefined && html`<h3>${head}</h3>`}
        <p>${words[index]}</p>`,
    ];
  });
  return {
    id: 'setup',
    title: 'What was asked',
    body: html`${paragraphsOf(first.scenario)}${parts}
      <h3>Conventions</h3>
      ${conventions()}`,
  };
}
