import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import { Problem } from '../errors.ts'
import type { RunFigures } from '../protocol/protocol.ts'
import type { RecordRights } from '../rights/records.ts'
import { requirePipeline } from '../store/pipelines.ts'
import type { RunRow } from '../store/rows.ts'
import { findRun } from '../store/runs.ts'
import type { Run, RunQuery } from './schema.ts'
import { listRuns } from './store.ts'
import { maskedError, toRun } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly records: Pick<RecordRights, 'areHidden'>
  figuresOf(runId: string): RunFigures | undefined
}

/** The runs that pipelines have had, and the ones that they are at. */
export class Runs {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(actor: Actor, pipelineId: string, query: RunQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await listRuns(db, pipelineId, query)
    await requirePipeline(db, pipelineId)
    const isHidden = rows.some(({ error }) => error !== null) && (await this.#isHidden(actor, pipelineId))
    return { runs: rows.map((row) => this.#show(row, isHidden)), total, nextCursor }
  }

  async get(actor: Actor, pipelineId: string, runId: string): Promise<Run> {
    const row = await findRun(this.#needs.metadata.db, runId)
    if (row?.pipeline_id !== pipelineId) throw new Problem('not_found')
    return this.#show(row, row.error !== null && (await this.#isHidden(actor, pipelineId)))
  }

  /** Whether the words of errors, which may quote records, are hidden from the caller. */
  #isHidden(actor: Actor, pipelineId: string): Promise<boolean> {
    return this.#needs.records.areHidden(actor, pipelineId)
  }

  #show(row: RunRow, isHidden: boolean): Run {
    const live = row.ended_at === null ? this.#needs.figuresOf(row.id) : undefined
    const run = toRun(row, { ms: this.#needs.clock.now(), live })
    return isHidden ? { ...run, error: maskedError(run.error) } : run
  }
}
