import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'
import { MadeUpAreas } from '../test/support/made-up/measure.ts'
import { median, putLoad, type Running, residentMb, startMillrace, startServer, tokenOf } from './support/servers.ts'

interface Case {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body?: string
  readonly public?: boolean
  /** The least share of the bare server's requests per second; none where the figure is only told. */
  readonly floor?: number
}

const ROUNDS = 5
const ROUND_MS = 2000
const CONNECTIONS = 32
const START_LIMIT_MS = 600
const MEMORY_LIMIT_MB = 120
/** For the first request to an area, which loads it. */
const FIRST_LIMIT_MS = 250
const MADE_UP_RATIO = 1.05
const MADE_UP_MB = 4

/** A question to each area, in an order in which none is loaded by the one before it where that can be helped. */
const FIRST = [
  '/api/classification/levels',
  '/api/audit/logs',
  '/api/api-keys',
  '/api/schemas',
  '/api/catalog/sources',
  '/api/storage/providers',
  '/api/buckets',
  '/api/pipelines'
]

/** The HTTP layer beside a bare Fastify that answers the same bytes; start-up and memory by themselves. */
export async function run(): Promise<boolean> {
  const started = await measureStart()
  const loaded = await measureFirstRequests()
  const isLight = await measureMadeUp()
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const millrace = await startMillrace({ RATE_LIMIT: '100000000', LOG_LEVEL: 'warn' })
  const token = await tokenOf(millrace)
  try {
    const cases = await prepareCases(millrace, token)
    const bare = await startBare(cases, millrace, token, folder)
    try {
      const passed = []
      for (const item of cases) passed.push(await compare(item, millrace, bare, token))
      return started && loaded && isLight && passed.every((ok) => ok)
    } finally {
      await bare.stop()
    }
  } finally {
    await millrace.stop()
    rmSync(folder, { recursive: true })
  }
}

async function measureStart(): Promise<boolean> {
  const readyMs: number[] = []
  const memoryMb: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startMillrace({ LOG_LEVEL: 'warn' })
    readyMs.push(server.readyMs)
    await delay(2000)
    memoryMb.push(residentMb(server.pid))
    await server.stop()
  }
  const [ready, memory] = [median(readyMs), median(memoryMb)]
  console.log(`start-up to ready  ${ready.toFixed(0)} ms (limit ${START_LIMIT_MS})`)
  console.log(`idle memory        ${memory.toFixed(0)} MB (limit ${MEMORY_LIMIT_MB})\n`)
  return ready < START_LIMIT_MS && memory < MEMORY_LIMIT_MB
}

async function measureMadeUp(): Promise<boolean> {
  const areas = new MadeUpAreas(20)
  try {
    const { ratio, moreMb } = await areas.cost()
    const figures = `${ratio.toFixed(3)} of the processor time (limit ${MADE_UP_RATIO}), ${moreMb.toFixed(1)} MB more`
    console.log(`start-up with 20 more areas of 30 routes: ${figures}\n`)
    return ratio < MADE_UP_RATIO && moreMb < MADE_UP_MB
  } finally {
    areas.remove()
  }
}

async function measureFirstRequests(): Promise<boolean> {
  const taken = new Map<string, number[]>(FIRST.map((path) => [path, []]))
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startMillrace({ LOG_LEVEL: 'warn' })
    const headers = { authorization: `Bearer ${await tokenOf(server)}` }
    await fetch(`http://127.0.0.1:${server.port}/api/users/me`, { headers })
    for (const path of FIRST) {
      const startedMs = performance.now()
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
      await answer.text()
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
      taken.get(path)?.push(performance.now() - startedMs)
    }
    await server.stop()
  }
  console.log(`first request to an area, which loads it (limit ${FIRST_LIMIT_MS} ms)`)
  const medians = [...taken].map(([path, ms]) => ({ path, ms: median(ms) }))
  for (const { path, ms } of medians) console.log(`  ${path.padEnd(28)} ${ms.toFixed(0).padStart(4)} ms`)
  console.log()
  return medians.every(({ ms }) => ms < FIRST_LIMIT_MS)
}

async function prepareCases({ port }: Running, token: string): Promise<Case[]> {
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return (await (await fetch(`http://127.0.0.1:${port}${path}`, init)).json()) as { user: { id: string } }
  }
  const { user } = await call('GET', '/api/users/me')
  for (let i = 0; i < 120; i++) await call('POST', '/api/api-keys', { name: `key ${i}` })
  return [
    { name: 'health', method: 'GET', path: '/api/health', status: 200, public: true, floor: 0.85 },
    { name: 'one resource', method: 'GET', path: `/api/users/${user.id}`, status: 200, floor: 0.55 },
    { name: 'list of 100', method: 'GET', path: '/api/api-keys', status: 200, floor: 0.6 },
    { name: 'list of 100 read anew', method: 'GET', path: '/api/audit/logs', status: 200 },
    {
      name: 'create with audit',
      method: 'POST',
      path: '/api/api-keys',
      status: 201,
      body: '{"name":"bench"}',
      floor: 0.24
    }
  ]
}

async function startBare(cases: readonly Case[], millrace: Running, token: string, folder: string): Promise<Running> {
  const answers = []
  for (const { method, path, status, body } of cases) {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' })
    }
    const init = { method, headers, ...(body !== undefined && { body }) }
    const response = await fetch(`http://127.0.0.1:${millrace.port}${path}`, init)
    answers.push({ method, path, status, body: await response.text() })
  }
  const file = join(folder, 'cases.json')
  writeFileSync(file, JSON.stringify(answers))
  const port = await freePort()
  return startServer(['bench/support/bare-api.ts'], port, '/ready', { CASES: file, PORT: String(port) })
}

async function compare(item: Case, millrace: Running, bare: Running, token: string): Promise<boolean> {
  const { method, path, body } = item
  const load = { method, path, connections: CONNECTIONS, ...(body !== undefined && { body }) }
  const ours = { ...load, port: millrace.port, ...(!item.public && { token }) }
  const theirs = { ...load, port: bare.port }
  await putLoad({ ...ours, durationMs: 1000 })
  await putLoad({ ...theirs, durationMs: 1000 })
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const bareResult = await putLoad({ ...theirs, durationMs: ROUND_MS })
    const result = await putLoad({ ...ours, durationMs: ROUND_MS })
    if (result.wrongStatus + bareResult.wrongStatus > 0) throw new Error(`${item.name}: not every answer was a success`)
    rounds.push({ ratio: result.requestsPerS / bareResult.requestsPerS, ...result, bare: bareResult.requestsPerS })
  }
  const ratio = median(rounds.map((round) => round.ratio))
  const ok = item.floor === undefined || ratio >= item.floor
  const figures = [
    item.name.padEnd(22),
    `${median(rounds.map((round) => round.requestsPerS))
      .toFixed(0)
      .padStart(6)}/s`,
    `bare ${median(rounds.map((round) => round.bare))
      .toFixed(0)
      .padStart(6)}/s`,
    `ratio ${ratio.toFixed(2)}`,
    item.floor === undefined ? 'no floor' : `floor ${item.floor}`,
    `p99 ${median(rounds.map((round) => round.p99Ms)).toFixed(1)} ms`,
    ok ? '' : 'BELOW'
  ]
  console.log(figures.join('  '))
  return ok
}
