/**
 * What of the window is open: overlays of the frame, one at a time (closing one gives the focus back to where it was); questions,
 * asked one at a time; and one of the parts of the evidence.
 */
import { signal } from '@preact/signals';
import type { EvidencePart } from '../../engine/index.ts';
import type { World } from '../fields/fields.ts';

interface Answer {
  readonly id: string;
  readonly title: string;
  readonly kind: 'primary' | 'danger' | 'plain';
}

/** A question that must be answered before something continues: shown as a dialog, asked one at a time. */
interface Question {
  readonly title: string;
  readonly text: string;
  readonly answers: readonly Answer[];
  /** The answer that Escape gives. */
  readonly cancel: string;
}

interface OpenQuestion extends Question {
  readonly answer: (id: string) => void;
}

/** The questions of one page. */
export function createQuestions() {
  const question = signal<OpenQuestion | undefined>(undefined);

  /** @returns the id of the answer; a question that is still open is answered with its `cancel` */
  function ask(asked: Question): Promise<string> {
    question.value?.answer(question.value.cancel);
    return new Promise((resolve) => {
      question.value = {
        ...asked,
        answer(id) {
          question.value = undefined;
          resolve(id);
        },
      };
    });
  }

  return { question, ask };
}

type Overlay =
  | 'none'
  | 'palette'
  | 'shortcuts'
  | 'gallery'
  | 'benchmarks'
  | 'papers'
  | 'check'
  | 'sweeps'
  | 'tuning'
  | 'seeds'
  | 'runs'
  | 'states'
  | 'film'
  | 'lesson'
  | 'course'
  | 'glossary';

/** The overlays of one page. */
export function createOverlays() {
  const overlay = signal<Overlay>('none');

  function openOverlay(which: Overlay): void {
    overlay.value = which;
  }

  function closeOverlay(): void {
    overlay.value = 'none';
  }

  return { overlay, openOverlay, closeOverlay };
}

export type EvidenceTab = EvidencePart;

export const EVIDENCE_TABS = [
  { id: 'errors', title: 'Errors', keywords: 'rmse spread table skill spectrum rank histogram' },
  { id: 'observations', title: 'Innovations', keywords: 'chi square quality control' },
  {
    id: 'consistency',
    title: 'Consistency',
    keywords: 'desroziers chi square crps reliability spread skill energy mass enstrophy imbalance',
  },
  { id: 'minimiser', title: 'Cost', keywords: '3D-Var 4D-Var hybrid 4DEnVar minimisation residual condition ritz' },
  { id: 'probes', title: 'Probes', keywords: 'time series point members' },
  {
    id: 'xray',
    title: 'X-ray',
    keywords: 'why explain observation gain likelihood bayes weights influence degrees of freedom',
  },
  { id: 'hovmoller', title: 'Hovmöller', keywords: 'ring time space waves' },
  { id: 'speed', title: 'Speed', keywords: 'kernel times milliseconds bandwidth flops' },
] as const satisfies readonly { readonly id: EvidenceTab; readonly title: string; readonly keywords: string }[];

/** @returns the parts that there are of a basin, or of a ring */
export function evidenceTabsIn(world: World): readonly (typeof EVIDENCE_TABS)[number][] {
  return EVIDENCE_TABS.filter(({ id }) => id !== 'hovmoller' || world?.isRing);
}

/** Which part of the evidence one page shows. */
export function createEvidence() {
  const evidenceTab = signal<EvidenceTab>('errors');
  return { evidenceTab };
}
