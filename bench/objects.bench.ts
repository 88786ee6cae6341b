import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { missingNginx, startNginx } from '../test/support/servers/nginx.ts'
import { median, putLoad, type Running, startMillrace, tokenOf } from './support/servers.ts'

const ROUNDS = 7
const LARGE_BYTES = 256 * 1024 * 1024
const SMALL_BYTES = 4096
const SMALL_MS = 3000
const CONNECTIONS = 32
const KEYS = 1_000_000
const LIST_LIMIT_MS = 50

interface Floor {
  /** The least share of nginx. */
  readonly ratio: number
  /** As good as the ratio: so many a second. */
  readonly perSecond?: number
}

interface Side {
  readonly url: string
  readonly port: number
  readonly token?: string
}

/** Object storage beside nginx (static files and WebDAV) on the same disk, and the listing of a large bucket. */
export async function run(): Promise<boolean> {
  const missing = missingNginx()
  if (missing !== undefined) throw new Error(missing)
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  mkdirSync(join(folder, 'nginx'))
  const nginx = await startNginx(join(folder, 'nginx'))
  const { millrace, token } = await startOnLargeIndex(join(folder, 'data'))
  try {
    const ours: Side = {
      url: `http://127.0.0.1:${millrace.port}/api/buckets/bench/objects/`,
      port: millrace.port,
      token
    }
    const theirs: Side = { url: `${nginx.url}/`, port: Number(new URL(nginx.url).port) }
    return [
      ...(await compareLarge(ours, theirs, folder)),
      await compareSmall('4 KB uploads', 'PUT', ours, theirs, { ratio: 0.4, perSecond: 2000 }),
      await compareSmall('4 KB downloads', 'GET', ours, theirs, { ratio: 0.4, perSecond: 5000 }),
      await measureListing(ours, 'recursive=true', 'first 100 of a million keys'),
      await measureListing(ours, 'recursive=true&limit=1000', 'first 1,000 of a million keys'),
      await measureListing(ours, 'limit=1000', 'folders of a million keys'),
      await measureListing(ours, 'prefix=site-050/', 'folders in a folder')
    ].every((ok) => ok)
  } finally {
    await millrace.stop()
    await nginx.stop()
    rmSync(folder, { recursive: true })
  }
}

/** A server whose bucket `large` has a million keys, 100 in each of 10,000 folders in 100 folders. */
async function startOnLargeIndex(dataDir: string): Promise<{ millrace: Running; token: string }> {
  const env = { DATA_DIR: dataDir, RATE_LIMIT: '100000000', LOG_LEVEL: 'warn' }
  const first = await startMillrace(env)
  const token = await tokenOf(first)
  for (const name of ['bench', 'large']) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ name }) }
    const { status } = await fetch(`http://127.0.0.1:${first.port}/api/buckets`, init)
    if (status !== 201) throw new Error(`The bucket ${name} was not made: ${status}`)
  }
  await first.stop()
  const index = new DatabaseSync(join(dataDir, 'objects/builtin/index.db'))
  index.exec(`
    insert into inlined (id, content) values (1, x'00');
    with recursive number(i) as (select 0 union all select i + 1 from number where i < ${KEYS - 1})
    insert into objects
    select 'large', printf('site-%03d/line-%03d/point-%02d.csv', i / 10000, i / 100 % 100, i % 100), 1,
      '2026-01-01T00:00:00.000Z', hex(zeroblob(16)), hex(zeroblob(32)), 'text/csv', null, 1
    from number`)
  index.close()
  return { millrace: await startMillrace(env), token }
}

async function compareLarge(ours: Side, theirs: Side, folder: string): Promise<boolean[]> {
  const file = join(folder, 'large.bin')
  writeFileSync(file, randomBytes(LARGE_BYTES))
  const seconds = (side: Side, args: string[]) => {
    const auth = side.token === undefined ? [] : ['-H', `Authorization: Bearer ${side.token}`]
    const format = '%{time_total} %{http_code}'
    const answer = execFileSync('curl', ['-sS', '-o', '/dev/null', '-w', format, ...auth, ...args], {
      encoding: 'utf8'
    })
    const [time, status] = answer.split(' ')
    if (!status?.startsWith('2')) throw new Error(`curl ${args.join(' ')} got ${status}`)
    return Number(time)
  }
  const times = {
    ours: { up: [] as number[], down: [] as number[] },
    theirs: { up: [] as number[], down: [] as number[] }
  }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, side] of [
      ['theirs', theirs],
      ['ours', ours]
    ] as const) {
      const up = seconds(side, ['-T', file, `${side.url}large-${round}.bin`])
      const down = seconds(side, [`${side.url}large-${round}.bin`])
      remove(side, `large-${round}.bin`)
      if (round === 0) continue // warms up
      times[name].up.push(up)
      times[name].down.push(down)
    }
  }
  return (['up', 'down'] as const).map((way) => {
    const name = way === 'up' ? '256 MB upload' : '256 MB download'
    const perSecond = (side: 'ours' | 'theirs') => LARGE_BYTES / 1e6 / median(times[side][way])
    return tell(name, 'MB/s', perSecond('ours'), perSecond('theirs'), { ratio: 0.7 })
  })
}

function remove(side: Side, key: string): void {
  const auth = side.token === undefined ? [] : ['-H', `Authorization: Bearer ${side.token}`]
  execFileSync('curl', ['-sS', '-o', '/dev/null', '-X', 'DELETE', ...auth, side.url + key])
}

async function compareSmall(name: string, method: string, ours: Side, theirs: Side, floor: Floor): Promise<boolean> {
  const load = (side: Side, durationMs: number) => {
    const path = `${new URL(side.url).pathname}small-{n}`
    const body = method === 'PUT' ? { body: 'x'.repeat(SMALL_BYTES), contentType: 'application/octet-stream' } : {}
    const token = side.token === undefined ? {} : { token: side.token }
    return putLoad({
      port: side.port,
      method,
      path,
      distinct: 2000,
      connections: CONNECTIONS,
      durationMs,
      ...body,
      ...token
    })
  }
  await load(theirs, 1500)
  await load(ours, 1500)
  const rounds: { ours: number; theirs: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const their = await load(theirs, SMALL_MS)
    const our = await load(ours, SMALL_MS)
    if (our.wrongStatus + their.wrongStatus > 0) throw new Error(`${name}: not every answer was a success`)
    rounds.push({ ours: our.requestsPerS, theirs: their.requestsPerS })
  }
  const of = (side: 'ours' | 'theirs') => median(rounds.map((round) => round[side]))
  return tell(name, '/s', of('ours'), of('theirs'), floor)
}

function tell(name: string, unit: string, ours: number, theirs: number, floor: Floor): boolean {
  const ratio = ours / theirs
  const ok = ratio >= floor.ratio || ours >= (floor.perSecond ?? Number.POSITIVE_INFINITY)
  const figure = (value: number) => `${value.toFixed(0).padStart(6)} ${unit}`
  const orElse = floor.perSecond === undefined ? '' : ` or ${floor.perSecond}/s`
  console.log(
    `${name.padEnd(30)} ${figure(ours)}  nginx ${figure(theirs)}  ratio ${ratio.toFixed(2)}  floor ${floor.ratio}${orElse}${ok ? '' : '  BELOW'}`
  )
  return ok
}

async function measureListing(side: Side, query: string, name: string): Promise<boolean> {
  const times: number[] = []
  for (let i = 0; i < 20; i++) {
    const startedMs = performance.now()
    const headers = { authorization: `Bearer ${side.token}` }
    const answer = await fetch(`http://127.0.0.1:${side.port}/api/buckets/large/objects?${query}`, { headers })
    const { objects } = (await answer.json()) as { objects: unknown[] }
    if (objects.length < 100) throw new Error(`${name}: only ${objects.length} entries`)
    times.push(performance.now() - startedMs)
  }
  const first = times[0] as number
  const ok = first < LIST_LIMIT_MS && median(times) < LIST_LIMIT_MS
  console.log(
    `${name.padEnd(30)} ${median(times).toFixed(1)} ms, the first time ${first.toFixed(1)} ms  limit ${LIST_LIMIT_MS} ms${ok ? '' : '  BELOW'}`
  )
  return ok
}
