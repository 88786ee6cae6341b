import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Azurite } from '../../../../../test/support/servers/azurite.ts'
import { createOutbound, type OutboundSettings } from '../../../outbound/index.ts'
import { StoreError, type StoreErrorCode } from '../../errors.ts'
import type { RemoteSettings } from '../../open.ts'
import { openAzureStore } from '../store.ts'

/** Settings that lead to a port of this machine. */
export function settingsFor(port: number, others: Partial<RemoteSettings> = {}): RemoteSettings {
  return {
    kind: 'azure',
    endpoint: '127.0.0.1',
    port,
    useTls: false,
    region: undefined,
    pathStyle: false,
    accessKey: 'devstoreaccount1',
    secretKey: Buffer.from('a secret').toString('base64'),
    ...others
  }
}

export function settingsOf({ port, account, key }: Azurite): RemoteSettings {
  return settingsFor(port, { accessKey: account, secretKey: key })
}

/** A store that is open until the test ends. */
export function openFor(t: TestContext, settings: RemoteSettings, policy: Partial<OutboundSettings> = {}) {
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [], ...policy })
  const { store, close } = openAzureStore(settings, outbound)
  t.after(async () => {
    await close()
    await outbound.close()
  })
  return store
}

export async function refused(work: Promise<unknown>, code: StoreErrorCode, message = /./): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof StoreError, `${error}`)
    assert.equal(error.code, code, error.message)
    assert.match(error.message, message)
    assert.equal(error.cause, undefined)
    assert.doesNotMatch(error.message, /SharedKey|<\?xml|RequestId/)
    return true
  })
}
