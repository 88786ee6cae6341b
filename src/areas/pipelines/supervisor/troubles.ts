import { toIso } from '../../../engines/clock.ts'
import { NodeFault } from '../contract/context.ts'
import type { Trouble } from '../protocol/run-spec.ts'
import type { RunError, RunRow } from '../store/rows.ts'
import type { Death } from './host-process.ts'

/** Failures without a commit in between after which a run is given up. */
const MAX_FAILURES = 10
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 60_000
/** Fewer where memory is used up: that is no outage of another system, which would pass by itself. */
const MAX_FAILURES_WITHOUT_MEMORY = 5
const WAITS_WITHOUT_MEMORY_MS = [0, 5000, 15_000, 30_000]

/** Attempts before a trouble is told of. Fewer may have been an accident. */
const TOLD_AFTER_ATTEMPTS = 3
const TELL_EVERY_MS = 10_000

/** What is told of something that is tried again and again, and when. */
export class Troubles {
  #told: { readonly error: RunError; readonly atMs: number } | undefined
  /** What was told before this attempt at the run: where the same goes on, it goes on since then. */
  #before: RunError | undefined
  #isAgain = false

  /** What the last commit did not end, and an attempt before this one has told of. */
  constructor(run: Pick<RunRow, 'error' | 'failures' | 'started_at'>) {
    const error = run.error === null ? undefined : (JSON.parse(run.error) as RunError)
    if (error === undefined || (run.failures < 2 && (error.attempts ?? 0) < TOLD_AFTER_ATTEMPTS)) return
    this.#told = { error, atMs: Date.parse(run.started_at) }
    this.#before = error
  }

  /** Whether something has failed in this attempt, too, and did not work since. */
  get isAgain(): boolean {
    return this.#isAgain
  }

  /** What the run says of itself now. */
  get error(): RunError | null {
    return this.#told?.error ?? null
  }

  /** What is to be written down; undefined where nothing is new, or it was told just now. */
  tell(trouble: Trouble, nowMs: number): RunError | undefined {
    const { code, message, nodeId, sinceMs, attempts } = trouble
    this.#isAgain = true
    if (attempts < TOLD_AFTER_ATTEMPTS) return undefined
    const isOf = (told: RunError | undefined) => told?.code === code && told.nodeId === nodeId
    if (isOf(this.#told?.error) && nowMs - (this.#told?.atMs ?? 0) < TELL_EVERY_MS) return undefined
    const { since = toIso(sinceMs), attempts: earlier = 0 } = isOf(this.#before) ? (this.#before as RunError) : {}
    const error = { code, message, nodeId, since, attempts: earlier + attempts }
    this.#told = { error, atMs: nowMs }
    return error
  }

  /** Answers whether there was something to take back. */
  clear(): boolean {
    const wasTold = this.#told !== undefined
    this.#told = undefined
    this.#before = undefined
    this.#isAgain = false
    return wasTold
  }
}

export interface Judgement {
  readonly error: RunError
  /** Undefined where it is given up. */
  readonly retryInMs: number | undefined
}

/** What becomes of a run that has failed so many times in a row. */
export function judge(fault: NodeFault, failures: number, before: RunError | null, nowMs: number): Judgement {
  const { code, message, nodeId = null } = fault
  const isMemory = code === 'out_of_memory'
  const isFinal =
    fault.kind === 'fatal' ||
    fault.kind === 'records' ||
    failures >= (isMemory ? MAX_FAILURES_WITHOUT_MEMORY : MAX_FAILURES)
  if (isFinal) {
    const advice = isMemory ? `; ${failures} attempts in a row came no further. ${MEMORY_ADVICE}` : ''
    return { error: { code, message: `${message}${advice}`, nodeId }, retryInMs: undefined }
  }
  // The first time at once: whatever it was may have been an accident.
  const slower = failures === 1 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (failures - 2), MAX_WAIT_MS)
  const retryInMs = isMemory ? (WAITS_WITHOUT_MEMORY_MS[failures - 1] as number) : slower
  const { since = toIso(nowMs), attempts: earlier = 0 } = before?.code === code ? before : {}
  return { error: { code, message, nodeId, since, attempts: Math.max(failures, earlier + 1) }, retryInMs }
}

/** What a run has to answer for whose process ended while it had it to itself. */
export const faultOfDeath = ({ isMemory, signal }: Death): NodeFault =>
  isMemory
    ? new NodeFault('transient', 'out_of_memory', 'The process of the pipeline took more memory than it may have')
    : new NodeFault('transient', 'worker_died', `The process of the pipeline ended (${signal})`)

const MEMORY_ADVICE =
  'Give PIPELINE_MEMORY_MB more, make the fields of records shorter, or let windows and joins hold less'
