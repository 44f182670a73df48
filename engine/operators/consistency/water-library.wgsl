// Truth, forecast and analysis as states 0, 1 and 2, for the kernels of water-budgets.ts.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> truth: array<f32>;
@group(0) @binding(2) var<storage, read> forecast: array<f32>;
@group(0) @binding(3) var<storage, read> analysis: array<f32>;
@group(0) @binding(4) var<storage, read> bed: array<f32>;

fn valueAt(state: u32, i: u32) -> f32 {
  switch state {
    case 0u: { return truth[i]; }
    case 1u: { return forecast[i]; }
    default: { return analysis[i]; }
  }
}

fn depthAt(state: u32, cell: u32) -> f32 {
  return valueAt(state, cell) - select(0.0, bed[cell], parameters.isElevation != 0u);
}
