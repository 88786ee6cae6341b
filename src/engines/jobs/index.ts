import type { Bus } from '../bus/index.ts'
import type { Clock } from '../clock.ts'
import type { MakeId } from '../ids.ts'
import type { Db, Metadata } from '../metadata/index.ts'
import { enqueueJob, enqueueJobs, ensureRecurring } from './enqueue.ts'
import { cancelJob, getJob } from './jobs.ts'
import { conclude, type Lease } from './lease.ts'
import { DEFAULT_CONCURRENCY } from './limits.ts'
import { PRUNE_EVERY_MS, PRUNE_KIND, pruneFinished } from './prune.ts'
import { Rest } from './rest.ts'
import { type Handler, Runner } from './runner.ts'
import { countJobs, troubleOf } from './stats.ts'

declare module '../bus/index.ts' {
  interface Events {
    /** There may be jobs to run now. */
    'job.queued': object
  }
}

export { LeaseLost, PermanentFailure } from './errors.ts'
export type { Lease } from './lease.ts'
export { CONCLUDED } from './outcome.ts'
export { jobMigrations } from './table.ts'

/**
 * Background work that survives crashes and is shared by all replicas. A job is tried at least once: a process may die
 * between a worker's last commit and the note that it has ended, so a worker whose work must not be done twice leaves
 * a mark in that commit and looks for it first.
 */
export interface Jobs {
  /** Registers the worker of a kind, which runs up to `concurrency` (4) at once in this process; call before start. */
  handle<P>(kind: string, worker: Worker<P>, options?: { concurrency?: number }): void
  /**
   * Adds a job within the caller's transaction: it exists exactly if the change that asked for it does. A `key` makes
   * it unique among unfinished jobs of its kind: the existing id is answered, and one that is still queued does not
   * start before the caller's transaction has ended, so it sees the change.
   */
  enqueue(tx: Db, job: NewJob): Promise<string>
  /** Adds many jobs at once, without keys; answers their ids in the same order. */
  enqueueAll(tx: Db, jobs: readonly Omit<NewJob, 'key'>[]): Promise<string[]>
  /**
   * To be called once the transaction of `enqueue` is committed: the job then starts now rather than within a second.
   */
  wake(): void
  /**
   * Runs `kind` about every `everyMs`, once among all replicas, whatever happens. The first time is at once. While
   * `isNeeded` says that there is nothing to do, nothing is written; it is asked every `everyMs` then.
   */
  every(kind: string, everyMs: number, worker: Worker<null>, isNeeded?: (db: Db) => Promise<boolean>): void
  /**
   * Ends runs of this process within the caller's transaction, which holds what they have done: for workers that do small
   * things in great numbers, and write them down together. Answers the ids of those that hold their lease; of the
   * others, which were lost to another run, nothing may be written. The worker then answers `CONCLUDED`.
   */
  conclude(tx: Db, leases: readonly Lease[]): Promise<ReadonlySet<string>>
  /** A queued job is cancelled at once, a running one within 2 s or so; false for one that is finished or unknown. */
  cancel(tx: Db, id: string): Promise<boolean>
  get(db: Db, id: string): Promise<Job | undefined>
  start(): Promise<void>
  /** Takes no more, aborts what runs after `graceMs`, gives leases back so that another replica goes on at once. */
  stop(graceMs: number): Promise<void>
  /** For metrics. Recurring work that waits for its time is not counted, and counting ends at 10,000. */
  stats(): Promise<JobStats>
  /** For health: what somebody should look at. */
  trouble(): Promise<JobTrouble>
}

/**
 * What it resolves to is kept as JSON of at most 64 KiB. Once its signal has aborted it counts as stopped, however it
 * ends; 5 s later it is abandoned and its commits are refused.
 */
export type Worker<P> = (job: RunningJob<P>) => Promise<unknown>

export interface RunningJob<P> {
  readonly id: string
  readonly payload: P
  /** 1 for the first attempt. */
  readonly attempt: number
  /** For `Jobs.conclude`. */
  readonly lease: Lease
  /** Aborts on timeout, deadline, cancellation, shutdown, or when another run has taken over. */
  readonly signal: AbortSignal
  /** Tells how far it is, from 0 to 1; seen by others within about 2 s. */
  progress(fraction: number, note?: string): void
  /**
   * Commits through the lease: the transaction fails with `LeaseLost` if this run no longer holds it, so that a run
   * which was taken over can change nothing. `work` keeps to the rules of `Metadata.transaction`.
   */
  commit<T>(work: (tx: Db) => Promise<T>): Promise<T>
}

export interface NewJob {
  readonly kind: string
  /** JSON of at most 64 KiB, and nothing secret: it is kept as it is. */
  readonly payload: unknown
  readonly key?: string
  /** ISO 8601; now unless given. */
  readonly runAt?: string
  /** 5 unless given. */
  readonly maxAttempts?: number
  /** The limit of one attempt; 10 minutes unless given. */
  readonly timeoutMs?: number
  /** ISO 8601; a job that has not succeeded by then has failed, whether it waits or runs. */
  readonly deadlineAt?: string
}

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

export interface JobError {
  readonly code: string
  readonly message: string
}

export interface Job {
  readonly id: string
  readonly kind: string
  readonly state: JobState
  readonly payload: unknown
  readonly attempts: number
  readonly maxAttempts: number
  readonly runAt: string
  readonly deadlineAt: string | null
  readonly cancelRequested: boolean
  readonly progress: number
  readonly progressNote: string | null
  readonly result: unknown
  /** The error of the last failed attempt, also while another one waits or runs. */
  readonly error: JobError | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

export interface JobStats {
  readonly queued: number
  /** Running jobs, recurring ones included. */
  readonly running: number
  /** Jobs given up within the last seven days, after which they are deleted. */
  readonly failed: number
  /** How long the job that should have started first has been waiting; 0 when none is due. */
  readonly oldestQueuedMs: number
}

/** Kinds, and how many jobs of each. */
export type KindCounts = readonly { readonly kind: string; readonly count: number }[]

export interface JobTrouble {
  /** Jobs that failed three times or more; of recurring work, those that failed the last time. */
  readonly failing: KindCounts
  /** Jobs given up within the last hour. */
  readonly givenUp: KindCounts
}

export interface FailedAttempt {
  readonly kind: string
  readonly jobId: string
  readonly attempts: number
  readonly error: JobError
}

export interface JobsOptions {
  readonly metadata: Metadata
  readonly bus: Bus
  readonly clock: Clock
  readonly makeId: MakeId
  /** Called with errors that no caller sees, such as that of a poll while the database is away. */
  readonly onError: (error: unknown) => void
  /** Called with the reason of a failed attempt, so that it is in the log and not only in the row. */
  readonly onFailure?: (failure: FailedAttempt) => void
  /** The holder of leases, for people to read; a part that is new for each process is added. */
  readonly owner?: string
}

export function createJobs(options: JobsOptions): Jobs {
  const { metadata, bus, clock, makeId, onError, onFailure = () => {}, owner = 'replica' } = options
  const handlers = new Map<string, Handler>()
  const recurring = new Map<string, number>()
  // A process must not take over leases of an earlier one on the same host, so its name has a random part.
  const runner = new Runner({ metadata, bus, clock, onError, onFailure, handlers, owner: makeId(owner) })

  function register(kind: string, handler: Handler): void {
    if (runner.started) throw new Error(`Register the worker of '${kind}' before jobs are started`)
    if (handlers.has(kind)) throw new Error(`There is a worker for '${kind}' already; give this one another kind`)
    if (!(handler.concurrency >= 1)) throw new Error(`The concurrency of '${kind}' has to be 1 or more`)
    handlers.set(kind, handler)
  }

  const jobs: Jobs = {
    handle<P>(kind: string, worker: Worker<P>, options: { concurrency?: number } = {}) {
      const { concurrency = DEFAULT_CONCURRENCY } = options
      register(kind, { worker: worker as Worker<unknown>, concurrency })
    },
    enqueue: (tx, job) => enqueueJob(tx, job, makeId('job'), clock.now()),
    enqueueAll: (tx, jobs) => enqueueJobs(tx, jobs, makeId, clock.now()),
    wake: () => bus.publish({ type: 'job.queued' }),
    every(kind, everyMs, worker, isNeeded) {
      if (!(everyMs >= 1)) throw new Error(`'${kind}' has to recur every 1 ms or more`)
      const rest =
        isNeeded === undefined ? undefined : new Rest({ clock, everyMs, isNeeded: () => isNeeded(metadata.db) })
      register(kind, { worker: (rest?.around(worker) ?? worker) as Worker<unknown>, concurrency: 1, rest })
      recurring.set(kind, everyMs)
    },
    conclude: (tx, leases) => conclude(tx, leases, clock.now()),
    cancel: (tx, id) => cancelJob(tx, id, clock.iso()),
    get: getJob,
    async start() {
      await metadata.transaction((tx) => ensureRecurring(tx, recurring, clock.now()))
      runner.start()
    },
    stop: (graceMs) => runner.stop(graceMs),
    stats: () => countJobs(metadata.db, clock.now()),
    trouble: () => troubleOf(metadata.db, clock.now())
  }
  jobs.every(PRUNE_KIND, PRUNE_EVERY_MS, pruneFinished(clock))
  return jobs
}
