import type { AreaBody, AreaNeeds } from '../../area.ts'
import { healthRoutes } from './routes.ts'
import { HealthService } from './service.ts'

declare module '../../area.ts' {
  interface Services {
    health: HealthService
  }
}

export function healthBody(needs: AreaNeeds): AreaBody {
  const service = new HealthService({ ...needs, checks: needs.checks() })
  return { routes: healthRoutes(service), service }
}
