import type { Bus } from '../../../engines/bus/index.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Log } from '../../../engines/log.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { NodeFault } from '../contract/context.ts'
import type { Gateway } from '../contract/gateway.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { LineageTeller } from '../lineage/sightings.ts'
import type { Commit, DeadLetter } from '../protocol/checkpoint.ts'
import { GATEWAY_METHODS, type HostCalls, type RunFigures, type ServerCalls } from '../protocol/protocol.ts'
import type { Activity, LogLine, ReplayOrder, Trouble } from '../protocol/run-spec.ts'
import type { RunRow } from '../store/rows.ts'
import { Hosts, type HostsSettings } from './hosts.ts'
import type { KeptFiles } from './kept-files.ts'
import type { LogKeeper } from './log-keeper.ts'
import type { ReplayProgress } from './replay-progress.ts'
import type { Tally } from './replay-run.ts'
import { RunKeeper } from './run-keeper.ts'
import * as runs from './runs.ts'
import { Suspects } from './suspects.ts'
import { Totals } from './totals.ts'
import { Trials } from './trials.ts'

/** A replica that has not been heard of for so long is gone; what it ran is taken over in less than 10 s. */
const DEAD_AFTER_MS = 6000
const BEAT_EVERY_MS = 1500
const SWEEP_EVERY_MS = 1000
const MAX_CLAIMS = 50
const FORGET_AFTER_MS = 3_600_000

export interface SupervisorNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly bus: Bus
  readonly log: Log
  readonly gateway: Gateway
  readonly keptFiles: KeptFiles
  readonly logs: LogKeeper
  readonly hosts: HostsSettings
  readonly lineage: LineageTeller
  /** See `levels.ts`. */
  requireLevels(): Promise<void>
  /** Hears that a connector could be read. */
  connectorWorks(connectorId: string): Promise<void>
  /** The nodes of a version, with their secrets. */
  definitionOf(pipelineId: string, version: number): Promise<readonly PipelineNode[]>
}

/** Sees to it that what is to run runs, on some replica, once. */
export class Supervisor {
  readonly totals = new Totals()
  readonly #needs: SupervisorNeeds
  readonly #owner: string
  readonly #hosts: Hosts
  readonly #trials: Trials
  readonly #suspects = new Suspects()
  readonly #keepers = new Map<string, RunKeeper>()
  #cancelTimers: (() => void)[] = []
  #sweeping: Promise<void> | undefined
  #isWanted = false
  #isStopped = true
  #beatAt = 0

  constructor(needs: SupervisorNeeds) {
    this.#needs = needs
    this.#owner = needs.makeId('own')
    const server = this.#serverCalls()
    this.#hosts = new Hosts(needs.hosts, server, () => this.totals.died(needs.clock.now()))
    const { folder, allowPrivateNetworks, allowedHosts } = needs.hosts
    this.#trials = new Trials({ folder: `${folder}-trials`, allowPrivateNetworks, allowedHosts }, server, needs.clock)
  }

  async start(): Promise<void> {
    const { metadata, bus } = this.#needs
    this.#isStopped = false
    await this.#beat()
    if (metadata.dialect === 'sqlite') await metadata.transaction((tx) => runs.forgetOtherOwners(tx, this.#owner))
    const unsubscribe = bus.subscribe('pipeline.*', () => this.sweep())
    this.#cancelTimers = [
      unsubscribe,
      this.#repeat(BEAT_EVERY_MS, () => this.#beat()),
      this.#repeat(SWEEP_EVERY_MS, () => this.sweep())
    ]
    // Before anybody can ask: what a process that was killed ran does not run now.
    await this.#claim()
    this.sweep()
  }

  /** Gives its runs back: another replica, or the next start, goes on with them. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const cancel of this.#cancelTimers) cancel()
    await this.#sweeping
    await Promise.all([...this.#keepers.values()].map((keeper) => keeper.giveBack()))
    await Promise.all([this.#hosts.close(), this.#trials.close()])
    await this.#needs.logs.flush()
  }

  /** Looks at once what there is to do. */
  sweep(): void {
    if (this.#isStopped) return
    this.#isWanted = true
    this.#sweeping ??= this.#sweepWhileWanted().finally(() => {
      this.#sweeping = undefined
    })
  }

  /** What a run of this replica has counted that is not committed yet. */
  figuresOf(runId: string): RunFigures | undefined {
    return this.#keepers.get(runId)?.figures
  }

  /** Records for a run of this replica. */
  async feed(runId: string, nodeId: string, body: Uint8Array, requestId: string) {
    const keeper = this.#keepers.get(runId)
    if (keeper === undefined) throw new NodeFault('transient', 'not_running', 'The pipeline does not take records now')
    return keeper.feed(nodeId, body, requestId)
  }

  /** Dead letters for a run of this replica, once more; answers once all are committed. */
  async replay(runId: string, order: ReplayOrder, tally: Tally): Promise<void> {
    const keeper = this.#keepers.get(runId)
    if (keeper === undefined) throw new NodeFault('transient', 'not_running', 'The pipeline does not run now')
    return keeper.replay(order, tally)
  }

  /** How far a run of this replica is with dead letters; undefined where another has it. */
  progressOf(runId: string): ReplayProgress | undefined {
    return this.#keepers.get(runId)?.progress
  }

  /** The processes that run pipelines. */
  census() {
    return this.#hosts.census()
  }

  /** How far the sources of its runs are behind, as far as they know. */
  lagsMs(): number[] {
    const figures = [...this.#keepers.values()].flatMap((keeper) => Object.values(keeper.figures?.nodes ?? {}))
    return figures.flatMap(({ lagMs }) => (lagMs === null ? [] : [lagMs]))
  }

  /** Tries something that has nothing to do with a run, for somebody. */
  ask<M extends 'check' | 'preview'>(
    caller: string,
    method: M,
    ...args: Parameters<HostCalls[M]>
  ): Promise<Awaited<ReturnType<HostCalls[M]>>> {
    return this.#trials.ask(caller, method, ...args)
  }

  async #sweepWhileWanted(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false
      try {
        await this.#claim()
        await this.#lookAfter()
      } catch (error) {
        this.#needs.log.error({ err: error }, 'pipelines are not looked after and will be tried again')
      }
    }
  }

  async #claim(): Promise<void> {
    const { metadata, clock } = this.#needs
    const now = clock.now()
    const self = { id: this.#owner, kept: [...this.#keepers.keys()] }
    const found = await runs.findUnowned(metadata.db, now, now - DEAD_AFTER_MS, self, MAX_CLAIMS)
    for (const run of found) {
      if (this.#keepers.has(run.id)) continue
      const isMine = await metadata.transaction((tx) => runs.claimRun(tx, run, this.#owner))
      if (isMine) this.#keep({ ...run, owner: this.#owner, fence: run.fence + 1 })
    }
    if (found.length === MAX_CLAIMS) this.#isWanted = true
  }

  #keep(run: RunRow): void {
    const keeper = new RunKeeper(run, {
      ...this.#needs,
      hosts: this.#hosts,
      suspects: this.#suspects,
      totals: this.totals
    })
    this.#keepers.set(run.id, keeper)
    void keeper.ended.then(() => {
      this.#keepers.delete(run.id)
      if (this.#isStopped) return
      if (keeper.retryInMs === undefined || keeper.retryInMs === 0) this.sweep()
      else this.#needs.clock.after(keeper.retryInMs + 1, () => this.sweep())
    })
  }

  /** Whether one of its runs is to be stopped, or has been taken over. */
  async #lookAfter(): Promise<void> {
    const rows = await runs.statusOf(this.#needs.metadata.db, [...this.#keepers.keys()])
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const [runId, keeper] of this.#keepers) keeper.see(byId.get(runId))
  }

  async #beat(): Promise<void> {
    const { metadata, clock } = this.#needs
    const now = clock.now()
    await metadata.transaction(async (tx) => {
      await runs.beat(tx, this.#owner, now)
      if (now - this.#beatAt > FORGET_AFTER_MS) await runs.forgetOwners(tx, now - FORGET_AFTER_MS)
    })
    this.#beatAt = now
  }

  #repeat(everyMs: number, work: () => unknown): () => void {
    const { clock, log } = this.#needs
    let cancel = () => {}
    const arm = () => {
      cancel = clock.after(everyMs, async () => {
        try {
          await work()
        } catch (error) {
          log.error({ err: error }, 'pipelines: background work failed and will be tried again')
        }
        if (!this.#isStopped) arm()
      })
    }
    arm()
    return () => cancel()
  }

  #serverCalls(): ServerCalls {
    const keeperOf = (runId: string): RunKeeper => {
      const keeper = this.#keepers.get(runId)
      if (keeper === undefined) throw new NodeFault('fatal', 'run_lost', 'Another replica has taken the run over')
      return keeper
    }
    const gateway = GATEWAY_METHODS.map((method) => [
      method,
      (runId: string, ...args: unknown[]) => {
        // Of what is only looked at there is no run.
        if (method !== 'judgeSeries') keeperOf(runId)
        return (this.#needs.gateway[method] as (...args: unknown[]) => unknown)(...args)
      }
    ])
    return {
      ...Object.fromEntries(gateway),
      started: (runId: string) => keeperOf(runId).started(),
      commit: (runId: string, commit: Commit) => keeperOf(runId).commit(commit),
      stageLetters: (runId: string, letters: readonly DeadLetter[]) => keeperOf(runId).stage(letters),
      letters: (runId: string, order: ReplayOrder, after: string) => keeperOf(runId).letters(order, after),
      trouble: (runId: string, trouble: Trouble | null) => this.#keepers.get(runId)?.trouble(trouble),
      activity: (runId: string, activity: Activity | null) => void this.#keepers.get(runId)?.doing(activity),
      checkpointed: (_runId: string, tookMs: number) => this.totals.checkpoints.observe(tookMs / 1000),
      log: (runId: string, line: LogLine) => void this.#keepers.get(runId)?.log(line),
      figures: (runId: string, figures: RunFigures) => void this.#keepers.get(runId)?.report(figures)
    } as ServerCalls
  }
}
