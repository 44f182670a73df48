/** The window: frame, panels and overlays. */
import { ForkDialog } from '../features/branches/fork-dialog.tsx';
import { EvidencePanel } from './evidence/index.tsx';
import { DropTarget } from './drop-target.tsx';
import { Frame } from './frame.tsx';
import { Hint } from './hint.tsx';
import { QuestionDialog } from './question-dialog.tsx';
import { SkipLinks } from './skip-links.tsx';
import { StageMessage } from './stage-message.tsx';
import { LessonEditor } from '../features/lessons/editor/index.tsx';
import { LessonStrip } from '../features/lessons/lesson-strip.tsx';
import { BenchmarksPage } from '../features/benchmarks/page/index.tsx';
import { CheckPage } from '../features/check/page/index.tsx';
import { CommandPalette } from './command-palette/index.tsx';
import { Gallery } from '../features/gallery/index.tsx';
import { Notices } from './notices/index.tsx';
import { RunsPanel } from '../features/runs/panel/index.tsx';
import { SeedsPage } from '../features/seeds/page/index.tsx';
import { SettingsPanel } from './settings/index.tsx';
import { ShortcutSheet } from './shortcut-sheet/index.tsx';
import { SweepsPage } from '../features/sweeps/page/index.tsx';
import { Timeline } from './timeline/index.tsx';
import { TopBar } from './top-bar/index.tsx';
import { TuningPage } from '../features/tuning/page/index.tsx';
import { StatesDialog } from '../features/saving/states-dialog.tsx';
import { Stage } from './stage/index.tsx';
import { useLaboratory } from '../page/context.ts';
import { NextLesson } from './next-lesson.tsx';

export function App() {
  const { overlay } = useLaboratory().overlays;
  return (
    <>
      <SkipLinks />
      <Frame
        bar={<TopBar />}
        settings={<SettingsPanel />}
        runs={<RunsPanel />}
        stage={
          <>
            <Stage>
              <Notices />
              <Hint />
            </Stage>
            <StageMessage />
          </>
        }
        evidence={<EvidencePanel />}
        lesson={<LessonStrip next={<NextLesson />} />}
        timeline={<Timeline />}
      />
      {overlay.value === 'palette' && <CommandPalette />}
      {overlay.value === 'shortcuts' && <ShortcutSheet />}
      {overlay.value === 'gallery' && <Gallery />}
      {overlay.value === 'benchmarks' && <BenchmarksPage />}
      {overlay.value === 'check' && <CheckPage />}
      {overlay.value === 'sweeps' && <SweepsPage />}
      {overlay.value === 'tuning' && <TuningPage />}
      {overlay.value === 'seeds' && <SeedsPage />}
      <ForkDialog />
      {overlay.value === 'states' && <StatesDialog />}
      {overlay.value === 'lesson' && <LessonEditor />}
      <QuestionDialog />
      <DropTarget />
    </>
  );
}
