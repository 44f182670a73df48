// The second stage of a sum over all workgroups: each that needs the total adds the partial sums for itself, which saves a
// dispatch. The kernel declares `partials` [rows][groups] and a uniform `parameters` with `groups`.

/// The total of one row of partial sums, for every invocation of a workgroup of 256. Must be reached by all of them.
fn totalOf(row: u32, lane: u32) -> f32 {
  var sum = 0.0;
  for (var group = lane; group < parameters.groups; group += 256u) {
    sum += partials[row * parameters.groups + group];
  }
  return workgroupSum(sum, lane);
}
