import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Performed } from '../../../http/route.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { type FieldError, Problem } from '../errors.ts'
import type { Lifecycle } from '../lifecycle/service.ts'
import { type KnownColumns, unknownColumn } from '../protocol/known-columns.ts'
import type { NodeProblem } from '../protocol/protocol.ts'
import type { ReplayOrder } from '../protocol/run-spec.ts'
import type { RecordRights } from '../rights/records.ts'
import { requirePipeline } from '../store/pipelines.ts'
import type { PipelineRow, RunError, RunRow } from '../store/rows.ts'
import { findRun } from '../store/runs.ts'
import { requireState } from '../store/states.ts'
import { withHost } from '../supervisor/host-problems.ts'
import { totalOf } from '../supervisor/letter-rows.ts'
import { lookFor } from '../supervisor/letter-search.ts'
import { NOTHING_SKIPPED, replayOf, type Skipped, type Tally, withSkipped } from '../supervisor/replay-run.ts'
import { columnsOfLetters } from './columns.ts'
import { requireKnownNames } from './names.ts'
import type { ReplayBody, ReplayResult } from './schema.ts'

/** How long a request waits for what it asked for. */
const WAIT_MS = 20_000
const LOOK_EVERY_MS = 50

interface Progress {
  readonly replayed: number
  readonly tally: Tally
}

export interface ReplayNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly lifecycle: Lifecycle
  readonly records: Pick<RecordRights, 'requireAll'>
  /** Aborts when the server is about to end. */
  readonly ending: AbortSignal
  checkAway(caller: string, nodes: readonly PipelineNode[], known: KnownColumns): Promise<readonly NodeProblem[]>
  /** The nodes of a version, with their secrets. */
  definitionOf(pipelineId: string, version: number): Promise<readonly PipelineNode[]>
  /** Puts dead letters through a run of this replica; resolves when all are committed. */
  replay(runId: string, order: ReplayOrder, tally: Tally): Promise<void>
  progressOf(runId: string): Progress | undefined
  /** Tells the supervisor that there is something to be run. */
  wake(): void
}

/** Dead letters on their way back: through the run that runs, or else one of their own. */
export class DeadLetterReplays {
  readonly #needs: ReplayNeeds

  constructor(needs: ReplayNeeds) {
    this.#needs = needs
  }

  async replay(actor: Actor, pipelineId: string, body: ReplayBody): Promise<Performed<ReplayResult>> {
    const { db } = this.#needs.metadata
    const row = await requirePipeline(db, pipelineId)
    requireState(row, 'replay')
    await this.#needs.records.requireAll(actor, pipelineId)
    await requireKnownNames(db, row, body ?? {}, '')
    const { metadata, definitionOf, checkAway } = this.#needs
    const checkSql: SoundNeeds['checkSql'] = (nodes, known) => checkAway(actor.id, nodes, known)
    await requireSound({ metadata, definitionOf, checkSql }, row, body)
    const { order, tally } = await this.#orderOf(row, body)
    const before = await totalOf(db, pipelineId)
    const isNothing = order.ids?.length === 0 || before.waiting === 0
    const done = isNothing
      ? { isDone: true, replayed: 0, tally, runId: null }
      : await this.#carryOut(actor, row, order, tally)
    const { waiting } = await totalOf(db, pipelineId)
    const { runId, replayed } = done
    const { version } = row
    const after = { waiting, replayed, filter: body, runId, version }
    return {
      status: done.isDone ? 200 : 202,
      answer: { replayed, ...done.tally, skipped: [...done.tally.skipped], waiting, runId },
      changes: [{ type: 'pipeline-dead-letters', id: pipelineId, before: { waiting: before.waiting, version }, after }]
    }
  }

  async #orderOf(row: PipelineRow, body: ReplayBody): Promise<{ order: ReplayOrder; tally: Tally }> {
    const order = { ...body, upTo: row.letters_upto ?? '' }
    if (order.ids === undefined) return { order, tally: NOTHING_SKIPPED }
    const { ids, upTo } = order
    const { heads } = await lookFor(this.#needs.metadata.db, row.id, { ids, upTo }, '', Infinity)
    const known = new Map(heads.map((head) => [head.id, head]))
    const skipped = ids.flatMap((id): Skipped[] => {
      const head = known.get(id)
      if (head === undefined) return [{ id, code: 'not_found', message: 'There is no such dead letter' }]
      if (head.replayed_at === null) return []
      return [{ id, code: 'already_replayed', message: 'It was put through again before' }]
    })
    const isSkipped = new Set(skipped.map(({ id }) => id))
    const left = ids.filter((id) => !isSkipped.has(id))
    return { order: { ...order, ids: left }, tally: withSkipped(NOTHING_SKIPPED, skipped) }
  }

  async #carryOut(actor: Actor, row: PipelineRow, order: ReplayOrder, tally: Tally) {
    if (row.status !== 'running') return this.#inItsOwnRun(actor, row, order, tally)
    const run = (await findRun(this.#needs.metadata.db, row.run_id as string)) as RunRow
    if (run.replay !== null) {
      const detail = `Run ${run.number} is putting dead letters through; wait for its end, or stop it.`
      throw new Problem('pipeline_busy', { detail, headers: { 'retry-after': '5' } })
    }
    return this.#throughRun(run.id, order, tally)
  }

  /** Between the batches of a run that reads its sources. */
  async #throughRun(runId: string, order: ReplayOrder, tally: Tally) {
    const all = this.#needs.replay(runId, order, tally).then(() => true)
    all.catch(() => {}) // where nobody waits any longer; the run has told it
    const isDone = await withHost(() => Promise.race([all, this.#late()]))
    const progress = this.#needs.progressOf(runId)
    return { isDone, replayed: progress?.replayed ?? 0, tally: progress?.tally ?? tally, runId }
  }

  async #inItsOwnRun(actor: Actor, row: PipelineRow, order: ReplayOrder, tally: Tally) {
    const { metadata, lifecycle, wake } = this.#needs
    const runId = await metadata.transaction((tx) => lifecycle.replay(tx, actor, row.id, order, tally))
    wake()
    const run = await this.#ended(runId)
    const isDone = run.ended_at !== null
    if (run.status === 'failed') throw failure(run)
    const replayed = (JSON.parse(run.ledger) as { recordsRead: number }).recordsRead
    const known = isDone ? replayOf(run)?.tally : this.#needs.progressOf(runId)?.tally
    return { isDone, replayed, tally: known ?? tally, runId }
  }

  /** The run when it has ended, on whatever replica, or as it is after as long as a request waits. */
  async #ended(runId: string): Promise<RunRow> {
    const { metadata, clock, ending } = this.#needs
    const untilMs = clock.elapsed() + WAIT_MS
    for (;;) {
      const run = (await findRun(metadata.db, runId)) as RunRow
      if (run.ended_at !== null || clock.elapsed() >= untilMs || ending.aborted) return run
      await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve))
    }
  }

  #late(): Promise<false> {
    const { clock, ending } = this.#needs
    return new Promise((resolve) => {
      const cancel = clock.after(WAIT_MS, () => resolve(false))
      ending.addEventListener('abort', () => {
        cancel()
        resolve(false)
      })
    })
  }
}

interface SoundNeeds extends Pick<ReplayNeeds, 'metadata' | 'definitionOf'> {
  checkSql(nodes: readonly PipelineNode[], known: KnownColumns): Promise<readonly NodeProblem[]>
}

/** Expressions of a correction are checked as those of a `map` are, and set and speak of columns that are there. */
export async function requireSound(
  { metadata, checkSql, definitionOf }: SoundNeeds,
  pipeline: PipelineRow,
  body: ReplayBody
): Promise<void> {
  if (body?.set === undefined) return
  const { set, ...filter } = body
  const search = { ...filter, replayed: false, upTo: pipeline.letters_upto ?? '' }
  const defined = await definitionOf(pipeline.id, pipeline.version)
  const known = await columnsOfLetters(metadata.db, pipeline.id, search, defined)
  const node = (id: string, type: string, inputs: readonly string[], config = {}) => ({ id, type, config, inputs })
  const nodes = [
    node('in', 'webhook', []),
    node('set', 'map', ['in'], { select: set }),
    node('out', 'object', ['set'], { bucket: 'none', prefix: '', format: 'csv' })
  ]
  const unknown = Object.keys(set).flatMap((name): FieldError[] => {
    const message = unknownColumn(name, known)
    return message === undefined
      ? []
      : [{ pointer: `/set/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, message }]
  })
  const problems = await checkSql(nodes, known)
  const errors = [
    ...unknown,
    ...problems.map(({ pointer, message }): FieldError => {
      return { pointer: pointer.replace(/^\/select/, '/set'), message }
    })
  ]
  if (errors.length > 0) throw new Problem('invalid_request', { errors: errors.slice(0, 100) })
}

function failure(run: RunRow): Problem {
  const { code: cause, message, nodeId } = JSON.parse(run.error ?? '{}') as RunError
  const detail = `Run ${run.number} failed: ${message}. What it had committed is replayed.`
  return new Problem('unprocessable', { detail, members: { cause, nodeId, runId: run.id } })
}
