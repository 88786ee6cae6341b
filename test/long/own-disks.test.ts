// Once: it brings its own PostgreSQL, which is what replicas share.
import assert from 'node:assert/strict'
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Collector, startCollector } from '../support/pipelines/collector.ts'
import { deskAt, tokenFor } from '../support/pipelines/site.ts'
import { startPostgres } from '../support/postgres.ts'
import { callServer, type Env, runCli, type ServerProcess, startServer } from '../support/process.ts'
import { makeFolder, removeFolder } from '../support/servers/service.ts'

/** A killed one is missed after four looks, two seconds apart. */
const MISSED_WITHIN_MS = 20_000
const SOME_POINTS = [{ tag: 'a', time: '2026-01-01T00:00:00Z', value: 1 }]

for (const isShared of [true, false]) {
  describe(`two replicas with ${isShared ? 'one folder' : 'a folder each'}, and neither ClickHouse nor S3`, () => {
    const folders = ['a', 'b'].map((name) => makeFolder(`own-disks-${name}`))
    let postgres: Awaited<ReturnType<typeof startPostgres>>
    let envs: Env[]
    let token: string
    let first: ServerProcess
    let second: ServerProcess | undefined
    let collector: Collector<{ n: number }>
    let sourceId: string

    before(async () => {
      postgres = await startPostgres()
      collector = await startCollector()
      envs = folders.map((folder) => ({
        DATA_DIR: isShared ? (folders[0] as string) : folder,
        DATABASE_URL: postgres.url,
        SECRET_KEY: 'test-secret-'.repeat(4),
        PORT: '0',
        RATE_LIMIT: '0',
        LOG_LEVEL: 'info',
        ALLOWED_HOSTS: '127.0.0.1'
      }))
      token = await tokenFor(envs[0] as Env)
      first = await startServer(envs[0] as Env)
    })
    after(async () => {
      await first?.stop('SIGKILL').catch(() => {})
      await second?.stop('SIGKILL').catch(() => {})
      await collector?.close()
      await postgres?.stop()
      for (const folder of folders) removeFolder(folder)
    })

    const call = (server: ServerProcess, method: string, path: string, body?: unknown) =>
      callServer(server.url, token, method, `/api${path}`, body)
    const writePoints = (server: ServerProcess) =>
      call(server, 'POST', `/catalog/sources/${sourceId}/points`, SOME_POINTS)
    const putObject = async (server: ServerProcess) => {
      const response = await fetch(`${server.url}/api/buckets/reports/objects/a.txt`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
        body: 'a'
      })
      return { status: response.status, body: (await response.json()) as { code?: string; detail?: string } }
    }
    const healthOf = async (server: ServerProcess) => (await call(server, 'GET', '/health')).body

    async function usesItsDisk(server: ServerProcess): Promise<void> {
      const [points, object] = [await writePoints(server), await putObject(server)]
      assert.ok(points.status < 300 && object.status < 300, JSON.stringify([points, object]))
      assert.deepEqual((await healthOf(server)).status, 'ok')
    }

    async function refusesItsDisk(server: ServerProcess): Promise<void> {
      const [points, object] = [await writePoints(server), await putObject(server)]
      assert.deepEqual([points.status, points.body.code], [503, 'series_url_missing'])
      assert.deepEqual([object.status, object.body.code], [503, 'objects_url_missing'])
      assert.match(points.body.detail, /Set SERIES_URL .* or run one replica only/)
      assert.match(String(object.body.detail), /Set OBJECTS_URL .* or run one replica only/)
      const source = await call(server, 'GET', `/catalog/sources/${sourceId}`)
      const query = await call(server, 'POST', '/catalog/query', {
        sourceId,
        startTime: '2026-01-01T00:00:00Z',
        endTime: '2026-01-02T00:00:00Z'
      })
      const bucket = await call(server, 'POST', '/buckets', { name: 'another' })
      const codes = [source, query, bucket].map(({ status, body }) => [status, body.code])
      assert.deepEqual(codes, [
        [503, 'series_url_missing'],
        [503, 'series_url_missing'],
        [503, 'objects_url_missing']
      ])
      const { status, checks } = await healthOf(server)
      assert.deepEqual([status, checks.replicas.status], ['degraded', 'degraded'])
      assert.match(checks.replicas.message, /points and objects .* until SERIES_URL and OBJECTS_URL is set/)
      assert.equal((await fetch(`${server.url}/api/health/ready`)).status, 200)
    }

    it('the first works alone', async () => {
      sourceId = (await call(first, 'POST', '/catalog/sources', { name: 'press' })).body.id
      await call(first, 'POST', '/buckets', { name: 'reports' })
      await usesItsDisk(first)
    })

    it('with the second, both say what is missing, at once and at either', async () => {
      second = await startServer(envs[1] as Env)
      await refusesItsDisk(second)
      await eventually(() => refusesItsDisk(first))
      assert.match(first.logged(), /another replica shares the database/)
      const { code, stdout } = await runCli(['doctor'], { ...(envs[0] as Env), PORT: new URL(first.url).port })
      assert.match(stdout, /FAIL {2}replicas +2 share the database.* set SERIES_URL and OBJECTS_URL/)
      assert.equal(code, 1)
    })

    it('what needs neither goes on', async () => {
      const id = await deskAt((second as ServerProcess).url, token).launch('counting', [
        { id: 'gen', type: 'generate', config: { fields: { n: 'n' }, count: 20 } },
        { id: 'out', type: 'http', config: { url: collector.url }, inputs: ['gen'] }
      ])
      await deskAt(first.url, token).reach(id, 'completed')
      assert.equal(collector.records().length, 20)
    })

    it('a pipeline that needs them waits, and goes on by itself when one of the two has gone', async () => {
      const desk = deskAt(first.url, token)
      const id = await desk.launch('to points', [
        { id: 'gen', type: 'generate', config: { fields: { n: 'n', at: "'2026-01-01T00:00:00Z'" }, count: 20 } },
        { id: 'out', type: 'series', config: { source: sourceId, time: 'at', tag: "'n'", value: 'n' }, inputs: ['gen'] }
      ])
      await eventually(async () => {
        const { error } = await desk.client.get(`/pipelines/${id}`)
        assert.match(error.message, /set SERIES_URL/)
      }, 20_000)
      await second?.stop('SIGTERM')
      second = undefined
      await eventually(() => usesItsDisk(first), MISSED_WITHIN_MS)
      await desk.reach(id, 'completed', MISSED_WITHIN_MS)
    })

    it('one that was killed is missed after some seconds, and one that starts in its place is not taken for two', async () => {
      second = await startServer(envs[1] as Env)
      await eventually(() => refusesItsDisk(first))
      await second.stop('SIGKILL')
      second = undefined
      await eventually(() => usesItsDisk(first), MISSED_WITHIN_MS)
      await first.stop('SIGKILL')
      first = await startServer(envs[0] as Env)
      await usesItsDisk(first)
    })

    if (isShared) return

    async function refusesOthers(server: ServerProcess, disk: string): Promise<void> {
      const [points, object] = [await writePoints(server), await putObject(server)]
      assert.deepEqual([points.status, points.body.code], [503, 'series_url_missing'])
      assert.deepEqual([object.status, object.body.code], [503, 'objects_url_missing'])
      for (const detail of [points.body.detail, String(object.body.detail)]) {
        assert.ok(detail.includes(`are kept on the disk of another replica, ${disk}: start that one again`), detail)
      }
      const read = await call(server, 'GET', `/catalog/sources/${sourceId}`)
      assert.deepEqual([read.status, read.body.code], [503, 'series_url_missing'])
      const { status, checks } = await healthOf(server)
      assert.deepEqual([status, checks.replicas.status], ['degraded', 'degraded'])
      assert.match(checks.replicas.message, /points and objects are kept on the disk of a replica that is not running/)
    }
    const diskOf = (folder: string) => readFileSync(join(folder, 'replicas/id'), 'utf8')
    const portOf = (server: ServerProcess) => ({ PORT: new URL(server.url).port })

    it('what was on the disk of a killed one is missed by the one that is left, and not begun anew', async () => {
      const disk = diskOf(folders[0] as string)
      second = await startServer(envs[1] as Env)
      await first.stop('SIGKILL')
      await eventually(() => refusesOthers(second as ServerProcess, disk), MISSED_WITHIN_MS)
      const { code, stdout } = await runCli(['doctor'], { ...(envs[1] as Env), ...portOf(second) })
      assert.equal(code, 1)
      for (const kept of ['points', 'objects']) {
        assert.match(
          stdout,
          new RegExp(`FAIL {2}replicas +the ${kept} are not in this DATA_DIR but in .*disk forget ${disk}`)
        )
      }
    })

    it('its folder, moved, is the same disk', async () => {
      await second?.stop()
      const moved = `${folders[0]}-moved`
      renameSync(folders[0] as string, moved)
      folders[0] = moved
      envs[0] = { ...(envs[0] as Env), DATA_DIR: moved }
      first = await startServer(envs[0])
      await usesItsDisk(first)
      const { body } = await call(first, 'GET', `/catalog/sources/${sourceId}`)
      assert.equal(body.tagCount, 2, 'what was written before is there')
      await first.stop('SIGKILL')
    })

    it('a disk that is lost for good is given up with a command, and does not come back by itself', async () => {
      const disk = diskOf(folders[0] as string)
      second = await startServer(envs[1] as Env)
      await eventually(() => refusesOthers(second as ServerProcess, disk), MISSED_WITHIN_MS)
      const wrong = await runCli(['disk', 'forget', 'another'], envs[1] as Env)
      assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
      assert.match(wrong.stderr, /Nothing is kept on a disk another/)
      const forgotten = await runCli(['disk', 'forget', disk], envs[1] as Env)
      assert.equal(forgotten.code, 0, forgotten.stderr)
      await eventually(async () => {
        const { status, body } = await writePoints(second as ServerProcess)
        assert.ok(status < 300, JSON.stringify(body))
      }, MISSED_WITHIN_MS)
      const made = await call(second, 'POST', '/buckets', { name: 'reports-2' })
      assert.equal(made.status, 201)
      await second.stop()
      second = undefined
      first = await startServer(envs[0] as Env)
      await refusesOthers(first, diskOf(folders[1] as string))
    })
  })
}
