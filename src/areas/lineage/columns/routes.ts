import { type Route, read } from '../../../http/route.ts'
import { Columns, ColumnsQuery } from './schema.ts'
import type { ColumnQuestions } from './service.ts'

export function columnRoutes(questions: ColumnQuestions): Route[] {
  return [
    read(
      {
        path: '/lineage/columns',
        operationId: 'getLineageColumns',
        summary: 'Get the way of one column through everything',
        description:
          'What becomes of the values of a column, or what they come from; with `influences`, also what decides about rows, which is shown with column null. At most 20,000 columns are looked at.',
        permission: 'lineage:read',
        query: ColumnsQuery,
        answer: Columns
      },
      ({ query }) => questions.ask(query)
    )
  ]
}
