// Of each group its count of used observations and the means of the six products, from the sums of departure-products.wgsl.
// Needs library/vector-reduction.wgsl. Workgroup: 256 invocations for at most as many parts; x is the group. Boundary: guarded.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> sums: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> products: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  var first = vec4f();
  var second = vec4f();
  if (lane < parameters.parts) {
    let at = 2u * (group.x * parameters.parts + lane);
    first = sums[at];
    second = sums[at + 1u];
  }
  let products1 = workgroupSums(first, lane);
  let products2 = workgroupSums(second, lane);
  if (lane < 7u) {
    let total = select(products1[lane % 4u], products2[lane % 4u], lane >= 4u);
    products[group.x * 7u + lane] = select(total / max(1.0, products1.x), total, lane == 0u);
  }
}
