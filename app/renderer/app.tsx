/** The window: frame, panels and what lies over them. */
import { ForkDialog } from './branches/fork-dialog.tsx';
import { EvidencePanel } from './charts/index.tsx';
import { DropTarget } from './layout/drop-target.tsx';
import { Frame } from './layout/frame.tsx';
import { Hint } from './layout/hint.tsx';
import { QuestionDialog } from './layout/question-dialog.tsx';
import { SkipLinks } from './layout/skip-links.tsx';
import { StageMessage } from './layout/stage-message.tsx';
import { LessonEditor } from './lessons/editor/index.tsx';
import { LessonStrip } from './lessons/lesson-strip.tsx';
import { BenchmarksPage } from './panels/benchmarks/index.tsx';
import { CheckPage } from './panels/check/index.tsx';
import { CommandPalette } from './panels/command-palette/index.tsx';
import { Gallery } from './panels/gallery/index.tsx';
import { Notices } from './panels/notices/index.tsx';
import { RunsPanel } from './panels/runs/index.tsx';
import { SeedsPage } from './panels/seeds/index.tsx';
import { SettingsPanel } from './panels/settings/index.tsx';
import { ShortcutSheet } from './panels/shortcut-sheet/index.tsx';
import { SweepsPage } from './panels/sweeps/index.tsx';
import { Timeline } from './panels/timeline/index.tsx';
import { TopBar } from './panels/top-bar/index.tsx';
import { TuningPage } from './panels/tuning/index.tsx';
import { StatesDialog } from './saving/states-dialog.tsx';
import { Stage } from './stage/index.tsx';
import { useLaboratory } from './state/context.ts';

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
        lesson={<LessonStrip />}
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
