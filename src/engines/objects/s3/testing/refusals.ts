import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ceph } from '../../../../../test/support/servers/ceph.ts'
import type { StoreErrorCode } from '../../errors.ts'
import { bodyOf } from '../../testing/bodies.ts'
import { openFor, refused, settingsFor } from './open.ts'

const page = { prefix: '', folders: false, limit: 10 }
const text = { contentType: 'text/plain' }

/** Why a store refuses access, and that the first request tells it. */
export function refusalTests(server: () => Ceph): void {
  test('a wrong key, a wrong secret and a missing right are told apart, also where the answer has no body', async (t) => {
    const settings = settingsFor(server())
    await openFor(t, settings).createBucket('refusals')
    const reader = await server().addUser({ uid: 'reader', opMask: 'read' })
    const cases: [object, StoreErrorCode, RegExp][] = [
      [{ accessKey: 'NOBODY' }, 'unknown_access_key', /access key/],
      [{ secretKey: 'another secret' }, 'wrong_secret', /enter it again/],
      [reader, 'access_denied', /grant it s3:/]
    ]
    for (const [wrong, code, message] of cases) {
      const store = openFor(t, { ...settings, ...wrong })
      await refused(store.head('refusals', 'key'), code, message)
      await refused(store.get('refusals', 'key'), code, message)
      await refused(store.list('refusals', page), code, message)
      await refused(store.put('refusals', 'key', bodyOf('x'), text), code, message)
      await refused(store.delete('refusals', ['a', 'b']), code, message)
    }
    await refused(openFor(t, { ...settings, ...reader }).createBucket('readers'), 'access_denied', /s3:CreateBucket/)
  })

  test('a bucket of somebody else is taken', async (t) => {
    const settings = settingsFor(server())
    await openFor(t, settings).createBucket('taken')
    const other = await server().addUser({ uid: 'other' })
    await refused(openFor(t, { ...settings, ...other }).createBucket('taken'), 'bucket_taken', /choose another name/)
  })

  test('a clock that is off is told, and not made up for', async (t) => {
    const store = openFor(t, settingsFor(server()))
    await store.createBucket('clocks')
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 })
    await refused(store.list('clocks', page), 'clock_off', /set this server's clock/)
    await refused(store.list('clocks', page), 'clock_off')
    await refused(store.head('clocks', 'key'), 'clock_off')
    t.mock.timers.reset()
    assert.deepEqual(await store.list('clocks', page), { entries: [], next: undefined })
  })

  test('a region that the store does not have is no obstacle', async (t) => {
    const store = openFor(t, { ...settingsFor(server()), region: 'elsewhere-1' })
    await store.createBucket('regions')
    await store.put('regions', 'key', bodyOf('x'), text)
    await refused(store.head('regions', 'none'), 'no_such_key')
  })
}
