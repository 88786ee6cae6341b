// Once: files on a disk.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { makeBucket, put } from '../../../test/support/objects/client.ts'
import { missingMount, mountSmallDisk, type SmallDisk } from '../../../test/support/pipelines/small-disk.ts'
import { checkObjects } from '../../cli/doctor/objects.ts'
import { objectsDir } from '../../platform.ts'

const LARGE = Buffer.alloc(100_000, 'x')

describe('objects on a disk that became read-only', { skip: missingMount() ?? false }, () => {
  let test: TestApp
  let clock: ManualClock
  let disk: SmallDisk

  before(async () => {
    clock = new ManualClock()
    test = await startTestApp({ clock })
    disk = mountSmallDisk(objectsDir(test.platform.config), 256)
    await makeBucket(test, 'plant-reports')
    await put(test, 'plant-reports', 'kept', LARGE)
    disk.setReadOnly(true)
  })
  after(async () => {
    disk?.unmount()
    await test.close()
  })

  const health = async () => {
    clock.advance(1000)
    return (await test.call('GET', '/api/health')).body.checks.objects
  }
  const doctor = () =>
    checkObjects({ config: test.platform.config, clock, vault: undefined, metadata: undefined }).then(
      ([found]) => found?.level
    )

  it('refuse an upload with why, and give what there is', async () => {
    const refused = await put(test, 'plant-reports', 'new', LARGE)
    assert.deepEqual([refused.status, refused.body.code], [503, 'disk_unwritable'])
    assert.equal(refused.headers.get('retry-after'), '10')
    assert.equal((await test.call('GET', '/api/buckets/plant-reports/objects/kept', { as: 'viewer' })).status, 200)
  })

  it('are named by health and the doctor, until they can be written again', async () => {
    const { status, message } = await health()
    assert.equal(status, 'degraded')
    assert.match(message, /Objects in DATA_DIR can.t be written: make its disk writable/)
    assert.equal(await doctor(), 'FAIL')
    disk.setReadOnly(false)
    assert.equal((await health()).status, 'ok')
    assert.notEqual(await doctor(), 'FAIL')
    assert.equal((await put(test, 'plant-reports', 'new', LARGE)).status, 201)
  })
})
