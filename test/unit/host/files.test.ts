import { describe, expect, it } from 'vitest';
import { createPickers } from '../../../app/host/files.ts';

const KINDS = { description: 'Scenario', type: 'application/json', extensions: ['.json', '.npy'] };

/** A page that holds what is appended to it, and the inputs that were made. */
function pageStandIn() {
  const held = new Set<EventTarget>();
  const made: (EventTarget & { files: readonly File[]; accept: string; heldAtClick: boolean })[] = [];
  const page = {
    createElement: () => {
      const input = Object.assign(new EventTarget(), {
        files: [] as readonly File[],
        accept: '',
        heldAtClick: false,
        click: () => {
          input.heldAtClick = held.has(input);
        },
        remove: () => void held.delete(input),
      });
      made.push(input);
      return input;
    },
    body: { append: (input: EventTarget) => void held.add(input) },
  };
  return { page: page as unknown as Document, held, made };
}

describe('choosing files without the pickers of the browser', () => {
  it('keeps the input in the page while the person chooses, and no longer', async () => {
    const { page, held, made } = pageStandIn();
    const choosing = createPickers({} as Window, page).open(KINDS);
    const [input] = made;
    expect([input.accept, input.heldAtClick]).toEqual(['.json,.npy', true]);
    input.files = [new File(['{}'], 'mine.json')];
    input.dispatchEvent(new Event('change'));
    expect((await choosing)?.map(({ name }) => name)).toEqual(['mine.json']);
    expect(held.size).toBe(0);
  });

  it('is nothing, and leaves nothing, when the person cancels', async () => {
    const { page, held, made } = pageStandIn();
    const choosing = createPickers({} as Window, page).open(KINDS);
    made[0].dispatchEvent(new Event('cancel'));
    expect(await choosing).toBeUndefined();
    expect(held.size).toBe(0);
  });
});

/** A file that Chromium has made as it was chosen, and its later content. */
function chosen(size: number) {
  const done: string[] = [];
  const stream = {
    write: (content: Blob) =>
      content.size > 5 ? Promise.reject(new Error('the disk is full')) : Promise.resolve(void done.push('written')),
    close: () => Promise.resolve(void done.push('closed')),
    abort: () => Promise.resolve(void done.push('aborted')),
  };
  const handle = {
    name: 'run.zip',
    createWritable: () => Promise.resolve(stream),
    getFile: () => Promise.resolve({ size }),
    remove: () => Promise.resolve(void done.push('removed')),
  };
  const view = { showSaveFilePicker: () => Promise.resolve(handle) } as unknown as Window;
  return { naming: createPickers(view, {} as Document).name('run.zip', 'application/zip'), done };
}

describe('a file that is named before it is written', () => {
  it('is written whole or not at all', async () => {
    const { naming, done } = chosen(0);
    const target = await naming;
    expect([target?.name, await target?.write(new Blob(['small']))]).toEqual(['run.zip', 'written']);
    await expect(target?.write(new Blob(['too large']))).rejects.toThrow('the disk is full');
    expect(done).toEqual(['written', 'closed', 'aborted']);
  });

  it('leaves nothing where it is given up, and what was there before', async () => {
    const [fresh, full] = [chosen(0), chosen(9)];
    await (await fresh.naming)?.abandon();
    await (await full.naming)?.abandon();
    expect([fresh.done, full.done]).toEqual([['removed'], []]);
  });
});

/** Saves a file with a browser whose dialog fails with `error`; `made` are the downloads that took its place. */
function asking(error: Error) {
  const { page, made } = pageStandIn();
  const showSaveFilePicker = async () => {
    throw error;
  };
  const view = { showSaveFilePicker } as unknown as Window;
  return { made, save: createPickers(view, page).save('film.mp4', 'video/mp4', Uint8Array.of(1)) };
}

describe('a file that is saved', () => {
  it('is handed over as a download if the click that asked for it is long past', async () => {
    const { save, made } = asking(new DOMException('no user gesture', 'SecurityError'));
    expect(await save).toBe('film.mp4');
    expect(made).toHaveLength(1);
  });

  it('is given up if the person cancels, and any other fault is reported', async () => {
    const cancelled = asking(new DOMException('cancelled', 'AbortError'));
    expect(await cancelled.save).toBeUndefined();
    expect(cancelled.made).toHaveLength(0);
    await expect(asking(new Error('the disk is full')).save).rejects.toThrow('the disk is full');
  });
});
