/** Keys where an element has the focus: Space plays everywhere but in text fields, and Enter operates what Space no longer does. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listenForShortcuts } from '../../../app/shell/commands/index.ts';
import { laboratoryOf } from '../page/laboratory.ts';

const laboratory = laboratoryOf();
const { commands, registerCommands } = laboratory.commands;
let ran = 0;
let view = new EventTarget();
let stop = (): void => undefined;

/** An element of a page as selectors see it: a tag with attributes. */
class FakeElement {
  readonly click = vi.fn<() => void>();
  readonly showPicker = vi.fn<() => void>();
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  constructor(tag: string, attributes: Readonly<Record<string, string>> = {}) {
    this.tag = tag;
    this.attributes = attributes;
  }

  matches(selector: string): boolean {
    return selector.split(',').some((each) => this.#isOne(each.trim()));
  }

  #isOne(selector: string): boolean {
    const [tag] = /^[a-z]*/.exec(selector) ?? [''];
    if (tag !== '' && tag !== this.tag) return false;
    const parts = selector.slice(tag.length).match(/:not\(\[[^\]]*\]\)|\[[^\]]*\]/g) ?? [];
    if (tag === '' && parts.length === 0) return false;
    return parts.every((part) => {
      const [, name, value] = /\[([a-z-]+)(?:=([a-z]+))?\]/.exec(part) ?? [];
      const has = value === undefined ? name in this.attributes : this.attributes[name] === value;
      return part.startsWith(':not') ? !has : has;
    });
  }
}

/** @returns whether the page took the key from the element */
function press(type: string, key: string, target: FakeElement, held: object = {}): boolean {
  const event = new Event(type, { cancelable: true });
  const stroke = { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, ...held };
  Object.defineProperty(event, 'target', { value: target });
  view.dispatchEvent(Object.assign(event, stroke));
  return event.defaultPrevented;
}

beforeEach(() => {
  vi.stubGlobal('Element', FakeElement);
  ran = 0;
  view = new EventTarget();
  stop = listenForShortcuts(laboratory, view as Window);
  registerCommands([
    { id: 'run.play', group: 'Run', title: 'Play', shortcuts: ['Space'], run: () => void (ran += 1) },
    { id: 'lesson.next', group: 'Lesson', title: 'Next', shortcuts: ['ArrowRight'], run: () => void (ran += 1) },
  ]);
});

afterEach(() => {
  stop();
  commands.value = [];
  vi.unstubAllGlobals();
});

const PLAYED = [
  new FakeElement('button'),
  new FakeElement('select'),
  new FakeElement('summary'),
  new FakeElement('div', { role: 'slider' }),
  ...['checkbox', 'radio', 'range'].map((type) => new FakeElement('input', { type })),
];

it.each(PLAYED)('Space plays and does not press $tag $attributes', (element) => {
  expect(press('keydown', ' ', element)).toBe(true);
  expect(press('keyup', ' ', element)).toBe(true);
  expect(ran).toBe(1);
});

const TYPED = [
  new FakeElement('input'),
  new FakeElement('input', { type: 'text' }),
  new FakeElement('input', { type: 'number' }),
  new FakeElement('textarea'),
];

it.each(TYPED)('Space is typed in $tag $attributes', (element) => {
  expect(press('keydown', ' ', element)).toBe(false);
  expect(press('keyup', ' ', element)).toBe(false);
  expect(ran).toBe(0);
});

it('a Space that is held down plays once', () => {
  const button = new FakeElement('button');
  press('keydown', ' ', button);
  expect(press('keydown', ' ', button, { repeat: true })).toBe(true);
  expect(ran).toBe(1);
});

it('Enter presses a button, ticks a box and opens a list of choices', () => {
  expect(press('keydown', 'Enter', new FakeElement('button'))).toBe(false);
  const box = new FakeElement('input', { type: 'checkbox' });
  press('keydown', 'Enter', box);
  expect(box.click).toHaveBeenCalledOnce();
  const list = new FakeElement('select');
  press('keydown', 'Enter', list);
  expect(list.showPicker).toHaveBeenCalledOnce();
});

it('arrows belong to a slider', () => {
  expect(press('keydown', 'ArrowRight', new FakeElement('div', { role: 'slider' }))).toBe(false);
  expect(ran).toBe(0);
});

it('Space plays beside an overlay that covers the window', () => {
  laboratory.overlays.openOverlay('gallery');
  press('keydown', ' ', new FakeElement('button'));
  laboratory.overlays.closeOverlay();
  expect(ran).toBe(1);
});
