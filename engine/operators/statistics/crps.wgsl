// Partial sums over 256 cells of w (1/k Σ_i |x_i − t| − 1/k² Σ_(i < j) |x_i − x_j|) [hersbach2000] of each scored variable, and
// of the fair score, with 1/(k(k − 1)) in place of 1/k²; w is the weight of the cell.
// Four members at a time against each later one, so that a member is read k/4 times. Needs library/reduction.wgsl.
// Workgroup: 256 invocations along the cells; parts are folded into x and y, scored variables
// are along z.
// Boundary: members beyond the last repeat it, with weight 0; cells that are not there add 0.

// The struct Parameters is made of its description in webgpu-scores.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> truth: array<f32>;
/// [cells]
@group(0) @binding(3) var<storage, read> weight: array<f32>;
/// Indices of the scored variables.
@group(0) @binding(4) var<storage, read> scored: array<u32>;
/// [plain, fair][scored][parts]
@group(0) @binding(5) var<storage, read_write> scores: array<f32>;

fn memberAt(member: u32, cell: u32) -> f32 {
  return ensemble[member * parameters.variables * parameters.cells + cell];
}

/// The score, and the fair score, of element `cell` of a member: of one variable and place.
fn scoresAt(cell: u32) -> vec2f {
  let members = parameters.members;
  let last = members - 1u;
  let t = truth[cell];
  var distance = vec4f();
  var dispersion = vec4f();
  for (var first = 0u; first < members; first += 4u) {
    let index = first + vec4u(0u, 1u, 2u, 3u);
    let there = select(vec4f(), vec4f(1.0), index < vec4u(members));
    let x = vec4f(
      memberAt(first, cell),
      memberAt(min(index.y, last), cell),
      memberAt(min(index.z, last), cell),
      memberAt(min(index.w, last), cell),
    );
    distance += there * abs(x - t);
    var among = vec4f(
      0.0,
      abs(x.y - x.x),
      abs(x.z - x.x) + abs(x.z - x.y),
      abs(x.w - x.x) + abs(x.w - x.y) + abs(x.w - x.z),
    ) * there;
    for (var later = first + 4u; later < members; later++) {
      among += abs(x - memberAt(later, cell));
    }
    dispersion += among;
  }
  let one = vec4f(1.0);
  let k = f32(members);
  return (dot(distance, one) - dot(dispersion, one) / vec2f(k, max(1.0, k - 1.0))) / k;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.y * groups.x;
  let cell = part * 256u + lane;
  var score = vec2f();
  if (cell < parameters.cells && weight[cell] != 0.0) {
    score = weight[cell] * scoresAt(scored[group.z] * parameters.cells + cell);
  }
  let plain = workgroupSum(score.x, lane);
  let fair = workgroupSum(score.y, lane);
  if (lane == 0u && part < parameters.parts) {
    let rows = groups.z * parameters.parts;
    scores[group.z * parameters.parts + part] = plain;
    scores[rows + group.z * parameters.parts + part] = fair;
  }
}
