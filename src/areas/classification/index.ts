import type { Area } from '../../http/route.ts'
import { classificationMigrations } from './migrations.ts'
import { classificationRoutes } from './routes.ts'
import type { Classification } from './service.ts'

export { Classification } from './service.ts'

export function classificationArea(classification: Classification): Area {
  return {
    name: 'classification',
    about: 'Levels of secrecy, and what has which.',
    migrations: classificationMigrations,
    routes: classificationRoutes(classification)
  }
}
