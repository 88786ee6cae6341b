import type { TestContext } from 'node:test'
import { createOutbound, type Lookup } from '../../../outbound/index.ts'
import type { MultipartStore, PresigningStore } from '../../index.ts'
import type { RemoteSettings } from '../../open.ts'
import { openGcsStore } from '../store.ts'
import { type JsonApi, startJsonApi } from './json-api.ts'

export const settings: RemoteSettings = {
  kind: 'gcs',
  endpoint: '127.0.0.1',
  port: undefined,
  useTls: false,
  region: undefined,
  pathStyle: false,
  accessKey: '',
  secretKey: ''
}

export interface Network {
  readonly allowPrivateNetworks?: boolean
  readonly lookup?: Lookup
}

/** A store at this address, and how to close it. */
export function open(changed: Partial<RemoteSettings>, { allowPrivateNetworks = true, ...network }: Network = {}) {
  const outbound = createOutbound({ allowPrivateNetworks, allowedHosts: [], ...network })
  const opened = openGcsStore({ ...settings, ...changed }, outbound)
  const close = async () => {
    await opened.close()
    await outbound.close()
  }
  return { store: opened.store as MultipartStore & PresigningStore, close }
}

/** Opens a store that is closed when the test ends. */
export function openFor(t: TestContext, changed: Partial<RemoteSettings>, network?: Network) {
  const { store, close } = open(changed, network)
  t.after(close)
  return store
}

/** A store on a stand-in of its own, with a bucket. */
export async function openOnJsonApi(
  t: TestContext
): Promise<{ api: JsonApi; store: MultipartStore & PresigningStore }> {
  const api = await startJsonApi()
  t.after(api.stop)
  const store = openFor(t, { port: api.port, secretKey: JSON.stringify(api.keyFile) })
  await store.createBucket('bucket')
  api.seen.length = 0
  return { api, store }
}
