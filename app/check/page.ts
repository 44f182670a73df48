/** What a check found as one page: a file that opens anywhere, with no script and nothing from the network. */
import { shownBar, shownNumber } from '../../engine/index.ts';
import type { CheckDocument, CheckResult, Evidence } from '../../engine/index.ts';
import { PAGE_STYLE } from './page-style.ts';

const VERDICTS = {
  passed: { sign: '✓', word: 'holds' },
  failed: { sign: '✗', word: 'fails' },
  'not-applicable': { sign: '–', word: 'not applicable' },
} as const;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function verdictMark(verdict: CheckResult['verdict']): string {
  const { sign, word } = VERDICTS[verdict];
  return `<span class="verdict ${verdict}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

function evidenceRow({ what, value, bar, passed }: Evidence): string {
  return `<tr${passed ? '' : ' class="failed"'}><th scope="row">${escaped(what)}</th><td>${shownNumber(value)}</td><td>${escaped(shownBar(bar))}</td><td>${passed ? '✓' : '✗ beyond its bar'}</td></tr>`;
}

function section({ id, title, claim, basis, verdict, reason, evidence, seconds }: CheckResult): string {
  const table =
    evidence.length === 0
      ? ''
      : `<table><thead><tr><th scope="col">measured</th><th scope="col">found</th><th scope="col">bar</th><th scope="col"></th></tr></thead><tbody>
${evidence.map(evidenceRow).join('\n')}
</tbody></table>`;
  return `<section id="${id}">
<h2>${escaped(title)} ${verdictMark(verdict)}</h2>
<p>${escaped(claim)}</p>
${reason === undefined ? '' : `<p class="reason">${escaped(reason)}</p>`}
${table}
<p class="basis"><b>Where the bars come from.</b> ${escaped(basis)}</p>
<p class="seconds">${seconds.toFixed(1)} s</p>
</section>`;
}

function overviewRow({ id, title, verdict, evidence, seconds }: CheckResult): string {
  return `<tr><td>${verdictMark(verdict)}</td><th scope="row"><a href="#${id}">${escaped(title)}</a></th><td>${evidence.length}</td><td>${seconds.toFixed(1)}</td></tr>`;
}

function provenanceRows({ date, versions, machine, backend }: CheckDocument): string {
  const { name, adapter, precision, threads } = backend;
  const entries: readonly (readonly [string, string])[] = [
    ['date', date],
    [
      'backend',
      `${name}, ${precision}${threads === null ? '' : `, ${threads} ${threads === 1 ? 'thread' : 'threads'}`}`,
    ],
    ['adapter', adapter],
    ...Object.entries(machine),
    ...Object.entries(versions),
  ];
  return entries.map(([term, value]) => `<dt>${escaped(term)}</dt><dd>${escaped(value)}</dd>`).join('\n');
}

function headline({ passed, results, cases, backend }: CheckDocument): string {
  const failed = results.filter(({ verdict }) => verdict === 'failed').length;
  if (passed) return `All that was checked holds on ${backend.name}`;
  if (failed > 0) return `${failed} of ${cases} checks fail on ${backend.name}`;
  return `Stopped after ${results.length} of ${cases} checks on ${backend.name}`;
}

/** @returns the page's HTML */
export function checkPage(document: CheckDocument): string {
  const { results, passed } = document;
  const title = headline(document);
  const numbers = results.reduce((sum, { evidence }) => sum + evidence.length, 0);
  const seconds = results.reduce((sum, each) => sum + each.seconds, 0);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Shoal: ${escaped(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<p class="name">Shoal ${escaped(document.versions['shoal'] ?? '')} self-check</p>
<h1 class="${passed ? 'passed' : 'failed'}"><span aria-hidden="true">${passed ? '✓' : '✗'}</span> ${escaped(title)}</h1>
<p>${numbers} numbers were measured on this machine in ${seconds.toFixed(1)} s, each against a bar that is derived or published.</p>
<dl>
${provenanceRows(document)}
</dl>
</header>
<main>
<table class="overview"><caption>What was checked</caption><thead><tr><th scope="col">verdict</th><th scope="col">check</th><th scope="col">numbers</th><th scope="col">s</th></tr></thead><tbody>
${results.map(overviewRow).join('\n')}
</tbody></table>
${results.map(section).join('\n')}
</main>
<footer><p>Made by <code>shoal check</code>. The same cases, at more grids and sizes, are the program’s tests.</p></footer>
</body>
</html>
`;
}
