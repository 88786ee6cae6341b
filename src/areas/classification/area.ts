import type { Area } from '../../area.ts'
import { classificationMigrations } from './migrations.ts'

export const classification: Area = {
  name: 'classification',
  about: 'Levels of secrecy, and what has which.',
  paths: ['/api/classification'],
  migrations: classificationMigrations,
  load: async () => (await import('./body.ts')).classificationBody
}
