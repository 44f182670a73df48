import { describe, expect, it } from 'vitest';
import { createPickers } from '../../../app/host/pickers.ts';

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
