import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

const EVERY_MS = 20
const ENOUGH_CALLS = 50

/** Calls an address every 20 ms, from a thread of its own, which the test can't hold up. */
export interface Pulse {
  /** The longest call since the last question, in milliseconds; waits until there were enough calls. */
  longestMs(): Promise<number>
  stop(): Promise<void>
}

export function startPulse(url: string): Pulse {
  const worker = new Worker(new URL(import.meta.url), { workerData: url })
  return {
    async longestMs() {
      worker.postMessage('tell')
      const [longestMs] = await once(worker, 'message')
      return longestMs
    },
    async stop() {
      await worker.terminate()
    }
  }
}

if (!isMainThread && typeof workerData === 'string') void beat(workerData)

async function beat(url: string): Promise<void> {
  let [longestMs, calls, isAsked] = [0, 0, false]
  parentPort?.on('message', () => {
    isAsked = true
  })
  for (;;) {
    const sentMs = performance.now()
    await (await fetch(url)).arrayBuffer()
    const tookMs = performance.now() - sentMs
    longestMs = Math.max(longestMs, tookMs)
    calls += 1
    if (isAsked && calls >= ENOUGH_CALLS) {
      parentPort?.postMessage(longestMs)
      ;[longestMs, calls, isAsked] = [0, 0, false]
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, EVERY_MS - tookMs)))
  }
}
