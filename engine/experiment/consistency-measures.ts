/** What is measured of a method in every cycle to decide whether the errors that it states agree with its errors. */

/**
 * Products of departures over the used observations of one variable, each over σₒ², as means. With d_b = y − H(x̄ᶠ) and
 * d_a = y − H(x̄ᵃ), and error statistics that are right, the expectations are [desroziers2005]
 *
 *   ⟨d_a d_b⟩ = R,   ⟨(d_b − d_a) d_b⟩ = HBHᵀ,   ⟨(d_b − d_a) d_a⟩ = HAHᵀ = HK R.
 */
export interface DepartureProducts {
  /** Observations that were used. */
  readonly count: number;
  /** ⟨d_b²/σₒ²⟩ */
  readonly innovation: number;
  /** ⟨d_a d_b/σₒ²⟩, 1 expected. */
  readonly residual: number;
  /** ⟨(d_b − d_a) d_b/σₒ²⟩, `backgroundVariance` expected. */
  readonly increment: number;
  /** ⟨(d_b − d_a) d_a/σₒ²⟩, `analysisVariance` expected. */
  readonly incrementResidual: number;
  /**
   * (d_b − d_a)ᵀ R⁻¹ d_a over `count`, R as the method takes it: times `count` the degrees of freedom for signal tr(HK). It is
   * `incrementResidual` if the method takes the errors for independent. If it takes R whole, R = D C D with C = L Lᵀ, it is the same
   * mean of departures multiplied by L⁻¹ D⁻¹.
   */
  readonly signal: number;
  /** ⟨σ_b²/σₒ²⟩, σ_b² the background's variance at the observations as the method uses it. */
  readonly backgroundVariance: number;
  /** ⟨σ_a²/σₒ²⟩ of the members of the analysis at the observations; 0 of a method with one member. */
  readonly analysisVariance: number;
}

/** Scores of one variable, over thinned cells, weighted as all means over cells; lists for an ensemble only. */
export interface SampledScores {
  /**
   * Mean lengths of the gaps between the sorted members, 0 below all and k above, as far as the truth lies above them and below
   * them: αᵢ and βᵢ of [hersbach2000]. [members + 1]
   */
  readonly alpha: readonly number[];
  readonly beta: readonly number[];
  /** Share of the truths below all members, and above all. */
  readonly below: number;
  readonly above: number;
  /** The score of a forecast that knows how the cycle's truth is distributed over the cells, and no more: ½ mean |tᵢ − tⱼ|. */
  readonly uncertainty: number;
  /** By bins of spread over the RMS spread of the cycle, edges `SPREAD_EDGES`: share of cells, and in these sums over the cells
   * of variance and squared error of the mean, over all cells. [bins] */
  readonly share: readonly number[];
  readonly variance: readonly number[];
  readonly squaredError: readonly number[];
}

/** Mean squares by octaves of the wavenumber, from that of the longest wave on, of the first variable. [bands] */
export interface BandSpectra {
  readonly forecastError: readonly number[];
  readonly analysisError: readonly number[];
  /** Spectrum of x̄ᵃ − x̄ᶠ. */
  readonly increment: readonly number[];
  /** Spectrum of the forecast's members about their mean, estimated from one of them, another in each cycle; empty for one member. */
  readonly forecastSpread: readonly number[];
}

/** Budget of the water of one state, over its wet cells. */
export interface Budget {
  /** ∫ h dA, m³. */
  readonly mass: number;
  /** ½ ∫ h|u|² + g (η − η̄)² dA, m⁵/s²: energy over density, above the same water at rest. */
  readonly energy: number;
  /** ½ ∫ (ζ + f)²/h dA, m/s². */
  readonly potentialEnstrophy: number;
  /** Mean of |∂η/∂t| = |∇·(hu, hv)|, m/s. */
  readonly tendency: number;
  /**
   * Share of the kinetic energy of u − u_g in that of u − u_g and u_g together, u_g the geostrophic flow, 0 to 1; undefined
   * without rotation.
   */
  readonly ageostrophicShare: number | undefined;
}

export interface ConsistencyMeasures {
  /** By observed variable; empty in a cycle without observations, and of a method that does not assimilate. */
  readonly departures: Readonly<Record<string, DepartureProducts>>;
  /** Scores of the forecast, by compared variable; empty for a method with one member. */
  readonly sampled: Readonly<Record<string, SampledScores>>;
  /** Undefined of older cycles of a long run in a page, which keeps no lists of them. */
  readonly spectra: BandSpectra | undefined;
  /** Budgets of the truth, and of the method's mean before and after the analysis; undefined for a model without water. */
  readonly budgets: { readonly truth: Budget; readonly forecast: Budget; readonly analysis: Budget } | undefined;
}

/** Between the bins of spread: ratios of a cell's spread to the RMS spread of its cycle. */
export const SPREAD_EDGES: readonly number[] = [0.25, 0.5, Math.SQRT1_2, 1, Math.SQRT2, 2];
