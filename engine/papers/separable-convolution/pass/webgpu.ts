/** The passes in generated WGSL: one invocation an output, or a block of outputs from workgroup memory, as the paper's kernels for GPUs. */
import type { KernelBuilder, Recorder, WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { fittedKernel, inTurn, modulo, passesOf } from './description.ts';
import type { Pass, PassesFields, PassesParameters, PassWithKernel } from './description.ts';
import { passVariants, tileStride, WORKGROUP_SIDE } from './variants.ts';

/** A number as WGSL, rounded to float32. */
function literal(value: number): string {
  return `${Math.fround(value)}f`;
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function head({ before, length, after, transposed, lower }: PassWithKernel): string {
  const place = transposed
    ? `line * ${before}u + column`
    : `(column / ${after}u * ${length}u + line) * ${after}u + column % ${after}u`;
  return `
@group(0) @binding(0) var<storage, read> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

/// The input at a line of a column, which repeats itself; \`line\` counts from −lower.
fn pointOf(column: u32, line: u32) -> f32 {
  let wrapped = (line + ${modulo(-lower, length)}u) % ${length}u;
  return source[(column / ${after}u * ${length}u + wrapped) * ${after}u + column % ${after}u];
}

fn keep(column: u32, line: u32, sum: f32) {
  if (column < ${before * after}u && line < ${length}u) {
    result[${place}] = sum;
  }
}
`;
}

/** An output an invocation, from the input itself, with the taps written out. */
function simpleKernel(pass: PassWithKernel): string {
  const terms = Array.from(pass.taps, (tap, q) => `  sum = fma(${literal(tap)}, pointOf(column, id.x + ${q}u), sum);`);
  return `${head(pass)}
@compute @workgroup_size(${WORKGROUP_SIDE}, ${WORKGROUP_SIDE})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let column = min(id.y, ${pass.before * pass.after - 1}u);
  var sum = 0.0;
${terms.join('\n')}
  keep(id.y, id.x, sum);
}
`;
}

/**
 * A block an invocation, from a tile of columns that is padded against bank conflicts, with the taps written out. A number that was
 * read of the tile is added to all sums that it belongs to. Invocations that are next to each other write next to each other.
 */
function blockKernel(pass: PassWithKernel): string {
  const { kernel, before, after, taps, transposed } = pass;
  const { columns, lines } = kernel;
  const stride = tileStride(lines, taps.length);
  const tileColumns = WORKGROUP_SIDE * columns;
  const reached = WORKGROUP_SIDE * lines + taps.length - 1;
  const sums = range(columns).flatMap((c) => range(lines).map((line) => ({ c, line, sum: `sum${c}_${line}` })));
  const terms = range(lines + taps.length - 1).flatMap((offset) =>
    range(columns).flatMap((c) => [
      `  value = tile[at + ${c * stride + offset}u];`,
      ...sums
        .filter((each) => each.c === c && taps[offset - each.line] !== undefined)
        .map(({ line, sum }) => `  ${sum} = fma(${literal(taps[offset - line])}, value, ${sum});`),
    ]),
  );
  const [ofColumn, ofLine] = transposed ? ['x', 'y'] : ['y', 'x'];
  return `${head(pass)}
var<workgroup> tile: array<f32, ${tileColumns * stride}>;

@compute @workgroup_size(${WORKGROUP_SIDE}, ${WORKGROUP_SIDE})
fn main(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) workgroup: vec3u) {
  let firstColumn = workgroup.y * ${tileColumns}u;
  let firstLine = workgroup.x * ${WORKGROUP_SIDE * lines}u;
  for (var row = local.y; row < ${tileColumns}u; row += ${WORKGROUP_SIDE}u) {
    let column = min(firstColumn + row, ${before * after - 1}u);
    for (var point = local.x; point < ${reached}u; point += ${WORKGROUP_SIDE}u) {
      tile[row * ${stride}u + point] = pointOf(column, firstLine + point);
    }
  }
  workgroupBarrier();
  let column = local.${ofColumn} * ${columns}u;
  let line = local.${ofLine} * ${lines}u;
  let at = column * ${stride}u + line;
  var value = 0.0;
${sums.map(({ sum }) => `  var ${sum} = 0.0;`).join('\n')}
${terms.join('\n')}
${sums.map((each) => `  keep(firstColumn + column + ${each.c}u, firstLine + line + ${each.line}u, ${each.sum});`).join('\n')}
}
`;
}

type RecordPass = (recorder: Recorder, input: GPUBuffer, output: GPUBuffer) => void;

async function preparePass(builder: KernelBuilder, pass: Pass, asked: PassesParameters['kernel']): Promise<RecordPass> {
  const chosen = asked ?? builder.variant(passVariants.webgpu, { pass, element: 'real' });
  const kernel = fittedKernel(pass, chosen, 1);
  const code = (kernel.form === 'simple' ? simpleKernel : blockKernel)({ ...pass, kernel });
  const label = 'convolution-passes.pass';
  const program = await builder.program({ label, code: [code], bindings: ['read', 'write'] });
  const counts = [
    Math.ceil(pass.length / (WORKGROUP_SIDE * kernel.lines)),
    Math.ceil((pass.before * pass.after) / (WORKGROUP_SIDE * kernel.columns)),
  ] as const;
  return (recorder, input, output) => recorder.dispatch(program, [input, output], counts);
}

const prepare: WebGpuOperator<PassesParameters, PassesFields> = async (builder, parameters) => {
  const { n1, n2, n3, axes, kernel } = parameters;
  const passes = await Promise.all(passesOf(parameters).map((pass) => preparePass(builder, pass, kernel)));
  const between = builder.scratch('convolution-passes.between', 'real', axes === 1 ? 1 : n1 * n2 * n3);
  return (recorder, buffers) => {
    const recorded = passes.map((pass) => (input: GPUBuffer, output: GPUBuffer) => pass(recorder, input, output));
    inTurn(recorded, between)(buffers);
  };
};

export default prepare;
