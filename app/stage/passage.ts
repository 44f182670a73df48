/**
 * Where the water is on its way from one analysis to the next: first through the forecast window, frame by frame, then from
 * the forecast to the analysis, while the increment lights up. Pure functions of the time.
 */
import { truthOf, type ShownSnapshot, type ShownTransit } from '../document/lines/shown.ts';
import type { Motion, Plane, StatePlanes } from '../../engine/index.ts';
import { fieldOf, type ViewFieldId } from '../fields/fields.ts';
import { localPlane } from '../document/views/shown-planes.ts';
import { isTruth, TRUTH } from '../document/views/method-style.ts';
import type { Transit } from '../document/run/history.ts';
import type { PlaneName } from './field-nodes.ts';
import type { Blend } from './field-textures.ts';

/** Which part of a cycle is on screen. */
export type Leg = 'forecast' | 'increment' | 'analysis';

export interface Moment {
  readonly leg: Leg;
  /** Share of the forecast window that has passed. */
  readonly share: number;
  /** 0 at the forecast, 1 at the analysis. */
  readonly weight: number;
  /** How brightly the increment is lit, 0 … 1. */
  readonly glow: number;
}

/** The analysis, and nothing on its way. */
export const AT_REST: Moment = { leg: 'analysis', share: 1, weight: 1, glow: 0 };

/** Shares of the analysis' time: the light rises, holds while the water goes to the analysis, and falls. */
const RISEN = 0.22;
const FALLS = 0.6;

function smooth(from: number, to: number, at: number): number {
  const t = Math.min(1, Math.max(0, (at - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

/** @param now ms of `performance.now()` */
export function momentOf({ begun, duration, analysis, flashes }: Transit, now: number): Moment {
  const passed = Math.max(0, now - begun);
  if (passed >= duration) return AT_REST;
  const forecast = duration - analysis;
  if (passed < forecast) return { leg: 'forecast', share: passed / forecast, weight: 0, glow: 0 };
  const t = (passed - forecast) / analysis;
  const glow = flashes ? smooth(0, RISEN, t) * (1 - smooth(FALLS, 1, t)) : 0;
  return { leg: 'increment', share: 1, weight: smooth(RISEN, FALLS, t), glow };
}

type Content = Plane | Blend;

function mixed(a: Plane, b: Plane, weight: number): Content {
  if (weight <= 0 || a === b) return a;
  return weight >= 1 ? b : { a, weightA: 1 - weight, b, weightB: weight };
}

/** @returns η of a subject at a share of the window, between the two frames beside it */
export function surfaceAt(
  start: Plane,
  frames: readonly { readonly share: number; readonly eta: Plane }[],
  end: Plane,
  share: number,
): Content {
  const all = [{ share: 0, eta: start }, ...frames, { share: 1, eta: end }];
  const next = all.findIndex((frame) => frame.share >= share);
  if (next <= 0) return next === 0 ? start : end;
  const [before, after] = [all[next - 1], all[next]];
  return mixed(before.eta, after.eta, (share - before.share) / (after.share - before.share));
}

/** Contents of the planes of a view, by name; those that it does not need may be there too. */
export type PlaneContents = Readonly<Partial<Record<Exclude<PlaneName, 'bed'>, Content | undefined>>>;

function framesOf({ surfaces }: Motion, method: string | undefined) {
  return surfaces.find((surface) => surface.method === method)?.frames ?? [];
}

/** @returns η of the truth about a moment: what comes next first, and then what has passed */
export function truthAbout(
  { snapshot, transit }: { readonly snapshot: ShownSnapshot; readonly transit: ShownTransit | undefined },
  { leg, share }: Moment,
): readonly Plane[] {
  if (!transit) return [snapshot.truth.eta];
  const { from, to, motion } = transit;
  const ahead = leg === 'forecast' ? framesOf(motion, undefined).filter((frame) => frame.share >= share) : [];
  return [...ahead.map(({ eta }) => eta), to.truth.eta, from.truth.eta];
}

function stateAt(
  [start, forecast, analysis]: readonly [StatePlanes, StatePlanes, StatePlanes],
  frames: ReturnType<typeof framesOf>,
  { leg, share, weight }: Moment,
): Readonly<Record<'eta' | 'hu' | 'hv', Content>> {
  if (leg !== 'forecast') {
    return {
      eta: mixed(forecast.eta, analysis.eta, weight),
      hu: mixed(forecast.hu, analysis.hu, weight),
      hv: mixed(forecast.hv, analysis.hv, weight),
    };
  }
  // Of the currents nothing is known inside the window; their colours fade from one to the other.
  return {
    eta: surfaceAt(start.eta, frames, forecast.eta, share),
    hu: mixed(start.hu, forecast.hu, share),
    hv: mixed(start.hv, forecast.hv, share),
  };
}

/** @returns what a view of a subject shows on the way; undefined for a method that is not at both its ends */
export function planesOnTheWay(
  { from, to, motion }: ShownTransit,
  subject: string,
  field: ViewFieldId,
  moment: Moment,
): PlaneContents | undefined {
  const truthOn = (a: StatePlanes, b: StatePlanes, name?: string) => stateAt([a, b, b], framesOf(motion, name), moment);
  if (subject === TRUTH) {
    const truth = truthOn(from.truth, to.truth);
    return { ...truth, truthEta: truth.eta };
  }
  const of = (snapshot: ShownSnapshot) => snapshot.methods.find(({ method }) => method === subject);
  const [start, end] = [of(from), of(to)];
  if (!start || !end) return undefined;
  const truth =
    start.truth && end.truth ? truthOn(start.truth, end.truth, truthOf(subject)) : truthOn(from.truth, to.truth);
  const isForecast = moment.leg === 'forecast';
  // The increment is that of the last analysis until the next one is made.
  if (fieldOf(field).of === 'analysis-step' && isForecast)
    return { ...start.analysis, forecastEta: start.forecast.eta };
  const state = stateAt([start.analysis, end.forecast, end.analysis], framesOf(motion, subject), moment);
  const spread = start.spread && end.spread && mixed(start.spread, end.spread, moment.weight);
  const increment: Blend = { a: end.analysis.eta, weightA: 1, b: end.forecast.eta, weightB: -1 };
  return {
    ...state,
    truthEta: truth.eta,
    forecastEta: end.forecast.eta,
    spread: spread ?? end.spread,
    // What is known of an analysis stays until the next one is made.
    local: isForecast ? localPlane(from, start, field) : localPlane(to, end, field),
    ...(moment.glow > 0 && fieldOf(field).isWater && !isTruth(subject) && { increment }),
  };
}
