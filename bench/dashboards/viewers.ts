// Many viewers of one dashboard, as a process of their own: each asks for all panels again and again, spread over the refresh.
import { Agent, request } from 'node:http'

interface Asked {
  readonly url: string
  readonly token: string
  readonly viewers: number
  readonly refreshMs: number
  readonly rounds: number
}

process.once('message', async (asked: Asked) => {
  process.send?.(await look(asked))
  process.disconnect?.()
})

async function look({ url, token, viewers, refreshMs, rounds }: Asked) {
  const agent = new Agent({ keepAlive: true, maxSockets: viewers })
  const latencies: number[] = []
  let [wrong, bytes] = [0, 0]
  const startMs = performance.now()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask = () =>
    new Promise<void>((resolve) => {
      const sentMs = performance.now()
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        response.on('data', (piece: Buffer) => {
          bytes += piece.length
        })
        response.on('end', () => {
          if (response.statusCode !== 200) wrong++
          latencies.push(performance.now() - sentMs)
          resolve()
        })
      })
      sent.on('error', () => {
        wrong++
        resolve()
      })
      sent.end('{}')
    })
  const view = async (offsetMs: number) => {
    for (let round = 0; round < rounds; round++) {
      const dueMs = startMs + offsetMs + round * refreshMs
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
      await ask()
    }
  }
  await Promise.all(Array.from({ length: viewers }, (_, n) => view((n / viewers) * refreshMs)))
  agent.destroy()
  latencies.sort((a, b) => a - b)
  const at = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0
  return {
    requests: latencies.length,
    wrong,
    bytes,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    tookMs: performance.now() - startMs
  }
}
