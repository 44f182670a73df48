/** Words of a command as a POSIX shell takes them, each for one word whatever is in it. */

/** @returns a word as it is where a shell would leave it alone, else in single quotes */
export function shellWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

export function shellWords(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
