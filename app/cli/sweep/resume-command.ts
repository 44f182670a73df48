import type { Context } from '../context.ts';
import { shellWords } from '../shell-words.ts';

/** @returns the command that continues a sweep, to be copied from the terminal */
export function resumeCommand({ argv }: Context, folder: string): string {
  const kept = argv.filter((word, index) => word !== '--resume' && word !== '--out' && argv[index - 1] !== '--out');
  return `npm run shoal -- ${shellWords([...kept, '--resume', '--out', folder])}`;
}
