import type { TestContext } from 'node:test'
import type { Azurite } from '../../../../../test/support/servers/azurite.ts'
import { createOutbound, type OutboundSettings } from '../../../outbound/index.ts'
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

/** Open until the test ends. */
export function openFor(t: TestContext, settings: RemoteSettings, policy: Partial<OutboundSettings> = {}) {
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [], ...policy })
  const { store, close } = openAzureStore(settings, outbound)
  t.after(async () => {
    await close()
    await outbound.close()
  })
  return store
}
