/** The Papers page: its tables, and the answers of its live figures. */
import { describe, expect, it } from 'vitest';
import { createPapers, surfaceKey } from '../../../../app/features/papers/papers-state.ts';
import { servePapers, type PaperCommands, type PaperEvent } from '../../../../app/services/papers.ts';
import { createReferenceBackend, createWasmBackend, PAPERS, type ServicePort } from '../../../../engine/index.ts';
import { createLocalPorts } from '../../../../engine/run/calls.ts';

const question = { signal: Float64Array.of(0, 0, 1, 0, 0, 0), sigma: 1, iterations: 2, blocks: 2, overlap: 1 };

function openPapers(hasPatterns = false) {
  const opened: string[] = [];
  const papers = createPapers((backend): ServicePort<PaperCommands, PaperEvent> => {
    const { starter, host } = createLocalPorts<never, never>();
    servePapers(host, async () => {
      opened.push(backend);
      return backend === 'wasm' && hasPatterns ? createWasmBackend() : createReferenceBackend();
    });
    return starter;
  }, 'quick');
  return { papers, opened };
}

describe('the papers of a page', () => {
  it('have a table of benchmarks each', () => {
    const { papers } = openPapers();
    for (const { id, suite } of PAPERS) {
      const { benchmarks } = papers.tableOf(id);
      expect(benchmarks.length).toBeGreaterThan(0);
      expect(new Set(benchmarks.map((each) => each.suite))).toStrictEqual(new Set([suite]));
    }
  });

  it('answer on a backend that is opened once', async () => {
    const { papers, opened } = openPapers();
    const { filtered, undivided } = await papers.ask('wasm', 'filterSignal', question);
    await papers.ask('wasm', 'filterSignal', question);
    expect(filtered).toHaveLength(6);
    expect(filtered).not.toStrictEqual(undivided);
    expect(opened).toStrictEqual(['wasm']);
  });

  it('open the backend of another run, and open it again after a rest', async () => {
    const { papers, opened } = openPapers();
    await papers.ask('wasm', 'filterSignal', question);
    await papers.ask('webgpu', 'filterSignal', question);
    papers.rest();
    await papers.ask('webgpu', 'filterSignal', question);
    expect(opened).toStrictEqual(['wasm', 'webgpu', 'webgpu']);
  });
});

describe('the tuning surfaces of a page', () => {
  const asked = { element: 'double', transposed: true, lengths: [16], milliseconds: 200 } as const;

  it('keep the better of what was measured twice, by backend, numbers and output', async () => {
    const { surfaces } = openPapers(true).papers;
    await surfaces.measure('wasm', asked);
    const key = surfaceKey('wasm', asked);
    const [first] = surfaces.known.value.get(key) ?? [];
    expect(first.cells.some(({ gigaflops }) => gigaflops !== null)).toBe(true);
    await surfaces.measure('wasm', asked);
    const [second] = surfaces.known.value.get(key) ?? [];
    for (const [at, { gigaflops }] of first.cells.entries()) {
      expect(second.cells[at].gigaflops ?? 0).toBeGreaterThanOrEqual(gigaflops ?? 0);
    }
    await surfaces.measure('wasm', { ...asked, transposed: false });
    expect(surfaces.known.value.size).toBe(2);
    expect(surfaces.measuring.value).toBeUndefined();
    expect(surfaces.failure.value).toBeUndefined();
  });

  it('say why nothing is measured', async () => {
    const { surfaces } = openPapers().papers;
    await surfaces.measure('reference', asked);
    expect(surfaces.failure.value).toContain('one form');
    expect(surfaces.known.value.size).toBe(0);
  });

  it('keep nothing and report no failure if they are stopped', async () => {
    const { surfaces } = openPapers(true).papers;
    const measured = surfaces.measure('wasm', asked);
    surfaces.cancel();
    await measured;
    expect(surfaces.failure.value).toBeUndefined();
    expect(surfaces.measuring.value).toBeUndefined();
  });
});
