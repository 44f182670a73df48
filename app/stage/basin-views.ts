/** All views of one basin: their scenes, the planes in them, where they are, and how they are drawn, picked and read. */
import { Color, type Texture, type WebGPURenderer } from 'three/webgpu';
import type { BasinInfo } from '../../engine/index.ts';
import { fieldIn, fieldOf, tintOf } from '../fields/fields.ts';
import { isTruth } from '../document/views/method-style.ts';
import type { GridPoint } from '../document/views/view-state.ts';
import { NO_NUMBERS, hostNumbers, intervalOfWholes } from '../document/values/plane-reader.ts';
import type { Answer, PlaneReader } from '../document/values/plane-reader.ts';
import type { CameraRig } from './camera-rig.ts';
import { cameraAxes, type Bounds, type CameraState, type ScenePoint } from '../document/views/cameras.ts';
import { createFurtherRanges, createFieldTextures, planeTexture, type FieldTextures } from './field-textures.ts';
import { NO_ROOM, applyCamera, createFitting } from './framing.ts';
import { createViewPlanes, createBasinShapes, createViewScene, createShownStems } from './view-scene.ts';
import type { ViewScene } from './view-scene.ts';
import { programOf, type ProgramMaterials } from './view-materials.ts';
import {
  LEVEL,
  bedReach,
  heightOf,
  heightsFor,
  liftGrowth,
  suggestExaggeration,
  unitsPerMetre,
} from '../document/views/elevation.ts';
import type { Heights } from '../document/views/elevation.ts';
import { liftValues, type FieldPlanes } from '../document/views/field-values.ts';
import { MAXIMUM_SIDE, MAXIMUM_SIDE_IN_SOFTWARE, basinExtent, scenePlace } from './grid-geometry.ts';
import { linesIn, membersIn } from './ring-lines.ts';
import { PALETTES, cssColour } from '../fields/colours.ts';
import { pickCell, pickStem, onScreen, rayThrough, createWaveWatch } from './picking.ts';
import { AT_REST, momentOf, truthAbout, type Moment } from './passage.ts';
import type { HeldRange, Range } from '../fields/ranges.ts';
import { divergedAt, isComplete, numbersOf, phaseOfField, requestsOf, subjectPlanes } from './snapshot-numbers.ts';
import { unknownRange, type SnapshotNumbers } from './snapshot-numbers.ts';
import { reachOfShown, wordsOfField } from '../document/views/shown-planes.ts';
import type { DrawnFrame, DrawnView, ScreenPoint, StageModel } from './stage-model.ts';
import { stemSize } from './stems.ts';
import { SINGLE, layViews, viewAt, type ViewPlace, sceneId } from './view-grid.ts';

export interface BasinViews {
  update(model: StageModel, width: number, height: number): void;
  /** Whether the shaders of all that is shown are built. */
  readonly isPrepared: boolean;
  /** Builds the shaders of what is shown piece by piece, so that the first picture of a field does not hold the page up. */
  prepare(renderer: WebGPURenderer, rig: CameraRig): Promise<void>;
  /** @param now ms of `performance.now()`: where the water is on its way */
  draw(renderer: WebGPURenderer, rig: CameraRig, now: number): DrawnFrame;
  /** Which part of the cycle was drawn last, and whether the water moves on from there. */
  readonly moment: Moment;
  viewAt(at: ScreenPoint): ViewPlace | undefined;
  pick(at: ScreenPoint): GridPoint | undefined;
  /** @returns the number of the observation whose stem is there */
  pickStem(at: ScreenPoint): number | undefined;
  /** @returns where a camera that looks at a place is to look to follow the truth's highest wave */
  wave(near: ScenePoint): ScenePoint | undefined;
  /** @returns what a pan by these pixels does to the view's camera */
  panning(
    view: ViewPlace,
    right: number,
    down: number,
    pan: (state: CameraState, right: number, down: number, unitsPerPixel: number, bounds: Bounds) => CameraState,
  ): (state: CameraState) => CameraState;
  dispose(): void;
}

interface View {
  place: ViewPlace;
  readonly scene: ViewScene;
  readonly program: ProgramMaterials;
  unitsPerPixel: number;
}

/**
 * Least time between two readings from the GPU for ranges, heights and picking, ms: the picture never waits for them, and
 * they lag behind it by about that.
 */
const READING_INTERVAL = 250;

/** Increments of this share of the waves' height are lit in full. */
const GLOW_SHARE = 0.2;

/** @returns what the ranges of all views are made of but for the cycle */
function learnedFrom({ phase, freeRunCounts }: StageModel, places: readonly ViewPlace[]): string {
  return [phase, freeRunCounts, ...places.map(({ key, field }) => `${key}/${field}`)].join(' ');
}

/**
 * @param device that draws; undefined if the stage draws with WebGL
 * @param reader of the snapshots' planes
 * @param seen the numbers of the run
 * @param inSoftware whether the processor draws
 * @param onNumbers numbers from the GPU have arrived: ranges, heights or the water may be better now
 */
export function createBasinViews(
  basin: BasinInfo,
  device: GPUDevice | undefined,
  reader: PlaneReader,
  seen: SnapshotNumbers,
  inSoftware: boolean,
  onNumbers: () => void,
): BasinViews {
  const { nx, ny } = basin;
  const extent = basinExtent(basin);
  const unit = unitsPerMetre(basin);
  const shapes = createBasinShapes(basin, inSoftware ? MAXIMUM_SIDE_IN_SOFTWARE : MAXIMUM_SIDE);
  const textures: FieldTextures = createFieldTextures(nx, ny, device, reader, onNumbers);
  const planes = createViewPlanes(textures);
  const bed: Texture = planeTexture(basin.bed, nx, ny);
  /** The newest numbers of what is or was on screen. */
  let known: Answer<StageModel> | undefined;
  const enquiry = reader.open<StageModel>({
    interval: Math.max(READING_INTERVAL, intervalOfWholes(basin)),
    onAnswer(answer) {
      // The picture may be cycles ahead by now; ranges and heights learn from what was read all the same.
      known = answer;
      if (answer.subject.snapshot !== shown?.snapshot) learn(answer);
      onNumbers();
    },
  });
  const { lowest: lowestBed } = bedReach(basin.bed);
  const fitting = createFitting();
  const waveWatch = createWaveWatch(basin, seen.dry);

  const scenes = new Map<string, ViewScene>();
  let views: View[] = [];
  let size = { width: 1, height: 1 };
  let shown: StageModel | undefined;
  let heights: Heights = LEVEL;
  /** Heights that lift the water in place of its surface. */
  let liftedHeights: Heights = LEVEL;
  let waves: HeldRange | undefined;
  let loweredAt: number | undefined;
  let ranges: ReadonlyMap<string, HeldRange> = new Map();
  let moment: Moment = AT_REST;
  const stems = createShownStems(basin);
  /** Programs whose shaders are built, or cannot be. */
  const prepared = new Set<ProgramMaterials>();

  const learn = ({ subject, numbers }: Answer<StageModel>): void => {
    seen.ranges(subject, placesNow(), numbers);
    seen.amplitude(subject, numbers);
  };
  const further = createFurtherRanges((snapshot) => {
    if (shown) learn({ subject: { ...shown, snapshot }, numbers: hostNumbers });
  }, onNumbers);
  const sceneOf = (place: ViewPlace, model: StageModel, program: ProgramMaterials): ViewScene => {
    const id = sceneId(place);
    let scene = scenes.get(id);
    if (!scene) {
      scene = createViewScene(basin, shapes, PALETTES[model.theme], isTruth(place.subject), program);
      scene.setPlane('bed', bed);
      scenes.set(id, scene);
    }
    scene.setProgram(program);
    return scene;
  };
  const dropUnused = (places: readonly ViewPlace[]): void => {
    const used = new Set(places.map(sceneId));
    for (const [id, scene] of scenes) {
      if (used.has(id)) continue;
      scene.dispose();
      scenes.delete(id);
    }
  };
  const placesNow = (): readonly ViewPlace[] => views.map(({ place }) => place);
  const heightsIn = ({ field }: ViewPlace): Heights => (field === 'shown-lifted' ? liftedHeights : heights);
  const rangeOf = ({ key, field }: ViewPlace): Range => ranges.get(key)?.range ?? unknownRange(fieldIn(basin, field));
  const setLook = (place: ViewPlace, scene: ViewScene, model: StageModel): void => {
    const { amplitude, scale } = heightsIn(place);
    scene.setLook(
      {
        field: place.field,
        colourMap: wordsOfField(place.field, model.instead, basin).colourMap,
        range: rangeOf(place),
        scale,
        dry: seen.dry,
        photoreal: model.look === 'photoreal',
        isFaded: divergedAt(model.snapshot, place.subject) !== undefined,
        showsBathymetry: model.showsBathymetry,
        showsObservations: model.showsObservations,
        palette: PALETTES[model.theme],
      },
      basin.isRing ? -amplitude : lowestBed,
      amplitude,
    );
  };
  /** Planes of the picture on screen, or of the one before it while its numbers are on their way. */
  const planesOf = ({ field, subject }: ViewPlace): FieldPlanes => {
    const numbers = known?.numbers ?? NO_NUMBERS;
    const of = (model: StageModel | undefined): FieldPlanes => {
      const planes =
        model && subjectPlanes(model.snapshot, subject, phaseOfField(field, model.phase), field, model.instead);
      return numbersOf(numbers, planes, field);
    };
    const now = of(shown);
    return isComplete(now, field) ? now : of(known?.subject);
  };
  const heightAt = ({ place }: View): ((i: number, j: number) => number) => {
    const liftAt = liftValues(place.field, planesOf(place), basin, seen.dry);
    const { scale } = heightsIn(place);
    if (basin.isRing) return (i, j) => heightOf(scale, liftAt(i, j));
    return (i, j) => {
      const bedHeight = heightOf(scale, basin.bed[j * nx + i] ?? 0);
      return Math.max(bedHeight, heightOf(scale, liftAt(i, j)));
    };
  };
  /** @param above the surface, in the scene's units */
  const project = (
    view: View,
    height: (i: number, j: number) => number,
    point: GridPoint,
    above = 0,
  ): ScreenPoint | undefined => {
    const { rect } = view.place;
    const [i, j] = [Math.round(point.x), Math.round(point.y)];
    const { x, z } = scenePlace(basin, point.x, point.y);
    const y = height(Math.min(nx - 1, Math.max(0, i)), Math.min(ny - 1, Math.max(0, j))) + above;
    return onScreen(view.scene.camera, rect, [x, y, z]);
  };
  const drawn = (view: View, state: CameraState): DrawnView => {
    const { right, up } = cameraAxes(state);
    const axis = (k: 0 | 1 | 2, sign: number): ScreenPoint => ({ x: sign * right[k], y: -sign * up[k] });
    let height: ((i: number, j: number) => number) | undefined;
    const { field } = view.place;
    const words = wordsOfField(field, shown?.instead, basin);
    const overWater = shown?.look === 'photoreal' ? tintOf(fieldOf(field)) : undefined;
    return {
      ...view.place,
      words,
      colourAt: (share) => cssColour(words.colourMap, share, overWater),
      range: rangeOf(view.place),
      rangeIsKnown: ranges.has(view.place.key),
      grownAt: ranges.get(view.place.key)?.grownAt,
      metresPerPixel: view.unitsPerPixel / unit,
      exaggeration: heightsIn(view.place).exaggeration,
      memberLines: shown ? linesIn(view.place, shown) : 0,
      axes: { east: axis(0, 1), up: axis(1, 1), north: axis(2, -1) },
      project: (point) => project(view, (height ??= heightAt(view)), point),
    };
  };

  const litInFull = (): number => GLOW_SHARE * (waves?.range.to ?? 1);
  const fit = (rig: CameraRig): void => {
    const sizes = views.map(({ place: { rect } }) => ({ width: rect.width, height: rect.height }));
    rig.fit(fitting(rig.placement().common, views[0]?.scene.bounds(), sizes, shown?.room ?? NO_ROOM));
  };
  const aim = (view: View, state: CameraState): void => {
    const { scene, place } = view;
    view.unitsPerPixel = applyCamera(scene.camera, state, scene.bounds(), place.rect, shown?.room ?? NO_ROOM);
  };

  return {
    update(model, width, height) {
      size = { width, height };
      const kinds = new Map(model.subjects.map((subject) => [subject.label, subject]));
      const labels = model.subjects.map(({ label }) => label);
      const places = layViews(
        model.fields,
        labels,
        (label) => kinds.get(label) ?? SINGLE,
        width,
        height - (model.band ?? 0) - (model.foot ?? 0),
        model.instead,
        model.band,
      );
      dropUnused(places);
      known = enquiry.ask(model, requestsOf(model, places));
      const numbers = known?.numbers ?? NO_NUMBERS;
      further.update(learnedFrom(model, places), model.further ?? []);
      ranges = seen.ranges(model, places, numbers);
      waves = seen.amplitude(model, numbers);
      const amplitude = waves?.range.to ?? 0;
      const isAuto = model.exaggeration === 'auto';
      const exaggeration = model.exaggeration === 'auto' ? suggestExaggeration(basin, amplitude) : model.exaggeration;
      loweredAt = isAuto ? waves?.grownAt : undefined;
      heights = heightsFor(basin, exaggeration, amplitude);
      // With an exaggeration that was chosen, all heights are comparable.
      const growth = isAuto && model.instead ? liftGrowth(basin, amplitude, reachOfShown(model.instead)) : 1;
      liftedHeights = heightsFor(basin, exaggeration * growth, amplitude / growth);
      const before = views;
      views = places.map((place) => {
        const program = shapes.materials.of(programOf(place.field, model.look, inSoftware));
        const scene = sceneOf(place, model, program);
        setLook(place, scene, model);
        return { place, scene, program, unitsPerPixel: 1 };
      });
      for (const { place, scene } of views) scene.setMembers(membersIn(place, model), heightsIn(place).scale);
      const isNew = views.some(({ scene }) => !before.some((view) => view.scene === scene));
      const areOthers = stems.of !== model.snapshot && stems.of !== model.transit?.to;
      if (isNew || areOthers) stems.set(views, model.snapshot, model);
      else if (!stems.suit(model)) stems.set(views, stems.of ?? model.snapshot, model);
      if (!model.transit) {
        moment = AT_REST;
        for (const { place, scene } of views) planes.settle(place, scene, model);
      }
      shown = model;
    },
    get moment() {
      return moment;
    },
    get isPrepared() {
      return views.every(({ program }) => prepared.has(program));
    },
    async prepare(renderer, rig) {
      const fresh = views.filter(({ program }) => !prepared.has(program));
      fit(rig);
      try {
        for (const view of fresh) {
          aim(view, rig.of(view.place.key));
          view.scene.use();
          await renderer.compileAsync(view.scene.scene, view.scene.camera);
        }
      } finally {
        for (const { program } of fresh) prepared.add(program);
      }
    },
    draw(renderer, rig, now) {
      fit(rig);
      const transit = shown?.transit;
      if (shown && transit) {
        moment = momentOf(transit, now);
        const full = litInFull();
        for (const { place, scene } of views) planes.move(place, scene, shown, transit, moment, full);
        // Assimilated observations are shown meanwhile.
        if (moment.leg !== 'forecast' && stems.of !== transit.to) stems.set(views, transit.to, shown);
      }
      renderer.setClearColor(new Color(...PALETTES[shown?.theme ?? 'dark'].background), 1);
      const frames = views.map((view, n) => {
        const { rect, key } = view.place;
        const state = rig.of(key);
        aim(view, state);
        view.scene.setLight(state);
        view.scene.setSize(renderer.getPixelRatio() * Math.max(rect.width, rect.height));
        renderer.setViewport(rect.x, rect.y, rect.width, rect.height);
        renderer.setScissor(rect.x, rect.y, rect.width, rect.height);
        // The first pass clears the whole canvas, the others draw beside it. In WebGL a clear stops at the scissor.
        renderer.autoClear = n === 0;
        renderer.setScissorTest(n > 0);
        view.scene.use();
        renderer.render(view.scene.scene, view.scene.camera);
        return drawn(view, state);
      });
      const cycle = shown?.snapshot.cycle ?? -1;
      return {
        size,
        views: frames,
        cycle,
        loweredAt,
        innovationScale: stems.innovationAtFull,
        incrementAtFull: litInFull(),
      };
    },
    viewAt: ({ x, y }) => viewAt(placesNow(), x, y),
    wave: (near) =>
      shown && waveWatch(truthAbout(shown, moment), (plane) => hostNumbers(plane) ?? known?.numbers(plane), near),
    pick(at) {
      const place = viewAt(placesNow(), at.x, at.y);
      const view = views.find((each) => each.place === place);
      if (!view || !place) return undefined;
      const { y: half, middle } = view.scene.bounds();
      return pickCell(rayThrough(view.scene.camera, place.rect, at), {
        x: extent.x,
        z: extent.z,
        nx,
        ny,
        isRing: basin.isRing,
        lowest: middle - half,
        highest: middle + 2 * half,
        height: heightAt(view),
      });
    },
    pickStem(at) {
      const view = views.find(({ place }) => viewAt([place], at.x, at.y) !== undefined);
      const stood = view && stems.in(view.place.key);
      if (!view || !stood || shown?.showsObservations === false) return undefined;
      const { data, of: observations } = stood;
      const height = heightAt(view);
      const tall = stemSize(data.count).height;
      const drawnStems = data.observation.flatMap((observation) => {
        const point = { x: observations.x[observation], y: observations.y[observation] };
        const [foot, head] = [project(view, height, point), project(view, height, point, tall)];
        return foot && head ? [{ observation, foot, head }] : [];
      });
      return pickStem(at, drawnStems);
    },
    panning(place, right, down, pan) {
      const view = views.find((each) => each.place.key === place.key);
      return (state) => (view ? pan(state, right, down, view.unitsPerPixel, view.scene.bounds()) : state);
    },
    dispose() {
      for (const scene of scenes.values()) scene.dispose();
      scenes.clear();
      shapes.dispose();
      further.dispose();
      textures.dispose();
      bed.dispose();
      enquiry.close();
    },
  };
}
