/**
 * The errors of a page, recorded by the page itself: while WebKit is driven it gives nobody what is in its console. They are kept
 * by the tab, since the page of a site is loaded twice: what the first page still loads when it is replaced by the isolated one is
 * given up, and no fault; what is really missing is missed by the second one as well.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY = 'test.errors';

const SCRIPT = `{
  const GIVEN_UP = 'not loaded before isolation: ';
  const kept = () => JSON.parse(sessionStorage.getItem('${KEY}') ?? '[]');
  const store = (texts) => sessionStorage.setItem('${KEY}', JSON.stringify(texts));
  const keep = (text) => store([...kept(), text]);
  if (crossOriginIsolated) store(kept().filter((text) => !text.startsWith(GIVEN_UP)));
  const missing = (address) => (crossOriginIsolated ? 'not loaded: ' : GIVEN_UP) + address;
  const { error } = console;
  console.error = (...words) => {
    keep(words.map(String).join(' '));
    error.apply(console, words);
  };
  // In the capturing phase, so that parts that could not be loaded are among them.
  addEventListener('error', ({ message, target }) => keep(message ?? missing(target.src ?? target.href)), true);
  addEventListener('unhandledrejection', ({ reason }) => keep('unhandled: ' + reason));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    keep('the security policy forbids ' + violatedDirective + ': ' + blockedURI));
}
`;

/** Body of a function that returns what has been recorded. */
export const ERRORS_BODY = `return JSON.parse(sessionStorage.getItem('${KEY}') ?? '[]');`;

/** Has the page in a folder, a copy of the built one, record its errors. */
export function recordErrors(folder: string): void {
  const page = join(folder, 'index.html');
  writeFileSync(join(folder, 'recorded-errors.js'), SCRIPT);
  const html = readFileSync(page, 'utf8');
  const first = html.indexOf('<script');
  if (first < 0) throw new Error('the page has no script');
  writeFileSync(page, `${html.slice(0, first)}<script src="./recorded-errors.js"></script>${html.slice(first)}`);
}
