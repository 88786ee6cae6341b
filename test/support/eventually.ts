import { setTimeout as delay } from 'node:timers/promises'

/**
 * Repeats `check` until it neither throws nor answers false; when the time is up it throws the last failure. Where nothing
 * promises a time, that is long enough for a machine that many suites share: it costs only what fails.
 */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = 120_000): Promise<T> {
  const end = performance.now() + timeoutMs
  for (;;) {
    try {
      const value = await check()
      if (value !== false) return value
      if (performance.now() > end) throw new Error(`still false after ${timeoutMs} ms`)
    } catch (error) {
      if (performance.now() > end) throw error
    }
    await delay(20)
  }
}
