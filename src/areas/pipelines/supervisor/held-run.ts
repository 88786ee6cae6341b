import type { Clock } from '../../../engines/clock.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { NodeFault } from '../contract/context.ts'
import { ending, type LineageTeller } from '../lineage/sightings.ts'
import type { RunError, RunRow } from '../store/rows.ts'
import type { PipelineState } from '../store/states.ts'
import { type ReplayRun, replayOf, type Tally } from './replay-run.ts'
import * as runs from './runs.ts'
import type { Suspects } from './suspects.ts'
import type { Totals } from './totals.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly suspects: Suspects
  readonly totals: Totals
  /** What of the order of a replay could not be put through so far. */
  tally(): Tally
  readonly lineage: LineageTeller
}

/**
 * The row of a run that this replica has taken. All that is written goes through its fence: once another replica has the run,
 * nothing that this one writes counts.
 */
export class HeldRun {
  readonly row: RunRow
  readonly held: runs.Held
  /** For a run that only puts dead letters through. */
  readonly replay: ReplayRun | undefined
  /** How often it has failed since it last committed something. */
  failures: number
  /** Whether lineage knows all columns of its records. */
  isAllKnown = false
  readonly #needs: Needs
  #isLost = false

  constructor(row: RunRow, needs: Needs) {
    const { id: runId, pipeline_id: pipelineId, fence, version } = row
    this.row = row
    this.held = { runId, pipelineId, owner: row.owner as string, fence, version }
    this.replay = replayOf(row)
    this.failures = row.failures
    this.#needs = needs
  }

  /** Taken over by another, so that nothing is written any more. */
  get isLost(): boolean {
    return this.#isLost
  }

  lose(): void {
    this.#isLost = true
  }

  isHeldBy(row: { owner: string | null; fence: number } | undefined): boolean {
    return row !== undefined && row.owner === this.held.owner && row.fence === this.held.fence
  }

  async update<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    this.#require(!this.#isLost)
    return this.#needs.metadata.transaction(work)
  }

  /** Changes the row; throws where another has it by now. */
  async change(tx: Db, change: Partial<RunRow>): Promise<void> {
    this.#require(await runs.updateHeld(tx, this.held, change))
  }

  /** The run is in another state, and its pipeline with it. */
  async enter(
    tx: Db,
    status: PipelineState,
    error: RunError | null,
    more: Partial<RunRow> = {}
  ): Promise<PipelineState> {
    const { clock, suspects, tally, lineage } = this.#needs
    const isOver = isEnd(status)
    if (isOver) suspects.forget(this.held.runId)
    await this.change(tx, {
      status,
      error: runs.errorText(error),
      failures: this.failures,
      ...more,
      ...(isOver && { ended_at: clock.iso(), owner: null }),
      ...(isOver && this.replay && { replay: JSON.stringify({ ...this.replay, tally: tally() }) })
    })
    if (isOver && this.replay !== undefined) {
      await runs.restorePipelineOf(tx, this.held.runId, this.replay.was)
    } else await runs.updatePipelineOf(tx, this.held.runId, { status, error: runs.errorText(error) })
    if (isEnd(status)) {
      const known = { isAllKnown: this.isAllKnown, error: error?.message }
      await lineage.saw(tx, [ending(this.seen(), status, known)])
    }
    return status
  }

  /** Gives the run up, so that any replica may take it. Where somebody has asked for its end since, it has ended. */
  async free(tx: Db, change: Partial<RunRow>, error: string | null): Promise<PipelineState> {
    if (await this.isToStop(tx)) return this.enter(tx, 'stopped', null)
    await this.change(tx, { owner: null, status: 'starting', ...change })
    await runs.updatePipelineOf(tx, this.held.runId, { status: 'starting', error })
    return 'starting'
  }

  /** The run as lineage knows it, now. */
  seen() {
    const { runId, pipelineId } = this.held
    return { runId, pipelineId, timeMs: this.#needs.clock.now(), isReplay: this.replay !== undefined }
  }

  isToStop(tx: Db): Promise<boolean> {
    return runs.isToStop(tx, this.held)
  }

  /** What becomes of the run here, and in the totals. */
  async conclude(work: (tx: Db) => Promise<PipelineState>): Promise<void> {
    const state = await this.update(work)
    this.#needs.totals.entered(this.replay === undefined ? 'normal' : 'replay', state)
  }

  #require(isHeld: boolean): void {
    if (isHeld) return
    this.#isLost = true
    throw new NodeFault('fatal', 'run_lost', 'Another replica has taken the run over')
  }
}

const isEnd = (status: PipelineState): status is 'completed' | 'stopped' | 'failed' =>
  status === 'completed' || status === 'stopped' || status === 'failed'
