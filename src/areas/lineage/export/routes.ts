import { type Route, read } from '../../../http/route.ts'
import { Type } from '../../../http/type.ts'
import { ExportQuery } from './schema.ts'
import { CSV, type Exports, GRAPHML } from './service.ts'

export function exportRoutes(exports: Exports): Route[] {
  return [
    read(
      {
        path: '/lineage/export',
        operationId: 'exportLineageGraph',
        summary: 'Export the graph around a node, or all of it, as a file',
        description: 'However large it is: it is sent while it is read.',
        permission: 'lineage:read',
        query: ExportQuery,
        answer: Type.String(),
        produces: CSV,
        alsoProduces: [GRAPHML]
      },
      ({ query }) => exports.of(query)
    )
  ]
}
