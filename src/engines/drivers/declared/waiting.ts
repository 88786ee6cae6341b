import type { Clock } from '../../clock.ts'

/** Waits so long, or until the signal ends it. */
export async function waited(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (ms <= 0) return
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const cancel = clock.after(ms, resolve)
  const end = () => reject(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  try {
    await promise
  } finally {
    cancel()
    signal.removeEventListener('abort', end)
  }
}
