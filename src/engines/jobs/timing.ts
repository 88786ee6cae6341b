import type { Clock } from '../clock.ts'

/**
 * Does `work`, which never rejects, every `ms`, counted from the end of the last time. The returned function ends it
 * and resolves once nothing of it is under way.
 */
export function repeat(clock: Clock, ms: number, work: () => Promise<void>): () => Promise<void> {
  let ended = false
  let working: Promise<void> | undefined
  let cancel = clock.after(ms, fire)
  function fire(): void {
    working = work().then(() => {
      if (!ended) cancel = clock.after(ms, fire)
    })
  }
  return async () => {
    ended = true
    cancel()
    await working
  }
}

export function wait(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve))
}

/** Waits no longer than `ms`: a server that vanished without a word would otherwise be waited for until TCP gives up. */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const cancel = clock.after(ms, () => late.reject(new Error(`The database has not answered for ${ms / 1000} s`)))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    cancel()
  }
}
