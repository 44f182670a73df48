import { afterEach, beforeEach, expect, test, vi, describe, it } from 'vitest';
import { createRenderPace, whenDrawn, releaseRenders } from '../../../app/page/render-pace.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Component, h, options, render } from 'preact';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

function pacedWindow(isBusy: boolean) {
  const window = { isBusy, renders: 0 };
  let dirty = false;
  const pace = createRenderPace(() => window.isBusy);
  /** As Preact asks: once, until it was rendered. */
  const change = (): void => {
    if (dirty) return;
    dirty = true;
    pace.schedule(() => {
      dirty = false;
      window.renders += 1;
    });
  };
  return { window, change, touch: () => pace.touch() };
}

test('a window that is not busy is rendered at once', async () => {
  const { window, change } = pacedWindow(false);
  for (let k = 0; k < 10; k++) {
    change();
    await pass(1);
  }
  expect(window.renders).toBe(10);
});

test('a busy one is rendered four times a second, and after the last change', async () => {
  const { window, change } = pacedWindow(true);
  for (let k = 0; k < 100; k++) {
    change();
    await pass(10);
  }
  // At 0, 250, … 1000 ms.
  expect(window.renders).toBe(5);
  change();
  await pass(250);
  expect(window.renders).toBe(6);
  await pass(1000);
  expect(window.renders).toBe(6);
});

test('the first change after a while is shown at once', async () => {
  const { window, change } = pacedWindow(true);
  change();
  await pass(1000);
  change();
  await pass(0);
  expect(window.renders).toBe(2);
});

test('what waits is not shown between the listeners of what a user does', async () => {
  const { window, change, touch } = pacedWindow(true);
  change();
  await pass(10);
  change();
  touch();
  // As microtasks run after the first listener of an event, and before the next.
  await Promise.resolve();
  expect(window.renders).toBe(1);
  await pass(0);
  expect(window.renders).toBe(2);
});

test('what waits is shown when a user does something, and so is the answer', async () => {
  const { window, change, touch } = pacedWindow(true);
  change();
  await pass(10);
  change();
  await pass(10);
  expect(window.renders).toBe(1);
  touch();
  await pass(0);
  expect(window.renders).toBe(2);
  for (let k = 0; k < 5; k++) {
    change();
    await pass(20);
  }
  expect(window.renders).toBe(7);
});

test('what is drawn late is used once it is there, what is not wanted any more never', async () => {
  let drawn: string | undefined;
  let isWanted = true;
  const used: string[] = [];
  const look = (): void =>
    whenDrawn(
      (isLast) => drawn ?? (isLast ? 'instead' : undefined),
      (found) => used.push(found),
      () => isWanted,
    );
  look();
  await pass(1000);
  expect(used).toEqual([]);
  drawn = 'panel';
  await pass(1000);
  expect(used).toEqual(['panel']);
  drawn = undefined;
  look();
  await pass(10_000);
  expect(used).toEqual(['panel', 'instead']);
  look();
  await pass(1000);
  isWanted = false;
  await pass(10_000);
  expect(used).toEqual(['panel', 'instead']);
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** As much of an element as Preact needs to render into it. */
class FakeNode {
  childNodes: FakeNode[] = [];
  parentNode: FakeNode | null = null;
  attributes: unknown[] = [];
  ownerDocument = {
    createElementNS: () => new FakeNode(),
    createElement: () => new FakeNode(),
    createTextNode: () => new FakeNode(),
  };
  get firstChild(): FakeNode | null {
    return this.childNodes[0] ?? null;
  }
  get nextSibling(): FakeNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }
  setAttribute(): void {}
  removeAttribute(): void {}
  insertBefore(node: FakeNode, before: FakeNode | null): FakeNode {
    node.parentNode?.removeChild(node);
    const at = before ? this.childNodes.indexOf(before) : this.childNodes.length;
    this.childNodes.splice(at, 0, node);
    node.parentNode = this;
    return node;
  }
  removeChild(node: FakeNode): FakeNode {
    this.childNodes = this.childNodes.filter((each) => each !== node);
    node.parentNode = null;
    return node;
  }
}

interface Drawn {
  readonly data: object;
}

const Chart = (_drawn: Drawn): null => null;

/** Renders its chart on every second cycle, and hands it on as it is between. */
class EverySecond extends Component<{ readonly cycle: number; readonly drawn: Drawn }> {
  override shouldComponentUpdate({ cycle }: { readonly cycle: number }): boolean {
    return cycle % 2 === 0;
  }
  override render() {
    return h(Chart, this.props.drawn);
  }
}

let redraw: (cycle: number, drawn: Drawn) => void;

/** Renders by itself. */
class Panel extends Component<object, { readonly cycle: number; readonly drawn: Drawn }> {
  override state = { cycle: 0, drawn: { data: {} } };
  constructor() {
    super();
    redraw = (cycle, drawn) => this.setState({ cycle, drawn });
  }
  override render() {
    const { cycle, drawn } = this.state;
    // Two that hand their charts on by turns: at any time one of them leads from one render to the next.
    return h('div', null, h(EverySecond, { cycle, drawn }), h(EverySecond, { cycle: cycle + 1, drawn }));
  }
}

const RENDERS = 40;

/** @returns how many of the renders' data are still held after a collection */
async function heldAfterRenders(): Promise<number> {
  const root = new FakeNode();
  render(h('section', null, h(Panel, null)), root as unknown as Element);
  const drawn: WeakRef<object>[] = [];
  for (let cycle = 1; cycle <= RENDERS; cycle++) {
    const data = { cycle };
    drawn.push(new WeakRef(data));
    redraw(cycle, { data });
    await wait(1);
  }
  collect();
  await wait(1);
  collect();
  return drawn.filter((each) => each.deref() !== undefined).length;
}

describe('earlier renders of a component', () => {
  const before = { ...options };
  afterEach(() => {
    Object.assign(options, { diffed: undefined }, before);
  });

  it('are kept by Preact alone, one leading to the next', async () => {
    expect(await heldAfterRenders()).toBeGreaterThan(RENDERS / 2);
  });

  it('are collected', async () => {
    releaseRenders();
    expect(await heldAfterRenders()).toBeLessThan(5);
  });
});
