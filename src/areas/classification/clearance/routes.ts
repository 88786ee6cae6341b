import { change, type Route, read } from '../../../http/route.ts'
import { Clearance, ClearanceList, ClearanceParams, ClearanceUpdate } from './schema.ts'
import type { Clearances } from './service.ts'

export function clearanceRoutes(clearances: Clearances): Route[] {
  return [
    read(
      {
        path: '/classification/clearances',
        operationId: 'listClearances',
        summary: 'List the strictest level that each role may see',
        permission: 'classification:read',
        answer: ClearanceList
      },
      () => clearances.list()
    ),
    change(
      {
        method: 'PUT',
        path: '/classification/clearances/:role',
        operationId: 'updateClearance',
        summary: 'Change the strictest level that a role may see',
        description:
          'It holds for the next request, on other replicas within a second. Keys have the clearance of their role.',
        permission: 'classification:admin',
        audit: 'classification-clearance.update',
        params: ClearanceParams,
        body: ClearanceUpdate,
        answer: Clearance
      },
      ({ tx, params, body }) => clearances.update(tx, params.role, body)
    )
  ]
}
