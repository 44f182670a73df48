/** What a run says, as the interface takes it: cycle by cycle, with all that belongs to a cycle in one event. */
import { AllDivergedError, DeviceLostError, DivergenceError, RunLostError } from '../../../engine/index.ts';
import type { CycleDiagnostics, KernelSample, RunEvent } from '../../../engine/index.ts';
import type { SessionEvent, SessionInfo } from './session.ts';

export function failureOf(error: unknown): Extract<SessionEvent, { type: 'failed' }> {
  const message = error instanceof Error ? error.message : String(error);
  const recoverable = error instanceof DeviceLostError || error instanceof RunLostError;
  const diverged = error instanceof DivergenceError || error instanceof AllDivergedError;
  return { type: 'failed', message, recoverable, ...(diverged && { diverged }) };
}

export interface SessionListener {
  readonly event: (event: SessionEvent) => void;
  readonly readings: (readings: Extract<RunEvent, { type: 'states' }>['readings']) => void;
}

/**
 * @param reason for people: why the run computes where it does
 * @param device of the planes, where they are on one
 * @returns takes what a run says, with its states
 */
export function createSessionEvents(
  reason: string,
  device: SessionInfo['device'],
  listener: SessionListener,
): (event: RunEvent) => void {
  let diagnostics: CycleDiagnostics[] = [];
  let samples: KernelSample[] = [];
  return (event) => {
    switch (event.type) {
      case 'ready': {
        const { info, snapshot } = event;
        // Those of the preparation are of no cycle.
        samples = [];
        if (!snapshot) return;
        listener.event({
          type: 'ready',
          info: { ...info, backend: { ...info.backend, reason }, device },
          snapshot,
        });
        break;
      }
      case 'preparing':
        listener.event(event);
        break;
      case 'diagnostics':
        diagnostics.push(event.diagnostics);
        break;
      case 'kernel':
        samples.push(event.sample);
        break;
      case 'states': {
        const { snapshot, motion, readings } = event;
        listener.event({ type: 'cycle', snapshot, motion, diagnostics });
        if (readings.length > 0) listener.readings(readings);
        if (samples.length > 0) listener.event({ type: 'kernels', cycle: snapshot.cycle, samples });
        diagnostics = [];
        samples = [];
        break;
      }
      case 'trace': {
        const { type: _type, ...trace } = event;
        listener.event({ type: 'trace', trace, samples: [...samples] });
        break;
      }
      case 'ceilings': {
        const { type: _type, ...ceilings } = event;
        listener.event({ type: 'ceilings', ceilings });
        break;
      }
      case 'warning':
        listener.event({ type: 'warning', message: event.message });
        break;
      case 'diverged': {
        const { type: _type, ...divergence } = event;
        listener.event({ type: 'diverged', divergence });
        break;
      }
      case 'end':
        listener.event({ type: 'ended', cycles: event.cycles });
        break;
      case 'failed':
        listener.event(failureOf(event.error));
        break;
      case 'start':
      case 'edited':
      case 'forecast':
      case 'analysis':
      case 'cycle':
        break;
      default:
        event satisfies never;
    }
  };
}
