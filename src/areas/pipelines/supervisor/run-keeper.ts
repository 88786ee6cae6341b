import { NodeFault } from '../contract/context.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { type Commit, type DeadLetter, filesOf } from '../protocol/checkpoint.ts'
import type { RunFigures } from '../protocol/protocol.ts'
import type { Activity, LetterPage, LogLine, ReplayOrder, RunEnd, RunSpec, Trouble } from '../protocol/run-spec.ts'
import type { RunRow, RunWarning } from '../store/rows.ts'
import type { PipelineState } from '../store/states.ts'
import { endWarnings } from './end-warnings.ts'
import { HeldRun } from './held-run.ts'
import type { Death } from './host-process.ts'
import type { KeeperNeeds } from './keeper-needs.ts'
import { nextReplays } from './replay-pages.ts'
import { ReplayProgress } from './replay-progress.ts'
import type { ReplayRun } from './replay-run.ts'
import { RunCommits } from './run-commits.ts'
import { rewound } from './run-ends.ts'
import { RunNews } from './run-news.ts'
import { RunPlace } from './run-place.ts'
import * as runs from './runs.ts'
import { faultOfDeath, judge, Troubles } from './troubles.ts'

/** Wait before a run is taken again whose failure could not even be written down. */
const GIVEN_UP_WAIT_MS = 1000
/** A run that goes so long without failing again has got over its trouble, although nothing came to be committed. */
const OVER_AFTER_MS = 60_000
const GETS_ON = 'a pipeline gets on again'

/** Looks after one run that this replica has taken, from taking it to its end. */
export class RunKeeper {
  readonly #needs: KeeperNeeds
  readonly #run: HeldRun
  readonly #commits: RunCommits
  readonly #place: RunPlace
  readonly #news: RunNews
  readonly #troubles: Troubles
  /** Resolves when this replica has no more to do with it. Never rejects. */
  readonly ended: Promise<void>
  figures: RunFigures | undefined
  /** After its end: when it is to be tried again. */
  retryInMs: number | undefined
  /** How far the replay is that is under way, or how far the last one came. */
  readonly progress: ReplayProgress
  #nodes: readonly PipelineNode[] = []
  #isStopping: boolean
  #isGivingBack = false

  constructor(row: RunRow, needs: KeeperNeeds) {
    this.#needs = needs
    this.#run = new HeldRun(row, { ...needs, tally: () => this.progress.tally })
    this.#troubles = new Troubles(row)
    this.#commits = new RunCommits(this.#run, this.#troubles, { ...needs, nodes: () => this.#nodes })
    this.#place = new RunPlace(row.id, needs)
    this.#news = new RunNews(this.#run.held, needs)
    this.progress = new ReplayProgress(this.#run.replay?.tally, (message) => this.#news.note('info', message))
    this.#isStopping = row.status === 'stopping'
    this.ended = this.#look().catch((error) => {
      this.retryInMs = GIVEN_UP_WAIT_MS
      this.#news.note('error', `It could not be looked after and will be tried again: ${messageOf(error)}`)
    })
  }

  /** What the database says of the run now. */
  see(row: { status: PipelineState; owner: string | null; fence: number } | undefined): void {
    if (!this.#run.isHeldBy(row)) {
      this.#run.lose()
      this.#place.leave()
    } else if (row?.status === 'stopping' && !this.#isStopping) {
      this.#isStopping = true
      this.#place.stop(this.ended)
    }
  }

  async started(): Promise<void> {
    const { failures, fence } = this.#run.row
    this.#news.note('info', failures > 0 || fence > 1 ? 'Running again' : 'Running')
    this.#place.began()
    await this.#run.update(async (tx) => {
      // What failed again and again is not over before a commit, or for a while.
      if (!(await this.#run.isToStop(tx))) await this.#run.enter(tx, 'running', this.#troubles.error)
    })
    if (this.#troubles.error === null) return
    const quiet = () => !this.#troubles.isAgain && void this.trouble(null).catch(() => {})
    const cancel = this.#needs.clock.after(OVER_AFTER_MS, quiet)
    void this.ended.then(cancel)
  }

  async commit(commit: Commit): Promise<void> {
    const { clock, keptFiles } = this.#needs
    const { isOver, obsolete } = await this.#commits.commit(commit)
    if (isOver) this.#news.tell('info', GETS_ON)
    this.progress.committed(commit.replayed.length, clock.now())
    this.figures = { ...this.#commits.figures, underWay: 0 }
    this.#place.committed()
    this.#rejoin()
    // What can't be dropped now is found at the next start.
    await keptFiles
      .drop(obsolete)
      .catch((error) => this.#news.note('warn', `Files that are done with stay: ${messageOf(error)}`))
  }

  /** Dead letters of the next commit. */
  stage(letters: readonly DeadLetter[]): Promise<void> {
    return this.#commits.stage(letters)
  }

  /** Dead letters that are to be put through, some at a time. */
  async letters(order: ReplayOrder, after: string): Promise<LetterPage> {
    const { db } = this.#needs.metadata
    const { letters, skipped, next } = await nextReplays(db, this.#run.held.pipelineId, order, after, this.#nodes)
    this.progress.skipped(skipped)
    return { letters, next }
  }

  /** What is tried again and again, in the words of the API; null once it works. */
  async trouble(trouble: Trouble | null): Promise<void> {
    const isNew = this.#troubles.error === null
    const told = trouble === null ? null : this.#troubles.tell(trouble, this.#needs.clock.now())
    if (told === undefined || (told === null && !this.#troubles.clear())) return
    if (told === null) {
      this.#news.tell('info', GETS_ON)
      this.#commits.getsOn()
    } else if (isNew) this.#news.tell('warn', 'a pipeline tries the same again and again', told)
    await this.#run.update(async (tx) => {
      await this.#run.change(tx, { error: runs.errorText(told) })
      await runs.updateErrorOf(tx, this.#run.held.runId, runs.errorText(told))
    })
  }

  report(figures: RunFigures): void {
    this.figures = { ...figures, activity: this.figures?.activity ?? null }
    this.#rejoin()
  }

  doing(activity: Activity | null): void {
    if (this.figures !== undefined) this.figures = { ...this.figures, activity }
  }

  log(line: LogLine): void {
    this.#news.log(line)
  }

  async feed(nodeId: string, body: Uint8Array, requestId: string) {
    const { host } = this.#place
    if (host === undefined) throw new NodeFault('transient', 'not_running', 'The pipeline does not take records now')
    return host.call('feed', this.#run.held.runId, nodeId, body, requestId)
  }

  /** Dead letters once more, between batches; answers when all are committed. */
  async replay(order: ReplayOrder, tally: ReplayRun['tally']): Promise<void> {
    const { host } = this.#place
    if (host === undefined) throw new NodeFault('transient', 'not_running', 'The pipeline does not run now')
    if (this.progress.isUnderWay) throw new NodeFault('transient', 'replaying', 'Other dead letters are being replayed')
    this.progress.begin(tally)
    try {
      await host.call('replay', this.#run.held.runId, order)
    } finally {
      this.progress.end()
    }
  }

  /** The server ends: somebody else, or the next start, goes on from the last checkpoint. */
  async giveBack(): Promise<void> {
    this.#isGivingBack = true
    this.#place.stop(this.ended)
    await this.ended
  }

  async #look(): Promise<void> {
    if (this.#isStopping && this.#run.row.status === 'stopping') return this.#end('stopped')
    try {
      const host = await this.#place.take()
      const running = host.call('run', await this.#spec())
      // Asked for while it was not there to be stopped.
      if (this.#isStopping || this.#isGivingBack) this.#place.stop(this.ended)
      const end = await running
      await this.#finish(end)
      this.#news.ended(end)
    } catch (error) {
      await this.#fail(error)
    } finally {
      this.#place.release()
    }
  }

  #rejoin(): void {
    if (this.#isGivingBack || !this.#place.isToRejoin((this.figures?.underWay ?? 0) > 0)) return
    this.#news.note('info', 'Goes back to a process that it shares with others')
    void this.giveBack()
  }

  async #spec(): Promise<RunSpec> {
    const { id: runId, pipeline_id: pipelineId, number: runNumber, version } = this.#run.row
    const nodes = await this.#needs.definitionOf(pipelineId, version)
    this.#nodes = nodes
    const spec = { pipelineId, runId, runNumber, nodes, ...(await this.#commits.open()) }
    if (this.#run.replay === undefined) return spec
    const { order, was } = this.#run.replay
    return { ...spec, replay: { order, isLast: was.status === 'completed' } }
  }

  async #finish(end: RunEnd): Promise<void> {
    if (this.#run.isLost) return
    if (end === 'completed') return this.#end('completed')
    return this.#isGivingBack && !this.#isStopping ? this.#release() : this.#end('stopped')
  }

  async #end(status: 'completed' | 'stopped'): Promise<void> {
    const { replay, held } = this.#run
    // After dead letters alone, what nodes hold is there for the run that goes on where another was stopped.
    const isRewound = status === 'completed' && (replay === undefined || replay.was.status === 'completed')
    if (replay !== undefined) this.progress.end()
    const warnings = this.#warnings(status)
    await this.#run.conclude(async (tx) => {
      await this.#run.enter(tx, status, null, warnings.length === 0 ? {} : { warnings: JSON.stringify(warnings) })
      const rest = rewound(this.#nodes, this.#commits.checkpoint)
      if (isRewound) await runs.saveCheckpoint(tx, held, rest, this.#needs.clock.iso())
      return status
    })
    if (status === 'completed') this.#commits.getsOn()
    if (isRewound) await this.#needs.keptFiles.drop(filesOf(this.#commits.checkpoint)).catch(() => {})
    this.#news.note('info', status === 'completed' ? 'Completed' : 'Stopped')
  }

  /** What it was told of at its start, and what there is to say at its end. */
  #warnings(status: 'completed' | 'stopped'): RunWarning[] {
    const { row, replay } = this.#run
    const known = row.warnings === null ? [] : (JSON.parse(row.warnings) as RunWarning[])
    const { figures, checkpoint } = this.#commits
    const publications = checkpoint?.publications ?? []
    const isReplay = replay !== undefined
    const more = endWarnings({ nodes: this.#nodes, figures, status, isReplay, known, publications })
    for (const { nodeId, message } of more) this.log({ level: 'warn', node: nodeId, message })
    return [...known, ...more]
  }

  async #release(): Promise<void> {
    await this.#run.update((tx) => this.#run.free(tx, {}, null))
  }

  async #fail(error: unknown): Promise<void> {
    const thrown = error instanceof NodeFault ? error : new NodeFault('transient', 'unexpected', messageOf(error))
    if (this.#run.isLost || thrown.code === 'run_lost') return
    if (this.#isStopping) return this.#end('stopped')
    if (this.#isGivingBack) return this.#release()
    const { clock, suspects } = this.#needs
    const run = this.#run
    const { death } = this.#place
    if (death !== undefined) suspects.add(run.held.runId, clock.now())
    if (death !== undefined && death.runs > 1) return this.#beginAlone(death)
    const fault = death === undefined ? thrown : faultOfDeath(death)
    run.failures += 1
    const { error: runError, retryInMs } = judge(fault, run.failures, this.#troubles.error, clock.now())
    const isFinal = retryInMs === undefined
    this.retryInMs = retryInMs
    const where = fault.nodeId === undefined ? '' : ` at ${fault.nodeId}`
    this.#news.note('error', `${isFinal ? 'Failed' : 'Starts again'}${where}: ${fault.message} (${fault.code})`)
    if (isFinal) this.#news.ended('failed')
    if (isFinal) this.#news.tell('warn', 'a pipeline failed', runError)
    await run.conclude(async (tx) => {
      if (isFinal) return (await run.isToStop(tx)) ? run.enter(tx, 'stopped', null) : run.enter(tx, 'failed', runError)
      const text = runs.errorText(runError)
      return run.free(tx, { failures: run.failures, due_ms: clock.now() + retryInMs, error: text }, text)
    })
  }

  /** Which of the runs it was that ended their process is not known: that it begins again is no failure of this one. */
  async #beginAlone(death: Death): Promise<void> {
    const why = death.isMemory ? 'took more memory than it may have' : `ended (${death.signal})`
    const others = death.runs - 1
    this.#news.note('warn', `Begins again, for a while alone: the process that it shared with ${others} others ${why}`)
    const error = runs.errorText(this.#troubles.error)
    await this.#run.conclude((tx) => this.#run.free(tx, { error }, error))
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
