import { setTimeout as delay } from 'node:timers/promises'
import type { NodeFault } from '../contract/context.ts'
import { toFault } from '../contract/faults.ts'

const FIRST_WAIT_MS = 250
const MAX_WAIT_MS = 15_000
/** With the waits in between, that is about five minutes in which an outside system may be away. */
const MAX_TRIES = 26
/** Waiting seldom helps where memory is used up. After so many tries the run begins anew, with nothing held, or is given up. */
const MAX_TRIES_WITHOUT_MEMORY = 2

export interface RetryOptions {
  readonly signal: AbortSignal
  /** Told of every failure that is tried again. */
  onFault(fault: NodeFault, waitMs: number): void
}

/** Tries again what failed for a while, ever more slowly, and gives up with the last fault. */
export async function withRetries<T>(work: () => Promise<T>, { signal, onFault }: RetryOptions): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const fault = toFault(error)
      const maxTries = fault.code === 'out_of_memory' ? MAX_TRIES_WITHOUT_MEMORY : MAX_TRIES
      if (signal.aborted || fault.kind !== 'transient' || tries >= maxTries) throw fault
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS)
      onFault(fault, waitMs)
      await delay(waitMs, undefined, { signal })
    }
  }
}
