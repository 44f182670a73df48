// Observations in units of their error, in the order of the bins: R^-1/2 Y sqrt(rho/(k - 1)) and R^-1/2 (y - mean Y)
// [hunt2007], so that the analysis kernels read the neighbours of a grid point one after the other.
//
// Bindings: 0 parameters; 1 H of each member [k][p]; 2 values, 3 inverse deviation, 4 x, 5 y: [p]; 6 the observation of each
// slot of the bins [p]; 7 scaled anomalies by slot, members padded with zeros to a multiple of four; 8 by slot: x, y,
// innovation, and 1 where the observation is there, else 0.
// Workgroup: 64 slots. An observation of inverse deviation 0 becomes zeros, whatever its other numbers are.

// The struct Shape is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> observedEnsemble: array<f32>;
@group(0) @binding(2) var<storage, read> values: array<f32>;
@group(0) @binding(3) var<storage, read> inverseErrorStd: array<f32>;
@group(0) @binding(4) var<storage, read> positionX: array<f32>;
@group(0) @binding(5) var<storage, read> positionY: array<f32>;
@group(0) @binding(6) var<storage, read> binObservations: array<u32>;
@group(0) @binding(7) var<storage, read_write> anomalies: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> slots: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let slot = linearIndex(id, groups, 64u);
  if (slot >= shape.observations) {
    return;
  }
  let observation = binObservations[slot];
  let scale = inverseErrorStd[observation];
  let present = scale > 0.0;
  // About the first member, so that the mean keeps the digits of the anomalies.
  let first = observedEnsemble[observation];
  var sum = 0.0;
  for (var member = 1u; member < shape.members; member++) {
    sum += observedEnsemble[member * shape.observations + observation] - first;
  }
  let mean = sum / f32(shape.members);
  for (var quad = 0u; quad < shape.quads; quad++) {
    var four = vec4f();
    for (var c = 0u; c < 4u; c++) {
      let member = min(4u * quad + c, shape.members - 1u);
      let anomaly = (observedEnsemble[member * shape.observations + observation] - first) - mean;
      four[c] = select(0.0, scale * shape.anomalyScale * anomaly, present && 4u * quad + c < shape.members);
    }
    anomalies[slot * shape.quads + quad] = four;
  }
  let innovation = select(0.0, scale * ((values[observation] - first) - mean), present);
  slots[slot] = vec4f(positionX[observation], positionY[observation], innovation, select(0.0, 1.0, present));
}
