// Once: it brings its own PostgreSQL, which is what replicas share.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Collector, startCollector } from '../support/pipelines/collector.ts'
import { hostsOf } from '../support/pipelines/hosts-of.ts'
import { type Desk, deskAt, tokenFor } from '../support/pipelines/site.ts'
import { startPostgres } from '../support/postgres.ts'
import { type Env, type ServerProcess, startServer } from '../support/process.ts'
import { makeFolder, removeFolder } from '../support/servers/service.ts'
import { assertMs } from '../support/yardstick.ts'

const TAKEN_OVER_WITHIN_MS = 10_000
const RATE_PER_S = 50

interface Replica extends Desk {
  readonly server: ServerProcess
}

describe('a pipeline of several replicas', () => {
  const folders = ['a', 'b'].map((name) => makeFolder(`replica-${name}`))
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  let replicas: Replica[]
  let collector: Collector<{ n: number }>
  let id: string

  before(async () => {
    postgres = await startPostgres()
    const envs: Env[] = folders.map((DATA_DIR) => ({
      DATA_DIR,
      DATABASE_URL: postgres.url,
      SECRET_KEY: 'test-secret-'.repeat(4),
      PORT: '0',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
      ALLOWED_HOSTS: '127.0.0.1'
    }))
    const token = await tokenFor(envs[0] as Env)
    replicas = []
    for (const env of envs) {
      const server = await startServer(env)
      replicas.push({ server, ...deskAt(server.url, token) })
    }
    collector = await startCollector()
    id = await (replicas[0] as Replica).launch('shared', [
      { id: 'gen', type: 'generate', config: { fields: { n: 'n' }, ratePerS: RATE_PER_S } },
      { id: 'out', type: 'http', config: { url: collector.url }, inputs: ['gen'] }
    ])
    await (replicas[1] as Replica).reach(id, 'running')
    await eventually(() => collector.records().length > RATE_PER_S)
  })
  after(async () => {
    for (const { server } of replicas) await server.stop('SIGKILL').catch(() => {})
    await collector.close()
    await postgres.stop()
    for (const folder of folders) removeFolder(folder)
  })

  const timesTaken = async (desk: Desk) =>
    (await desk.logOf(id)).filter(({ message }) => /^Running/.test(message)).length

  /** Waits until another has it, and answers how long that took. */
  async function takenOver(by: Replica, timesBefore: number): Promise<number> {
    const fromMs = performance.now()
    await eventually(async () => (await timesTaken(by)) > timesBefore, 6 * TAKEN_OVER_WITHIN_MS)
    const tookMs = performance.now() - fromMs
    assertMs(tookMs, TAKEN_OVER_WITHIN_MS)
    await by.reach(id, 'running')
    return tookMs
  }

  it('is taken over from one that stands still, which is let do nothing when it goes on', async (t) => {
    const isRunBy = ({ server }: Replica) => hostsOf(server.pid).length > 0
    if (isRunBy(replicas[1] as Replica)) replicas.reverse()
    const [first, second] = replicas as [Replica, Replica]
    assert.deepEqual(replicas.map(isRunBy), [true, false], 'only one runs it')
    const before = await timesTaken(second)
    process.kill(first.server.pid, 'SIGSTOP')
    try {
      t.diagnostic(`taken over after ${Math.round(await takenOver(second, before))} ms`)
    } finally {
      process.kill(first.server.pid, 'SIGCONT')
    }
    const from = collector.requests.length
    await eventually(() => collector.requests.length > from + 10)
    assert.deepEqual(backwards(collector.requests.slice(from)), [], 'what the first sends shows that both run it')
    assert.equal(backwards(collector.requests).length, 1, 'it went back to a checkpoint once')
    assert.equal((await first.client.get(`/pipelines/${id}`)).status, 'running')
    assert.equal(await timesTaken(second), before + 1)
  })

  it('is taken over from one that was killed', async (t) => {
    const [left, gone] = replicas as [Replica, Replica]
    const before = await timesTaken(left)
    await gone.server.stop('SIGKILL')
    t.diagnostic(`taken over after ${Math.round(await takenOver(left, before))} ms`)
    const from = collector.requests.length
    await eventually(() => collector.requests.length > from + 10)
    assert.ok(backwards(collector.requests).length <= 2, 'at most once more')
    const found = new Set(collector.records().map(({ n }) => n))
    assert.deepEqual(
      [...found].sort((a, b) => a - b),
      [...Array(found.size).keys()],
      'nothing is missing'
    )
    // Between what was read and what is written there may be a batch under way.
    await eventually(async () => (await left.client.get(`/pipelines/${id}`)).run.balanced === true)
  })
})

/** Where records follow that were sent before. */
function backwards(requests: readonly { readonly records: readonly { n: number }[] }[]): number[] {
  const numbers = requests.flatMap(({ records }) => records.map(({ n }) => n))
  return numbers.filter((n, i) => i > 0 && n <= (numbers[i - 1] as number))
}
