/** The scene of one view: water over its bed in its basin, with the observations; and what of it changes from cycle to cycle. */
import { Mesh, PerspectiveCamera, Scene } from 'three/webgpu';
import type { BufferGeometry, NodeMaterial, Texture } from 'three/webgpu';
import type { BasinInfo } from '../session/session.ts';
import { fieldOf } from '../state/fields.ts';
import type { ViewFieldId } from '../state/fields.ts';
import { boxHeights, createBedMaterial, createEarthMaterial, createWalls } from './bathymetry.ts';
import { keyLight } from './cameras.ts';
import type { Bounds, CameraState } from './cameras.ts';
import { COLOUR_MAP_NAMES } from './colour-maps.ts';
import { heightOf } from './elevation.ts';
import type { ElevationScale } from './elevation.ts';
import type { ColourMapName } from './fields/field.ts';
import { createFieldNodes, fieldNumber } from './field-nodes.ts';
import type { PlaneName } from './field-nodes.ts';
import { basinExtent, skirtGeometry, surfaceGeometry } from './grid-geometry.ts';
import { createMemberLines } from './member-lines.ts';
import type { ScenePalette } from './palette.ts';
import type { Range } from './ranges.ts';
import { createStems } from './stems.ts';
import type { StemData } from './stems.ts';
import type { ViewProgram } from './view-program.ts';
import {
  colourUniform,
  createColourMapTexture,
  createLookNodes,
  createWaterMaterial,
  createWaterSideMaterial,
} from './water-material.ts';
import { createZeroCircles } from './zero-circles.ts';

/** What all views of a basin share on the GPU. */
export interface BasinShapes {
  readonly surface: BufferGeometry;
  /** That of the bed: a level one needs no more than its corners. */
  readonly bed: BufferGeometry;
  readonly skirt: BufferGeometry;
  readonly colourMaps: Texture;
  dispose(): void;
}

/** @param most vertices along a side */
export function createBasinShapes(basin: BasinInfo, most: number): BasinShapes {
  const surface = surfaceGeometry(basin, most);
  const level = basin.bed.every((elevation) => elevation === basin.bed[0]);
  const bed = level ? surfaceGeometry(basin, 1) : surface;
  const skirt = skirtGeometry(basin, most);
  const colourMaps = createColourMapTexture();
  return {
    surface,
    bed,
    skirt,
    colourMaps,
    dispose() {
      surface.dispose();
      bed.dispose();
      skirt.dispose();
      colourMaps.dispose();
    },
  };
}

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
  setLook(look: ViewLook, lowest: number, amplitude: number): void;
  /** @param glow how brightly increments are lit, 0 … 1 @param full the increment lit in full, m */
  setGlow(glow: number, full: number): void;
  setStems(data: StemData): void;
  /** Members on a ring, [member][place]; none are drawn where they are left out. */
  setMembers(members: Float32Array | undefined, scale: ElevationScale): void;
  setLight(camera: CameraState): void;
  dispose(): void;
}

function mesh(geometry: BufferGeometry, material: NodeMaterial): Mesh {
  const made = new Mesh(geometry, material);
  made.frustumCulled = false;
  return made;
}

/**
 * @param ofTruth whether heads of stems stay neutral, there being no innovation
 * @param program what it can show
 */
export function createViewScene(
  basin: BasinInfo,
  shapes: BasinShapes,
  palette: ScenePalette,
  ofTruth: boolean,
  program: ViewProgram,
): ViewScene {
  const fields = createFieldNodes(basin, program.fields);
  const looks = createLookNodes(shapes.colourMaps);
  const extent = basinExtent(basin);
  const colours = {
    bed: colourUniform(palette.bed),
    land: colourUniform(palette.land),
    earth: colourUniform(palette.earth),
    shallow: colourUniform(palette.shallow),
    deep: colourUniform(palette.deep),
    wall: colourUniform(palette.wall),
    rim: colourUniform(palette.rim),
    neutral: colourUniform(palette.neutral),
    stem: colourUniform(palette.stem),
  };
  const earth = createEarthMaterial(fields, looks, colours.earth);
  const walls = basin.isRing ? createZeroCircles(colours.rim) : createWalls(extent, colours.wall, colours.rim, looks);
  const stems = createStems(fields, looks, colours.neutral, colours.stem, !ofTruth);
  const members = basin.isRing ? createMemberLines(basin.nx, colours.stem) : undefined;
  const water = mesh(shapes.surface, createWaterMaterial(fields, looks, program.looks));
  const side = mesh(
    shapes.skirt,
    createWaterSideMaterial(fields, looks, colours.shallow, colours.deep, basin.isRing === true),
  );
  const bed = mesh(shapes.bed, createBedMaterial(fields, looks, colours.bed, colours.land));
  const ground = mesh(shapes.skirt, earth.material);
  const scene = new Scene();
  scene.add(bed, ground, water, side, ...walls.objects, stems.mesh);
  if (members) scene.add(members.object);
  let bounds: Bounds = { x: extent.x, y: 0.2, z: extent.z, middle: 0, isRound: basin.isRing === true };

  return {
    scene,
    camera: new PerspectiveCamera(),
    bounds: () => bounds,
    setPlane: (name, texture) => fields.setPlane(name, texture),
    setLook(
      { field, colourMap, range, scale, dry, photoreal, isFaded, showsBathymetry, showsObservations, palette },
      lowest,
      amplitude,
    ) {
      fields.uniforms.field.value = fieldNumber(field);
      fields.uniforms.range.value.set(range.from, range.to);
      fields.uniforms.scale.value.set(scale.knee, scale.near, scale.below, scale.above);
      fields.uniforms.dry.value = dry;
      looks.uniforms.mapRow.value = COLOUR_MAP_NAMES.indexOf(colourMap);
      looks.uniforms.photoreal.value = photoreal && fieldOf(field).isWater ? 1 : 0;
      looks.uniforms.faded.value = isFaded ? 1 : 0;
      for (const name of ['bed', 'land', 'earth', 'shallow', 'deep', 'wall', 'rim', 'neutral', 'stem'] as const) {
        colours[name].value.set(...palette[name]);
      }
      side.visible = showsBathymetry || basin.isRing === true;
      for (const object of [bed, ground]) object.visible = showsBathymetry && !basin.isRing;
      stems.mesh.visible = showsObservations && !isFaded;
      const heights = boxHeights(heightOf(scale, lowest), heightOf(scale, amplitude) + 0.03);
      earth.floor.value = heights.floor;
      walls.setHeights(heights);
      bounds = { ...bounds, y: (heights.top - heights.floor) / 2, middle: (heights.top + heights.floor) / 2 };
    },
    setGlow(glow, full) {
      looks.uniforms.glow.value = glow;
      looks.uniforms.glowFull.value = full;
    },
    setStems: (data) => stems.set(data),
    setMembers: (values, scale) => members?.set(values, (value) => heightOf(scale, value)),
    setLight(camera) {
      looks.uniforms.key.value.set(...keyLight(camera));
    },
    dispose() {
      for (const { material } of [water, side, bed, ground]) (material as NodeMaterial).dispose();
      walls.dispose();
      stems.dispose();
      members?.dispose();
    },
  };
}
