import { type Clock, toIso } from '../../../engines/clock.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import { type Outcome, updated } from '../../../http/route.ts'
import { orNotFound } from '../../../http/rows.ts'
import { Problem } from '../errors.ts'
import type { RunRow } from '../migrations.ts'
import type { Progress } from './run.ts'
import type { QualityRun, RunQuery } from './schema.ts'
import * as store from './store.ts'
import type { UnderWay } from './under-way.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly underWay: UnderWay
}

/** A process that has not been heard of for so long is gone, and its runs are. */
const SILENT_MS = 8000

/** What is under way, in any replica. */
export class QualityRuns {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Has what this process knows of its own runs written down. */
  tell(): Promise<void> {
    return this.#needs.underWay.tell()
  }

  async list(query: RunQuery) {
    await this.tell()
    const { rows, total, nextCursor } = await store.listRuns(this.#needs.metadata.db, query, this.#since())
    return { runs: rows.map((row) => this.#show(row)), total, nextCursor }
  }

  async get(id: string): Promise<QualityRun> {
    await this.tell()
    return this.#show(await orNotFound(store.findRun(this.#needs.metadata.db, id, this.#since())))
  }

  /** Whoever carries it out reads it with the next beat, and at once where that is this process. */
  async cancel(tx: Db, actor: Actor, id: string): Promise<Outcome<QualityRun>> {
    const before = await store.findRun(tx, id, this.#since())
    if (before === undefined) throw await refusalOf(tx, id)
    await store.noteCancelled(tx, id, actor, this.#needs.clock.iso())
    const after = await orNotFound(store.findRun(tx, id, this.#since()))
    return updated('quality-run', this.#show(before), this.#show(after))
  }

  #since(): string {
    return toIso(this.#needs.clock.now() - SILENT_MS)
  }

  #show(row: RunRow): QualityRun {
    const { id, kind, dataset, cause, started_by, started_at, cancelled_by, cancelled_at } = row
    const { doing, percent, done, total } = JSON.parse(row.progress) as Progress
    return {
      ...{ id, kind, dataset, cause, state: cancelled_by === null ? 'running' : 'cancelling' },
      ...{ doing, percent, done, total },
      startedBy: started_by,
      startedAt: started_at,
      elapsedMs: Math.max(0, this.#needs.clock.now() - Date.parse(started_at)),
      cancelledBy: cancelled_by,
      cancelledAt: cancelled_at
    }
  }
}

/** What is said where nothing by that name is under way. */
async function refusalOf(tx: Db, id: string): Promise<Problem> {
  const hasResults = await store.hasResults(tx, id)
  const ended = await store.findEndedRun(tx, id)
  if (!hasResults && ended === undefined) return new Problem('not_found')
  const detail = hasResults
    ? `The evaluation has ended; GET /api/quality/results?evaluationId=${id} has what came of it.`
    : `The ${ended?.kind} has ended, and nothing of it was kept for others than who had asked for it.`
  return new Problem('run_ended', { detail, members: { currentState: 'ended', allowedFrom: ['running'] } })
}
