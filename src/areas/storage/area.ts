import type { Area } from '../../area.ts'
import { storageMigrations } from './migrations.ts'

export const storage: Area = {
  name: 'storage',
  about: 'The backends that buckets can be made in, and a test of each.',
  paths: ['/api/storage'],
  migrations: storageMigrations,
  checks: ({ config, service }) =>
    config.objectsUrl === undefined
      ? []
      : [{ name: 'objects', vital: false, run: async () => (await service('storage')).checkBuiltIn() }],
  load: async () => (await import('./body.ts')).storageBody
}
