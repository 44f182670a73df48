// Partial sums over 256 cells of 1/k Σ_i |x_i − t| − 1/k² Σ_(i < j) |x_i − x_j| [hersbach2000], of the first variable.
// Four members at a time against each later one, so that a member is read k/4 times. Needs library/reduction.wgsl.
// Workgroup: 256 invocations along the cells; parts are folded into x and y.
// Boundary: members beyond the last repeat it, with weight 0; cells that are not there add 0.

struct Parameters {
  members: u32,
  variables: u32,
  cells: u32,
  parts: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> truth: array<f32>;
@group(0) @binding(3) var<storage, read_write> scores: array<f32>;

fn memberAt(member: u32, cell: u32) -> f32 {
  return ensemble[member * parameters.variables * parameters.cells + cell];
}

fn scoreAt(cell: u32) -> f32 {
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
  return (dot(distance, one) - dot(dispersion, one) / k) / k;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.y * groups.x;
  let cell = part * 256u + lane;
  var score = 0.0;
  if (cell < parameters.cells) {
    score = scoreAt(cell);
  }
  let sum = workgroupSum(score, lane);
  if (lane == 0u && part < parameters.parts) {
    scores[part] = sum;
  }
}
