import type { MetricsPart } from '../../http/metrics.ts'
import type { Area } from '../../http/route.ts'
import { healthMetrics } from './metrics.ts'
import { healthRoutes } from './routes.ts'
import { HealthService } from './service.ts'

export { checkJobs } from './jobs.ts'

/** The area, and what it finds as numbers. */
export interface HealthArea extends Area {
  readonly metrics: MetricsPart
}

export function healthArea(needs: ConstructorParameters<typeof HealthService>[0]): HealthArea {
  const service = new HealthService(needs)
  return {
    name: 'health',
    about: 'Whether the platform works.',
    routes: healthRoutes(service),
    metrics: healthMetrics(service)
  }
}
