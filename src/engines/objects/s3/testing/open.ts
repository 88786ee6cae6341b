import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Ceph } from '../../../../../test/support/servers/ceph.ts'
import { createOutbound } from '../../../outbound/index.ts'
import { StoreError, type StoreErrorCode } from '../../errors.ts'
import type { RemoteSettings } from '../../open.ts'
import { openS3Store } from '../store.ts'

/** Settings of a server on the loopback, with the given changes. */
export function settingsOf(settings: Partial<RemoteSettings>): RemoteSettings {
  const place = { endpoint: '127.0.0.1', port: undefined, useTls: false, region: undefined, pathStyle: true }
  return { kind: 's3', ...place, accessKey: 'AKIDEXAMPLE', secretKey: 'a secret', ...settings }
}

export function settingsFor({ port, accessKey, secretKey }: Ceph): RemoteSettings {
  return settingsOf({ port, accessKey, secretKey })
}

export async function refused(work: Promise<unknown>, code: StoreErrorCode, message = /./): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof StoreError, String(error))
    assert.equal(error.code, code, error.message)
    assert.match(error.message, message)
    assert.equal(error.cause, undefined)
    return true
  })
}

/** A store that is open until the test ends; private addresses may be called unless given. */
export function openFor(t: TestContext, settings: Partial<RemoteSettings>, allowPrivateNetworks = true) {
  const outbound = createOutbound({ allowPrivateNetworks, allowedHosts: [] })
  const { store, close } = openS3Store(settingsOf(settings), outbound)
  t.after(async () => {
    await close()
    await outbound.close()
  })
  return store
}
