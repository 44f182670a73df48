/**
 * The report as one page: no network, no script, nothing beside it. Its policy allows pictures that are inside it and the one
 * style sheet that it has.
 */
import { TRUTH_STYLE } from '../document/views/method-style.ts';
import { REPORT_FIGURES } from '../figures/registry.ts';
import { colourRules, pageStyle, fontRules } from './style.ts';
import { html, Markup, policySource } from './markup.ts';
import type { Report, Section } from './report.ts';
import { consistencySection, figureSection } from './sections/figures.ts';
import { differencesSection, verdictSection } from './sections/verdict.ts';
import { kernelsSection, provenanceSection } from './sections/provenance.ts';
import { mapsSection } from './sections/maps.ts';
import { resultsSection } from './sections/results.ts';
import { settingsSection, setupSection } from './sections/setup.ts';

/** In the order of the page. */
const SECTIONS: readonly ((report: Report) => Section | undefined)[] = [
  verdictSection,
  differencesSection,
  setupSection,
  resultsSection,
  mapsSection,
  figureSection(REPORT_FIGURES.curves),
  consistencySection,
  figureSection(REPORT_FIGURES.consistency),
  figureSection(REPORT_FIGURES.ranks),
  figureSection(REPORT_FIGURES.spectra),
  figureSection(REPORT_FIGURES.budgets),
  kernelsSection,
  settingsSection,
  provenanceSection,
];

function titleOf({ runs }: Report): string {
  const [{ scenario }] = runs;
  return scenario.title || scenario.name;
}

function subtitleOf({ runs }: Report): string {
  const [{ record, styles }] = runs;
  if (runs.length > 1) return `${runs.length} runs beside each other`;
  const methods = styles.map(({ title }) => title).join(', ');
  return `${methods}; seed ${record.seed}, ${record.completedCycles} cycles, ${record.backend.name}`;
}

function policyOf(style: string): string {
  return `default-src 'none'; img-src data:; font-src data:; style-src ${policySource(style)}; base-uri 'none'; form-action 'none'`;
}

/** The sheet as the policy's checksum has it: to the letter. */
function sheetOf(style: string): Markup {
  return new Markup(`<style>${style}</style>`);
}

/** @returns the whole file */
export function reportPage(report: Report): string {
  const { runs, made, version } = report;
  const styles = [TRUTH_STYLE, ...runs.flatMap((run) => run.styles)];
  const style = fontRules(report.fonts) + pageStyle(colourRules(styles, 'light'), colourRules(styles, 'dark'));
  const sections = SECTIONS.flatMap((section) => section(report) ?? []);
  const title = titleOf(report);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policyOf(style)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="generator" content="${`Shoal ${version}`}" />
        <title>${title}: a report</title>
        ${sheetOf(style)}
      </head>
      <body>
        <header>
          <p class="kind">Report of a twin experiment</p>
          <h1>${title}</h1>
          <p class="subtitle">${subtitleOf(report)}</p>
          <nav aria-label="Parts of the report">
            <ol>
              ${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}
            </ol>
          </nav>
        </header>
        <main>
          ${sections.map(
            ({ id, title: name, body }) =>
              html`<section id="${id}" aria-labelledby="${id}-title">
                <h2 id="${id}-title">${name}</h2>
                ${body}
              </section> `,
          )}
        </main>
        <footer><p>Made by Shoal ${version}, ${made.slice(0, 10)}.</p></footer>
      </body>
    </html> `;
  return page.text;
}
