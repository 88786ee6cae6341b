// Once: object stores.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { postgresUrl } from '../../../test/support/database.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { makeBucket, put } from '../../../test/support/objects/client.ts'
import { type Ceph, missingCeph, startCeph } from '../../../test/support/servers/ceph.ts'
import { readConfig } from '../../areas.ts'
import { type Clock, systemClock } from '../../engines/clock.ts'
import { checkObjects } from './objects.ts'

const LARGE = Buffer.alloc(100_000, 'x')

async function check(env: Record<string, string>, clock: Clock = systemClock): Promise<string> {
  const installation = { config: readConfig(env), clock, vault: undefined, metadata: undefined }
  const found = await checkObjects(installation)
  return found.map(({ level, subject, message }) => `${level} ${subject}: ${message}`).join('\n')
}

describe('the doctor looks at objects on disk', () => {
  let test: TestApp
  let env: Record<string, string>
  let store: string

  before(async () => {
    test = await startTestApp()
    env = { DATA_DIR: test.database.folder }
    store = join(test.database.folder, 'objects', 'builtin')
  })
  after(() => test.close())

  it('before there are any', async () => {
    assert.match(await check(env), /^ok objects: none in .*objects yet; the first bucket makes it$/)
  })

  it('counts them while the server runs', async () => {
    await makeBucket(test, 'plant-reports')
    await put(test, 'plant-reports', 'large', LARGE)
    await put(test, 'plant-reports', 'small', Buffer.from('small'))
    assert.match(
      await check(env),
      /^ok objects: .*builtin: 2 objects, 100005 bytes, not all looked at yet, \d+ MiB free$/
    )
  })

  it('misses a content', async () => {
    const [entry] = readdirSync(join(store, 'contents'), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile()
    )
    const file = join(entry?.parentPath ?? '', entry?.name ?? '')
    renameSync(file, join(store, 'away'))
    assert.match(
      await check(env),
      /^FAIL objects: .* contents of 1 are missing, such as "plant-reports\/large": restore/
    )
    renameSync(join(store, 'away'), join(store, 'temporary', entry?.name ?? ''))
    assert.match(await check(env), /^ok objects/, 'it may still be on the way')
    // The server moves it there by itself if it happens to look just now.
    if (!existsSync(file)) renameSync(join(store, 'temporary', entry?.name ?? ''), file)
  })

  it('tells an index that can’t be read, beside one that can', async () => {
    const other = join(test.database.folder, 'objects', 'sp_other')
    mkdirSync(other)
    writeFileSync(join(other, 'index.db'), 'not a database at all, but quite some text '.repeat(50))
    assert.match(await check(env), /^ok objects: .*builtin.*\nFAIL objects: .*sp_other can't be read: .*; restore/)
    rmSync(other, { recursive: true })
  })

  it('tells contents that no object has, and an index that is lost', async () => {
    const orphan = join(store, 'contents', 'ff', 'f'.repeat(32))
    writeFileSync(orphan, 'of an object that nobody knows')
    assert.match(
      await check(env),
      /^FAIL objects: .*builtin: 1 files of contents, 30 bytes, belong to no object: its index was lost, or .*\nok /
    )
    rmSync(orphan)
    const other = join(test.database.folder, 'objects', 'sp_lost')
    mkdirSync(join(other, 'contents', '00'), { recursive: true })
    writeFileSync(join(other, 'contents', '00', '0'.repeat(32)), 'content')
    assert.match(
      await check(env),
      /\nFAIL objects: .*sp_lost\/index\.db is lost, which says what the 1 files of contents there are.* restore/
    )
    rmSync(other, { recursive: true })
  })

  it('warns of replicas that would not share them', async () => {
    const replicas = { ...env, DATABASE_URL: postgresUrl ?? 'postgres://127.0.0.1:1/millrace' }
    assert.match(await check(replicas), /\nwarn objects: they are on this machine only.*set OBJECTS_URL$/)
  })
})

describe('the doctor looks at objects elsewhere', () => {
  const at = (place: string) => ({ DATA_DIR: '/nonexistent', ALLOWED_HOSTS: '127.0.0.1', OBJECTS_URL: `s3://${place}` })

  it('tells that nobody answers, without the secret', async () => {
    const found = await check(at('key-id:hush-hush@127.0.0.1:1/prefix-?tls=false'))
    assert.match(found, /^FAIL objects: s3:\/\/127\.0\.0\.1:1\/prefix-: .*; check OBJECTS_URL$/)
    assert.doesNotMatch(found, /key-id|hush/)
  })

  it('tells that the address is not allowed', async () => {
    const { ALLOWED_HOSTS: _none, ...strict } = at('key:secret@127.0.0.1:1?tls=false')
    assert.match(await check(strict), /^FAIL objects: .*ALLOW/)
  })

  it('does not wait for long', async () => {
    const clock = new ManualClock()
    const silent = createServer((socket) => {
      socket.on('error', () => {}).resume()
      clock.advance(5000)
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const found = await check(at(`key:secret@127.0.0.1:${port}?tls=false`), clock)
    assert.match(found, /^FAIL objects: .*no answer within 5 s/)
    await new Promise((resolve) => silent.close(resolve))
  })

  describe('at Ceph', { skip: missingCeph() ?? false }, () => {
    let ceph: Ceph
    before(async () => {
      ceph = await startCeph()
    })
    after(() => ceph?.stop())

    const url = (accessKey: string, secretKey: string) =>
      at(`${accessKey}:${encodeURIComponent(secretKey)}@127.0.0.1:${ceph.port}/prefix-?tls=false`)

    it('takes the right credentials and no others', async () => {
      assert.match(await check(url(ceph.accessKey, ceph.secretKey)), /^ok objects: s3:\S+ takes the credentials$/)
      assert.match(await check(url(ceph.accessKey, 'wrong')), /^FAIL objects: .*secret key does not belong/)
      assert.match(await check(url('nobody', 'wrong')), /^FAIL objects: .*does not know this access key/)
    })
  })
})
