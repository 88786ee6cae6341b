import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import type { Pipeline } from '../definition/schema.ts'
import { toDefinition, toPipeline } from '../definition/view.ts'
import { Problem } from '../errors.ts'
import { beginning, type LineageTeller } from '../lineage/sightings.ts'
import { type Checkpoint, filesOf } from '../protocol/checkpoint.ts'
import { emptyLedger } from '../protocol/ledger.ts'
import type { RunFigures } from '../protocol/protocol.ts'
import type { ReplayOrder } from '../protocol/run-spec.ts'
import { lockedPipeline, updatePipeline } from '../store/pipelines.ts'
import type { PipelineRow, RunRow, RunWarning } from '../store/rows.ts'
import { findRun } from '../store/runs.ts'
import { requireState } from '../store/states.ts'
import { findVersion, nodesOf, versionOf } from '../store/versions.ts'
import type { ReplayRun, Tally } from '../supervisor/replay-run.ts'
import { findCheckpoint } from '../supervisor/runs.ts'
import { forgetOldReaders } from '../upkeep/readers.ts'
import { dropFiles } from '../upkeep/upkeep.ts'
import { carryOver } from './carry-over.ts'
import type { StartedPipeline } from './schema.ts'
import * as store from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly jobs: Jobs
  readonly lineage: LineageTeller
  figuresOf(runId: string): RunFigures | undefined
}

/** Starts and stops pipelines. Whoever runs them hears of it by the change. */
export class Lifecycle {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async start(
    tx: Db,
    actor: Pick<Actor, 'id'>,
    id: string,
    from: 'checkpoint' | 'beginning',
    warnings: readonly RunWarning[]
  ): Promise<Outcome<StartedPipeline>> {
    const before = await lockedPipeline(tx, id)
    requireState(before, 'start')
    await forgetOldReaders(tx, this.#needs.jobs, before)
    if (from === 'beginning') await this.#forget(tx, id)
    else await this.#carryOver(tx, before)
    return this.#begin(tx, actor, before, { replay: null, warnings })
  }

  /** A run that puts dead letters through and reads nothing; afterwards the pipeline is what it was. */
  async replay(tx: Db, actor: Actor, id: string, order: ReplayOrder, tally: Tally): Promise<string> {
    const before = await lockedPipeline(tx, id)
    requireState(before, 'replay')
    if (before.status === 'running') throw new Problem('pipeline_busy', { headers: { 'retry-after': '1' } })
    await this.#carryOver(tx, before)
    const { status, error, run_id: runId } = before
    const replay: ReplayRun = { order, was: { status, error, runId }, tally }
    const { answer } = await this.#begin(tx, actor, before, { replay: JSON.stringify(replay), warnings: [] })
    return answer.run?.id as string
  }

  async #begin(
    tx: Db,
    actor: Pick<Actor, 'id'>,
    before: PipelineRow,
    more: { readonly replay: string | null; readonly warnings: readonly RunWarning[] }
  ): Promise<Outcome<StartedPipeline>> {
    const { clock, makeId } = this.#needs
    const { warnings } = more
    const run: RunRow = {
      id: makeId('run'),
      pipeline_id: before.id,
      number: before.run_count + 1,
      version: before.version,
      status: 'starting',
      owner: null,
      fence: 0,
      failures: 0,
      due_ms: 0,
      ledger: JSON.stringify(emptyLedger()),
      nodes: '{}',
      error: null,
      replay: more.replay,
      warnings: warnings.length === 0 ? null : JSON.stringify(warnings),
      started_by: actor.id,
      started_at: clock.iso(),
      ended_at: null
    }
    await store.insertRun(tx, run)
    await this.#tell(tx, before, run)
    const change = { status: 'starting' as const, error: null, run_id: run.id, run_count: run.number }
    const { answer, changes } = await this.#enter(tx, before, change, run)
    return { answer: { ...answer, warnings: [...warnings] }, changes }
  }

  /** In the same transaction, so that lineage knows of every run what its definition names, however it ends. */
  async #tell(tx: Db, pipeline: PipelineRow, run: RunRow): Promise<void> {
    const { lineage, clock } = this.#needs
    const last = pipeline.run_id === null ? undefined : await findRun(tx, pipeline.run_id)
    const seen = { pipelineId: pipeline.id, runId: run.id, timeMs: clock.now(), isReplay: run.replay !== null }
    const nodes = nodesOf(await versionOf(tx, pipeline))
    await lineage.saw(tx, [beginning(seen, pipeline, nodes, last?.version !== run.version)])
  }

  async stop(tx: Db, id: string): Promise<Outcome<Pipeline>> {
    const before = await lockedPipeline(tx, id)
    requireState(before, 'stop')
    const runId = before.run_id as string
    // Now, also where it waits to be tried again later.
    await store.updateRun(tx, runId, { status: 'stopping', due_ms: 0 })
    const run = (await findRun(tx, runId)) as RunRow
    return this.#enter(tx, before, { status: 'stopping' }, run)
  }

  async #enter(tx: Db, before: PipelineRow, change: Partial<PipelineRow>, run: RunRow): Promise<Outcome<Pipeline>> {
    await updatePipeline(tx, before.id, change)
    const row = { ...before, ...change }
    const version = await versionOf(tx, row)
    const now = { ms: this.#needs.clock.now(), live: this.#needs.figuresOf(run.id) }
    return {
      answer: toPipeline(row, version, run, now),
      changes: [
        { type: 'pipeline', id: row.id, before: toDefinition(before, version), after: toDefinition(row, version) }
      ]
    }
  }

  async #forget(tx: Db, id: string): Promise<void> {
    const saved = await findCheckpoint(tx, id)
    if (saved === undefined) return
    await store.deleteCheckpoint(tx, id)
    await dropFiles(tx, this.#needs.jobs, filesOf(JSON.parse(saved.checkpoint) as Checkpoint))
  }

  /** What the nodes remember goes on to the new run, but for those that have become others. */
  async #carryOver(tx: Db, row: PipelineRow): Promise<void> {
    const saved = await findCheckpoint(tx, row.id)
    if (saved === undefined) return
    const last = row.run_id === null ? undefined : await findRun(tx, row.run_id)
    const version = saved.version ?? last?.version
    if (version === undefined || version === row.version) return
    const old = await findVersion(tx, row.id, version)
    const checkpoint = JSON.parse(saved.checkpoint) as Checkpoint
    const oldNodes = old === undefined ? [] : nodesOf(old)
    const carried = carryOver(checkpoint, oldNodes, nodesOf(await versionOf(tx, row)))
    await store.updateCheckpoint(tx, row.id, JSON.stringify(carried), row.version)
    const needed = new Set(filesOf(carried))
    const obsolete = filesOf(checkpoint).filter((name) => !needed.has(name))
    await dropFiles(tx, this.#needs.jobs, obsolete)
  }
}
