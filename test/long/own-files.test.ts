// Once: the modes of files are the same whatever the database is.
import assert from 'node:assert/strict'
import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import {
  callServer,
  createInstallation,
  type Env,
  runCli,
  type ServerProcess,
  startServer
} from '../support/process.ts'

const SQL = 'SELECT press, count(*) AS n, repeat(press::VARCHAR, 100) AS text FROM input GROUP BY press'

/** Every file and folder, with its mode, the folder itself first. */
function modesIn(folder: string): { path: string; isFolder: boolean; mode: number }[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return [folder, ...names.map((name) => join(folder, name))].flatMap((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found === undefined ? [] : [{ path, isFolder: found.isDirectory(), mode: found.mode & 0o777 }]
  })
}

function assertOwn(folder: string, atLeast: number): void {
  const found = modesIn(folder)
  assert.ok(found.length >= atLeast, `only ${found.length} files`)
  const open = found.filter(({ isFolder, mode }) => mode !== (isFolder ? 0o700 : 0o600))
  assert.deepEqual(
    open.map(({ path, mode }) => `${path} ${mode.toString(8)}`),
    []
  )
}

describe('the files of a server', () => {
  let installation: Awaited<ReturnType<typeof createInstallation>>
  let env: Env
  let dataDir: string
  let server: ServerProcess
  let token: string
  let umask: number

  before(async () => {
    umask = process.umask(0o022) // what most systems have
    installation = await createInstallation()
    dataDir = join(installation.database.folder, 'data')
    env = { ...installation.env, DATA_DIR: dataDir }
    server = await startServer(env)
    token = (await eventually(() => /Admin token\s+(\S+)\n/.exec(server.output())?.[1] ?? false)) as string
  })
  after(async () => {
    await server.stop('SIGKILL')
    await installation.drop()
    process.umask(umask)
  })

  async function call(method: string, path: string, body?: unknown) {
    const answer = await callServer(server.url, token, method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  it('are its owner’s alone, after a busy life and during it', async () => {
    await call('POST', '/api/buckets', { name: 'readings' })
    const headers = { authorization: `Bearer ${token}` }
    const put = (key: string, body: string) =>
      fetch(`${server.url}/api/buckets/readings/objects/${key}`, { method: 'PUT', headers, body })
    assert.equal((await put('one.csv', 'press,v\n1,2\n2,3\n')).status, 201)
    assert.equal((await put('large', 'x'.repeat(3_000_000))).status, 201)
    const { id: source } = await call('POST', '/api/catalog/sources', { name: 's' })
    const points = [{ tag: 't', time: '2026-01-01T00:00:00Z', value: 1 }]
    await call('POST', `/api/catalog/sources/${source}/points`, { points })
    const nodes = [
      { id: 'in', type: 'file', config: { reference: 'object://readings/one.csv' } },
      { id: 'counted', type: 'sql', config: { query: SQL }, inputs: ['in'] },
      {
        id: 'out',
        type: 'object',
        config: { bucket: 'readings', prefix: 'out/', format: 'parquet' },
        inputs: ['counted']
      }
    ]
    const { id } = await call('POST', '/api/pipelines', { name: 'p', nodes })
    await call('POST', `/api/pipelines/${id}/start`)
    await eventually(async () => {
      const { status } = await call('GET', `/api/pipelines/${id}`)
      assertOwn(dataDir, 10)
      assert.equal(status, 'completed')
    }, 20_000)
    await call('GET', `/api/pipelines/${id}/data`)
    assertOwn(dataDir, 20)
    const backup = join(installation.database.folder, 'made', 'backup')
    const { code, stderr } = await runCli(['backup', backup], env)
    assert.equal(code, 0, stderr)
    assertOwn(join(installation.database.folder, 'made'), 8)
    await server.stop('SIGTERM')
    assertOwn(dataDir, 15)
  })

  it('are closed at the start where they were left open, which is told; the doctor warns of it before', async () => {
    for (const { path, isFolder } of modesIn(dataDir)) chmodSync(path, isFolder ? 0o755 : 0o644)
    assert.match((await runCli(['doctor'], env)).stdout, /^warn +data folder +others can look into .*chmod 700/m)
    server = await startServer(env)
    assertOwn(dataDir, 15)
    assert.match((await runCli(['doctor'], env)).stdout, /^ok +data folder /m)
    assert.match((await server.stop()).stderr, /others could read files in DATA_DIR/)
  })
})
