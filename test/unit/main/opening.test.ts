/** Files that are handed over from outside. */
import { describe, expect, it } from 'vitest';
import { createOpening, filesOf } from '../../../app/main/known-files.ts';
import { soon } from '../../setup/soon.ts';

describe('files handed over from outside', () => {
  it('are the words of a command line that are neither a switch nor the application', () => {
    const words = ['--inspect', '.', 'a.json', '/tmp/b.SHOAL.JSON', '--open=c.json', 'notes.txt'];
    expect(filesOf(words, '/home', '/home')).toEqual(['/home/a.json', '/tmp/b.SHOAL.JSON', '/home/notes.txt']);
  });

  it('may be addresses, as file managers give them', () => {
    const words = ['file:///home/a%20b.shoal.json', 'FILE:///c.json'];
    expect(filesOf(words, '/', '/opt')).toEqual(['/home/a b.shoal.json', '/c.json']);
    // Opening them fails with a message. Of an address with a server Windows would make a path that connects to it.
    const none = ['file://elsewhere/a.json', 'file:////server/share/a.json', 'file:///%', 'file:///a%2fb.json'];
    expect(filesOf(none, '/', '/opt')).toEqual(none);
  });

  it('wait until the page listens, and again while it is reloaded', async () => {
    const delivered: string[] = [];
    const opening = createOpening(
      (path) => Promise.resolve(path),
      (opened) => delivered.push(opened),
      () => undefined,
    );
    opening.add('a.json');
    expect(opening.waiting).toEqual(['a.json']);
    opening.setListening(true);
    opening.add('b.json');
    await soon(() => expect(delivered).toEqual(['a.json', 'b.json']));
    opening.setListening(false);
    opening.add('c.json');
    expect(opening.waiting).toEqual(['c.json']);
  });

  it('that cannot be read are reported', async () => {
    const refused: string[] = [];
    const opening = createOpening(
      () => Promise.reject(new Error('gone')),
      () => undefined,
      (path) => refused.push(path),
    );
    opening.setListening(true);
    opening.add('a.json');
    await soon(() => expect(refused).toEqual(['a.json']));
  });
});
