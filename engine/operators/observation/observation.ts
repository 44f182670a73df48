/**
 * What observations see of the state. The state is first interpolated to the point, bilinearly; then
 *
 *   a component c:  y = sᶜ + offset           (offset: the bed's height there, added or subtracted where h or η is asked for)
 *   u, v:           y = hu·ρ(h), hv·ρ(h)      with h = s⁰ + offset
 *   speed:          y = ρ(h)·√(hu² + hv²)
 *
 * where ρ(h) is 1/h, made harmless on dry ground [kurganov2007]: with t = h/ε, ρ = √2·t / (ε√(1 + t⁴)) below the depth ε, and
 * 0 where h ≤ 0. An observation whose weights and offset are 0 (padding) sees 0.
 */
import type { Operator } from '../../compute/backend.ts';
import { linearisationFields, observationFields } from './parameters.ts';
import type { LinearisationParameters, ObservationParameters } from './parameters.ts';
import * as reference from './reference.ts';

/**
 * y = H(x), for every member: `state` is `[batch][variables][plane]`, `corners` and `weights` are `[observations][4]`
 * (`bilinearStencil`), `kind` and `offset` are `[observations]`, `output` is `[batch][observations]`.
 * Cost: an observation reads its row (44 bytes in float32) and up to 12 values of the state, 4 counted; 8 flops.
 */
export const observation: Operator<ObservationParameters, typeof observationFields> = {
  name: 'observation',
  fields: observationFields,
  cost: ({ observations, batch }, elementBytes) => ({
    bytes: observations * batch * (20 + 10 * elementBytes),
    flops: 8 * observations * batch,
  }),
  implementations: {
    reference: reference.observation,
    wasm: async () => (await import('./wasm.ts')).observation,
    webgpu: async () => (await import('./webgpu.ts')).observation,
  },
};

/**
 * The entries of R^−½H′(x), the tangent linear at the state x, each row multiplied by its `inverseErrorStd` (all 1 for H′
 * itself): four entries for each state component that the observation depends on, by component and then by corner, from
 * `indptr[observation]` on. `state` is `[variables][plane]`; `data` has room for `indptr[observations]` entries.
 * Empty rows are left alone. The derivative of speed at rest is taken as 0.
 * Cost: as `observation` and four entries written, counted for a row of one component.
 */
export const linearisation: Operator<LinearisationParameters, typeof linearisationFields> = {
  name: 'linearisation',
  fields: linearisationFields,
  cost: ({ observations }, elementBytes) => ({
    bytes: observations * (24 + 14 * elementBytes),
    flops: 12 * observations,
  }),
  implementations: {
    reference: reference.linearisation,
    wasm: async () => (await import('./wasm.ts')).linearisation,
    webgpu: async () => (await import('./webgpu.ts')).linearisation,
  },
};
