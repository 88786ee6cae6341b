import { change, type Route, read } from '../../../http/route.ts'
import { Pipeline } from '../definition/schema.ts'
import { PipelineParams } from '../params.ts'
import { DuplicateBody, PipelineVersion, VersionPage, VersionParams, VersionQuery } from './schema.ts'
import type { Versions } from './service.ts'

export function versionRoutes(versions: Versions): Route[] {
  return [
    read(
      {
        path: '/pipelines/:id/versions',
        operationId: 'listPipelineVersions',
        summary: 'List the versions of a pipeline, the last one first',
        description: 'The last 200 are kept.',
        permission: 'pipelines:read',
        params: PipelineParams,
        query: VersionQuery,
        answer: VersionPage
      },
      ({ params, query }) => versions.list(params.id, query)
    ),
    read(
      {
        path: '/pipelines/:id/versions/:version',
        operationId: 'getPipelineVersion',
        summary: 'Get the nodes that a pipeline had in one version',
        permission: 'pipelines:read',
        params: VersionParams,
        answer: PipelineVersion
      },
      ({ params }) => versions.get(params.id, params.version)
    ),
    change(
      {
        method: 'POST',
        path: '/pipelines/:id/duplicate',
        operationId: 'duplicatePipeline',
        summary: 'Copy a pipeline, with its secrets and without its history',
        permission: 'pipelines:write',
        audit: 'pipeline.duplicate',
        status: 201,
        params: PipelineParams,
        body: DuplicateBody,
        answer: Pipeline,
        errors: ['name_taken', 'pipeline_busy'],
        gather: ({ actor, params }) => versions.checkedCopy(actor, params.id)
      },
      ({ tx, actor, params, body }) => versions.duplicate(tx, actor, params.id, body.name)
    )
  ]
}
