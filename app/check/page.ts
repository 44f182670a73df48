/** What a check found as one page: a file that opens anywhere, with no script and nothing from the network. */
import { shownBar, shownNumber } from '../../engine/index.ts';
import type { CheckDocument, CheckResult, Evidence } from '../../engine/index.ts';
import { tableHead } from '../report/figures/table.ts';
import { html, Markup } from '../report/markup.ts';
import { policySource } from '../report/sha256.ts';
import { PAGE_STYLE } from './page-style.ts';
import { headlineOf, VERDICTS } from './words.ts';

function verdictMark(verdict: CheckResult['verdict']): Markup {
  const { sign, word } = VERDICTS[verdict];
  return html`<span class="verdict ${verdict}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

function evidenceRow({ what, value, bar, passed }: Evidence): Markup {
  return html`<tr class="${passed ? '' : 'failed'}">
    <th scope="row">${what}</th>
    <td>${shownNumber(value)}</td>
    <td>${shownBar(bar)}</td>
    <td>${passed ? '✓' : '✗ beyond its bar'}</td>
  </tr>`;
}

function evidenceTable(evidence: readonly Evidence[]): Markup | undefined {
  if (evidence.length === 0) return undefined;
  return html`<table>
    ${tableHead(['measured', 'found', 'bar', 'verdict'])}
    <tbody>
      ${evidence.map(evidenceRow)}
    </tbody>
  </table>`;
}

function section({ id, title, claim, basis, verdict, reason, evidence, seconds }: CheckResult): Markup {
  return html`<section id="${id}">
    <h2>${title} ${verdictMark(verdict)}</h2>
    <p>${claim}</p>
    ${reason !== undefined && html`<p class="reason">${reason}</p>`} ${evidenceTable(evidence)}
    <p class="basis"><b>Where the bars come from.</b> ${basis}</p>
    <p class="seconds">${seconds.toFixed(1)} s</p>
  </section>`;
}

function overviewRow({ id, title, verdict, evidence, seconds }: CheckResult): Markup {
  return html`<tr>
    <td>${verdictMark(verdict)}</td>
    <th scope="row"><a href="${`#${id}`}">${title}</a></th>
    <td>${evidence.length}</td>
    <td>${seconds.toFixed(1)}</td>
  </tr>`;
}

function provenanceOf({ date, versions, machine, backend }: CheckDocument): readonly (readonly [string, string])[] {
  const { name, adapter, precision, threads } = backend;
  const count = threads === null ? '' : `, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  return [
    ['date', date],
    ['backend', `${name}, ${precision}${count}`],
    ['adapter', adapter],
    ...Object.entries(machine),
    ...Object.entries(versions),
  ];
}

/** @returns the page's HTML */
export function checkPage(document: CheckDocument): string {
  const { results, passed, versions } = document;
  const title = headlineOf(document);
  const numbers = results.reduce((sum, { evidence }) => sum + evidence.length, 0);
  const seconds = results.reduce((sum, each) => sum + each.seconds, 0);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="${`default-src 'none'; style-src ${policySource(PAGE_STYLE)}; base-uri 'none'; form-action 'none'`}"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Shoal: ${title}</title>
        ${new Markup(`<style>${PAGE_STYLE}</style>`)}
      </head>
      <body>
        <header>
          <p class="name">Shoal ${versions['shoal']} self-check</p>
          <h1 class="${passed ? 'passed' : 'failed'}">
            <span aria-hidden="true">${passed ? '✓' : '✗'}</span> ${title}
          </h1>
          <p>
            ${numbers} numbers were measured on this machine in ${seconds.toFixed(1)} s, each against a bar that is
            derived or published.
          </p>
          <dl>
            ${provenanceOf(document).map(
              ([term, value]) =>
                html`<dt>${term}</dt>
                  <dd>${value}</dd>`,
            )}
          </dl>
        </header>
        <main>
          <table class="overview">
            <caption>
              What was checked
            </caption>
            ${tableHead(['verdict', 'check', 'numbers', 's'])}
            <tbody>
              ${results.map(overviewRow)}
            </tbody>
          </table>
          ${results.map(section)}
        </main>
        <footer>
          <p>Made by <code>shoal check</code>. The same cases, at more grids and sizes, are the program’s tests.</p>
        </footer>
      </body>
    </html> `;
  return page.text;
}
