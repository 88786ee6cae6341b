import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { Agent, request } from 'undici'
import type { TestDatabase } from './database.ts'
import { eventually } from './eventually.ts'
import { COMPILE_CACHE, callServer, createInstallation, type ServerProcess, startServer } from './process.ts'
import { makeToken } from './token.ts'
import { keepWriting, type Written } from './writers.ts'

const WRITERS = 1000
const MAX_WRITES = 300
const JOBS_PER_ROUND = 40
const READERS = 64
/** A job of a process that was killed is taken up again when its lease has ended. */
const JOBS_LIMIT_MS = 90_000

export interface CrashFigures {
  readonly rounds: number
  readonly acknowledged: number
  readonly jobs: number
}

/**
 * Kills a server in the middle of many writes and starts it again on the same data, over and over. Throws where
 * anything it had acknowledged is missing or not in the audit trail, or a job took effect other than once.
 */
export async function crashOverAndOver(rounds: number, tell = (_line: string) => {}): Promise<CrashFigures> {
  const { database, env, drop } = await createInstallation()
  let server: ServerProcess | undefined
  const start = async (jobs: number) => {
    const more = { CRASH_JOBS: String(jobs), NODE_COMPILE_CACHE: COMPILE_CACHE }
    server = await startServer({ ...env, ...more }, ['test/support/crash-server.ts'])
    return server
  }
  try {
    const token = await makeToken(env, 'crash')
    let acknowledged = 0
    let last: Round = { since: new Date().toISOString(), written: [] }
    for (let round = 1; round <= rounds; round++) {
      const { url, stop } = await start(JOBS_PER_ROUND)
      await checkWritten(url, token, last)
      const since = new Date().toISOString()
      const load = keepWriting(url, token, WRITERS)
      await load.until(randomInt(1, MAX_WRITES))
      assert.equal((await stop('SIGKILL')).signal, 'SIGKILL')
      await load.stop()
      last = { since, written: load.written }
      acknowledged += load.written.length
      tell(`round ${round}: ${load.written.length} writes acknowledged before the crash`)
    }
    const { url, stop } = await start(0)
    await checkWritten(url, token, last)
    const jobs = rounds * JOBS_PER_ROUND
    await checkJobs(database, jobs)
    assert.equal((await stop()).code, 0)
    await checkTotals(database, acknowledged)
    return { rounds, acknowledged, jobs }
  } finally {
    await server?.stop('SIGKILL')
    await drop()
  }
}

interface Round {
  /** When its writes began. */
  readonly since: string
  readonly written: readonly Written[]
}

/** Checks that each write is there with its audit row, and that the trail is whole. */
export async function checkWritten(url: string, token: string, { since, written }: Round): Promise<void> {
  const authorization = `Bearer ${token}`
  const agent = new Agent({ connections: READERS })
  const left = [...written]
  const read = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      const { statusCode, body } = await request(url + one.path, { dispatcher: agent, headers: { authorization } })
      await body.dump()
      assert.equal(statusCode, 200, `${one.path} was acknowledged and is gone`)
    }
  }
  await Promise.all(Array.from({ length: READERS }, read))
  await agent.destroy()
  const verification = await callServer(url, token, 'GET', '/api/audit/verify')
  assert.equal(verification.body.ok, true, JSON.stringify(verification.body))
  const audited = await auditedIds(url, authorization, since)
  const missing = written.filter(({ id }) => !audited.has(id))
  assert.deepEqual(missing, [], 'an acknowledged write is not in the audit trail')
}

/** The ids that the audit trail names from then on. */
async function auditedIds(url: string, authorization: string, since: string): Promise<Set<string>> {
  const headers = { authorization, accept: 'application/x-ndjson' }
  const response = await fetch(`${url}/api/audit/logs?outcome=success&from=${since}`, { headers })
  assert.equal(response.status, 200)
  const rows = (await response.text()).split('\n').filter((row) => row !== '')
  return new Set(rows.map((row) => (JSON.parse(row) as { resource_id: string }).resource_id))
}

async function checkJobs(database: TestDatabase, expected: number): Promise<void> {
  const metadata = await database.open()
  const check = async () => {
    const jobs = await metadata.db.selectFrom('jobs').select('state').where('kind', '=', 'crash.mark').execute()
    const succeeded = jobs.filter(({ state }) => state === 'succeeded').length
    assert.deepEqual({ all: jobs.length, succeeded }, { all: expected, succeeded: expected })
    const marks = await metadata.db.selectFrom('crash_marks').select('job').execute()
    assert.equal(marks.length, expected, 'a job took effect more than once')
    assert.equal(new Set(marks.map(({ job }) => job)).size, expected, 'a job took effect more than once')
  }
  try {
    await eventually(check, JOBS_LIMIT_MS)
  } finally {
    await metadata.close()
  }
}

/** Checks that the writes of every round have survived the later crashes. */
async function checkTotals(database: TestDatabase, acknowledged: number): Promise<void> {
  const metadata = await database.open()
  try {
    const count = async (table: 'api_keys' | 'classification_resources') =>
      (await metadata.db.selectFrom(table).select('id').execute()).length
    const kept = (await count('api_keys')) + (await count('classification_resources'))
    assert.ok(kept >= acknowledged, `${acknowledged} writes were acknowledged, ${kept} are there`)
  } finally {
    await metadata.close()
  }
}
