/** The Papers page: its tables, and the answers of its live figures. */
import { describe, expect, it } from 'vitest';
import { createPapers } from '../../../../app/features/papers/papers-state.ts';
import { servePapers, type PaperCommands } from '../../../../app/services/papers.ts';
import { createReferenceBackend, PAPERS, type ServicePort } from '../../../../engine/index.ts';
import { createLocalPorts } from '../../../../engine/run/calls.ts';

const question = { signal: Float64Array.of(0, 0, 1, 0, 0, 0), sigma: 1, iterations: 2, blocks: 2, overlap: 1 };

function openPapers() {
  const opened: string[] = [];
  const papers = createPapers((backend): ServicePort<PaperCommands> => {
    const { starter, host } = createLocalPorts<never, never>();
    servePapers(host, async () => {
      opened.push(backend);
      return createReferenceBackend();
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
