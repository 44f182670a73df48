/**
 * Holds that no module of the page keeps state: what changes is made by a function and handed down (createLaboratory,
 * createRunView), so that a page can hold several runs. Forbidden at the top of a module are `let` and `var`, and signals,
 * computed values and effects that are made as it is loaded. A cache that always gives what it would compute is no state.
 * Prints one line a violation and exits 1.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const FOLDERS = [
  'controls',
  'document',
  'features',
  'fields',
  'figures',
  'form',
  'format',
  'host',
  'page',
  'plot',
  'report',
  'services',
  'shell',
  'stage',
  'workers',
].map((room) => `app/${room}`);

/** What a statement begins with that keeps a variable. */
const VARIABLE = /^(export )?(let|var)\s/;
/** A call that makes something reactive. */
const REACTIVE = /(?<![\w.])(signal|computed|effect)\s*(<[^;]*>)?\(|\.subscribe\(/;
/** The same, whatever its type says. */
const REACTIVE_CONSTANT = /^(export )?const .* = (signal|computed|effect)\s*[<(]/;
/** Statements that make nothing as a module is loaded. */
const DECLARATION = /^(export )?(default )?(async )?(function|class|interface|type|import|declare)\b/;
/** From here on a statement says what is done later, when it is called. */
const DEFERRED = /=>|\bfunction\b/;

/** The statements of a module that is formatted: each begins at the margin. */
function statementsOf(text) {
  const statements = [];
  text.split('\n').forEach((line, index) => {
    if (/^[\w(]/.test(line)) statements.push({ line: index + 1, text: line });
    else if (statements.length > 0) statements[statements.length - 1].text += `\n${line}`;
  });
  return statements;
}

/** @returns what is wrong with a statement; undefined if nothing is */
function problemOf(statement) {
  if (VARIABLE.test(statement)) return 'a variable of a module';
  if (DECLARATION.test(statement)) return undefined;
  const [now] = statement.split(DEFERRED, 1);
  return REACTIVE.test(now) || REACTIVE_CONSTANT.test(statement) ? 'reactive state of a module' : undefined;
}

const problems = FOLDERS.flatMap((folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  .flatMap((path) =>
    statementsOf(readFileSync(path, 'utf8')).flatMap(({ line, text }) => {
      const problem = problemOf(text);
      return problem ? [`${relative(root, path)}:${line}: ${problem}; make it in a function and hand it down`] : [];
    }),
  );
process.stdout.write(problems.map((line) => `${line}\n`).join(''));
process.exitCode = problems.length > 0 ? 1 : 0;
