// Once: what is proven is about files on the disk, those of the embedded database among them.
import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { tokenFor } from '../support/pipelines/site.ts'
import { missingMount, mountSmallDisk, type SmallDisk } from '../support/pipelines/small-disk.ts'
import { createInstallation, type Env, runCli, type ServerProcess, startServer } from '../support/process.ts'

const SMALL_MIB = 40
const LARGE_MIB = 200
const LARGE_BYTES = 700_000
const SMALLS = 150
const EARLY_SMALLS = 40
const RESERVE_BYTES = 4 * 1024 * 1024

const contentOf = (key: string) =>
  Buffer.alloc(key.startsWith('large') ? LARGE_BYTES : 12_000, `the content of ${key}, `)

describe('a server whose disk is full', { skip: missingMount() ?? false, timeout: 300_000 }, () => {
  let env: Env
  let folder: string
  let disk: SmallDisk
  let server: ServerProcess
  let token: string
  let drop: () => Promise<void>
  /** What was acknowledged, and not deleted since. */
  const kept = new Set<string>()

  before(async () => {
    const installation = await createInstallation()
    drop = installation.drop
    env = installation.env
    folder = env.DATA_DIR as string
    const secret = join(folder, 'secret.key')
    const text = readFileSync(secret)
    disk = mountSmallDisk(folder, SMALL_MIB)
    writeFileSync(secret, text, { mode: 0o600 }) // the other one lies below the mount
    token = await tokenFor(env)
    server = await startServer(env)
    assert.equal((await call('POST', '/buckets', '{"name":"things"}')).status, 201)
  })
  after(async () => {
    await server?.stop('SIGKILL')
    disk?.unmount()
    await drop?.()
  })

  async function call(method: string, path: string, body?: string | Buffer) {
    const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream'
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body })
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, bytes, body: isJson ? JSON.parse(bytes.toString()) : undefined }
  }

  async function put(key: string) {
    const answer = await call('PUT', `/buckets/things/objects/${key}`, contentOf(key))
    if (answer.status === 201) kept.add(key)
    return answer
  }

  async function remove(key: string): Promise<void> {
    const { status, body } = await call('DELETE', `/buckets/things/objects/${key}`)
    assert.equal(status, 204, `${key}: ${JSON.stringify(body)}`)
    kept.delete(key)
  }

  /** Takes every byte that is left, as anybody else on the machine might. */
  function takeTheRest(): void {
    const file = openSync(join(folder, 'of-somebody-else'), 'a')
    try {
      for (const piece = Buffer.alloc(4096, 'x'); ; ) writeSync(file, piece)
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'ENOSPC')
    } finally {
      closeSync(file)
    }
  }

  async function requireAllKept(): Promise<void> {
    for (const key of kept) {
      const { status, bytes } = await call('GET', `/buckets/things/objects/${key}`)
      assert.ok(status === 200 && bytes.equals(contentOf(key)), `${key} answers ${status}`)
    }
  }

  it('says so, and gives all that it has acknowledged', async () => {
    for (let number = 0; number < EARLY_SMALLS; number++) assert.equal((await put(`early${number}`)).status, 201)
    let last = await put('large0')
    for (let number = 1; last.status === 201; number++) last = await put(`large${number}`)
    takeTheRest()
    const answers = [last]
    for (let number = 0; number < SMALLS; number++) answers.push(await put(`small${number}`))
    for (const { status, body } of answers) {
      assert.ok(status === 201 || status === 507, JSON.stringify(body))
      if (status === 507) assert.match(body.code, /^(store_full|disk_full)$/)
    }
    assert.equal(answers.at(-1)?.status, 507)
    await requireAllKept()
    const { checks } = (await call('GET', '/health')).body
    assert.match(checks.metadata.message, /disk .* is full/)
  })

  it('can be emptied, though there is not a byte to write that down', async () => {
    takeTheRest()
    // What is small gives nothing back to the disk, so that each has to do with what is kept for it.
    for (let number = 0; number < EARLY_SMALLS / 2; number++) await remove(`early${number}`)
    assert.equal((await put('small-more')).status, 507, 'the room that deletions have is for nobody else')
    const keys = [...kept].filter((key) => key.startsWith('early'))
    const { status, body } = await call('POST', '/buckets/things/deletions', JSON.stringify({ keys }))
    assert.deepEqual([status, body], [200, { deleted: keys.length, failed: [] }])
    for (const key of keys) kept.delete(key)
    for (let number = 0; number < 10; number++) await remove(`large${number}`)
    await eventually(async () => assert.equal((await put('room-again')).status, 201))
    await requireAllKept()
  })

  it('goes on by itself once there is room', async () => {
    await eventually(async () => {
      takeTheRest()
      assert.equal((await put('small-once-more')).status, 507)
    })
    disk.resize(LARGE_MIB)
    rmSync(join(folder, 'of-somebody-else'))
    assert.equal((await put('large-new')).status, 201)
    assert.equal((await call('POST', '/buckets', '{"name":"others"}')).status, 201)
    await remove('large-new')
    await requireAllKept()
    const { stdout } = await runCli(['doctor', '--deep'], env)
    assert.doesNotMatch(stdout, /FAIL {2}(objects|deep|database)/)
    await eventually(async () => {
      await call('GET', '/health')
      assert.equal(statSync(join(folder, 'objects/builtin/index.db-reserve')).size, RESERVE_BYTES)
      assert.equal(statSync(join(folder, 'metadata.db-reserve')).size, RESERVE_BYTES)
    }, 60_000)
  })

  it('has all of it after a crash', async () => {
    await server.stop('SIGKILL')
    server = await startServer(env)
    await requireAllKept()
  })
})
