/** The style of the page: dark or light as the reader's system is, on a phone and on A4. */
export const PAGE_STYLE = `
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
