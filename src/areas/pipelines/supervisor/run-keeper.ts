import type { Bus } from '../../../engines/bus/index.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Log } from '../../../engines/log.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { NodeFault } from '../contract/context.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { Column } from '../duckdb/columns.ts'
import { type Checkpoint, type Commit, type DeadLetter, filesOf } from '../protocol/checkpoint.ts'
import type { RunFigures } from '../protocol/protocol.ts'
import type { Activity, LetterPage, LogLine, ReplayOrder, RunEnd, RunSpec, Trouble } from '../protocol/run-spec.ts'
import type { RunError, RunRow, RunWarning } from '../store/rows.ts'
import type { PipelineState } from '../store/states.ts'
import { endWarnings } from './end-warnings.ts'
import type { Death, HostProcess } from './host-process.ts'
import type { Hosts } from './hosts.ts'
import type { KeptFiles } from './kept-files.ts'
import { LetterBook } from './letter-book.ts'
import { insertLetters } from './letter-rows.ts'
import type { LogKeeper } from './log-keeper.ts'
import { nextReplays } from './replay-pages.ts'
import { ReplayProgress } from './replay-progress.ts'
import { type ReplayRun, replayOf } from './replay-run.ts'
import { referencesOf, rewound } from './run-ends.ts'
import * as runs from './runs.ts'
import type { Suspects } from './suspects.ts'
import type { Totals } from './totals.ts'
import { faultOfDeath, judge, Troubles } from './troubles.ts'

/** Until a run is taken again of which not even the failure could be written down. */
const GIVEN_UP_WAIT_MS = 1000
/** After which a process that does not stop a run is ended. */
const STOP_LIMIT_MS = 4500
/** What was told of a run that then runs so long without failing again is over, though nothing came to be committed. */
const OVER_AFTER_MS = 60_000
const GETS_ON = 'a pipeline gets on again'

export interface KeeperNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  /** Of the server, for whoever looks after all pipelines. */
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly makeId: MakeId
  readonly bus: Bus
  readonly hosts: Hosts
  readonly suspects: Suspects
  readonly keptFiles: KeptFiles
  readonly logs: LogKeeper
  readonly totals: Totals
  definitionOf(pipelineId: string, version: number): Promise<readonly PipelineNode[]>
}

/** Looks after one run that this replica has taken, from taking it to its end. */
export class RunKeeper {
  readonly #run: RunRow
  readonly #held: runs.Held
  readonly #needs: KeeperNeeds
  /** Resolves when this replica has no more to do with it. Never rejects. */
  readonly ended: Promise<void>
  figures: RunFigures | undefined
  /** After its end: when it is to be tried again. */
  retryInMs: number | undefined
  #host: HostProcess | undefined
  #checkpoint: Checkpoint | null = null
  #committed: Pick<RunFigures, 'ledger' | 'nodes'>
  #nodes: readonly PipelineNode[] = []
  #failures: number
  #isStopping: boolean
  /** Taken over by another, or given back: nothing is written any more. */
  #isLost = false
  #isGivingBack = false
  /** Ends the wait for a process of its own. */
  readonly #waiting = new AbortController()
  /** When it began to run; undefined until then. */
  #beganMs: number | undefined
  #hasCommitted = false
  readonly #book: LetterBook
  readonly #troubles: Troubles
  readonly #replay: ReplayRun | undefined
  /** Of the order that is being worked off, or was last. */
  readonly progress: ReplayProgress

  constructor(run: RunRow, needs: KeeperNeeds) {
    this.#run = run
    const { id: runId, pipeline_id: pipelineId, fence, version } = run
    this.#held = { runId, pipelineId, owner: run.owner as string, fence, version }
    this.#needs = needs
    this.#book = new LetterBook(this.#held, needs)
    this.#troubles = new Troubles(run)
    this.#replay = replayOf(run)
    this.progress = new ReplayProgress(this.#replay?.tally, (message) => this.#note('info', message))
    this.#failures = run.failures
    this.#committed = { ledger: JSON.parse(run.ledger), nodes: JSON.parse(run.nodes) }
    this.#isStopping = run.status === 'stopping'
    this.ended = this.#look().catch((error) => {
      this.retryInMs = GIVEN_UP_WAIT_MS
      this.#note('error', `It could not be looked after and will be tried again: ${messageOf(error)}`)
    })
  }

  /** What the database says of the run now. */
  see(row: { status: PipelineState; owner: string | null; fence: number } | undefined): void {
    if (row === undefined || row.owner !== this.#held.owner || row.fence !== this.#held.fence) {
      this.#isLost = true
      this.#waiting.abort()
      void this.#host?.call('stop', this.#held.runId).catch(() => {})
    } else if (row.status === 'stopping' && !this.#isStopping) {
      this.#isStopping = true
      this.#stop()
    }
  }

  async started(): Promise<void> {
    this.#note('info', this.#run.failures > 0 || this.#run.fence > 1 ? 'Running again' : 'Running')
    this.#beganMs = this.#needs.clock.elapsed()
    await this.#update(async (tx) => {
      // What failed again and again is not over before a commit, or for a while.
      if (!(await runs.isToStop(tx, this.#held))) await this.#enter(tx, 'running', this.#troubles.error)
    })
    if (this.#troubles.error === null) return
    const quiet = () => !this.#troubles.isAgain && void this.trouble(null).catch(() => {})
    const cancel = this.#needs.clock.after(OVER_AFTER_MS, quiet)
    void this.ended.then(cancel)
  }

  /** Through the fence: where another has the run by now, nothing of it counts. */
  async commit(commit: Commit): Promise<void> {
    const { clock, keptFiles, totals } = this.#needs
    const { checkpoint, ledger, nodes, deadLetters, replayed } = commit
    const rows = await this.#book.rowsOf(deadLetters)
    const isOver = JSON.stringify(ledger) !== JSON.stringify(this.#committed.ledger) && this.#troubles.clear()
    const change = {
      ledger: JSON.stringify(ledger),
      nodes: JSON.stringify(nodes),
      failures: 0,
      ...(isOver && { error: null })
    }
    await this.#update(async (tx) => {
      await this.#require(await runs.updateHeld(tx, this.#held, change))
      if (isOver) await runs.updateErrorOf(tx, this.#held.runId, null)
      await runs.saveCheckpoint(tx, this.#held, checkpoint, clock.iso())
      await this.#book.commit(tx, rows, replayed)
    })
    if (isOver) this.#tell('info', GETS_ON)
    this.#book.committed()
    this.progress.committed(replayed.length, clock.now())
    this.#failures = 0
    totals.committed(this.#committed.ledger, ledger)
    this.#committed = { ledger, nodes }
    this.figures = { ledger, nodes, underWay: 0 }
    this.#hasCommitted = true
    this.#rejoin()
    const needed = new Set(filesOf(checkpoint))
    const obsolete = filesOf(this.#checkpoint).filter((name) => !needed.has(name))
    this.#checkpoint = checkpoint
    // What can't be dropped now is found at the next start.
    await keptFiles
      .drop(obsolete)
      .catch((error) => this.#note('warn', `Files that are done with stay: ${messageOf(error)}`))
  }

  /** Dead letters of the next commit. */
  async stage(letters: readonly DeadLetter[]): Promise<void> {
    const rows = await this.#book.rowsOf(letters)
    await this.#update(async (tx) => {
      await this.#require(await runs.updateHeld(tx, this.#held, { fence: this.#held.fence }))
      await insertLetters(tx, rows)
    })
    this.#book.staged(rows)
  }

  /** Dead letters that are to be put through, some at a time. */
  async letters(order: ReplayOrder, after: string): Promise<LetterPage> {
    const { db } = this.#needs.metadata
    const { letters, skipped, next } = await nextReplays(db, this.#held.pipelineId, order, after, this.#nodes)
    this.progress.skipped(skipped)
    return { letters, next }
  }

  /** What is tried again and again, in the words of the API; null once it works. */
  async trouble(trouble: Trouble | null): Promise<void> {
    const isNew = this.#troubles.error === null
    const told = trouble === null ? null : this.#troubles.tell(trouble, this.#needs.clock.now())
    if (told === undefined || (told === null && !this.#troubles.clear())) return
    if (told === null) this.#tell('info', GETS_ON)
    else if (isNew) this.#tell('warn', 'a pipeline tries the same again and again', told)
    await this.#update(async (tx) => {
      await this.#require(await runs.updateHeld(tx, this.#held, { error: runs.errorText(told) }))
      await runs.updateErrorOf(tx, this.#held.runId, runs.errorText(told))
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
    this.#needs.logs.add(this.#held, line)
  }

  async feed(nodeId: string, body: Uint8Array, requestId: string) {
    if (this.#host === undefined)
      throw new NodeFault('transient', 'not_running', 'The pipeline does not take records now')
    return this.#host.call('feed', this.#held.runId, nodeId, body, requestId)
  }

  /** Dead letters once more, between batches; answers when all are committed. */
  async replay(order: ReplayOrder, tally: ReplayRun['tally']): Promise<void> {
    if (this.#host === undefined) throw new NodeFault('transient', 'not_running', 'The pipeline does not run now')
    if (this.progress.isUnderWay) throw new NodeFault('transient', 'replaying', 'Other dead letters are being replayed')
    this.progress.begin(tally)
    try {
      await this.#host.call('replay', this.#held.runId, order)
    } finally {
      this.progress.end()
    }
  }

  /** The server ends: somebody else, or the next start, goes on from the last checkpoint. */
  async giveBack(): Promise<void> {
    this.#isGivingBack = true
    this.#stop()
    await this.ended
  }

  async #look(): Promise<void> {
    const { hosts } = this.#needs
    if (this.#isStopping && this.#run.status === 'stopping') return this.#end('stopped')
    let host: HostProcess | undefined
    try {
      host = await this.#takeHost()
      this.#host = host
      const running = host.call('run', await this.#spec())
      // Asked for while it was not there to be stopped.
      if (this.#isStopping || this.#isGivingBack) this.#stop()
      const { end, columns } = await running
      await this.#finish(end)
      this.#announce(end, columns)
    } catch (error) {
      await this.#fail(error)
    } finally {
      if (host !== undefined) hosts.release(host)
    }
  }

  async #takeHost(): Promise<HostProcess> {
    const { hosts, suspects } = this.#needs
    return suspects.has(this.#held.runId) ? hosts.takeAlone(this.#waiting.signal) : hosts.take()
  }

  /** After it was suspected and has done no harm: where there are processes enough without its own, it begins anew in one. */
  #rejoin(): void {
    const { suspects, hosts, clock } = this.#needs
    if (this.#host === undefined || this.#beganMs === undefined || this.#isGivingBack) return
    if (!suspects.has(this.#held.runId)) return
    const forMs = clock.elapsed() - this.#beganMs
    const isAtWork = (this.figures?.underWay ?? 0) > 0
    if (!suspects.clear(this.#held.runId, { forMs, hasCommitted: this.#hasCommitted, isAtWork })) return
    if (hosts.share(this.#host)) return
    this.#note('info', 'Goes back to a process that it shares with others')
    void this.giveBack()
  }

  async #spec(): Promise<RunSpec> {
    const { metadata, definitionOf } = this.#needs
    const { id, pipeline_id: pipelineId, number, version } = this.#run
    const nodes = await definitionOf(pipelineId, version)
    const row = await runs.findCheckpoint(metadata.db, pipelineId)
    const checkpoint = row === undefined ? null : (JSON.parse(row.checkpoint) as Checkpoint)
    this.#checkpoint = checkpoint
    this.#nodes = nodes
    await this.#book.open()
    const isSameRun = row?.run_id === id
    const counted = isSameRun ? this.#committed : null
    const spec = { pipelineId, runId: id, runNumber: number, nodes, checkpoint, counted }
    if (this.#replay === undefined) return spec
    const { order, was } = this.#replay
    return { ...spec, replay: { order, isLast: was.status === 'completed' } }
  }

  async #finish(end: RunEnd): Promise<void> {
    if (this.#isLost) return
    if (end === 'completed') return this.#end('completed')
    return this.#isGivingBack && !this.#isStopping ? this.#release() : this.#end('stopped')
  }

  async #end(status: 'completed' | 'stopped'): Promise<void> {
    // After dead letters alone, what nodes hold is there for the run that goes on where another was stopped.
    const isRewound = status === 'completed' && (this.#replay === undefined || this.#replay.was.status === 'completed')
    if (this.#replay !== undefined) this.progress.end()
    const warnings = this.#warnings(status)
    await this.#conclude(async (tx) => {
      await this.#enter(tx, status, null, warnings.length === 0 ? {} : { warnings: JSON.stringify(warnings) })
      const rest = rewound(this.#nodes, this.#checkpoint)
      if (isRewound) await runs.saveCheckpoint(tx, this.#held, rest, this.#needs.clock.iso())
      return status
    })
    if (isRewound) await this.#needs.keptFiles.drop(filesOf(this.#checkpoint)).catch(() => {})
    this.#note('info', status === 'completed' ? 'Completed' : 'Stopped')
  }

  /** What it was told of at its start, and what there is to say at its end. */
  #warnings(status: 'completed' | 'stopped'): RunWarning[] {
    const known = this.#run.warnings === null ? [] : (JSON.parse(this.#run.warnings) as RunWarning[])
    const [nodes, figures] = [this.#nodes, this.#committed]
    const publications = this.#checkpoint?.publications ?? []
    const more = endWarnings({ nodes, figures, status, isReplay: this.#replay !== undefined, known, publications })
    for (const { nodeId, message } of more) this.log({ level: 'warn', node: nodeId, message })
    return [...known, ...more]
  }

  async #release(): Promise<void> {
    await this.#update(async (tx) => {
      if (await runs.isToStop(tx, this.#held)) return this.#enter(tx, 'stopped', null)
      await this.#require(await runs.updateHeld(tx, this.#held, { owner: null, status: 'starting' }))
      await runs.updatePipelineOf(tx, this.#held.runId, { status: 'starting', error: null })
    })
  }

  async #fail(error: unknown): Promise<void> {
    const thrown = error instanceof NodeFault ? error : new NodeFault('transient', 'unexpected', messageOf(error))
    if (this.#isLost || thrown.code === 'run_lost') return
    if (this.#isStopping) return this.#end('stopped')
    if (this.#isGivingBack) return this.#release()
    const { clock, suspects } = this.#needs
    const death = this.#host?.death
    if (death !== undefined) suspects.add(this.#held.runId, clock.now())
    if (death !== undefined && death.runs > 1) return this.#beginAlone(death)
    const fault = death === undefined ? thrown : faultOfDeath(death)
    this.#failures += 1
    const { error: runError, retryInMs } = judge(fault, this.#failures, this.#troubles.error, clock.now())
    const isFinal = retryInMs === undefined
    this.retryInMs = retryInMs
    const where = fault.nodeId === undefined ? '' : ` at ${fault.nodeId}`
    this.#note('error', `${isFinal ? 'Failed' : 'Starts again'}${where}: ${fault.message} (${fault.code})`)
    if (isFinal) this.#announce('failed', {})
    if (isFinal) this.#tell('warn', 'a pipeline failed', runError)
    await this.#conclude(async (tx) => {
      if (await runs.isToStop(tx, this.#held)) return this.#enter(tx, 'stopped', null)
      if (isFinal) return this.#enter(tx, 'failed', runError)
      const dueMs = clock.now() + retryInMs
      const change = { owner: null, status: 'starting' as const, failures: this.#failures, due_ms: dueMs }
      await this.#require(await runs.updateHeld(tx, this.#held, { ...change, error: runs.errorText(runError) }))
      await runs.updatePipelineOf(tx, this.#held.runId, { status: 'starting', error: runs.errorText(runError) })
      return 'starting'
    })
  }

  /** Which of the runs it was that ended their process is not known: that it begins again is no failure of this one. */
  async #beginAlone(death: Death): Promise<void> {
    const why = death.isMemory ? 'took more memory than it may have' : `ended (${death.signal})`
    this.#note(
      'warn',
      `Begins again, for a while alone: the process that it shared with ${death.runs - 1} others ${why}`
    )
    await this.#conclude(async (tx) => {
      if (await runs.isToStop(tx, this.#held)) return this.#enter(tx, 'stopped', null)
      const error = runs.errorText(this.#troubles.error)
      await this.#require(await runs.updateHeld(tx, this.#held, { owner: null, status: 'starting', error }))
      await runs.updatePipelineOf(tx, this.#held.runId, { status: 'starting', error })
      return 'starting'
    })
  }

  async #enter(
    tx: Db,
    status: PipelineState,
    error: RunError | null,
    more: Partial<RunRow> = {}
  ): Promise<PipelineState> {
    const isOver = status === 'completed' || status === 'stopped' || status === 'failed'
    if (isOver) this.#needs.suspects.forget(this.#held.runId)
    const change = {
      status,
      error: runs.errorText(error),
      failures: this.#failures,
      ...more,
      ...(isOver && { ended_at: this.#needs.clock.iso(), owner: null }),
      ...(isOver && this.#replay && { replay: JSON.stringify({ ...this.#replay, tally: this.progress.tally }) })
    }
    await this.#require(await runs.updateHeld(tx, this.#held, change))
    if (isOver && this.#replay !== undefined) {
      await runs.restorePipelineOf(tx, this.#held.runId, this.#replay.was)
    } else await runs.updatePipelineOf(tx, this.#held.runId, { status, error: runs.errorText(error) })
    return status
  }

  async #require(isHeld: boolean): Promise<void> {
    if (isHeld) return
    this.#isLost = true
    throw new NodeFault('fatal', 'run_lost', 'Another replica has taken the run over')
  }

  async #update<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    await this.#require(!this.#isLost)
    return this.#needs.metadata.transaction(work)
  }

  /** What becomes of the run here, and in the totals. */
  async #conclude(work: (tx: Db) => Promise<PipelineState>): Promise<void> {
    const state = await this.#update(work)
    this.#needs.totals.entered(this.#replay === undefined ? 'normal' : 'replay', state)
  }

  /** For lineage: what the run read and wrote. */
  #announce(status: string, columns: Readonly<Record<string, readonly Column[]>>): void {
    const { pipelineId, runId } = this.#held
    const outputs = referencesOf(this.#nodes, columns, false)
    const inputs = this.#replay === undefined ? referencesOf(this.#nodes, columns, true) : []
    this.#needs.bus.publish({ type: 'pipeline-run.ended', id: runId, pipelineId, status, inputs, outputs })
  }

  #stop(): void {
    const host = this.#host
    this.#waiting.abort()
    if (host === undefined) return
    void host.call('stop', this.#held.runId).catch(() => {})
    const cancel = this.#needs.clock.after(STOP_LIMIT_MS, () => void host.kill())
    void this.ended.then(cancel)
  }

  /** In the log of the server. */
  #tell(level: 'info' | 'warn', what: string, error?: RunError): void {
    const { pipelineId, runId } = this.#held
    this.#needs.log[level]({ pipelineId, runId, ...error }, what)
  }

  /** In the log of the pipeline. */
  #note(level: LogLine['level'], message: string): void {
    this.log({ level, node: null, message })
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
