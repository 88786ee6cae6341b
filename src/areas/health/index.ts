import type { Area } from '../../http/route.ts'
import { healthRoutes } from './routes.ts'
import { HealthService } from './service.ts'

export function healthArea(needs: ConstructorParameters<typeof HealthService>[0]): Area {
  return {
    name: 'health',
    about: 'Whether the platform works.',
    routes: healthRoutes(new HealthService(needs))
  }
}
