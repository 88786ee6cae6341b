import { type Route, read } from '../../../http/route.ts'
import { Difference, DifferenceQuery } from './schema.ts'
import type { Differences } from './service.ts'

export function differenceRoutes(differences: Differences): Route[] {
  return [
    read(
      {
        path: '/lineage/difference',
        operationId: 'getLineageDifference',
        summary: 'Get what has changed between two times',
        description:
          'What is added was said by nobody at the earlier time, and what has ended is said by nobody at the later one. What came and went in between is neither. With a root, what is around it at the time when it held.',
        permission: 'lineage:read',
        query: DifferenceQuery,
        answer: Difference
      },
      ({ query }) => differences.ask(query)
    )
  ]
}
