import { after, before, describe, test } from 'node:test'
import { type Azurite, missingAzurite, startAzurite } from '../../../../test/support/servers/azurite.ts'
import { createOutbound } from '../../outbound/index.ts'
import { objectStoreContract } from '../testing/contract.ts'
import { openAzureStore } from './store.ts'
import { particularTests } from './testing/particulars.ts'
import { openFor, refused, settingsOf } from './testing/stores.ts'

const missing = missingAzurite()

// One server for all of them: it takes a second to start.
describe('azure on Azurite', { skip: missing ?? false }, () => {
  let azurite: Azurite
  before(async () => {
    azurite = await startAzurite()
  })
  after(() => azurite?.stop())

  objectStoreContract('Azure', {
    missing,
    md5OfLarge: true,
    async start() {
      const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
      return { opened: openAzureStore(settingsOf(azurite), outbound), stop: () => outbound.close() }
    }
  })

  particularTests(() => azurite)

  test('an account that is not there, and a key that is not its own, are told apart', async (t) => {
    const settings = settingsOf(azurite)
    const stranger = openFor(t, { ...settings, accessKey: 'nobody' })
    const forger = openFor(t, { ...settings, secretKey: Buffer.from('forged').toString('base64') })
    for (const work of ['createBucket', 'head'] as const) {
      await refused(stranger[work]('bucket', 'key'), 'unknown_access_key', /name of the account/)
      await refused(forger[work]('bucket', 'key'), 'wrong_secret', /access keys/)
    }
    await refused(openFor(t, settings).createBucket('with.dots'), 'store_failed', /single hyphens/)
  })
})
