// What the LETKF's kernels work on, and where its parts lie in the work space.

@unmanaged
export class Letkf {
  nx: i32;
  ny: i32;
  variables: i32;
  members: i32;
  /** Members rounded up to a multiple of four. */
  padded: i32;
  observations: i32;
  /** ℓ: the largest number of local observations of a grid point. */
  localCapacity: i32;
  /** Largest order of a matrix here. */
  order: i32;
  /** 0: the smaller of the two problems; 1: dual; 2: primal. */
  form: i32;
  binsX: i32;
  binsY: i32;
  /** 2c in cells along x and in cells along y, no more than the domain. */
  reachX: f32;
  reachY: f32;
  aspect: f32;
  /** 1/c, 0 without localisation. */
  inverseHalfWidth: f32;
  periodicX: i32;
  periodicY: i32;
  /** √ρ */
  rootInflation: f32;
  /** √(ρ/(k − 1)) */
  meanScale: f32;
  ensemble: usize;
  analysis: usize;
  observedEnsemble: usize;
  values: usize;
  inverseErrorStd: usize;
  positionX: usize;
  positionY: usize;
  binStart: usize;
  binObservations: usize;
  /** By slot of the bins: √(ρ/(k − 1)) R^−½ Y, padded with zeros; and x, y, R^−½ (yᵒ − ȳ), and 1 where it is there. */
  anomalies: usize;
  slots: usize;
  /** [class][pole](shift, weight of the root, weight of f, number of poles). */
  poles: usize;
  /** Of each part: the first cell with more than localCapacity observations, or −1. */
  reports: usize;
}
