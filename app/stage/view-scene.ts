/**
 * The scene of one view: water over its bed in its basin, with the observations, whose stems say how prominent each is; and what of it
 * changes from cycle to cycle.
 */
import { Mesh, PerspectiveCamera, Scene, type BufferGeometry, type NodeMaterial, type Texture } from 'three/webgpu';
import type { BasinInfo, SnapshotObservations } from '../../engine/index.ts';
import { fieldOf, tintOf, type ViewFieldId } from '../fields/fields.ts';
import { boxHeights, createWalls } from './bathymetry.ts';
import { keyLight, sunLight, type Bounds, type CameraState } from '../document/views/cameras.ts';
import type { ScenePalette } from '../fields/colours.ts';
import { heightOf, type ElevationScale } from '../document/views/elevation.ts';
import type { ColourMapName } from '../fields/field.ts';
import { fieldNumber, type PlaneName } from './field-nodes.ts';
import { basinExtent, skirtGeometry, surfaceGeometry } from './grid-geometry.ts';
import { createMemberLines, createZeroCircles } from './ring-lines.ts';
import type { Range } from '../fields/ranges.ts';
import { createStems, stemSize, type StemData, innovationScale, stemData } from './stems.ts';
import { createViewMaterials, type ProgramMaterials, type ViewMaterials, type ViewValues } from './view-materials.ts';
import { colourMapRow, createColourMapTexture } from './water-look.ts';
import { truthOf, type ShownTransit, type ShownSnapshot } from '../document/lines/shown.ts';
import { TRUTH } from '../document/views/method-style.ts';
import type { Phase } from '../document/views/view-state.ts';
import type { FieldTextures } from './field-textures.ts';
import { planesOfField } from '../document/views/field-values.ts';
import { planesOnTheWay, type Moment, type PlaneContents } from './passage.ts';
import { phaseOfField, subjectPlanes } from './snapshot-numbers.ts';
import { planeOfShown } from '../document/views/shown-planes.ts';
import type { StageModel } from './stage-model.ts';
import type { ViewPlace } from './view-grid.ts';

/** The meshes of a basin, of one fineness. */
interface BasinMeshes {
  readonly surface: BufferGeometry;
  /** That of the bed: a level one needs no more than its corners. */
  readonly bed: BufferGeometry;
  readonly skirt: BufferGeometry;
}

/** What all views of a basin share on the GPU. */
interface BasinShapes {
  readonly fine: BasinMeshes;
  /** For views so small that triangles of the fine meshes are smaller than pixels. */
  readonly coarse: BasinMeshes;
  readonly materials: ViewMaterials;
  dispose(): void;
}

function createMeshes(basin: BasinInfo, most: number): BasinMeshes {
  const surface = surfaceGeometry(basin, most);
  const level = basin.bed.every((elevation) => elevation === basin.bed[0]);
  return { surface, bed: level ? surfaceGeometry(basin, 1) : surface, skirt: skirtGeometry(basin, most) };
}

/** @param most vertices along a side */
export function createBasinShapes(basin: BasinInfo, most: number): BasinShapes {
  const fine = createMeshes(basin, most);
  const areAlike = Math.max(basin.nx, basin.ny) <= COARSE_SIDE || most <= COARSE_SIDE;
  let coarse = areAlike ? fine : undefined;
  const colourMaps = createColourMapTexture();
  const materials = createViewMaterials(basin, colourMaps);
  return {
    fine,
    get coarse() {
      coarse ??= createMeshes(basin, COARSE_SIDE);
      return coarse;
    },
    materials,
    dispose() {
      for (const meshes of [fine, coarse ?? fine])
        Object.values(meshes).forEach((each: BufferGeometry) => each.dispose());
      materials.dispose();
      colourMaps.dispose();
    },
  };
}

/** Vertices along a side of a coarse mesh, at most. */
const COARSE_SIDE = 256;
/** In fewer pixels than these its triangles are small enough. */
const COARSE_PIXELS = 4 * COARSE_SIDE;

/** How a view draws, beside its planes. */
interface ViewLook {
  readonly field: ViewFieldId;
  readonly colourMap: ColourMapName;
  readonly range: Range;
  readonly scale: ElevationScale;
  /** Depth under which a cell is dry, m. */
  readonly dry: number;
  readonly photoreal: boolean;
  /** Whether the method has diverged: its water is what it was last. */
  readonly isFaded: boolean;
  readonly showsBathymetry: boolean;
  readonly showsObservations: boolean;
  readonly palette: ScenePalette;
}

export interface ViewScene {
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  readonly bounds: () => Bounds;
  setPlane(name: PlaneName, texture: Texture): void;
  /** What can be shown from now on. */
  setProgram(materials: ProgramMaterials): void;
  setLook(look: ViewLook, lowest: number, amplitude: number): void;
  /** @param glow how brightly increments are lit, 0 … 1 @param full the increment lit in full, m */
  setGlow(glow: number, full: number): void;
  setStems(data: StemData): void;
  /** Members on a ring, [member][place]; none are drawn if omitted. */
  setMembers(members: Float32Array | undefined, scale: ElevationScale): void;
  setLight(camera: CameraState): void;
  /** @param pixels of the screen along the longer side of the view */
  setSize(pixels: number): void;
  /** Everything drawn from now on is this view. */
  use(): void;
  dispose(): void;
}

function mesh(geometry: BufferGeometry, material: NodeMaterial): Mesh {
  const made = new Mesh(geometry, material);
  made.frustumCulled = false;
  return made;
}

/**
 * @param ofTruth whether heads of stems stay neutral, there being no innovation
 * @param program what it can show at first
 */
export function createViewScene(
  basin: BasinInfo,
  shapes: BasinShapes,
  palette: ScenePalette,
  ofTruth: boolean,
  program: ProgramMaterials,
): ViewScene {
  const { materials } = shapes;
  const extent = basinExtent(basin);
  const isRing = basin.isRing === true;
  const planes: Partial<Record<PlaneName, Texture>> = {};
  const values: ViewValues = {
    planes,
    field: 0,
    range: [-1, 1],
    scale: [1, 1, 1, 1],
    dry: 0,
    mapRow: 0,
    photoreal: 0,
    foam: 0,
    glow: 0,
    glowFull: 1,
    faded: 0,
    light: [0, 1, 0],
    sun: [0, 1, 0],
    tint: 1,
    palette,
    floor: 0,
    stems: { ...stemSize(0), coloured: ofTruth ? 0 : 1 },
  };
  const walls = isRing ? createZeroCircles(materials.zero) : createWalls(extent, materials.walls);
  const stems = createStems(program.stems);
  const members = isRing ? createMemberLines(basin.nx, materials.members) : undefined;
  const { fine } = shapes;
  const water = mesh(fine.surface, program.water);
  const side = mesh(fine.skirt, program.side);
  const bed = mesh(fine.bed, materials.bed);
  const ground = mesh(fine.skirt, materials.earth);
  const setMeshes = (meshes: BasinMeshes): void => {
    water.geometry = meshes.surface;
    bed.geometry = meshes.bed;
    for (const object of [side, ground]) object.geometry = meshes.skirt;
  };
  const scene = new Scene();
  scene.add(bed, ground, water, side, ...walls.objects, stems.mesh);
  if (members) scene.add(members.object);
  let bounds: Bounds = { x: extent.x, y: 0.2, z: extent.z, middle: 0, isRound: isRing };

  return {
    scene,
    camera: new PerspectiveCamera(),
    bounds: () => bounds,
    setPlane(name, texture) {
      planes[name] = texture;
    },
    setProgram(next) {
      water.material = next.water;
      side.material = next.side;
      stems.mesh.material = next.stems;
    },
    setLook(
      { field, colourMap, range, scale, dry, photoreal, isFaded, showsBathymetry, showsObservations, palette },
      lowest,
      amplitude,
    ) {
      const heights = boxHeights(heightOf(scale, lowest), heightOf(scale, amplitude) + 0.03);
      Object.assign(values, {
        field: fieldNumber(field),
        range: [range.from, range.to],
        scale: [scale.knee, scale.near, scale.below, scale.above],
        dry,
        mapRow: colourMapRow(colourMap, photoreal),
        photoreal: photoreal ? 1 : 0,
        foam: fieldOf(field).isWater ? 1 : 0,
        tint: tintOf(fieldOf(field)),
        faded: isFaded ? 1 : 0,
        palette,
        floor: heights.floor,
      } satisfies Partial<ViewValues>);
      side.visible = showsBathymetry || isRing;
      for (const object of [bed, ground]) object.visible = showsBathymetry && !isRing;
      stems.mesh.visible = showsObservations && !isFaded;
      walls.setHeights(heights);
      bounds = { ...bounds, y: (heights.top - heights.floor) / 2, middle: (heights.top + heights.floor) / 2 };
    },
    setGlow(glow, full) {
      values.glow = glow;
      values.glowFull = full;
    },
    setStems(data) {
      values.stems = { ...values.stems, ...stemSize(data.count) };
      stems.set(data);
    },
    setMembers: (of, scale) => members?.set(of, (value) => heightOf(scale, value)),
    setLight(camera) {
      values.light = keyLight(camera);
      values.sun = sunLight(camera);
    },
    setSize(pixels) {
      // Real water takes its slopes from the field, so that its mesh need not be as fine as the pixels.
      setMeshes(values.photoreal === 1 && pixels < COARSE_PIXELS ? shapes.coarse : fine);
    },
    use: () => materials.use(values),
    dispose() {
      // The materials are other views' as well; what was made for drawing these objects with them goes.
      for (const object of scene.children) object.dispose();
      walls.dispose();
      stems.dispose();
      members?.dispose();
    },
  };
}

/** What the views show of the snapshots: the planes of one that rests, or those between two on the way. */
interface ViewPlanes {
  /** Sets what rests. */
  settle(place: ViewPlace, scene: ViewScene, model: StageModel): void;
  /** Sets what moves. @param full the increment that is lit in full, m */
  move(place: ViewPlace, scene: ViewScene, model: StageModel, transit: ShownTransit, at: Moment, full: number): void;
}

const NAMES = ['eta', 'hu', 'hv', 'truthEta', 'forecastEta', 'spread', 'shown', 'local', 'increment'] as const;

/** @param textures one for one plane, however many views show it */
export function createViewPlanes(textures: FieldTextures): ViewPlanes {
  const set = ({ field, subject }: ViewPlace, scene: ViewScene, phase: Phase, planes: PlaneContents): void => {
    const wanted = planesOfField(field);
    // On the way an increment is still the last one, while the water beside it has moved on.
    const state = fieldOf(field).of === 'analysis-step' ? field : phase;
    const owner = subject === TRUTH ? TRUTH : `${subject}/${state}`;
    const keyOf = (name: (typeof NAMES)[number]): string => {
      if (name === 'truthEta') return `${truthOf(subject)}/eta`;
      return name === 'local' ? `${owner}/${field}` : `${owner}/${name}`;
    };
    for (const name of NAMES) {
      const plane = name === 'increment' || wanted.includes(name) ? planes[name] : undefined;
      scene.setPlane(name, textures.get(keyOf(name), plane));
    }
  };
  return {
    settle(place, scene, model) {
      const phase = phaseOfField(place.field, model.phase);
      set(place, scene, phase, subjectPlanes(model.snapshot, place.subject, phase, place.field, model.instead) ?? {});
      scene.setGlow(0, 1);
    },
    move(place, scene, model, transit, at, full) {
      const phase = phaseOfField(place.field, model.phase);
      // Who looks at forecasts sees no analysis.
      const seen = phase === 'forecast' ? { ...at, weight: 0, glow: 0 } : at;
      const shown = planeOfShown(model.instead, place.subject);
      const planes = { ...planesOnTheWay(transit, place.subject, place.field, seen), shown };
      set(place, scene, phase, planes);
      const isFreeRun = model.subjects.some((subject) => subject.isFreeRun && subject.label === place.subject);
      scene.setGlow(planes.increment && !isFreeRun ? seen.glow : 0, full);
    },
  };
}

/** A view that has stems. */
interface StemView {
  readonly place: ViewPlace;
  readonly scene: Pick<ViewScene, 'setStems'>;
}

/** What of the model the stems depend on, beside the observations. */
type StemModel = Pick<StageModel, 'instead' | 'heads'>;

interface ShownStems {
  /** Whose observations are in the views. */
  readonly of: ShownSnapshot | undefined;
  /** The innovation at which a head has its full colour. */
  readonly innovationAtFull: number;
  /** Whether they look as a model wants. */
  suit(model: StemModel): boolean;
  set(views: readonly StemView[], snapshot: ShownSnapshot, model: StemModel): void;
  /** @param key of a view @returns the stems in it, and the observations that they are of */
  in(key: string): { readonly data: StemData; readonly of: SnapshotObservations } | undefined;
}

export function createShownStems(basin: BasinInfo): ShownStems {
  const byView = new Map<string, { readonly data: StemData; readonly of: SnapshotObservations }>();
  let of: ShownSnapshot | undefined;
  let weights: ReadonlyMap<string, Float64Array> | undefined;
  let heads: StageModel['heads'];
  let innovationAtFull = 0;
  return {
    get of() {
      return of;
    },
    get innovationAtFull() {
      return innovationAtFull;
    },
    suit: (model) => weights === model.instead?.stems && heads === model.heads,
    set(views, snapshot, model) {
      if (of !== snapshot) innovationAtFull = innovationScale(snapshot.observations);
      of = snapshot;
      weights = model.instead?.stems;
      ({ heads } = model);
      const shownHeads = heads?.cycle === snapshot.cycle ? heads : undefined;
      byView.clear();
      for (const { place, scene } of views) {
        const { subject, key } = place;
        const { observations } = snapshot.methods.find(({ method }) => method === subject) ?? snapshot;
        const own = observations ?? snapshot.observations;
        const [numbers, full] = shownHeads
          ? [shownHeads.values.get(subject), shownHeads.full]
          : [own.innovations[subject], innovationAtFull];
        const data = stemData(own, basin, numbers, full, weights?.get(subject));
        scene.setStems(data);
        byView.set(key, { data, of: own });
      }
    },
    in: (key) => byView.get(key),
  };
}
