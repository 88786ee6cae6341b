import { MASK_TEXT } from '../../../data/mask.ts'
import { toIso } from '../../../engines/clock.ts'
import { type NodeFigures as Counted, imbalance, type Ledger } from '../protocol/ledger.ts'
import type { RunFigures } from '../protocol/protocol.ts'
import type { RunError, RunRow, RunWarning } from '../store/rows.ts'
import type { NodeFigures, Run } from './schema.ts'

export function toRun(run: RunRow, now: { readonly ms: number; readonly live?: RunFigures | undefined }): Run {
  const ledger = now.live?.ledger ?? (JSON.parse(run.ledger) as Ledger)
  const counted = now.live?.nodes ?? (JSON.parse(run.nodes) as RunFigures['nodes'])
  const untilMs = run.ended_at === null ? now.ms : Date.parse(run.ended_at)
  const tookS = Math.max(untilMs - Date.parse(run.started_at), 1) / 1000
  return {
    id: run.id,
    kind: run.replay === null ? 'normal' : 'replay',
    number: run.number,
    version: run.version,
    status: run.status,
    startedBy: run.started_by,
    startedAt: run.started_at,
    endedAt: run.ended_at,
    ledger: { ...ledger },
    balanced: imbalance(ledger) === 0,
    recordsUnderWay: now.live?.underWay ?? 0,
    nodes: Object.entries(counted).map(([id, figures]) => toFigures(id, figures, tookS)),
    error: errorOf(run.error),
    activity: activityOf(now.live),
    warnings: run.warnings === null ? [] : (JSON.parse(run.warnings) as RunWarning[])
  }
}

function activityOf(live: RunFigures | undefined): Run['activity'] {
  if (live?.activity === undefined || live.activity === null) return null
  const { sinceMs, ...activity } = live.activity
  return { ...activity, since: toIso(sinceMs) }
}

function toFigures(id: string, { batches, ...counted }: Counted, tookS: number): NodeFigures {
  // Runs of before sources said how far they are have no such figure.
  return {
    id,
    ...counted,
    progress: counted.progress ?? null,
    batchesPerS: Math.round((batches / tookS) * 1000) / 1000
  }
}

/** An error without its words, which may quote records. */
export const maskedError = <E extends RunError | null>(error: E): E =>
  error === null ? error : { ...error, message: MASK_TEXT }

/** An error as a row keeps it. */
export const errorOf = (text: string | null): RunError | null => (text === null ? null : (JSON.parse(text) as RunError))
