import { type Route, read } from '../../../http/route.ts'
import { Effective, EffectiveQuery, InheritedPage, InheritedQuery, Preview, PreviewOrder } from './schema.ts'
import type { Inheritance } from './service.ts'

export function inheritanceRoutes(inheritance: Inheritance): Route[] {
  return [
    read(
      {
        path: '/classification/inherited',
        operationId: 'listInheritedClassifications',
        summary: 'List levels that data have because of where they come from, each with its way',
        permission: 'classification:read',
        query: InheritedQuery,
        answer: InheritedPage,
        madeFrom: ['classification_inherited']
      },
      ({ query }) => inheritance.list(query)
    ),
    read(
      {
        path: '/classification/effective',
        operationId: 'getEffectiveClassification',
        summary: 'Tell which levels count for data and their columns, given or inherited',
        permission: 'classification:read',
        query: EffectiveQuery,
        answer: Effective
      },
      ({ query }) => inheritance.effective(query.resource)
    ),
    read(
      {
        method: 'POST',
        path: '/classification/preview',
        operationId: 'previewClassification',
        summary: 'Tell what would inherit which level if a label were given, changed or removed',
        description:
          'Nothing is changed. A `level` of null asks what would be without the label of exactly these columns; without columns, of the whole resource.',
        permission: 'classification:read',
        body: PreviewOrder,
        answer: Preview
      },
      ({ body }) => inheritance.preview(body)
    )
  ]
}
