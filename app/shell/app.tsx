/** The window: frame, panels and overlays. */
import { ForkDialog } from '../features/branches/fork-dialog.tsx';
import { EvidencePanel } from './evidence/index.tsx';
import { Frame, SkipLinks } from './frame.tsx';
import { Hint, StageMessage, QuestionDialog, Notices } from './messages.tsx';
import { LessonEditor } from '../features/lessons/lesson-editor.tsx';
import { LessonStrip } from '../features/lessons/lesson-strip.tsx';
import { CoursePage, NextLesson } from '../features/course/index.tsx';
import { BenchmarksPage } from '../features/benchmarks/page/index.tsx';
import { StageWords } from '../features/presenting/index.tsx';
import { PapersPage } from '../features/papers/page/index.tsx';
import { CheckPage } from '../features/check/index.tsx';
import { CommandPalette } from './command-palette.tsx';
import { Gallery } from '../features/gallery/index.tsx';
import { RunsPanel } from '../features/runs/panel/index.tsx';
import { RunsTable } from '../features/runs/panel/runs-table.tsx';
import { SeedsPage } from '../features/seeds/page/index.tsx';
import { GlossarySheet, ShortcutSheet } from './sheets.tsx';
import { SettingsPanel } from './settings/index.tsx';
import { SweepsPage } from '../features/sweeps/page/index.tsx';
import { Timeline } from './timeline/index.tsx';
import { TopBar } from './top-bar/index.tsx';
import { TuningPage } from '../features/tuning/page/index.tsx';
import { FilmDialog } from '../features/filming/film-dialog.tsx';
import { StatesDialog } from '../features/saving/states-dialog.tsx';
import { Stage } from './stage/index.tsx';
import { OwnPlace } from '../controls/own-place.tsx';
import { STAGE_PANEL } from '../page/own-windows.ts';
import { useLaboratory } from '../page/laboratory.ts';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/**
 * Shows that files can be dropped while some are dragged over the window. The host takes the files themselves, and whoever opens
 * them says what is wrong with them.
 */
function DropTarget() {
  const dragging = useSignal(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      dragging.value = hasFiles(event);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) dragging.value = false;
    };
    const drop = (): void => {
      dragging.value = false;
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [dragging]);
  if (!dragging.value) return null;
  return (
    <div class="drop-target">
      <p>Drop a scenario file to run it, or a run folder to look at it</p>
    </div>
  );
}

export function App() {
  const { overlays, ownWindows } = useLaboratory();
  const { overlay } = overlays;
  return (
    <>
      <SkipLinks />
      <Frame
        bar={<TopBar />}
        settings={<SettingsPanel />}
        runs={<RunsPanel />}
        stage={
          ownWindows.panels.value.has(STAGE_PANEL.id) ? (
            <div class="stage own-stage-place">
              <OwnPlace panel={STAGE_PANEL} />
              <Notices />
            </div>
          ) : (
            <>
              <Stage>
                <Notices />
                <Hint />
              </Stage>
              <StageWords />
              <StageMessage />
            </>
          )
        }
        evidence={<EvidencePanel />}
        lesson={<LessonStrip next={<NextLesson />} />}
        timeline={<Timeline />}
      />
      {overlay.value === 'palette' && <CommandPalette />}
      {overlay.value === 'shortcuts' && <ShortcutSheet />}
      {overlay.value === 'gallery' && <Gallery />}
      {overlay.value === 'benchmarks' && <BenchmarksPage />}
      {overlay.value === 'papers' && <PapersPage />}
      {overlay.value === 'check' && <CheckPage />}
      {overlay.value === 'sweeps' && <SweepsPage />}
      {overlay.value === 'tuning' && <TuningPage />}
      {overlay.value === 'seeds' && <SeedsPage />}
      {overlay.value === 'runs' && <RunsTable />}
      {overlay.value === 'course' && <CoursePage />}
      {overlay.value === 'glossary' && <GlossarySheet />}
      <ForkDialog />
      {overlay.value === 'states' && <StatesDialog />}
      {overlay.value === 'film' && <FilmDialog />}
      {overlay.value === 'lesson' && <LessonEditor />}
      <QuestionDialog />
      <DropTarget />
    </>
  );
}
