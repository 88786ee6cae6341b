import { change, type Route, read } from '../../../http/route.ts'
import { Nothing } from '../../../http/schemas.ts'
import { DashboardParams } from '../schema.ts'
import { Annotation, AnnotationCreate, AnnotationParams, AnnotationQuery, Annotations } from './schema.ts'
import type { Annotations as AnnotationService } from './service.ts'

export function annotationRoutes(annotations: AnnotationService): Route[] {
  return [
    read(
      {
        path: '/dashboards/:id/annotations',
        operationId: 'listDashboardAnnotations',
        summary: 'List what happened in the time that a dashboard shows',
        description: 'Notes, deployments, and the alerts of rules that read the same sources and buckets.',
        permission: 'dashboards:read',
        params: DashboardParams,
        query: AnnotationQuery,
        answer: Annotations
      },
      ({ actor, params, query }) => annotations.list(actor, params.id, query)
    ),
    change(
      {
        method: 'POST',
        path: '/dashboards/:id/annotations',
        operationId: 'createDashboardAnnotation',
        summary: 'Note what happened, on a dashboard or on all',
        permission: 'dashboards:write',
        audit: 'dashboard-annotation.create',
        status: 201,
        params: DashboardParams,
        body: AnnotationCreate,
        answer: Annotation,
        errors: ['not_yours_to_edit']
      },
      ({ tx, actor, params, body }) => annotations.create(tx, actor, params.id, body)
    ),
    change(
      {
        method: 'DELETE',
        path: '/dashboards/:id/annotations/:annotationId',
        operationId: 'deleteDashboardAnnotation',
        summary: 'Delete an annotation',
        permission: 'dashboards:write',
        audit: 'dashboard-annotation.delete',
        params: AnnotationParams,
        answer: Nothing,
        errors: ['not_yours_to_edit']
      },
      ({ tx, actor, params }) => annotations.delete(tx, actor, params.id, params.annotationId)
    )
  ]
}
