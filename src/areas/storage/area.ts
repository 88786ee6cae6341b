import './errors.ts'
import { existsSync } from 'node:fs'
import { type AreaNeeds, declareArea } from '../../area.ts'
import { objectsDir } from '../../data-paths.ts'
import { type Db, hasRows } from '../../engines/metadata/index.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'storage-provider.created': { readonly id: string }
    'storage-provider.updated': { readonly id: string }
    'storage-provider.deleted': { readonly id: string }
    'storage-provider-test.created': { readonly id: string }
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    storage: 'storage-provider'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    storage: 'read' | 'admin'
  }
}

export const storage = declareArea({
  name: 'storage',
  about: 'The backends that buckets can be made in, and a test of each.',
  paths: ['/api/storage'],
  permissions: ['storage:read', 'storage:admin'],
  migrations: {
    ids: ['storage/001-providers', 'storage/002-troubles'],
    load: async () => (await import('./migrations.ts')).storageMigrations
  },
  jobs: { 'storage.watch': { everyMs: 60_000, isNeeded: hasRemoteProviders } },
  checks: (needs) => [
    { name: 'objects', vital: false, run: () => checkObjects(needs) },
    { name: 'storage', vital: false, run: async () => (await watchOf(needs)).check() }
  ],
  metrics: (needs) => [
    {
      name: 'objects',
      render: async () => (await import('../../disk-objects.ts')).renderObjects(objectsDir(needs.config))
    },
    { name: 'storage', render: async () => (await watchOf(needs)).render() }
  ],
  examine: async (installation) => (await import('./examine.ts')).checkProviders(installation),
  alertEvents: {
    'storage-provider.failing': {
      about: 'A storage provider elsewhere that holds buckets does not do as it should; it is over when it does again.',
      labels: ['provider', 'providerName', 'reason'],
      since: async (db) => (await import('./troubles.ts')).failingProviders(db)
    }
  },
  load: async () => (await import('./body.ts')).storageBody
})

function hasRemoteProviders(db: Db): Promise<boolean> {
  const others = db.selectFrom('storage_providers').where('built_in', '=', 0)
  return hasRows(others.where((row) => row.or([row('type', '!=', 'store-local'), row('endpoint', 'is not', null)])))
}

/** Loads nothing where there are no objects on this disk yet. */
async function checkObjects({ config, service }: AreaNeeds): Promise<void> {
  if (config.objectsUrl === undefined && !existsSync(objectsDir(config))) return
  await (await service('storage')).checkBuiltIn()
  // A store that is open keeps working after its folder was moved away, until the next start: so the folder is
  // checked too.
  const { checkObjectsOnDisk } = await import('../../disk-objects.ts')
  if (config.objectsUrl === undefined) await checkObjectsOnDisk(objectsDir(config))
}

async function watchOf(needs: AreaNeeds) {
  return (await import('./provider-watch.ts')).watchOf(needs)
}
