/** The first stops of the Tab key: ways past the bar and the panels, seen only while they have the focus. */
import { useLaboratory } from '../page/context.ts';
import type { Laboratory } from '../page/laboratory.ts';
import type { Frame } from '../page/frame-sizes.ts';
import './skip-links.css';

interface Place {
  readonly title: string;
  /** What takes the focus there, the best first. */
  readonly targets: readonly string[];
  /** Opens the panel that it lies in. */
  readonly open?: (frame: Frame) => void;
}

const PLACES: readonly Place[] = [
  { title: 'Skip to the stage', targets: ['.stage-canvas', '.frame-stage button, .frame-stage select'] },
  { title: 'Skip to the timeline', targets: ['.timeline [role=slider]', '.timeline button'] },
  {
    title: 'Skip to the evidence',
    targets: ['.evidence [role=tab][aria-selected=true]'],
    open: ({ showPanel }) => showPanel('evidence'),
  },
  { title: 'Skip to the settings', targets: ['.settings input'], open: ({ showPane }) => showPane('settings') },
];

function goTo(laboratory: Laboratory, { targets, open }: Place): void {
  open?.(laboratory.frame);
  // A panel that was closed is drawn first.
  setTimeout(() => {
    const found = targets.map((target) => document.querySelector<HTMLElement>(target)).find((each) => each !== null);
    found?.focus();
  });
}

export function SkipLinks() {
  const laboratory = useLaboratory();
  return (
    <nav class="skip-links" aria-label="Skip to">
      {PLACES.map((place) => (
        <button key={place.title} type="button" class="button" onClick={() => goTo(laboratory, place)}>
          {place.title}
        </button>
      ))}
    </nav>
  );
}
