import type { AreaBody, AreaNeeds } from '../../area.ts'
import { Questions } from './graph/questions.ts'
import { graphRoutes } from './graph/routes.ts'
import { Lineage } from './lineage.ts'

declare module '../../area.ts' {
  interface Services {
    lineage: Lineage
  }
}

export function lineageBody(needs: AreaNeeds): AreaBody {
  return { routes: [...graphRoutes(new Questions(needs))], service: new Lineage(needs) }
}
