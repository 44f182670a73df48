/** Files handed over from outside: on the command line, by the file manager, by a second start. They wait for the page. */
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A file manager of Linux may hand over addresses instead of paths (`%U`). An address of another machine is not followed: on
 * Windows `file://server/share` would become a UNC path, and opening it would send the user's credentials to that server.
 */
function pathOf(word: string, folder: string): string {
  if (!/^file:/i.test(word)) return isAbsolute(word) ? word : resolve(folder, word);
  try {
    const { host, pathname } = new URL(word);
    return host === '' && !pathname.startsWith('//') ? fileURLToPath(word) : word;
  } catch {
    return word;
  }
}

/**
 * @param application its own folder, which is on the command line while it is not packaged
 * @returns what the words of a command line ask to open, as absolute paths, whatever their names: what is no scenario is reported
 */
export function filesOf(words: readonly string[], folder: string, application: string): string[] {
  return words
    .filter((word) => !word.startsWith('-'))
    .map((word) => pathOf(word, folder))
    .filter((path) => path !== application);
}

export interface Opening {
  /** Opens a file in the page, now or as soon as the page listens. */
  add(path: string): void;
  /** The page listens from now on; or, after it was reloaded, no longer. */
  setListening(listening: boolean): void;
  readonly waiting: readonly string[];
}

/**
 * @param read opens a file; where it fails, `refuse` says why
 * @param deliver hands it to the page
 */
export function createOpening<Opened>(
  read: (path: string) => Promise<Opened>,
  deliver: (opened: Opened) => void,
  refuse: (path: string, error: unknown) => void,
): Opening {
  const waiting: string[] = [];
  let listening = false;
  const flush = (): void => {
    if (!listening) return;
    for (const path of waiting.splice(0)) read(path).then(deliver, (error: unknown) => refuse(path, error));
  };
  return {
    waiting,
    add(path) {
      waiting.push(path);
      flush();
    },
    setListening(now) {
      listening = now;
      flush();
    },
  };
}
