// The last step of the adjoint of Algorithm 2 [rf-gpu]: out(i) = Σ over blocks b whose extended range holds point i of
// swept(b, i − start(b) + overlap).
// Bindings: 0 parameters, 1 swept [lines][blocks][block points with both overlaps], 2 output in the layout of the lines.
// Workgroup: 256 invocations, one a point, folded into x and y. Invocations past the end do nothing; parts of a block
//   outside the line are omitted.

// The struct Parameters is made of its description in webgpu-sweeps.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> swept: array<f32>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;

fn blockStart(block: u32) -> u32 {
  return block * parameters.blockSize + min(block, parameters.longer);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let at = linearIndex(id, groups, 256u);
  if (at >= parameters.lines * parameters.length) {
    return;
  }
  let line = at / parameters.length;
  let i = at % parameters.length;
  let longest = parameters.blockSize + select(0u, 1u, parameters.longer > 0u);
  let stride = longest + 2u * parameters.overlap;
  // Blocks that start in (i − overlap − their size, i + overlap]; blocks are at least blockSize points apart.
  let firstBlock = (i - min(i, parameters.overlap)) / longest;
  var sum = 0.0;
  for (var block = firstBlock; block < parameters.blocks && blockStart(block) <= i + parameters.overlap; block++) {
    let end = blockStart(block + 1u) + parameters.overlap;
    if (i < end) {
      sum += swept[(line * parameters.blocks + block) * stride + i + parameters.overlap - blockStart(block)];
    }
  }
  let start = (line / parameters.inner) * parameters.outerStride + (line % parameters.inner) * parameters.innerStride;
  result[start + i * parameters.step] = sum;
}
