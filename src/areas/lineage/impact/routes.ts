import { type Route, read } from '../../../http/route.ts'
import { NodeParams } from '../schema.ts'
import { Impact, ImpactQuery } from './schema.ts'
import type { Impacts } from './service.ts'

export function impactRoutes(impacts: Impacts): Route[] {
  return [
    read(
      {
        path: '/lineage/impact/:id',
        operationId: 'getLineageImpact',
        summary: 'Get what would break if data or a job stopped',
        description:
          'Everything downstream, counted by distance and kind, and in pages with who answers for it, how secret it is, how its last run went and which alerts are open. Looks at 200,000 nodes, and for 5 seconds, at most; the counts are of what was looked at.',
        permission: 'lineage:read',
        params: NodeParams,
        query: ImpactQuery,
        answer: Impact
      },
      ({ params, query, actor }) => impacts.of(params.id, query, actor)
    )
  ]
}
