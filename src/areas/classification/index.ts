import type { Area } from '../../http/route.ts'
import { classificationMigrations } from './migrations.ts'
import { classificationRoutes } from './routes.ts'
import { Classification } from './service.ts'

export function classificationArea(needs: ConstructorParameters<typeof Classification>[0]): Area {
  return {
    name: 'classification',
    about: 'Levels of secrecy, and what has which.',
    migrations: classificationMigrations,
    routes: classificationRoutes(new Classification(needs))
  }
}
