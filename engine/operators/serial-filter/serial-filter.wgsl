// Kernels of the serial filter.

// == observations ==
// Every observation in turn, what follows it regressed on it: with s = Σ_l y_l[j]²/(k − 1), for m > j within reach
// d[m] −= C ⟨y[m], y[j]⟩ d[j]/((k − 1)(1 + s)), y_l[m] −= C ⟨y[m], y[j]⟩ y_l[j]/((k − 1)(1 + s + √(1 + s))).
// Needs the taper of the localisation.
// Workgroup: one of 256 invocations, which share the observations that follow; a barrier after each turn.
// Boundary: observations that are not there are not reached; a missing one (r = 0) has anomalies of 0.

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
  let p = parameters.observations;
  let degrees = f32(parameters.members - 1u);
  for (var m = lane; m < p; m += 256u) {
    for (var l = 0u; l < parameters.members; l++) {
      observedAnomalies[l * p + m] *= inverseErrorStd[m];
    }
  }
  storageBarrier();
  for (var j = 0u; j < p; j++) {
    var square = 0.0;
    for (var l = 0u; l < parameters.members; l++) {
      square += observedAnomalies[l * p + j] * observedAnomalies[l * p + j];
    }
    let expected = 1.0 + square / degrees;
    let meanWeight = departures[j] / (degrees * expected);
    let anomalyWeight = select(1.0 / (degrees * (expected + sqrt(expected))), 0.0, square == 0.0);
    if (lane == 0u) {
      meanWeights[j] = meanWeight;
      anomalyWeights[j] = anomalyWeight;
    }
    for (var m = j + 1u + lane; m < p; m += 256u) {
      let c = taperOf(vec2f(positionX[m] - positionX[j], positionY[m] - positionY[j]));
      if (c == 0.0 || square == 0.0) {
        continue;
      }
      var product = 0.0;
      for (var l = 0u; l < parameters.members; l++) {
        product += observedAnomalies[l * p + m] * observedAnomalies[l * p + j];
      }
      departures[m] -= c * product * meanWeight;
      let share = c * product * anomalyWeight;
      for (var l = 0u; l < parameters.members; l++) {
        observedAnomalies[l * p + m] -= share * observedAnomalies[l * p + j];
      }
    }
    storageBarrier();
  }
}

// == increment ==
// The turns of every element of a state: x̄ += C ⟨x′, y[j]⟩ meanWeights[j], x′_l −= C ⟨x′, y[j]⟩ anomalyWeights[j] y_l[j] for all j
// in their order; members are held as anomalies meanwhile. Needs the taper of the localisation.
// Workgroup: 256 invocations along the cells; workgroups along z are the variables. Each element has one owner.
// Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let cell = linearIndex(id, groups, 256u);
  let cells = parameters.nx * parameters.ny;
  if (cell >= cells) {
    return;
  }
  let stride = parameters.variables * cells;
  let i = id.z * cells + cell;
  let place = vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx));
  let first = ensemble[i];
  var sum = 0.0;
  for (var l = 1u; l < parameters.members; l++) {
    sum += ensemble[l * stride + i] - first;
  }
  let mean = first + sum / f32(parameters.members);
  for (var l = 0u; l < parameters.members; l++) {
    ensemble[l * stride + i] -= mean;
  }
  var moved = 0.0;
  for (var j = 0u; j < parameters.observations; j++) {
    if (anomalyWeights[j] == 0.0) {
      continue;
    }
    let c = taperOf(place - vec2f(positionX[j], positionY[j]));
    if (c == 0.0) {
      continue;
    }
    var product = 0.0;
    for (var l = 0u; l < parameters.members; l++) {
      product += ensemble[l * stride + i] * observedAnomalies[l * parameters.observations + j];
    }
    moved += c * product * meanWeights[j];
    let share = c * product * anomalyWeights[j];
    for (var l = 0u; l < parameters.members; l++) {
      ensemble[l * stride + i] -= share * observedAnomalies[l * parameters.observations + j];
    }
  }
  for (var l = 0u; l < parameters.members; l++) {
    ensemble[l * stride + i] = mean + (moved + ensemble[l * stride + i]);
  }
}
