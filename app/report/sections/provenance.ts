/** Where the numbers come from, how to have them again, and the scenario itself. */
import { formatScenario } from '../../../engine/index.ts';
import { dataUrl } from '../base64.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { headOf } from '../report.ts';
import type { Report, Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';
import { sha256Of } from '../sha256.ts';
import { shellWords } from '../../files/shell-words.ts';

function timeWords(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
}

function scenarioFile({ scenario }: ReportedRun): string {
  return `${scenario.name}.shoal.json`;
}

/** That repeats the run, with the scenario saved from this page. */
function commandOf(run: ReportedRun): string {
  const { backend, selected } = run.record;
  const methods = (selected ?? []).flatMap((label) => ['--method', label]);
  return `npm run shoal -- run ${shellWords([scenarioFile(run), '--backend', backend.name, ...methods])}`;
}

function factsOf(run: ReportedRun, hash: string): Markup {
  const { record, scenario } = run;
  const facts: readonly (readonly [string, string])[] = [
    ['Scenario', `${scenario.name}, seed ${record.seed}; SHA-256 ${hash}`],
    ['Backend', `${record.backend.name}: ${record.backend.adapter}`],
    [
      'Versions',
      Object.entries(record.versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ],
    ['Begun, ended', `${timeWords(record.start)}, ${timeWords(record.end)}`],
    ...(record.resumed.length > 0 ? [['Continued', record.resumed.map(timeWords).join(', ')] as const] : []),
    ...Object.entries(record.scenarioFiles ?? {}).map(
      ([name, { sha256 }]) => ['File', `${name}: SHA-256 ${sha256}`] as const,
    ),
    ...record.warnings.map((warning) => ['Warning', warning] as const),
  ];
  return html`<dl class="terms">
    ${facts.map(
      ([term, text]) =>
        html`<dt>${term}</dt>
          <dd>${text}</dd>`,
    )}
  </dl>`;
}

function provenanceOf(report: Report, run: ReportedRun): Markup {
  const text = formatScenario(run.scenario);
  const head = headOf(report, run);
  const address = dataUrl('application/json', new TextEncoder().encode(text));
  const files = Object.keys(run.record.scenarioFiles ?? {});
  return html`${head !== undefined && html`<h3>${head}</h3>`}${factsOf(run, sha256Of(text))}
    <p>
      To run it again, save the scenario and give this
      command${files.length > 0 && html`, with ${files.join(', ')} from the run folder beside it`}:
    </p>
    <pre class="command"><code>${commandOf(run)}</code></pre>
    <p class="save"><a class="button" download="${scenarioFile(run)}" href="${address}">Save the scenario</a></p>
    <details>
      <summary>The scenario as it was run</summary>
      <pre><code>${text}</code></pre>
    </details>`;
}

export function provenanceSection(report: Report): Section {
  const parts = report.runs.map((run) => provenanceOf(report, run));
  const again =
    report.command !== undefined &&
    html`<p>This report was made by</p>
      <pre class="command"><code>${report.command}</code></pre>`;
  return { id: 'provenance', title: 'Provenance', body: html`${parts}${again}` };
}
