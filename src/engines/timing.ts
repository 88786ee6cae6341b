import type { Clock } from './clock.ts'

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

/**
 * Waits for `work` at most `ms`; then `late` answers in its place, or throws, and `work` goes on alone. Otherwise a
 * server that vanished silently would be waited for until TCP gives up.
 */
export async function within<T, L>(clock: Clock, ms: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const passed = Promise.withResolvers<void>()
  const cancel = clock.after(ms, passed.resolve)
  try {
    return await Promise.race([work, passed.promise.then(late)])
  } finally {
    cancel()
  }
}

/** For `within`: throws an error with this message when it takes too long. */
export const failingWith = (message: string) => (): never => {
  throw new Error(message)
}

export const databaseWithin = <T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> =>
  within(clock, ms, work, failingWith(`The database has not answered for ${ms / 1000} s`))
