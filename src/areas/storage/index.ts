import type { Bus } from '../../engines/bus/index.ts'
import type { Area } from '../../http/route.ts'
import { storageMigrations } from './migrations.ts'
import { storageRoutes } from './routes.ts'
import type { Storage } from './service.ts'

export { builtInSettings } from './built-in.ts'
export type { ProviderRow } from './migrations.ts'
export { Storage } from './service.ts'

export function storageArea(storage: Storage, bus: Bus): Area {
  return {
    name: 'storage',
    about: 'The backends that buckets can be made in, and a test of each.',
    migrations: storageMigrations,
    routes: storageRoutes(storage),
    async start() {
      await storage.start()
      bus.subscribe('storage-provider.deleted', ({ id }) => void storage.forget(id as string))
    },
    stop: () => storage.stop()
  }
}
