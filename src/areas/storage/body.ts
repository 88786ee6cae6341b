import type { AreaBody, AreaNeeds } from '../../area.ts'
import { openStore } from '../../engines/objects/index.ts'
import { isHeldByReplica } from '../../kept-on-disks.ts'
import { objectsNotShared, requireOwnDisk } from '../../own-disk.ts'
import { objectsDir } from '../../platform.ts'
import { builtInSettings } from './built-in.ts'
import { watchOf } from './provider-watch.ts'
import { storageRoutes } from './routes.ts'
import { Storage } from './service.ts'
import { watchTroubles } from './troubles.ts'

declare module '../../area.ts' {
  interface Services {
    storage: Storage
  }
}

export function storageBody(needs: AreaNeeds): AreaBody {
  const { config, clock, bus, outbound } = needs
  const storage = new Storage({
    ...needs,
    countBuckets: async (db, providerId) => (await needs.service('buckets')).countBuckets(db, providerId),
    firstBucket: async (db, providerId) => (await needs.service('buckets')).firstBucket(db, providerId),
    objectsDir: objectsDir(config),
    builtIn: config.objectsUrl === undefined ? undefined : builtInSettings(config.objectsUrl),
    openStore: (settings) =>
      openStore(settings, { outbound, now: () => clock.now() }).catch((error) => {
        throw isHeldByReplica(config, error) ? objectsNotShared(error) : error
      }),
    requireOwnDisk: () => requireOwnDisk(needs)
  })
  return {
    routes: storageRoutes(storage),
    service: storage,
    jobs: { 'storage.watch': watchTroubles(clock, async () => (await watchOf(needs)).lookAtAll()) },
    async start() {
      await storage.start()
      bus.subscribe('storage-provider.deleted', ({ id }) => void storage.forget(id))
    },
    stop: () => storage.stop()
  }
}
