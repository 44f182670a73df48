/**
 * What each observation of the cycle on screen changed about a later forecast: computed on request, or as a link or a lesson shows
 * it, beside the run; shown in a table and by the heads of the stems until the page is at another cycle.
 */
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { answersImpact } from '../../../engine/index.ts';
import type { ImpactQuestion, ObservationImpact, ViewedImpact } from '../../../engine/index.ts';
import type { PastCycle } from '../../document/run/again.ts';
import type { RunView } from '../../document/run-view.ts';
import type { ShownHeads } from '../../document/views/view-state.ts';
import { formatQuantity } from '../../format/numbers.ts';
import { reasonOf } from '../../page/notices.ts';
import { xrayOf } from '../x-ray/xray-state.ts';
import { slot } from '../../page/laboratory.ts';

type ImpactState =
  | { readonly kind: 'none' }
  | { readonly kind: 'computing'; readonly cycle: number }
  | { readonly kind: 'failed'; readonly cycle: number; readonly message: string }
  | { readonly kind: 'known'; readonly cycle: number; readonly byMethod: ReadonlyMap<string, ObservationImpact> };

const NONE: ImpactState = { kind: 'none' };

/** A cycle that is on screen for less is not computed, ms. */
const A_LOOK = 200;

/** Share of the impacts that are smaller than the one with the full colour. */
const FULL_QUANTILE = 0.95;

/** @returns what the heads of the stems show of impacts, which are of one cycle */
function headsOf(cycle: number, byMethod: ReadonlyMap<string, ObservationImpact>): ShownHeads | undefined {
  const sizes = [...byMethod.values()]
    .flatMap(({ impacts }) => Array.from(impacts, Math.abs))
    .filter((size) => size > 0)
    .sort((a, b) => a - b);
  const full = sizes[Math.floor(FULL_QUANTILE * (sizes.length - 1))];
  const unit = [...byMethod.values()][0]?.unit ?? '';
  if (full === undefined) return undefined;
  return {
    cycle,
    values: new Map([...byMethod].map(([label, { impacts }]) => [label, impacts])),
    full,
    above: 'harmed',
    below: 'helped the forecast',
    help: `Heads of the stems show what each observation changed about the squared error of the forecast; full colour from ${formatQuantity(full, unit)} on`,
  };
}

function createImpact(run: RunView) {
  const { course, controller, heads, laboratory } = run;
  const state = signal<ImpactState>(NONE);
  const lead = signal(1);
  const verification = signal<ImpactQuestion['verification']>('truth');
  const rows = signal<ViewedImpact['rows']>('observation');
  /** Whether a link or a lesson shows the impacts of the cycle at which the run comes to rest. */
  const isShown = signal(false);
  /** Labels of the methods that can be asked. */
  const methods = computed(() => {
    const scenario = course.info.value?.scenario;
    return (scenario?.methods ?? []).filter(answersImpact).map(({ label }) => label);
  });
  /** The question that an answer is waited for. */
  let latest = 0;

  function forget(): void {
    latest += 1;
    if (state.peek().kind === 'computing') controller.endAgain();
    state.value = NONE;
  }

  function stop(): void {
    batch(() => {
      isShown.value = false;
      forget();
    });
  }

  /** Computes the impacts of the cycle on screen, for all methods that can be asked. */
  async function compute(): Promise<void> {
    forget();
    const asked = latest;
    const isLatest = (): boolean => asked === latest;
    // Both compute a cycle again, and one of them at a time can.
    xrayOf(run).leave();
    controller.pause();
    const cycle = course.cycle.peek();
    const diverged = course.divergedMethods.peek();
    const taking = methods.peek().filter((label) => (diverged.get(label) ?? Infinity) > cycle);
    if (taking.length === 0) {
      state.value = { kind: 'failed', cycle, message: 'every method that has impacts has diverged.' };
      return;
    }
    state.value = { kind: 'computing', cycle };
    const work = laboratory.progress.beginWork(`Impacts of cycle ${cycle}`, stop);
    let past: PastCycle | undefined;
    try {
      past = await controller.againAt(cycle);
      const byMethod = new Map<string, ObservationImpact>();
      for (const method of taking) {
        if (!isLatest()) return;
        const question = {
          kind: 'impact',
          method,
          cycle,
          lead: lead.peek(),
          verification: verification.peek(),
        } as const;
        const found = await past.ask(question);
        if (found) byMethod.set(method, found);
      }
      if (isLatest()) state.value = { kind: 'known', cycle, byMethod };
    } catch (error) {
      if (isLatest()) state.value = { kind: 'failed', cycle, message: reasonOf(error) };
    } finally {
      if (isLatest()) past?.dispose();
      work.end();
    }
  }

  const ends = [
    // Another run has other cycles: it is the one that a lesson shows if nothing is known yet.
    effect(() => {
      void course.runNumber.value;
      untracked(() => (state.peek().kind === 'none' ? forget() : stop()));
    }),
    effect(() => {
      const isThere = course.status.value === 'ready' || course.status.value === 'ended';
      const isAtRest = isThere && !course.playing.value && !course.computing.value && course.cycle.value >= 0;
      if (!isShown.value || state.value.kind !== 'none' || !isAtRest || methods.value.length === 0) return undefined;
      const looking = setTimeout(() => void compute(), A_LOOK);
      return () => clearTimeout(looking);
    }),
    effect(() => {
      const now = state.value;
      const isOnScreen = now.kind === 'known' && now.cycle === course.cycle.value;
      heads.value = isOnScreen ? headsOf(now.cycle, now.byMethod) : undefined;
    }),
  ];

  return {
    state,
    lead,
    verification,
    rows,
    methods,
    isShown,
    /** What is on screen of it; undefined if that is nothing. */
    viewed: computed<ViewedImpact | undefined>(() => {
      const now = state.value;
      if (now.kind !== 'known' || now.cycle !== course.cycle.value) return undefined;
      return { lead: lead.value, verification: verification.value, rows: rows.value };
    }),
    /** Shows impacts as a link or a lesson says, or none. */
    show: (wanted: ViewedImpact | undefined): void => {
      batch(() => {
        stop();
        if (!wanted) return;
        lead.value = wanted.lead;
        verification.value = wanted.verification;
        rows.value = wanted.rows;
        isShown.value = true;
      });
    },
    compute,
    /** Computes what is known with another lead, or against something else. */
    choose: (next: Partial<Pick<ImpactQuestion, 'lead' | 'verification'>>): void => {
      batch(() => {
        lead.value = next.lead ?? lead.peek();
        verification.value = next.verification ?? verification.peek();
        // Before a forecast there is only the truth to compare with.
        if (lead.value === 0) verification.value = 'truth';
      });
      if (state.peek().kind === 'none') return;
      if (course.cycle.peek() >= 0) void compute();
    },
    dispose() {
      forget();
      for (const end of ends) end();
    },
  };
}

export type Impact = ReturnType<typeof createImpact>;

/** @returns what the observations of a run changed */
export const impactOf = slot<RunView, Impact>(createImpact);
