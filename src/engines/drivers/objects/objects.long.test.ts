import { missingAzurite, startAzurite } from '../../../../test/support/servers/azurite.ts'
import { missingCeph, startCeph } from '../../../../test/support/servers/ceph.ts'
import { startRelay } from '../../../../test/support/servers/relay.ts'
import { systemClock } from '../../clock.ts'
import { openStore, type RemoteSettings } from '../../objects/index.ts'
import { bodyOf } from '../../objects/testing/bodies.ts'
import { createOutbound } from '../../outbound/index.ts'
import { driverContract } from '../testing/contract.ts'
import { FILES_CONFIG, FILES_UNDER_TEST, fault, STREAM_UNDER_TEST, WRONG_ENDPOINTS } from '../testing/files.ts'
import { largeFileSuite } from '../testing/large-files.ts'

/** What was put just now counts as done: by this clock it is some time ago. */
const clock = { ...systemClock, now: () => Date.now() + 60_000 }
const BUCKET = 'plant'

interface Running {
  readonly port: number
  readonly accessKey: string
  readonly secretKey: string
  stop(): Promise<void>
}

/** A store behind a relay, with a bucket. */
async function start(kind: RemoteSettings['kind'], { port: own, accessKey, secretKey, stop }: Running) {
  const relay = await startRelay(own)
  const { port } = relay
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  const settings = { kind, endpoint: '127.0.0.1', port, useTls: false, region: undefined, pathStyle: true }
  const { store, close } = await openStore(
    { ...settings, accessKey, secretKey },
    { outbound: async () => outbound, now: Date.now }
  )
  await store.createBucket(BUCKET)
  return {
    config: { host: '127.0.0.1', port, tls: false, bucket: BUCKET, accessKey, secretKey, ...FILES_CONFIG },
    clock,
    mendsItself: true,
    async put(path: string, content: string | Uint8Array) {
      await store.put(BUCKET, path, bodyOf(Buffer.from(content)), { contentType: 'text/csv' })
    },
    restart: () => relay.restart(),
    async stop() {
      await close()
      await outbound.close()
      await relay.stop()
      await stop()
    }
  }
}

const STORES = {
  s3: { sourceId: 's3', name: 'S3', missing: missingCeph(), start: async () => start('s3', await startCeph()) },
  azure: {
    sourceId: 'azure-blob',
    name: 'Azure Blob Storage',
    missing: missingAzurite(),
    async start() {
      const { port, account, key, stop } = await startAzurite()
      return start('azure', { port, accessKey: account, secretKey: key, stop })
    }
  }
}

for (const { sourceId, name, missing, start: launch } of Object.values(STORES)) {
  driverContract(`${name} as a source`, {
    sourceId,
    missing,
    async start() {
      const server = await launch()
      // Stores tell times in seconds, and files of one second are read in the order of their names.
      for (const [path, content] of Object.entries(FILES_UNDER_TEST)) {
        await server.put(path === 'exports/b.csv' ? 'exports/0.csv' : path, content)
      }
      const wrongSecret = Buffer.from('wrong').toString('base64')
      return {
        ...server,
        secrets: [server.config.secretKey],
        steps: ['resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read'],
        wrong: {
          ...WRONG_ENDPOINTS,
          'encryption where there is none': fault({ tls: true }, 'tls', 'tls_failed', '/tls'),
          'a key that is not known': fault({ accessKey: 'nobody' }, 'authenticate', 'wrong_credentials', '/accessKey'),
          'a wrong secret': fault({ secretKey: wrongSecret }, 'authenticate', 'wrong_credentials', '/secretKey'),
          'a bucket that is not there': fault({ bucket: 'absent' }, 'list', 'not_found', '/bucket')
        },
        stream: STREAM_UNDER_TEST
      }
    }
  })
}

largeFileSuite('a large object of S3', STORES.s3)
largeFileSuite('a large object of Azure', STORES.azure)
