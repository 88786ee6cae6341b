import { after, before, describe } from 'node:test'
import { type Ceph, missingCeph, startCeph } from '../../../../test/support/servers/ceph.ts'
import { createOutbound } from '../../outbound/index.ts'
import { objectStoreContract } from '../testing/contract.ts'
import { openS3Store } from './store.ts'
import { clientsTests } from './testing/clients.ts'
import { largeTests } from './testing/large.ts'
import { settingsFor } from './testing/open.ts'
import { refusalTests } from './testing/refusals.ts'
import { writeTests } from './testing/writes.ts'

const missing = missingCeph()

// One server for all of them: it takes seconds to start.
describe('s3 on Ceph', { skip: missing ?? false }, () => {
  let ceph: Ceph
  before(async () => {
    ceph = await startCeph()
  })
  after(() => ceph?.stop())

  objectStoreContract('s3', {
    missing,
    async start() {
      const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
      const opened = openS3Store(settingsFor(ceph), outbound)
      return { opened, stop: () => outbound.close() }
    },
    md5OfLarge: false
  })
  refusalTests(() => ceph)
  writeTests(() => ceph)
  largeTests(() => ceph)
  clientsTests(() => ceph)
})
