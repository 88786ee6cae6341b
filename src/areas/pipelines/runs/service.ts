import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { Problem } from '../errors.ts'
import type { RunFigures } from '../protocol/protocol.ts'
import { requirePipeline } from '../store/pipelines.ts'
import type { RunRow } from '../store/rows.ts'
import { findRun } from '../store/runs.ts'
import type { Run, RunQuery } from './schema.ts'
import { listRuns } from './store.ts'
import { toRun } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  figuresOf(runId: string): RunFigures | undefined
}

/** The runs that pipelines have had, and the ones that they are at. */
export class Runs {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(pipelineId: string, query: RunQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await listRuns(db, pipelineId, query)
    await requirePipeline(db, pipelineId)
    return { runs: rows.map((row) => this.#show(row)), total, nextCursor }
  }

  async get(pipelineId: string, runId: string): Promise<Run> {
    const row = await findRun(this.#needs.metadata.db, runId)
    if (row?.pipeline_id !== pipelineId) throw new Problem('not_found')
    return this.#show(row)
  }

  #show(row: RunRow): Run {
    const live = row.ended_at === null ? this.#needs.figuresOf(row.id) : undefined
    return toRun(row, { ms: this.#needs.clock.now(), live })
  }
}
