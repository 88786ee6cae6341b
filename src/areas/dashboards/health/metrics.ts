import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { metricText } from '../../../http/metric-text.ts'
import { conditionOf } from './condition.ts'

export async function renderDashboardMetrics({ db }: Metadata, clock: Clock): Promise<string> {
  const { dashboards, shares, views } = await conditionOf(db, clock.iso())
  return [
    metricText('millrace_dashboards', 'gauge', 'Dashboards', [{ value: dashboards }]),
    metricText(
      'millrace_dashboard_shares',
      'gauge',
      'Links to dashboards by whether they work',
      Object.entries(shares).map(([status, value]) => ({ labels: { status }, value }))
    ),
    metricText('millrace_dashboard_share_views', 'gauge', 'How often the links that there are were opened', [
      { value: views }
    ])
  ].join('')
}
