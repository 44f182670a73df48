// output[row][i] = r_j C(cell of i, j) Σ_l e_l[i] y_l[j] / (k − 1) for the observations j of a block.
// Needs library/index.wgsl and the taper of the localisation.
// Workgroup: 256 invocations along the cells, each all variables of its cell; workgroups along z are the block's observations.
// Boundary: guarded; 0 out of reach, and for an absent observation (r = 0) unless its column is kept.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> anomalies: array<f32>;
@group(0) @binding(2) var<storage, read> observedAnomalies: array<f32>;
@group(0) @binding(3) var<storage, read> inverseErrorStd: array<f32>;
@group(0) @binding(4) var<storage, read> positionX: array<f32>;
@group(0) @binding(5) var<storage, read> positionY: array<f32>;
@group(0) @binding(6) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let cell = linearIndex(id, groups, 256u);
  let cells = parameters.nx * parameters.ny;
  if (cell >= cells) {
    return;
  }
  let j = parameters.firstObservation + id.z;
  if (parameters.keepsOthers != 0u && inverseErrorStd[j] == 0.0) {
    return;
  }
  let state = parameters.variables * cells;
  let r = inverseErrorStd[j] / f32(parameters.members - 1u);
  var c = 0.0;
  if (r != 0.0) {
    let place = vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx));
    c = r * taperOf(place - vec2f(positionX[j], positionY[j]));
  }
  for (var v = 0u; v < parameters.variables; v++) {
    let i = v * cells + cell;
    var product = 0.0;
    if (c != 0.0) {
      for (var l = 0u; l < parameters.members; l++) {
        product += anomalies[l * state + i] * observedAnomalies[l * parameters.observations + j];
      }
    }
    output[id.z * state + i] = c * product;
  }
}
