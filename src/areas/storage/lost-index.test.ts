// Once: stores on the disk.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { openStore } from '../../engines/objects/index.ts'
import { HealthProblem } from '../../http/health-problem.ts'
import { objectsDir } from '../../platform.ts'
import { countBuckets, firstBucket } from '../buckets/store.ts'
import { Storage } from './service.ts'

describe('a store on disk that has lost its index', () => {
  let test: TestApp
  let storage: Storage
  let folder: string
  let providerId: string

  before(async () => {
    test = await startTestApp()
    const body = { name: 'other disk', type: 'store-local' }
    const made = await test.call('POST', '/api/storage/providers', { as: 'admin', body })
    providerId = made.body.id
    const { platform } = test
    storage = new Storage({
      ...platform,
      countBuckets,
      firstBucket,
      objectsDir: objectsDir(platform.config),
      builtIn: undefined,
      openStore: (settings) => openStore(settings, { outbound: platform.outbound, now: () => platform.clock.now() }),
      requireOwnDisk: async () => {}
    })
    folder = join(objectsDir(platform.config), providerId)
  })
  after(async () => {
    await storage.stop()
    await test.close()
  })

  const makeBucket = () =>
    test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'plant-reports', providerId } })

  it('is none while there is no store', async () => {
    await storage.checkBuiltIn()
    assert.ok(!existsSync(objectsDir(test.platform.config)), 'asking makes none')
  })

  it('is told by health and to whoever uses it, and is left as it is', async () => {
    mkdirSync(join(folder, 'contents', 'ab'), { recursive: true })
    await assert.rejects(storage.checkBuiltIn(), (error) => {
      assert.ok(error instanceof HealthProblem)
      assert.match(error.message, /^The index of the objects is lost: stop the server and restore/)
      return true
    })
    const { status, body } = await makeBucket()
    assert.deepEqual([status, body.code], [500, 'object_index_damaged'])
    assert.match(body.detail, /restore the objects from a backup; .millrace doctor. says/)
    assert.deepEqual(await storage.scrubbedStores(), [])
    assert.ok(!existsSync(join(folder, 'index.db')))
  })

  it('is over when the folder is put right, without a restart', async () => {
    rmSync(folder, { recursive: true })
    await storage.checkBuiltIn()
    assert.equal((await makeBucket()).status, 201)
  })
})
