import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../test/support/free-port.ts'
import { fillRegistry } from './schemas/fill.ts'
import type { Load } from './support/load.ts'
import { median, putLoad, type Running, startMillrace, startServer, tokenOf } from './support/servers.ts'

const ROUNDS = 5
const ROUND_MS = 2000
const CONNECTIONS = 32
const FETCH_FLOOR = 0.5
const CHECK_FLOOR = 3000
const REGISTER_FLOOR = 1000
const STORED = 100_000
const START_LIMIT_MS = 1000

const order = (field: string) =>
  JSON.stringify({
    type: 'record',
    name: 'Order',
    namespace: 'shop',
    fields: [
      { name: 'id', type: 'long' },
      { name: 'customer', type: ['null', 'string'], default: null },
      { name: 'total', type: { type: 'bytes', logicalType: 'decimal', precision: 12, scale: 2 } },
      { name: field, type: 'string', default: '' }
    ]
  })

/** The registry beside a bare Fastify that answers the same bytes; checks and registrations by themselves. */
export async function run(): Promise<boolean> {
  const server = await startMillrace({ RATE_LIMIT: '100000000', LOG_LEVEL: 'warn' })
  const token = await tokenOf(server)
  try {
    const id = await register(server, token)
    const passed = [
      await fetches(server, token),
      await rate('compatibility check of a small Avro schema', CHECK_FLOOR, server, {
        method: 'POST',
        path: `/api/schemas/${id}/compatibility`,
        body: JSON.stringify({ schema: order('note_{000000}') }),
        token
      }),
      await rate('registration of a new schema', REGISTER_FLOOR, server, {
        method: 'POST',
        path: '/schema-registry/subjects/bench-{n}/versions',
        body: JSON.stringify({ schema: order('field_{000000}') }),
        token
      }),
      await rate('registration of the same schema again', undefined, server, {
        method: 'POST',
        path: '/schema-registry/subjects/orders-value/versions',
        body: JSON.stringify({ schema: order('note') }),
        token
      })
    ]
    passed.push(await startWithMany())
    return passed.every((ok) => ok)
  } finally {
    await server.stop()
  }
}

async function register({ port }: Running, token: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/schemas`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'orders-value', type: 'avro', schema: order('note') })
  })
  return ((await response.json()) as { id: string }).id
}

async function fetches(server: Running, token: string): Promise<boolean> {
  const path = '/schema-registry/schemas/ids/1'
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { authorization: `Bearer ${token}` }
  })
  const file = join(folder, 'cases.json')
  writeFileSync(file, JSON.stringify([{ method: 'GET', path, status: 200, body: await answer.text() }]))
  const port = await freePort()
  const bare = await startServer(['bench/support/bare-api.ts'], port, '/ready', { CASES: file, PORT: String(port) })
  try {
    const load = { method: 'GET', path, connections: CONNECTIONS }
    const ratios: number[] = []
    const figures: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const theirs = await measure({ ...load, port, durationMs: ROUND_MS })
      const ours = await measure({ ...load, port: server.port, token, durationMs: ROUND_MS })
      if (round === 0) continue // to warm up
      ratios.push(ours / theirs)
      figures.push(ours)
    }
    const ratio = median(ratios)
    const ok = ratio >= FETCH_FLOOR
    console.log(
      `fetch by id: ${median(figures).toFixed(0)}/s, ratio to bare Fastify ${ratio.toFixed(2)} (floor ${FETCH_FLOOR})${ok ? '' : '  BELOW'}`
    )
    return ok
  } finally {
    await bare.stop()
    rmSync(folder, { recursive: true })
  }
}

async function rate(
  name: string,
  floor: number | undefined,
  { port }: Running,
  load: Pick<Load, 'method' | 'path' | 'body' | 'token'>
): Promise<boolean> {
  const figures: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const figure = await measure({
      ...load,
      port,
      connections: CONNECTIONS,
      durationMs: ROUND_MS,
      first: round * 1_000_000
    })
    if (round > 0) figures.push(figure)
  }
  const ok = floor === undefined || median(figures) >= floor
  console.log(
    `${name}: ${median(figures).toFixed(0)}/s (${floor === undefined ? 'no floor' : `floor ${floor}`})${ok ? '' : '  BELOW'}`
  )
  return ok
}

async function measure(load: Load): Promise<number> {
  const { requestsPerS, wrongStatus } = await putLoad(load)
  if (wrongStatus > 0) throw new Error(`${load.method} ${load.path}: not every answer was a success`)
  return requestsPerS
}

/** A server that has a hundred thousand schemas starts as one that has none. */
async function startWithMany(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const start = async () => {
    const port = await freePort()
    return startServer(['src/main.js'], port, '/api/health', {
      DATA_DIR: folder,
      PORT: String(port),
      LOG_LEVEL: 'warn'
    })
  }
  try {
    await (await start()).stop()
    fillRegistry(join(folder, 'metadata.db'), STORED, order)
    const readyMs: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const server = await start()
      readyMs.push(server.readyMs)
      await server.stop()
    }
    const ready = median(readyMs)
    const ok = ready < START_LIMIT_MS
    console.log(
      `start-up with ${STORED} schemas: ${ready.toFixed(0)} ms (limit ${START_LIMIT_MS})${ok ? '' : '  ABOVE'}`
    )
    return ok
  } finally {
    rmSync(folder, { recursive: true })
  }
}
