/** What a component rendered earlier is collected, however often it renders by itself. */
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Component, h, options, render } from 'preact';
import { afterEach, describe, expect, it } from 'vitest';
import { releaseRenders } from '../../../app/page/release-renders.ts';

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
