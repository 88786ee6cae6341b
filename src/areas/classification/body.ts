import type { AreaBody, AreaNeeds } from '../../area.ts'
import { classificationRoutes } from './routes.ts'
import { Classification } from './service.ts'

declare module '../../area.ts' {
  interface Services {
    classification: Classification
  }
}

export function classificationBody(needs: AreaNeeds): AreaBody {
  const classification = new Classification(needs)
  return { routes: classificationRoutes(classification), service: classification }
}
