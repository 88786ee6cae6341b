import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type GcsEmulator,
  missingGcsEmulator,
  startGcsEmulator
} from '../../../../test/support/servers/gcs-emulator.ts'
import { keyFault } from '../key.ts'
import { bodyOf, readAll } from '../testing/bodies.ts'
import { objectStoreContract } from '../testing/contract.ts'
import { anyKey, NOTABLE_KEYS } from '../testing/keys.ts'
import { type EmulatorFront, startEmulatorFront } from './testing/emulator-front.ts'
import { startJsonApi } from './testing/json-api.ts'
import { open, openFor } from './testing/open.ts'

const missing = missingGcsEmulator()

const NO_CONDITIONS = 'the emulator does not look at ifGenerationMatch'
const NO_BUCKETS = 'the emulator makes buckets on first use and removes none'
const NO_SLASHES = 'the emulator drops leading and doubled slashes of keys'

// One server for all of them: it takes a second to start.
describe('gcs on the emulator', { skip: missing ?? false }, () => {
  let port: number
  let emulator: GcsEmulator
  let front: EmulatorFront
  before(async () => {
    emulator = await startGcsEmulator()
    front = await startEmulatorFront(emulator.port)
    port = front.port
  })
  after(async () => {
    await front?.stop()
    await emulator?.stop()
  })

  objectStoreContract('Google Cloud Storage, on its emulator,', {
    missing,
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
      return { opened: open({ port }), stop: async () => {} }
    }
  })

  test('keys that the emulator can hold come back from it equal', async (t) => {
    const store = openFor(t, { port })
    const roundTrip = async (key: string) => {
      await store.put('keys', key, bodyOf(key), { contentType: 'text/plain' })
      assert.equal((await readAll((await store.get('keys', key)).body)).toString(), key)
      const { entries } = await store.list('keys', { prefix: key, folders: false, limit: 1000 })
      assert.ok(
        entries.some((entry) => 'key' in entry && entry.key === key),
        key
      )
      assert.deepEqual(await store.delete('keys', [key]), [])
      await assert.rejects(store.head('keys', key), { code: 'no_such_key' })
    }
    for (const key of NOTABLE_KEYS.filter(emulatorHolds)) await roundTrip(key)
    const keys = anyKey.filter((key) => keyFault(key) === undefined && emulatorHolds(key))
    await fc.assert(fc.asyncProperty(keys, roundTrip), { numRuns: 15 })
  })
})

objectStoreContract('Google Cloud Storage, as its documents say,', {
  missing: undefined,
  md5OfLarge: true,
  async start() {
    const api = await startJsonApi()
    return { opened: open({ port: api.port, secretKey: JSON.stringify(api.keyFile) }), stop: api.stop }
  }
})

/**
 * Whether the emulator can hold a key: it takes keys for paths of files, and those that end in an encoded slash for
 * folders.
 */
function emulatorHolds(key: string): boolean {
  return !key.startsWith('/') && !key.includes('//') && !key.toLowerCase().endsWith('%2f')
}
