/** What was asked: the experiment in words, its settings, and by which conventions its numbers are made. */
import { describeIntervention, methodDefinition, modelKindDefinition, networkCapacity } from '../../../engine/index.ts';
import type { Scenario } from '../../../engine/index.ts';
import { formatNumber } from '../../renderer/charts/numbers.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { headOf } from '../report.ts';
import type { Report, Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';
import { settingsWords } from '../settings-words.ts';

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function basinWords({ grid: { nx, ny, dx, dy }, model }: Scenario): string {
  const { world, title } = modelKindDefinition(model);
  if (world === 'ring') return `${title} on ${nx} places of a ring`;
  return `${title} on ${nx} × ${ny} cells of ${formatNumber(dx)} m × ${formatNumber(dy)} m`;
}

function networkWords({ observations, grid }: Scenario): string {
  const words = observations.map(({ name, variable, network, errorStandardDeviation }) => {
    const capacity = networkCapacity(network, grid);
    const count = capacity === undefined ? '' : `at most ${capacity} `;
    return `${count}observations of ${variable} by “${name}” with an error of ${formatNumber(errorStandardDeviation)}`;
  });
  return listed(words);
}

/** The experiment in a paragraph. */
function experimentWords({ scenario, styles, record }: ReportedRun): string {
  const { experiment, background } = scenario;
  const learning = styles.filter(({ kind }) => methodDefinition(kind).assimilates);
  const others = styles.filter((style) => !learning.includes(style));
  const { cycles, window, spinup } = experiment;
  const unit = modelKindDefinition(scenario.model).world === 'ring' ? '' : ' s';
  const assimilated =
    learning.length === 0
      ? ''
      : ` ${listed(learning.map(({ title }) => title))} assimilate${learning.length === 1 ? 's' : ''} them from one background of ${background.members} members.`;
  const free =
    others.length === 0
      ? ''
      : ` ${listed(others.map(({ title }) => title))} hears of none of them and says what can be had without.`;
  return `A twin experiment: ${basinWords(scenario)}. A truth, known to the report alone, is followed for ${cycles} cycles of ${formatNumber(window)}${unit}; after each there are ${networkWords(scenario)}.${assimilated}${free} All random numbers follow from the seed ${record.seed}. ${spinup > 0 ? `Means are over the cycles from ${spinup} on.` : 'Means are over all cycles.'}`;
}

function settingsList(scenario: Scenario): Markup {
  const groups = settingsWords(scenario).map(
    ({ title, gist, settings }) =>
      html`<dt>${title}</dt>
        <dd>
          ${gist !== '' && html`<span class="gist">${gist}</span>`}
          <ul class="settings">
            ${settings.map(({ title: name, value }) => html`<li>${name} <b>${value}</b></li>`)}
          </ul>
        </dd>`,
  );
  const changes = scenario.interventions.map(
    (each) => html`<li>cycle ${each.cycle}: ${describeIntervention(scenario, each)}</li>`,
  );
  return html`<dl class="groups">
    ${groups}${
      changes.length > 0 &&
      html`<dt>Changed while it ran</dt>
        <dd>
          <ul>
            ${changes}
          </ul>
        </dd>`
    }
  </dl>`;
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
  ['Cycle', 'counted from 0: a forecast, the observations at its end, an analysis.'],
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
  // One run stands for those of the same settings.
  const told = report.runs.filter(({ compared }) =>
    groups.length === 0 ? compared === first.compared : groups.some(({ runs: [own] }) => own === compared),
  );
  const parts = told.map((run) => {
    const head = told.length > 1 ? headOf(report, run) : undefined;
    return html`${head !== undefined && html`<h3>${head}</h3>`}
      <p>${experimentWords(run)}</p>
      ${run === told[0] && settingsList(run.scenario)}`;
  });
  return {
    id: 'setup',
    title: 'What was asked',
    body: html`${paragraphsOf(first.scenario)}${parts}
      <h3>Conventions</h3>
      ${conventions()}`,
  };
}
