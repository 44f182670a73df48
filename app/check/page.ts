/** What a check found as one page: a file that opens anywhere, with no script and nothing from the network. */
import { shownBar, shownNumber, type CheckDocument, type CheckResult, type Evidence } from '../../engine/index.ts';
import { tableHead, html, Markup, policySource } from '../report/markup.ts';

/** What is said of a check, wherever it is shown. */
export const VERDICTS = {
  passed: { sign: '✓', word: 'holds' },
  failed: { sign: '✗', word: 'fails' },
  'not-applicable': { sign: '–', word: 'not applicable' },
} as const;

/** `All checks passed on wasm`. */
export function headlineOf({ passed, results, cases, backend }: CheckDocument): string {
  const failed = results.filter(({ verdict }) => verdict === 'failed').length;
  if (passed) return `All checks passed on ${backend.name}`;
  if (failed > 0) return `${failed} of ${cases} checks fail on ${backend.name}`;
  return `Stopped after ${results.length} of ${cases} checks on ${backend.name}`;
}

/** The style of the page: dark or light as the reader's system is, on a phone and on A4. */
const PAGE_STYLE = `
:root { color-scheme: light dark; --text: #14181f; --quiet: #55606e; --line: #d4d9e0; --back: #fff; --good: #0b6b3a; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6eaf0; --quiet: #9aa5b1; --line: #262d37; --back: #0e1116; --good: #5fd08f; --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0.25rem 0 0.5rem; }
h1.passed > span, .verdict.passed { color: var(--good); }
h1.failed > span, .verdict.failed, tr.failed td, tr.failed th, .reason { color: var(--bad); }
h2 { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; font-size: 1.1rem; margin: 0 0 0.4rem; }
.verdict { font-size: 0.9rem; font-weight: 600; white-space: nowrap; }
.verdict.not-applicable, .name, .basis, .seconds, footer { color: var(--quiet); }
.name, .seconds { margin: 0; font-size: 0.9rem; }
section { margin: 2rem 0 0; padding: 1rem 0 0; border-top: 1px solid var(--line); }
p { max-width: 75ch; margin: 0.4rem 0; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.15rem 1rem; margin: 1rem 0; font-size: 0.9rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; margin: 0.6rem 0; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
caption { text-align: start; font-weight: 600; padding: 0.3rem 0; }
th, td { padding: 0.2rem 0.6rem 0.2rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; font-weight: 400; }
thead th { color: var(--quiet); font-size: 0.85rem; }
tbody th { overflow-wrap: anywhere; }
td { white-space: nowrap; }
a { color: inherit; }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } section { break-inside: avoid-page; } a { text-decoration: none; } }
`;

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
