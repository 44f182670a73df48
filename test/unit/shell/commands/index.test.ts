import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listenForShortcuts } from '../../../../app/shell/commands/index.ts';
import { laboratoryOf } from '../../page/laboratory.ts';

const laboratory = laboratoryOf();
const { commands, registerCommands } = laboratory.commands;
const { closeOverlay, openOverlay } = laboratory.overlays;
const { ask, question } = laboratory.questions;
const ran: string[] = [];
let view = new EventTarget();
let stop = (): void => undefined;

function press(key: string, held: object = {}): void {
  const stroke = { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false, ...held };
  view.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), stroke));
}

beforeEach(() => {
  // A page has elements; here nothing that has the focus is one.
  vi.stubGlobal('Element', Map);
  ran.length = 0;
  view = new EventTarget();
  stop = listenForShortcuts(laboratory, view as Window);
  const command = (id: string, shortcut: string) =>
    ({ id, group: 'View', title: id, shortcuts: [shortcut], run: () => void ran.push(id) }) as const;
  registerCommands([command('view.palette', 'Mod+K'), command('run.play', 'Space'), command('stage.phase', 'A')]);
});

afterEach(() => {
  stop();
  closeOverlay();
  question.value?.answer('cancel');
  commands.value = [];
  vi.unstubAllGlobals();
});

it('keys reach their commands until nobody listens', () => {
  press(' ');
  press('a');
  stop();
  press(' ');
  expect(ran).toStrictEqual(['run.play', 'stage.phase']);
});

it('under an overlay only play, palette and sheet are reached', () => {
  openOverlay('gallery');
  press(' ');
  press('a');
  press('k', { ctrlKey: true });
  expect(ran).toStrictEqual(['run.play', 'view.palette']);
});

it('under a question none is', () => {
  void ask({ title: 'Sure?', text: '', answers: [], cancel: 'cancel' });
  press(' ');
  press('k', { ctrlKey: true });
  expect(ran).toStrictEqual([]);
});
