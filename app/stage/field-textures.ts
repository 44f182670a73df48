/**
 * The planes of the snapshot on screen as r32float textures, one for each plane that a view needs, filled when the snapshot changes:
 * by one upload from memory, or by a copy on the GPU. A texture keeps its identity, so that nothing is bound again. Water between two
 * moments is the weighted sum of two planes, made where they are. A stage that draws with WebGL 2 beside an engine on a GPU reads the
 * planes back, and shows them when they have arrived. Ranges and wave heights learn from all cycles that were read of an opened run,
 * so that colours mean the same over all of them: one cycle in a task of its own.
 */
import { DataTexture, ExternalTexture, FloatType, NearestFilter, NoColorSpace, RedFormat } from 'three/webgpu';
import type { Texture } from 'three/webgpu';
import { createPlaneTextures, type Plane, type PlaneTextures, type Snapshot } from '../../engine/index.ts';
import {
  hostNumbers,
  requestsFor,
  type Enquiry,
  type Numbers,
  type PlaneReader,
} from '../document/values/plane-reader.ts';

/** weightA·a + weightB·b */
export interface Blend {
  readonly a: Plane;
  readonly weightA: number;
  readonly b: Plane;
  readonly weightB: number;
}

export interface FieldTextures {
  /** @returns the texture of that name holding this plane, or two of them; undefined gives a plane of zeros */
  get(name: string, content: Plane | Blend | undefined): Texture;
  dispose(): void;
}

interface HostSlot {
  readonly kind: 'host';
  readonly texture: DataTexture;
  /** For blends: planes themselves belong to their snapshots. */
  mixed: Float32Array | undefined;
  content: Plane | Blend;
  /** Enquiry of planes that are read back. */
  enquiry: Enquiry<Plane | Blend> | undefined;
}

interface DeviceSlot {
  readonly kind: 'device';
  readonly texture: ExternalTexture;
  readonly memory: GPUTexture;
  content: Plane | Blend | undefined;
}

function isBlend(content: Plane | Blend): content is Blend {
  return 'weightA' in content;
}

function sameContent(a: Plane | Blend | undefined, b: Plane | Blend): boolean {
  if (a === b || !a || !isBlend(a) || !isBlend(b)) return a === b;
  return a.a === b.a && a.b === b.b && a.weightA === b.weightA && a.weightB === b.weightB;
}

function asPlane<T extends Texture>(texture: T): T {
  texture.format = RedFormat;
  texture.type = FloatType;
  texture.minFilter = NearestFilter;
  texture.magFilter = NearestFilter;
  texture.colorSpace = NoColorSpace;
  texture.generateMipmaps = false;
  texture.unpackAlignment = 4;
  return texture;
}

/** @returns a texture of r32float numbers from memory, [y][x] */
export function planeTexture(values: Float32Array, nx: number, ny: number): DataTexture {
  const texture = asPlane(new DataTexture(values as Float32Array<ArrayBuffer>, nx, ny, RedFormat, FloatType));
  texture.needsUpdate = true;
  return texture;
}

function planesOf(content: Plane | Blend): readonly Plane[] {
  return isBlend(content) ? [content.a, content.b] : [content];
}

/**
 * @param device whose buffers the device planes are; undefined if the stage draws with WebGL
 * @param reader reads device planes back if there is no device
 * @param onRead is called when such a plane has arrived, and the picture can be drawn with it
 */
export function createFieldTextures(
  nx: number,
  ny: number,
  device: GPUDevice | undefined,
  reader: PlaneReader,
  onRead: () => void,
): FieldTextures {
  const slots = new Map<string, HostSlot | DeviceSlot>();
  const zeros = planeTexture(new Float32Array(nx * ny), nx, ny);
  let deviceTextures: PlaneTextures | undefined;

  const release = (slot: HostSlot | DeviceSlot): void => {
    slot.texture.dispose();
    if (slot.kind === 'device') slot.memory.destroy();
    else slot.enquiry?.close();
  };
  const onDevice = (): PlaneTextures => {
    if (!device) throw new RangeError('a plane is on a GPU device that the stage does not draw with');
    deviceTextures ??= createPlaneTextures(device, nx, ny);
    return deviceTextures;
  };
  const hostSlot = (): HostSlot => ({
    kind: 'host',
    texture: planeTexture(new Float32Array(nx * ny), nx, ny),
    mixed: undefined,
    content: { kind: 'host', values: new Float32Array(0) },
    enquiry: undefined,
  });
  const deviceSlot = (name: string): DeviceSlot => {
    const memory = onDevice().create(`stage.${name}`);
    const texture = asPlane(new ExternalTexture(memory));
    Object.assign(texture, { image: { width: nx, height: ny } });
    return { kind: 'device', texture, memory, content: undefined };
  };
  /** Fills the texture, unless numbers are missing: then it keeps what it shows. @returns whether it was filled */
  const fillWith = (slot: HostSlot, numbers: Numbers): boolean => {
    const found = planesOf(slot.content).map(numbers);
    if (!found.every((values) => values instanceof Float32Array)) return false;
    if (isBlend(slot.content)) {
      const { weightA, weightB } = slot.content;
      const [a, b] = found;
      slot.mixed ??= new Float32Array(nx * ny);
      const { mixed } = slot;
      for (let cell = 0; cell < mixed.length; cell++) mixed[cell] = weightA * a[cell] + weightB * b[cell];
      slot.texture.image.data = mixed;
    } else {
      [slot.texture.image.data] = found;
    }
    slot.texture.needsUpdate = true;
    return true;
  };
  const readBack = (slot: HostSlot): void => {
    slot.enquiry ??= reader.open({
      onAnswer({ numbers }) {
        if (fillWith(slot, numbers)) onRead();
      },
    });
    const answer = slot.enquiry.ask(slot.content, requestsFor(planesOf(slot.content)));
    if (answer) fillWith(slot, answer.numbers);
  };
  const fillHost = (slot: HostSlot): void => {
    if (planesOf(slot.content).every(({ kind }) => kind === 'host')) {
      fillWith(slot, hostNumbers);
    } else {
      readBack(slot);
    }
  };
  const fillDevice = (slot: DeviceSlot, content: Plane | Blend): void => {
    if (!isBlend(content)) {
      if (content.kind === 'device') onDevice().copy(content, slot.memory);
    } else if (content.a.kind === 'device' && content.b.kind === 'device') {
      onDevice().blend(content.a, content.weightA, content.b, content.weightB, slot.memory);
    }
  };

  return {
    get(name, content) {
      if (!content) return zeros;
      const kind = device === undefined ? 'host' : planesOf(content)[0].kind;
      let slot = slots.get(name);
      if (slot && slot.kind !== kind) {
        release(slot);
        slot = undefined;
      }
      if (!slot) {
        slot = kind === 'host' ? hostSlot() : deviceSlot(name);
        slots.set(name, slot);
      }
      if (sameContent(slot.content, content)) return slot.texture;
      slot.content = content;
      if (slot.kind === 'host') fillHost(slot);
      else fillDevice(slot, content);
      return slot.texture;
    },
    dispose() {
      for (const slot of slots.values()) release(slot);
      slots.clear();
      deviceTextures?.dispose();
      zeros.dispose();
    },
  };
}

interface FurtherRanges {
  /**
   * @param views what is shown: of other views all cycles are learned again
   * @param snapshots that are in memory
   */
  update(views: string, snapshots: readonly Snapshot[]): void;
  dispose(): void;
}

/**
 * @param learn takes one cycle in
 * @param onLearned all that is known was taken in
 */
export function createFurtherRanges(learn: (snapshot: Snapshot) => void, onLearned: () => void): FurtherRanges {
  let of = '';
  let learned = new WeakSet<Snapshot>();
  let waiting: Snapshot[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function next(): void {
    timer = undefined;
    const snapshot = waiting.shift();
    if (!snapshot) return;
    learned.add(snapshot);
    learn(snapshot);
    if (waiting.length > 0) timer = setTimeout(next, 0);
    else onLearned();
  }

  return {
    update(views, snapshots) {
      if (views !== of) learned = new WeakSet();
      of = views;
      waiting = snapshots.filter((snapshot) => !learned.has(snapshot));
      if (waiting.length > 0) timer ??= setTimeout(next, 0);
    },
    dispose() {
      clearTimeout(timer);
      waiting = [];
    },
  };
}
