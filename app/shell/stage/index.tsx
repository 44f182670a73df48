/** The stage as a component: the canvas and its overlays, driven by the interface's state. */
import { batch, useComputed, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useRun } from '../../document/context.ts';
import { useLaboratory, type Laboratory } from '../../page/laboratory.ts';
import { isFieldId } from '../../fields/fields.ts';
import { TRUTH } from '../../document/views/method-style.ts';
import type { RunView } from '../../document/run-view.ts';
import { BranchStrip } from '../../features/branches/branch-strip.tsx';
import { CutStrip } from '../../stage/overlays/cut-strip.tsx';
import { Marks } from '../../stage/overlays/marks.tsx';
import { LateSign, ViewFrames } from '../../stage/overlays/view-frames.tsx';
import { Readout } from '../../stage/overlays/readout.tsx';
import { TOOL_KEYS, WorldBar } from '../../features/world/world-bar.tsx';
import { Ghosts } from '../../features/world/ghosts.tsx';
import { StageBar } from './stage-bar.tsx';
import { StageFoot } from '../../stage/overlays/stage-foot.tsx';
import { errorRowOf } from '../../features/presenting/chrome.ts';
import { XrayBar } from '../../features/x-ray/xray-bar.tsx';
import { observeSize } from '../../plot/use-size.ts';
import { NO_ROOM } from '../../stage/framing.ts';
import { registerStageCommands } from './stage-commands.ts';
import type { Stage as StageHandle } from '../../stage/stage.ts';
import { NoStageError, WebGpuStageError } from '../../stage/stage-model.ts';
import type { ScreenPoint, DrawnView, Held, StageModel } from '../../stage/stage-model.ts';
import '../../stage/stage.css';
import '../../stage/overlays.css';
import { stageOf } from '../../stage/stage-state.ts';
import { worldOf } from '../../features/world/world-state.ts';
import { xrayOf } from '../../features/x-ray/xray-state.ts';

/** Times that a lost stage is built again before it says that it cannot. */
const REBUILDS = 5;

const LOST = 'The GPU was lost. The view returns when the run resumes from its last checkpoint.';

const CANNOT_DRAW = 'The stage cannot be drawn. Load the page again; the run continues from its last checkpoint.';

/** What draws, with three: loaded while the window comes on screen without it. */
function loadStage(): Promise<typeof import('../../stage/stage.ts')> {
  return import('../../stage/stage.ts');
}

const KEYS =
  'Arrows move the crosshair, with Control they turn, with Alt they shift the view; Page Up and Page Down zoom. Enter pins the crosshair, C begins and ends a cross-section, X takes an X-ray of the crosshair.';

function modelNow(laboratory: Laboratory, run: RunView): StageModel | undefined {
  const { presentation, resolvedTheme, reducedMotion } = laboratory.preferences;
  const {
    course: { info, recorded, runNumber, playing, computing, computingBeside },
    branches: { snapshot: shownSnapshot, transit, subjects },
    view: {
      phase,
      exaggeration,
      rangeMode,
      freeRunCounts,
      lockedRanges,
      camera,
      camerasLinked,
      showsObservations,
      showsBathymetry,
    },
  } = run;
  const { band, foot, viewRoom, shownLook } = stageOf(run);
  const snapshot = shownSnapshot.value;
  const course = info.value;
  if (!snapshot || !course) return undefined;
  return {
    run: runNumber.value,
    basin: course.basin,
    snapshot,
    further: recorded.loaded.value,
    // Beginning and ending to play changes nothing in the picture.
    isRunning: playing.peek() || computing.peek() || computingBeside.peek(),
    transit: transit.value,
    subjects: [{ label: TRUTH, members: 1, isFreeRun: false }, ...subjects.value],
    members: run.ringMembers.members.value,
    fields: errorRowOf(run).fields.value,
    instead: run.shown.value,
    heads: run.heads.value,
    phase: phase.value,
    look: shownLook.value,
    exaggeration: exaggeration.value,
    rangeMode: rangeMode.value,
    freeRunCounts: freeRunCounts.value,
    lockedRanges: lockedRanges.value,
    camerasLinked: camerasLinked.value,
    followsWave: camera.value === 'wave',
    showsObservations: showsObservations.value,
    showsBathymetry: showsBathymetry.value,
    theme: resolvedTheme.value,
    reducedMotion: reducedMotion.value,
    // On the stage basins fill their cells: what is written there has no room of its own.
    room: presentation.value ? NO_ROOM : viewRoom.value,
    band: band.value,
    foot: foot.value,
  };
}

/** What the hand holds. */
function heldNow(run: RunView): Held {
  if (worldOf(run).tool.value) return 'tool';
  return stageOf(run).cuttingTool.value ? 'cut' : 'camera';
}

interface CanvasProperties {
  readonly device: GPUDevice | undefined;
  /** Whether it is drawn with WebGL 2, because WebGPU was tried in vain. */
  readonly forceWebGL: boolean;
  /** WebGPU cannot draw. */
  readonly onRefused: () => void;
  readonly onLost: () => void;
  readonly onSize: (width: number, height: number) => void;
}

/** The canvas and its stage, together for as long as the device lives: a canvas cannot change the way it is drawn on. */
function StageCanvas({ device, forceWebGL, onRefused, onLost, onSize }: CanvasProperties) {
  const run = useRun();
  const {
    course: { processorIsBusy },
    view: { camera, hoveredCell, toggleProbe, crossSection },
  } = run;
  const { drawnCut, drawnFrame, drawnLeg, currentStage, stageFailure } = stageOf(run);
  const { tool, use } = worldOf(run);
  const xray = xrayOf(run);
  const reference = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const canvas = reference.current;
    if (!canvas) return undefined;
    let stage: StageHandle | undefined;
    let closed = false;
    const measure = (): void => {
      onSize(canvas.clientWidth, canvas.clientHeight);
      stage?.resize(canvas.clientWidth, canvas.clientHeight);
    };
    const stopMeasuring = observeSize(canvas, measure);
    const open = async (): Promise<void> => {
      try {
        const { createStage } = await loadStage();
        if (closed) return;
        const opened = await createStage(canvas, {
          device,
          forceWebGL,
          held: () => heldNow(run),
          onHover: (cell) => {
            hoveredCell.value = cell;
          },
          onPin(cell, observation) {
            if (xray.isOn.peek()) xray.chooseAt(cell, observation);
            else toggleProbe(cell);
          },
          onSteer: () => {
            camera.value = undefined;
          },
          onEscape: () => xray.leave(),
          onCutting: (section) => {
            drawnCut.value = section;
          },
          onSection: (section) => {
            crossSection.value = section;
          },
          onDraw: (frame) => {
            drawnFrame.value = frame;
          },
          onLeg: (leg) => {
            drawnLeg.value = leg;
          },
          onTool: use,
          onLost,
        });
        if (closed) {
          opened.dispose();
          return;
        }
        stage = opened;
        opened.setComputing(processorIsBusy.peek());
        currentStage.value = opened;
        stageFailure.value = undefined;
        measure();
      } catch (error) {
        if (closed) return;
        if (error instanceof WebGpuStageError) onRefused();
        else stageFailure.value = error instanceof NoStageError ? error.message : CANNOT_DRAW;
      }
    };
    void open();
    return () => {
      closed = true;
      stopMeasuring();
      if (currentStage.value === stage) {
        batch(() => {
          currentStage.value = undefined;
          drawnFrame.value = undefined;
        });
      }
      stage?.dispose();
    };
  }, [device, forceWebGL, onRefused, onLost, onSize, run, xray]);
  return (
    <canvas
      ref={reference}
      class="stage-canvas"
      tabIndex={0}
      role="application"
      aria-label={`Views of truth and methods in 3D. ${tool.value ? TOOL_KEYS[tool.value] : ''} ${KEYS}`}
      data-held={heldNow(run)}
    />
  );
}

/** Holds the ranges that are drawn, of fields that were not locked yet. */
function lockRanges(run: RunView, views: readonly DrawnView[]): void {
  const { lockedRanges } = run.view;
  const known = lockedRanges.peek();
  const pairs = views.flatMap(({ field, range, rangeIsKnown }) =>
    rangeIsKnown && isFieldId(field) && known[field] === undefined ? [[field, [range.from, range.to]] as const] : [],
  );
  if (pairs.length === 0) return;
  lockedRanges.value = { ...Object.fromEntries(pairs), ...known };
}

/** Hands every change of the state to the stage. */
function useStageDriver(): void {
  const laboratory = useLaboratory();
  const run = useRun();
  const { preferences } = laboratory;
  const {
    view: { cameraRequest, rangeMode, lockedRanges },
    course: { processorIsBusy },
  } = run;
  const { currentStage, drawnFrame } = stageOf(run);
  useSignalEffect(() => {
    const stage = currentStage.value;
    const model = modelNow(laboratory, run);
    if (stage && model) stage.set(model);
  });
  useSignalEffect(() => {
    const { to, milliseconds, request } = cameraRequest.value;
    if (request > 0) currentStage.value?.moveCameras(to, preferences.reducedMotion.peek() ? 0 : milliseconds);
  });
  useSignalEffect(() => currentStage.value?.setComputing(processorIsBusy.value));
  useSignalEffect(() => {
    const drawn = drawnFrame.value?.views ?? [];
    if (rangeMode.value === 'locked') lockRanges(run, drawn);
    else if (Object.keys(lockedRanges.peek()).length > 0) lockedRanges.value = {};
  });
}

/** What became of the device that the stage drew on last. */
interface Loss {
  readonly device: GPUDevice | undefined;
  readonly count: number;
}

/** Whether a stage can be built: a lost device of the engine's stays lost, one of the stage's own is opened again. */
function canBuild(device: GPUDevice | undefined, loss: Loss): boolean {
  if (loss.count === 0 || loss.device !== device) return true;
  return device === undefined && loss.count <= REBUILDS;
}

/** @returns another number for each device that follows another, so that a canvas is made again for it */
function useDeviceNumber(device: GPUDevice | undefined): number {
  const known = useRef({ device, number: 0 });
  if (known.current.device !== device) known.current = { device, number: known.current.number + 1 };
  return known.current.number;
}

/** The bars of the tool in the hand and of the X-ray: over the upper edge of the views, which do not move for them. */
function ToolBars() {
  const { covered } = stageOf(useRun());
  const bars = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = bars.current;
    if (!element) return undefined;
    return observeSize(element, () => {
      const { offsetTop, offsetHeight } = element;
      covered.value = offsetHeight > 0 ? offsetTop + offsetHeight : 0;
    });
  }, [covered]);
  return (
    <div class="stage-tools" ref={bars}>
      <WorldBar />
      <XrayBar />
    </div>
  );
}

/** @param children what is said under the views */
export function Stage({ children }: { readonly children?: ComponentChildren }) {
  const laboratory = useLaboratory();
  const run = useRun();
  const {
    course: { info },
  } = run;
  const { stageFailure } = stageOf(run);
  const [loss, setLoss] = useState<Loss>({ device: undefined, count: 0 });
  const [size, setSize] = useState({ width: 0, height: 0 });
  /** Undefined while the crosshair is moved by keys. */
  const [pointer, setPointer] = useState<ScreenPoint>();
  const device = useComputed(() => info.value?.device).value;
  const handleLost = useCallback(
    () => setLoss((before) => ({ device, count: before.device === device ? before.count + 1 : 1 })),
    [device],
  );
  /** The devices that WebGPU cannot draw with; undefined is a device of the stage's own. */
  const [refused, setRefused] = useState<ReadonlySet<GPUDevice | undefined>>(new Set());
  const handleRefused = useCallback(() => setRefused((before) => new Set(before).add(device)), [device]);
  const forceWebGL = refused.has(device);
  const handleSize = useCallback((width: number, height: number) => setSize({ width, height }), []);
  useStageDriver();
  // Whoever opens it says if it cannot be loaded.
  useEffect(() => void loadStage().catch(() => undefined), []);
  useEffect(() => registerStageCommands(laboratory, run), [laboratory, run]);
  const deviceNumber = useDeviceNumber(device);
  const buildable = canBuild(device, loss);
  const failure = buildable ? stageFailure.value : LOST;
  return (
    <div class="stage">
      <StageBar />
      <div
        class="stage-views"
        onPointerMove={({ currentTarget, clientX, clientY }) => {
          const { left, top } = currentTarget.getBoundingClientRect();
          setPointer({ x: clientX - left, y: clientY - top });
        }}
        onPointerLeave={() => setPointer(undefined)}
        onKeyDown={() => setPointer(undefined)}
      >
        <ToolBars />
        {buildable && info.value && (
          <StageCanvas
            key={`${String(loss.count)}-${device ? 'shared' : 'own'}-${String(deviceNumber)}-${String(forceWebGL)}`}
            device={device}
            forceWebGL={forceWebGL}
            onRefused={handleRefused}
            onLost={handleLost}
            onSize={handleSize}
          />
        )}
        <div class="stage-overlays">
          <Ghosts width={size.width} height={size.height} />
          <Marks width={size.width} height={size.height} />
          <ViewFrames />
        </div>
        <LateSign />
        {/* It would cover the water that a tool works on. */}
        {!worldOf(run).tool.value && <Readout stage={size} pointer={pointer} />}
        {failure !== undefined && (
          <p class="stage-failure" role="alert">
            {failure}
          </p>
        )}
      </div>
      <StageFoot>{children}</StageFoot>
      <BranchStrip />
      <CutStrip />
    </div>
  );
}
