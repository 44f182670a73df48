/** How a sweep is continued with. */
import type { Context } from '../context.ts';
import { shellWords } from '../../files/shell-words.ts';
import { programWords } from '../installation.ts';

function isOut(word: string | undefined): boolean {
  return word === '--out' || word === '-o';
}

/** Whether the command that continues has a word of its own in place of one. */
function isReplaced(word: string, before: string | undefined): boolean {
  return word === '--resume' || isOut(word) || isOut(before) || /^(--out=|-o.)/.test(word);
}

/** @returns the command that continues a sweep, to be copied from the terminal */
export function resumeCommand({ argv, installation }: Context, folder: string): string {
  const kept = argv.filter((word, index) => !isReplaced(word, argv[index - 1]));
  return `${programWords(installation)} ${shellWords([...kept, '--resume', '--out', folder])}`;
}
