/** The kinds of background-error covariance, each listed here once. */
import type { z } from 'zod';
import { definitionsByKind, kindUnion } from '../../settings/index.ts';
import type { CovarianceDefinition } from './covariance.ts';
import { gaussianCovariance } from './gaussian.ts';
import { recursiveFilterCovariance } from './recursive-filter.ts';

const COVARIANCES = [recursiveFilterCovariance, gaussianCovariance] as const;

export const covarianceField = kindUnion(COVARIANCES).prefault({ kind: 'recursive-filter' }).meta({
  title: 'Background-error covariance',
  description: 'How background errors are correlated, and how large they are.',
});

/** A background-error covariance of the scenario, with every default filled in. */
export type Covariance = z.output<typeof covarianceField>;

/** @returns the definition of a kind of covariance, for settings of that kind */
export const covarianceDefinition: (kind: string) => CovarianceDefinition =
  definitionsByKind<CovarianceDefinition>(COVARIANCES);
