import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { LostConnection } from './network-errors.ts'

const MAX_ATTEMPTS = 3
const FIRST_DELAY_MS = 100

export interface Repetition {
  /** Whether sending it again is harmless where an earlier attempt succeeded and only its answer was lost. */
  readonly repeatable: boolean
  /** Statuses that may be over in a moment. */
  readonly passing: ReadonlySet<number>
  readonly signal?: AbortSignal
}

/** Tries again where that may help and is harmless. */
export async function repeatedly(
  attempt: () => Promise<IncomingMessage>,
  { repeatable, passing, signal }: Repetition
): Promise<IncomingMessage> {
  for (let number = 1; ; number++) {
    const last = !repeatable || number === MAX_ATTEMPTS
    try {
      const answer = await attempt()
      if (last || !passing.has(answer.statusCode ?? 0)) return answer
      answer.destroy()
    } catch (error) {
      if (last || !(error instanceof LostConnection)) throw error
    }
    const delayMs = FIRST_DELAY_MS * 4 ** (number - 1) * (0.5 + Math.random())
    await delay(delayMs, undefined, signal === undefined ? {} : { signal })
  }
}
