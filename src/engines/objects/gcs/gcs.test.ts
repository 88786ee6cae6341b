import { missingGcsEmulator, startGcsEmulator } from '../../../../test/support/servers/gcs-emulator.ts'
import { createOutbound } from '../../outbound/index.ts'
import { objectStoreContract } from '../testing/contract.ts'
import { openGcsStore } from './store.ts'
import { startEmulatorFront } from './testing/emulator-front.ts'
import { startJsonApi } from './testing/json-api.ts'

const NO_CONDITIONS = 'the emulator does not look at ifGenerationMatch'
const NO_BUCKETS = 'the emulator makes buckets on first use and removes none'
const NO_SLASHES = 'the emulator drops leading and doubled slashes of keys'

const settings = {
  kind: 'gcs',
  endpoint: '127.0.0.1',
  useTls: false,
  region: undefined,
  pathStyle: false,
  accessKey: '',
  secretKey: ''
} as const

function open(port: number, secretKey = '') {
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  const opened = openGcsStore({ ...settings, port, secretKey }, outbound)
  return { store: opened.store, close: () => Promise.all([opened.close(), outbound.close()]).then(() => {}) }
}

objectStoreContract('Google Cloud Storage, on its emulator,', {
  missing: missingGcsEmulator(),
  md5OfLarge: true,
  cannotShow: {
    'a write can be made to depend on what is there': NO_CONDITIONS,
    'of several that want to be the first, one is': NO_CONDITIONS,
    'a copy can be made to depend on what is there': NO_CONDITIONS,
    'an upload in parts keeps to the conditions of a write': NO_CONDITIONS,
    'a bucket that is not there is told apart from a key that is not there': NO_BUCKETS,
    'a bucket can be made twice, and is only removed when it is empty': NO_BUCKETS,
    'a listing shows folders once, in order, page by page': 'the emulator names all folders on every page',
    'every notable key works for itself': NO_SLASHES,
    'any key that is accepted comes back equal': NO_SLASHES
  },
  async start() {
    const emulator = await startGcsEmulator()
    const front = await startEmulatorFront(emulator.port)
    return {
      opened: open(front.port),
      async stop() {
        await front.stop()
        await emulator.stop()
      }
    }
  }
})

objectStoreContract('Google Cloud Storage, as its documents say,', {
  missing: undefined,
  md5OfLarge: true,
  async start() {
    const api = await startJsonApi()
    return { opened: open(api.port, JSON.stringify(api.keyFile)), stop: api.stop }
  }
})
