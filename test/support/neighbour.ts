import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { ask } from './attack/client.ts'

const EVERY_MS = 10
const ENOUGH_WRITES = 20

interface Data {
  readonly url: string
  readonly token: string
  readonly neighbour: true
}

/** Writes a point every 10 ms, from a thread of its own, which the test can't hold up. */
export interface Neighbour {
  /** Ends it; answers how long each write took, in milliseconds, and all answers other than 204. */
  stop(): Promise<{ times: number[]; refusals: unknown[] }>
}

export function startNeighbour(url: string, token: string): Neighbour {
  const data: Data = { url, token, neighbour: true }
  const worker = new Worker(new URL(import.meta.url), { workerData: data })
  const told = once(worker, 'message')
  return {
    async stop() {
      worker.postMessage('stop')
      const [answer] = await told
      await worker.terminate()
      return answer
    }
  }
}

if (!isMainThread && workerData?.neighbour === true) void live(workerData as Data)

async function live({ url, token }: Data): Promise<void> {
  let isOver = false
  parentPort?.once('message', () => {
    isOver = true
  })
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  const refusals: unknown[] = []
  for (let point = 0; !isOver || times.length < ENOUGH_WRITES; point++) {
    const startedMs = performance.now()
    const body = `b value=${point} ${point}\n`
    const answer = await ask(url, '/api/v2/write?bucket=ada&precision=s', '127.0.0.2', {
      token,
      method: 'POST',
      body,
      agent
    }).catch((error: Error) => ({ status: 0, body: error.message }))
    times.push(performance.now() - startedMs)
    if (answer.status !== 204) refusals.push(answer)
    await setTimeout(EVERY_MS)
  }
  parentPort?.postMessage({ times, refusals })
}
