import './errors.ts'
import { declareArea } from '../../area.ts'
import { storageMigrations } from './migrations.ts'

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
  migrations: storageMigrations,
  checks: ({ config, service }) =>
    config.objectsUrl === undefined
      ? []
      : [{ name: 'objects', vital: false, run: async () => (await service('storage')).checkBuiltIn() }],
  load: async () => (await import('./body.ts')).storageBody
})
