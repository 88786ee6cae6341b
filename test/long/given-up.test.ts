// Once: it brings its own PostgreSQL, to take it away.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { startCollector } from '../support/pipelines/collector.ts'
import { hostsOf } from '../support/pipelines/hosts-of.ts'
import { openSite } from '../support/pipelines/site.ts'
import { missingMount, mountSmallDisk, type SmallDisk } from '../support/pipelines/small-disk.ts'
import { makeFolder, removeFolder } from '../support/servers/service.ts'
import { startSqlPostgres } from '../support/servers/sql-postgres.ts'

const AGAIN_WITHIN_MS = 20_000

const steady = (url: string) => [
  { id: 'gen', type: 'generate', config: { fields: { n: 'n' }, ratePerS: 20 } },
  { id: 'out', type: 'http', config: { url }, inputs: ['gen'] }
]

function killHosts(serverPid: number): void {
  for (const pid of hostsOf(serverPid)) process.kill(pid, 'SIGKILL')
}

describe('a run that could not be looked after is taken up again', () => {
  it('after its process ended while the metadata database was away', async () => {
    const folder = makeFolder('given-up')
    const postgres = await startSqlPostgres(folder)
    const { user, password, port, database } = postgres
    const site = await openSite({
      DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
      SECRET_KEY: 'test-secret-'.repeat(4)
    })
    const collector = await startCollector()
    try {
      const id = await site.launch('steady', steady(collector.url))
      await eventually(() => collector.requests.length > 0)
      await postgres.stop()
      killHosts(site.server.pid)
      await eventually(() => hostsOf(site.server.pid).length === 0)
      // By when the server has also tried in vain to write down that the process ended.
      for (let calls = 0; calls < 5; calls++) await assert.rejects(site.client.get(`/pipelines/${id}`))
      await postgres.restart()
      const before = collector.requests.length
      await eventually(() => collector.requests.length > before, AGAIN_WITHIN_MS)
      await site.reach(id, 'running')
    } finally {
      await site.close()
      await Promise.all([collector.close(), postgres.stop()])
      removeFolder(folder)
    }
  })

  it('after no process could be started for want of disk', { skip: missingMount() ?? false }, async () => {
    let disk: SmallDisk | undefined
    let folder = ''
    const site = await openSite({}, (dataDir) => {
      folder = join(dataDir, 'pipelines')
      disk = mountSmallDisk(folder, 64, { maxFiles: 100 })
    })
    const collector = await startCollector()
    try {
      const id = await site.launch('steady', steady(collector.url))
      await site.reach(id, 'running')
      let files = 0
      const fill = () => {
        assert.throws(() => {
          for (;;) writeFileSync(join(folder, `fill-${files++}`), '')
        })
      }
      fill()
      killHosts(site.server.pid)
      // The folder of the process that ended is removed, which makes room for a few.
      const filling = setInterval(fill, 1)
      await eventually(async () => (await site.logOf(id)).some(({ message }) => message.includes('ENOSPC')))
      clearInterval(filling)
      for (let file = 0; file < files; file++) rmSync(join(folder, `fill-${file}`), { force: true })
      await site.reach(id, 'running', AGAIN_WITHIN_MS)
    } finally {
      await site.server.stop('SIGKILL')
      disk?.unmount()
      await site.close()
      await collector.close()
    }
  })
})
