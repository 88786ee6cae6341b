import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createInstallation, startServer } from './process.ts'
import { makeToken } from './token.ts'

const MIB = 1024 * 1024
const TAGS = 1000
/**
 * Before the memory is measured, files of points were sealed, and some of them merged into one: by then libraries are loaded and
 * buffers have their full size. On a busy machine that comes later than usual, since it is done when there is nothing else to do.
 */
const WARM_MOMENTS = 5000
const MAX_WARM_MOMENTS = 20_000
const OBJECTS = 20
/** How often the memory is measured in a tenth of the time. */
const LOOKS_IN_TENTH = 12
/** How many requests of a kind may be under way at once: a slow server gets fewer of them. */
const MAX_UNDER_WAY = 8

/** A request that is sent again and again. */
interface Habit {
  readonly everyMs: number
  send(number: number): Promise<Response>
}

export interface MemorySoak {
  /** Memory of the server alone, after the first tenth of the time and in the last: medians of several measurements. */
  readonly firstMib: number
  readonly lastMib: number
  readonly peakMib: number
  readonly answers: number
  readonly failures: readonly string[]
}

/** Sends points, queries, objects and metadata at an even pace for so long, and watches the memory of the server. */
export async function soakMemory(minutes: number, tell: (line: string) => void): Promise<MemorySoak> {
  const { env, drop } = await createInstallation()
  const token = await makeToken(env, 'soak')
  const server = await startServer({ ...env, WRITE_RATE_LIMIT: '0' })
  const looks: number[] = []
  await fetch(`${server.url}/api/buckets`, requestOf(token, 'POST', JSON.stringify({ name: 'soak' })))
  const warmed = await warmUp(server.url, token, env.DATA_DIR as string)
  const traffic = keepUp(habitsOf(server.url, token, warmed))
  try {
    for (let tenth = 1; tenth <= 10; tenth++) {
      for (let look = 0; look < LOOKS_IN_TENTH; look++) {
        await delay((minutes * 60_000) / 10 / LOOKS_IN_TENTH)
        looks.push(residentMib(server.pid))
      }
      tell(`${Math.round(looks.at(-1) as number)} MiB resident after ${tenth} tenths, ${traffic.answers} answers`)
    }
  } finally {
    await traffic.stop()
    await server.stop()
    await drop()
  }
  const half = LOOKS_IN_TENTH / 2
  return {
    firstMib: median(looks.slice(half, LOOKS_IN_TENTH + half)),
    lastMib: median(looks.slice(-LOOKS_IN_TENTH)),
    peakMib: Math.max(...looks),
    answers: traffic.answers,
    failures: traffic.failures
  }
}

/** Answers how many moments it has written. */
async function warmUp(url: string, token: string, folder: string): Promise<number> {
  let next = 0
  let most = 0
  const isWarm = () => {
    const files = globSync('**/*.parquet', { cwd: folder }).length
    most = Math.max(most, files)
    return next >= WARM_MOMENTS && files < most
  }
  const one = async (until: number) => {
    while (next < until) await (await writeMoment(url, token, next++)).text()
  }
  while (!isWarm() && next < MAX_WARM_MOMENTS) {
    const until = next + 100
    await Promise.all([one(until), one(until)])
  }
  return next
}

function keepUp(habits: readonly Habit[]) {
  const traffic = { answers: 0, failures: [] as string[], stop }
  const underWay = new Set<Promise<void>>()
  const timers = habits.map(({ everyMs, send }) => {
    let [number, own] = [0, 0]
    return setInterval(() => {
      if (own >= MAX_UNDER_WAY) return
      own += 1
      const sent = send(number++)
        .then(async (response) => {
          const text = await response.text()
          traffic.answers += 1
          if (!response.ok) traffic.failures.push(`${response.status} ${response.url} ${text.slice(0, 200)}`)
        })
        .catch((error) => void traffic.failures.push(String(error)))
        .finally(() => {
          own -= 1
          underWay.delete(sent)
        })
      underWay.add(sent)
    }, everyMs)
  })
  async function stop(): Promise<void> {
    for (const timer of timers) clearInterval(timer)
    await Promise.all(underWay)
  }
  return traffic
}

/** `first` is the first moment that was not written yet. */
function habitsOf(url: string, token: string, first: number): Habit[] {
  const content = randomBytes(MIB)
  const get = (path: string) => fetch(`${url}/api${path}`, requestOf(token, 'GET'))
  const post = (path: string, body: unknown) =>
    fetch(`${url}/api${path}`, requestOf(token, 'POST', JSON.stringify(body)))
  return [
    { everyMs: 25, send: (number) => writeMoment(url, token, first + number) },
    { everyMs: 100, send: () => get('/catalog/sources?limit=50') },
    { everyMs: 200, send: (number) => post('/classification/resources', marking(number)) },
    { everyMs: 200, send: () => get('/audit/logs?limit=50') },
    {
      everyMs: 500,
      send: (number) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' }
        return fetch(`${url}/api/buckets/soak/objects/${number % OBJECTS}`, { method: 'PUT', headers, body: content })
      }
    },
    { everyMs: 500, send: () => get('/buckets/soak/objects?limit=50') }
  ]
}

const requestOf = (token: string, method: string, body?: string): RequestInit => ({
  method,
  headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...(body !== undefined && { body })
})

const marking = (number: number) => ({ resource: { type: 'dashboard', id: `d-${number}` }, level: 'internal' })

const writeMoment = (url: string, token: string, number: number) =>
  fetch(`${url}/api/v2/write?bucket=soak&precision=s`, {
    method: 'POST',
    headers: { authorization: `Token ${token}` },
    body: moment(number)
  })

/** The points of all tags at one moment. */
function moment(number: number): string {
  const time = 1_700_000_000 + number * 10
  return Array.from({ length: TAGS }, (_, tag) => `t${tag} value=${(tag + number) % 977} ${time}`).join('\n')
}

function residentMib(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
