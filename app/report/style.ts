/**
 * The style sheet of a report: calm and dense on a screen, one column on a telephone, and A4 on paper; the methods’ colours and the
 * window’s type in it.
 */
import type { MethodStyle } from '../document/views/method-style.ts';
import { dataUrl } from './markup.ts';

type Shades = Pick<MethodStyle, 'dark' | 'light'>;

function nameOf({ dark, light }: Shades): string {
  return `--${light.slice(1)}-${dark.slice(1)}`;
}

/**
 * The methods' colours in a page that follows the reader's theme: named once in its style sheet, light as on paper, dark on dark
 * screens alone.
 *
 * @returns what an attribute of a drawing has
 */
export function colourOf(style: Shades): string {
  return `var(${nameOf(style)})`;
}

/** @returns the declarations of all shades, of one theme */
export function colourRules(styles: readonly Shades[], theme: keyof Shades): string {
  const rules = styles.map((style) => `${nameOf(style)}:${style[theme]}`);
  return [...new Set(rules)].join(';');
}

const LIGHT =
  '--ground:#ffffff;--raised:#f4f6f8;--line:#d8dee5;--axis:#818c98;--text:#14181d;--quiet:#515b66;--accent:#0067a3;--warning:#7a4e00;--good:#006b49';
const DARK =
  '--ground:#0e1116;--raised:#151a21;--line:#2c343f;--axis:#6d7986;--text:#e6eaf0;--quiet:#9aa5b1;--accent:#4cc2ff;--warning:#ffb454;--good:#4cc79c';

const RULES = `
*{box-sizing:border-box}
html{color-scheme:light;-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:67rem;padding:2.5rem 1.5rem 3rem;background:var(--ground);color:var(--text);font:0.9375rem/1.55 'Inter Variable',Inter,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
h1,h2,h3{line-height:1.2;font-weight:650;text-wrap:balance;overflow-wrap:anywhere}
h1{margin:0.15rem 0 0.35rem;font-size:1.9rem;letter-spacing:-0.015em}
h2{margin:3rem 0 0.9rem;padding-top:0.9rem;border-top:1px solid var(--line);font-size:1.3rem;letter-spacing:-0.01em}
h3{margin:1.75rem 0 0.5rem;font-size:1rem}
p{margin:0.5rem 0;max-width:44rem;overflow-wrap:anywhere}
a{color:var(--accent)}
code,pre,.tick{font-family:'JetBrains Mono Variable','JetBrains Mono',ui-monospace,'SF Mono',Menlo,Consolas,monospace}
.kind{margin:0;color:var(--quiet);font-size:0.8125rem}
.subtitle{margin:0;color:var(--quiet)}
nav ol{display:flex;flex-wrap:wrap;gap:0.15rem 1.1rem;margin:1.1rem 0 0;padding:0;list-style:none;font-size:0.875rem}
nav a{display:inline-block;padding:0.25rem 0;text-decoration:none}
nav a:hover{text-decoration:underline}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
header+main section:first-child h2{margin-top:1.75rem}
.verdict{max-width:46rem;font-size:1.125rem;line-height:1.5}
.note,.expected,.gist{color:var(--quiet);font-size:0.8125rem;line-height:1.5}
.remark{padding-left:0.75rem;border-left:3px solid var(--warning)}
.about{max-width:44rem}
dl{margin:0.75rem 0;font-size:0.875rem}
.terms,.groups{display:grid;grid-template-columns:minmax(7rem,13rem) minmax(0,1fr);gap:0.35rem 1.25rem}
dt{font-weight:600;overflow-wrap:anywhere}
dd{margin:0;max-width:48rem;overflow-wrap:anywhere}
.gist{display:block}
dd ul{margin:0;padding:0;list-style:none}
.settings{display:flex;flex-wrap:wrap;gap:0 1.1rem;color:var(--quiet);font-size:0.8125rem}
.settings b{color:var(--text);font-weight:500}
.scroll{margin:0.75rem 0;overflow-x:auto}
td,.tick{font-variant-numeric:tabular-nums}
table{border-collapse:collapse;font-size:0.875rem;line-height:1.35}
th,td{padding:0.42rem 0.9rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:baseline}
th:first-child,td:first-child{padding-left:0}
th{font-weight:500}
thead th{border-bottom-color:var(--axis);color:var(--quiet);font-size:0.8125rem;vertical-align:bottom}
th span{display:block;color:var(--quiet);font-size:0.75rem;font-weight:400}
.numbers td,.numbers thead th:not(:first-child){text-align:right;white-space:nowrap}
.numbers tbody th{min-width:7rem}
.numbers td.words,.numbers thead th.words{text-align:left;white-space:normal}
.numbers td{font-family:'JetBrains Mono Variable','JetBrains Mono',ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:0.8125rem}
.numbers td.words{font-family:inherit;color:var(--quiet)}
.consistency th span{max-width:26rem;line-height:1.4}
.consistency td span{display:block;color:var(--quiet);font-size:0.75rem}
.consistency td b{font-weight:600}
.consistency td .judged{font-family:'Inter Variable',Inter,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
.consistency td .good{color:var(--good)}
.consistency td .low,.consistency td .high{color:var(--warning)}
.consistency thead th{white-space:nowrap}
.strip{display:block;margin:0.2rem 0 0 auto;overflow:visible;stroke-width:0}
.strip rect{fill:var(--raised)}
.strip .shaded{fill:var(--line)}
.strip line{stroke-width:2}
.small{font-size:0.8125rem}
.small td,.small th{padding-block:0.25rem}
.group th{padding-top:1.1rem;font-weight:600}
.swatch{display:inline-block;width:1.4rem;height:0.5rem;margin-right:0.55rem;vertical-align:0.05em;fill:none}
figure{margin:0;break-inside:avoid}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,27rem),1fr));gap:1.75rem 2rem;margin:1.25rem 0;counter-reset:none}
figure.wide{margin:1.5rem 0 2rem}
figure.long{break-inside:auto}
figcaption,.colour-bar{break-before:avoid}
.absent{color:var(--quiet);font-size:0.8125rem}
figcaption{margin-top:0.35rem;color:var(--quiet);font-size:0.8125rem;line-height:1.45;max-width:44rem}
figcaption b{color:var(--text);font-weight:600}
body{counter-reset:figure}
figcaption{counter-increment:figure}
figcaption::before{content:'Figure ' counter(figure) '. ';color:var(--text);font-weight:600}
.legend{display:flex;flex-wrap:wrap;gap:0.1rem 1.1rem;margin:0 0 0.35rem;padding:0;list-style:none;font-size:0.8125rem}
.chart,.map,.colour-bar{display:block;width:100%;height:auto}
.chart{max-width:34rem;overflow:visible}
.chart text,.colour-bar text{font-family:inherit;font-size:12px}
.chart text:not(.label),.colour-bar text{fill:var(--quiet)}
.chart text.tick,.colour-bar text.tick{font-family:'JetBrains Mono Variable','JetBrains Mono',ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:11px}
.chart text.label{font-weight:500}
.chart text.name:not(.label){fill:var(--text)}
.grid{stroke:var(--line);stroke-width:1}
.axis{stroke:var(--axis);stroke-width:1}
.zero{stroke:var(--text);stroke-width:1}
.line{fill:none;stroke-width:1.75;stroke-linejoin:round}
.line.thin{stroke-width:1.1}
.band{fill-opacity:0.13;stroke-opacity:0.45;stroke-width:0.75}
.bar{stroke-width:1}
.bars{fill-opacity:0.75}
.end{fill:none;stroke-width:2.25;stroke-linecap:round}
.reference{stroke:var(--text);stroke-width:1;stroke-dasharray:3 3;stroke-opacity:0.7}
.interval{stroke:var(--text);stroke-width:2}
.estimate{fill:var(--text);stroke:var(--text);stroke-width:2}
.estimate.open{fill:var(--ground)}
.map image{image-rendering:pixelated}
.map{border:1px solid var(--line)}
.observed circle{fill:#14181d;stroke:#ffffff;stroke-width:0.8}
.colour-bar{max-width:24rem;margin-top:0.75rem}
.maps ol{display:grid;grid-template-columns:repeat(4,minmax(0,13rem));gap:0.5rem 0.75rem;margin:0;padding:0;list-style:none}
.map-heads{font-size:0.8125rem;font-weight:600}
.map-heads span{margin-left:0.5rem;color:var(--quiet);font-weight:400}
.maps:not(.single) .map-heads{padding-left:8rem}
.maps:not(.single) .map-row{display:grid;grid-template-columns:7.25rem minmax(0,1fr);gap:0.75rem;align-items:center}
.map-row{margin-top:0.5rem;break-inside:avoid}
.map-row p{margin:0 0 0.2rem;font-size:0.8125rem;line-height:1.35}
.map-row p span{display:block;color:var(--quiet)}
.map-cycle{display:none}
.maps.single{display:flex;flex-wrap:wrap;gap:0 0.75rem}
.maps.single .map-heads{flex:0 0 100%}
.maps.single .map-row{flex:0 1 13rem}
.maps.single ol{grid-template-columns:minmax(0,1fr)}
pre{margin:0.75rem 0;padding:0.75rem 0.9rem;overflow-x:auto;background:var(--raised);border-radius:6px;font-size:0.8125rem;line-height:1.45;white-space:pre-wrap;overflow-wrap:anywhere}
summary{padding:0.35rem 0;cursor:pointer}
.button{display:inline-block;padding:0.45rem 0.9rem;border:1px solid var(--axis);border-radius:6px;background:var(--raised);color:var(--text);text-decoration:none}
.button:hover{border-color:var(--accent)}
footer{margin-top:3rem;padding-top:0.75rem;border-top:1px solid var(--line);color:var(--quiet);font-size:0.8125rem}
@media (width < 40rem){
body{padding:1.25rem 1rem 2rem}
h1{font-size:1.5rem}
.terms,.groups{grid-template-columns:minmax(0,1fr);gap:0}
dt{margin-top:0.6rem}
.maps:not(.single) ol{grid-template-columns:repeat(2,minmax(0,1fr))}
.maps.single .map-row{flex-basis:calc(50% - 0.375rem)}
.maps ol.map-heads{display:none}
.maps:not(.single) .map-row{display:block;margin-top:0.9rem}
.map-row p span{display:inline}
.map-cycle{display:block;color:var(--quiet);font-size:0.75rem}
th,td{padding-inline:0.6rem}
}
@page{size:A4;margin:16mm 15mm 18mm}
@media print{
html{font-size:11.5px}
body{max-width:none;padding:0;background:#ffffff}
nav,.save{display:none}
h2,h3,h2+p,h2+.note{break-after:avoid}
h2+p,.scroll:has(table:not(.small):not(.consistency)){break-inside:avoid}
p,figcaption,dd{max-width:none}
h2{margin-top:1.75rem}
p,li,dd{orphans:3;widows:3}
tr,dt,.terms dd,.settings li{break-inside:avoid}
thead{display:table-header-group}
.scroll{overflow:visible}
.figures{grid-template-columns:repeat(2,minmax(0,1fr));gap:1.2rem 1.4rem}
.maps:not(.single) ol{grid-template-columns:repeat(4,minmax(0,1fr));gap:0.4rem 0.5rem}
.maps:not(.single) .map-heads{padding-left:21mm}
.maps:not(.single) .map-row{grid-template-columns:19mm minmax(0,1fr);gap:2mm}
.maps.single .map-row{flex-basis:22%}
table,.numbers td{font-size:0.8125rem}
th,td{padding:0.3rem 0.6rem}
a{color:inherit;text-decoration:none}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
`;

/** @param light and @param dark declarations of the methods' colours. @returns the sheet; dark on screens alone */
export function pageStyle(light: string, dark: string): string {
  const theme = `:root{${LIGHT};${light}}@media screen and (prefers-color-scheme:dark){:root{${DARK};${dark}}html{color-scheme:dark}}`;
  return `${theme}${RULES.replaceAll('\n', '')}`;
}

/** A font, and the letters that it is for, as style sheets write them. */
interface ReportFont {
  readonly family: string;
  readonly range: string;
}

const LATIN =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD';
const GREEK = 'U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF';

/** What a report's words and numbers are made of; other letters are the reader's own. */
const REPORT_FONTS = {
  words: {
    family: 'Inter Variable',
    range: LATIN,
  },
  greek: {
    family: 'Inter Variable',
    range: GREEK,
  },
  numbers: {
    family: 'JetBrains Mono Variable',
    range: LATIN,
  },
} as const satisfies Readonly<Record<string, ReportFont>>;

export type ReportFontName = keyof typeof REPORT_FONTS;

/** The contents of the files; without them the page has the reader's own type. */
export type ReportFonts = Readonly<Partial<Record<ReportFontName, Uint8Array>>>;

/** @returns the rules of a style sheet */
export function fontRules(fonts: ReportFonts): string {
  return Object.entries(REPORT_FONTS)
    .flatMap(([name, { family, range }]) => {
      const bytes = fonts[name as ReportFontName];
      if (!bytes) return [];
      return `@font-face{font-family:'${family}';font-weight:100 900;unicode-range:${range};src:url(${dataUrl('font/woff2', bytes)}) format('woff2')}`;
    })
    .join('');
}
