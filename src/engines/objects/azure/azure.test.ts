import { missingAzurite, startAzurite } from '../../../../test/support/servers/azurite.ts'
import { createOutbound } from '../../outbound/index.ts'
import { objectStoreContract } from '../testing/contract.ts'
import { openAzureStore } from './store.ts'
import { settingsOf } from './testing/stores.ts'

objectStoreContract('Azure', {
  missing: missingAzurite(),
  md5OfLarge: true,
  async start() {
    const azurite = await startAzurite()
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const stop = async () => {
      await outbound.close()
      await azurite.stop()
    }
    return { opened: openAzureStore(settingsOf(azurite), outbound), stop }
  }
})
