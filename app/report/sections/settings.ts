/** Every setting of the first run; those of others differ as the report says by path. */
import { describeIntervention } from '../../../engine/index.ts';
import type { Scenario } from '../../../engine/index.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Report, Section } from '../report.ts';
import { settingsWords } from '../settings-words.ts';

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

export function settingsSection({ runs }: Report): Section {
  const [{ scenario }] = runs;
  const others =
    runs.length > 1 && html`<p class="note">Settings of the first run; differences of the others are listed above.</p>`;
  return { id: 'settings', title: 'Settings', body: html`${others}${settingsList(scenario)}` };
}
