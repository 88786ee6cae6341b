import { Agent, request } from 'node:http'
import { createInstallation, startServer } from '../process.ts'
import { makeToken } from '../token.ts'

const TAGS = 10_000
const CONNECTIONS = 4
const STEP_S = 10
const START_S = 1_700_000_000
const MIB = 1024 * 1024
const MAX_RESIDENT_MIB = 1024
const MAX_READY_MS = 2000

/** Writes so many points of 10,000 tags over HTTP, watches the memory, restarts the server, and counts the points. */
export async function soakSeries(points: number, tell: (line: string) => void): Promise<boolean> {
  const { env, drop } = await createInstallation()
  const token = await makeToken(env, 'soak')
  const settings = { ...env, WRITE_RATE_LIMIT: '0', MAX_QUERY_POINTS: '10000000' }
  try {
    const first = await startServer(settings)
    const resident = watchMemory(first.url, token)
    const seconds = await writeMoments(first.url, token, Math.ceil(points / TAGS))
    const peakMib = resident.stop()
    tell(`${points} points in ${seconds.toFixed(0)} s, at most ${peakMib} MiB resident`)
    await first.stop('SIGKILL')
    const startedMs = performance.now()
    const second = await startServer(settings)
    const counted = await count(second.url, token)
    const readyMs = performance.now() - startedMs
    tell(`${counted} points there ${readyMs.toFixed(0)} ms after the start that followed kill -9`)
    await second.stop()
    return peakMib < MAX_RESIDENT_MIB && readyMs < MAX_READY_MS && counted === Math.ceil(points / TAGS) * TAGS
  } finally {
    await drop()
  }
}

/** Watches the largest memory of the server. */
function watchMemory(url: string, token: string) {
  let peakBytes = 0
  const timer = setInterval(async () => {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(await answer.text()) ?? []
    peakBytes = Math.max(peakBytes, Number(bytes))
  }, 250)
  return {
    stop() {
      clearInterval(timer)
      return Math.round(peakBytes / MIB)
    }
  }
}

/** Every request holds all tags at one moment. */
async function writeMoments(url: string, token: string, moments: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const options = { method: 'POST', agent, headers: { authorization: `Token ${token}` } }
  let next = 0
  const one = async () => {
    while (next < moments) {
      const body = momentBody(next++)
      while (!(await post(`${url}/api/v2/write?bucket=soak`, options, body))) await new Promise(setImmediate)
    }
  }
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
  agent.destroy()
  return (performance.now() - startedMs) / 1000
}

function momentBody(moment: number): string {
  const time = `${START_S + moment * STEP_S}000000000`
  const lines: string[] = []
  for (let tag = 0; tag < TAGS; tag++) {
    lines.push(`cpu,host=h${tag} usage=${((tag * 7919 + moment * 104_729) % 10_007) / 100} ${time}`)
  }
  return lines.join('\n')
}

/** False where the server asks the client to wait. */
function post(url: string, options: object, body: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      answer.resume()
      answer.on('end', () => {
        if (answer.statusCode === 204) resolve(true)
        else if (answer.statusCode === 503) resolve(false)
        else reject(new Error(`A write was answered ${answer.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function count(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const listed = await fetch(`${url}/api/catalog/sources?q=soak`, { headers })
  const { sources } = (await listed.json()) as { sources: { pointCount: number }[] }
  return sources[0]?.pointCount ?? 0
}
