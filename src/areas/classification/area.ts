import { declareArea } from '../../area.ts'
import { classificationMigrations } from './migrations.ts'

declare module '../../http/permissions.ts' {
  interface Permissions {
    classification: 'read' | 'write' | 'admin'
  }
}

export const classification = declareArea({
  name: 'classification',
  about: 'Levels of secrecy, and what has which.',
  paths: ['/api/classification'],
  permissions: ['classification:read', 'classification:write', 'classification:admin'],
  migrations: classificationMigrations,
  load: async () => (await import('./body.ts')).classificationBody
})
