/**
 * Rejects words of the list in `word-list.mjs`: in comments, strings, JSX text, Markdown and the texts of scenarios. Prints one
 * line a place (file:line, what was found, what to use instead) and exits 1 if there is any. Arguments: folders or files to check
 * in place of CHECKED; `--count` counts by folder over the whole repository instead.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKED, EXCEPTIONS, WORD_LIST } from './word-list.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const TEXT = /\.(md|json|html|css|wgsl|m?[jt]sx?|py|sh|ya?ml)$|^\.ci\/run$/;
const OMITTED = /^(package-lock\.json|LICENSE|\.ci\/word-list\.mjs|test\/expected\/.*\.json)$/;
const CODE = /\.(m?[jt]sx?|wgsl|css)$/;

const RULES = WORD_LIST.map(({ pattern, before = '', bare = false, ...rule }) => ({
  ...rule,
  expression: new RegExp(
    `${before}${bare ? pattern : `(?<![\\w.-])(?<!@param )(?:${pattern})(?![\\w-])`}`.replaceAll(' ', '\\s+'),
    'gi',
  ),
}));

/** Comments, strings, template text and regular expressions, in this order of a source's text. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[=(,:!&|?{};\n]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//g;
/** A line of a component that is text: words and punctuation of sentences alone. */
const JSX_TEXT = /^\s*[\w“(][^=;{}<>()]*[\w.,:”)]$/;

const CODE_QUOTES = new Set([`''`, '""', '``']);

const blank = (text) => text.replace(/[^\n]/g, '\0');

/** @returns a source of the same length and lines in which everything but its texts is blank */
function textsOf(path, source) {
  if (!CODE.test(path)) return source;
  let kept = '';
  let end = 0;
  const code = (text) =>
    /\.[jt]sx$/.test(path)
      ? text
          .split('\n')
          .map((line) => (JSX_TEXT.test(line) && /\w \w/.test(line) ? line : blank(line)))
          .join('\n')
      : blank(text);
  for (const match of source.matchAll(TOKEN)) {
    kept += code(source.slice(end, match.index));
    const [token] = match;
    if (token.startsWith('/*')) kept += token.replace(/\n( *)\*(?= )/g, (_, indent) => `\n${indent} `);
    else if (token.startsWith('`')) kept += token.replace(/\$\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, blank);
    else kept += token;
    end = match.index + token.length;
  }
  kept += code(source.slice(end));
  // A sentence of several line comments is one text.
  return kept.replace(/\n(\s*)\/\/ /g, (_, indent) => `\n${indent}   `);
}

/** Whether what was found is a whole string of one word, which names something in the program. */
function isName(texts, index, found) {
  const around = texts[index - 1] + texts[index + found.length];
  return CODE_QUOTES.has(around);
}

function isException(path, source, index) {
  const around = source.slice(Math.max(0, index - 120), index + 120).replace(/\s+/g, ' ');
  return EXCEPTIONS.some(({ file, text }) => file === path && around.includes(text));
}

function violationsOf(path) {
  const source = readFileSync(join(root, path), 'utf8');
  const texts = textsOf(path, source);
  return RULES.flatMap(({ expression, instead, why }) =>
    [...texts.matchAll(expression)]
      .filter(({ index, 0: found }) => !isName(texts, index, found) && !isException(path, source, index))
      .map(({ index, 0: found }) => ({
        path,
        line: texts.slice(0, index).split('\n').length,
        found: found.replace(/\s+/g, ' '),
        instead,
        why,
      })),
  );
}

function filesOf(folders) {
  return execFileSync('git', ['ls-files', '--', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => TEXT.test(path) && !OMITTED.test(path));
}

const args = process.argv.slice(2);
if (args.includes('--count')) {
  const counts = new Map();
  for (const path of filesOf(['.'])) {
    const folder = path.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
    counts.set(folder, (counts.get(folder) ?? 0) + violationsOf(path).length);
  }
  const lines = [...counts].filter(([, count]) => count > 0).map(([folder, count]) => `${folder}: ${count}\n`);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(`${lines.join('')}total: ${total}\n`);
} else {
  const found = filesOf(args.length > 0 ? args : CHECKED).flatMap(violationsOf);
  for (const { path, line, found: words, instead, why } of found) {
    process.stdout.write(`${path}:${line}: found “${words}”; use instead: ${instead} (${why})\n`);
  }
  process.exitCode = found.length > 0 ? 1 : 0;
}
