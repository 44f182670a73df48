// What a device can do at most: a copy, and multiply-adds.

// == copy ==
// target = source, four reals an invocation.
// Bindings: 0 source, 1 target. Workgroup: 256 invocations, folded into x and y.

@group(0) @binding(0) var<storage, read> source: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> copied: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i < arrayLength(&copied)) {
    copied[i] = source[i];
  }
}

// == multiply-add ==
// x <- 0.999 x + 0.001, STEPS times, sixteen values an invocation that do not wait for each other. Four steps a turn of the
// loop, so that counting takes next to nothing of the time.
// Bindings: 0 values. Workgroup: 256 invocations, folded into x and y.

override STEPS: u32;

@group(0) @binding(0) var<storage, read_write> values: array<vec4f>;

fn advance(x: vec4f) -> vec4f {
  return fma(vec4f(0.999), x, vec4f(0.001));
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  let stride = arrayLength(&values) / 4u;
  if (i >= stride) {
    return;
  }
  var a = values[i];
  var b = values[i + stride];
  var c = values[i + 2u * stride];
  var d = values[i + 3u * stride];
  for (var s = 0u; s < STEPS; s += 4u) {
    a = advance(a);
    b = advance(b);
    c = advance(c);
    d = advance(d);
    a = advance(a);
    b = advance(b);
    c = advance(c);
    d = advance(d);
    a = advance(a);
    b = advance(b);
    c = advance(c);
    d = advance(d);
    a = advance(a);
    b = advance(b);
    c = advance(c);
    d = advance(d);
  }
  values[i] = a;
  values[i + stride] = b;
  values[i + 2u * stride] = c;
  values[i + 3u * stride] = d;
}
