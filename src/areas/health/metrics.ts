import { metricText } from '../../http/metric-text.ts'
import type { Check, Health } from './schema.ts'

const VALUES: Record<Check['status'], number> = { ok: 1, degraded: 0.5, down: 0 }

/** The results of health, at most a second old: frequent scrapes cost nothing. */
export async function renderHealth(service: { health(): Health | Promise<Health> }): Promise<string> {
  const { checks } = await service.health()
  const samples = Object.entries(checks as Record<string, Check>).map(([check, { status }]) => ({
    labels: { check },
    value: VALUES[status]
  }))
  return metricText('millrace_health_check', 'gauge', 'Checks of health: 1 ok, 0.5 degraded, 0 down', samples)
}
