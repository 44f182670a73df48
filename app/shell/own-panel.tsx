/** What a window of its own shows: the stage, or a part of the evidence. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { RunContext } from '../document/context.ts';
import type { RunView } from '../document/run-view.ts';
import { StageWords } from '../features/presenting/index.tsx';
import { LaboratoryContext, type Laboratory } from '../page/laboratory.ts';
import type { OwnPanel } from '../page/own-windows.ts';
import { OwnEvidence } from './evidence/index.tsx';
import { listenForShortcuts } from './commands/index.ts';
import { StageMessage } from './messages.tsx';
import { Stage } from './stage/index.tsx';

function OwnStage() {
  return (
    <main class="frame-stage own-stage" aria-label="Stage">
      <Stage />
      <StageWords />
      <StageMessage />
    </main>
  );
}

/** Lets panels be shown in windows of their own, which have the shortcuts of the page. @param onWindow called with each such window */
export function showOwnPanels(laboratory: Laboratory, run: RunView, onWindow: (view: Window) => void): void {
  laboratory.ownWindows.drawWith((panel: OwnPanel, root, view) => {
    onWindow(view);
    const stopListening = listenForShortcuts(laboratory, view);
    // What a key opens is in the page.
    const stopFollowing = effect(() => {
      if (laboratory.overlays.overlay.value !== 'none' && view.document.hasFocus()) window.focus();
    });
    render(
      <LaboratoryContext.Provider value={laboratory}>
        <RunContext.Provider value={run}>
          {panel.tab === undefined ? <OwnStage /> : <OwnEvidence panel={panel} tab={panel.tab} />}
        </RunContext.Provider>
      </LaboratoryContext.Provider>,
      root,
    );
    return () => {
      stopListening();
      stopFollowing();
      render(null, root);
    };
  });
}
