import { etagOf } from '../../../http/etag.ts'
import type { Actor } from '../../../http/permissions.ts'
import { change, type Route, read, StatusAnswer } from '../../../http/route.ts'
import { Nothing } from '../../../http/schemas.ts'
import { PipelineParams } from '../params.ts'
import type { Preview } from '../protocol/protocol.ts'
import { NodeTypes, nodeTypes } from './node-types.ts'
import { PreviewBody, PreviewResult } from './preview.ts'
import { Pipeline, PipelineCreate, PipelineDeletion, PipelinePage, PipelineQuery, PipelineUpdate } from './schema.ts'
import type { Pipelines } from './service.ts'

interface Needs {
  readonly pipelines: Pipelines
  preview(actor: Actor, body: PreviewBody): Promise<Preview>
}

export function pipelineRoutes({ pipelines, preview }: Needs): Route[] {
  return [
    read(
      {
        path: '/pipelines',
        operationId: 'listPipelines',
        summary: 'List pipelines',
        permission: 'pipelines:read',
        query: PipelineQuery,
        answer: PipelinePage,
        madeFrom: ['pipelines']
      },
      ({ query }) => pipelines.list(query)
    ),
    change(
      {
        method: 'POST',
        path: '/pipelines',
        operationId: 'createPipeline',
        summary: 'Make a pipeline',
        description:
          'Nodes form a graph without cycles from sources, which have no inputs, to sinks. All that is wrong with it is told at once, each by the node. Buckets and sources of the catalog that nodes name must be there, and the caller needs the rights to them. It is `stopped` until it is started.',
        permission: 'pipelines:write',
        audit: 'pipeline.create',
        status: 201,
        body: PipelineCreate,
        answer: Pipeline,
        errors: ['name_taken', 'pipeline_busy', 'above_clearance'],
        gather: ({ actor, body }) => pipelines.checked(actor, body)
      },
      ({ tx, actor, gathered }) => pipelines.create(tx, actor, gathered)
    ),
    read(
      {
        path: '/pipelines/node-types',
        operationId: 'listNodeTypes',
        summary: 'List the types of nodes with the schemas of their configurations',
        description: 'Where a source and a sink share a name, the place of a node tells which is meant.',
        permission: 'pipelines:read',
        answer: NodeTypes
      },
      () => nodeTypes()
    ),
    read(
      {
        method: 'POST',
        path: '/pipelines/preview',
        operationId: 'previewPipeline',
        summary: 'Put sample records through nodes without keeping anything',
        description:
          'Samples stand in for what sources would read; sinks say what they would refuse, as far as that can be told without writing (`asked`). At most 1,000 records and 10 seconds. Stored rules of quality need `quality:read`, and the clearance for the data that they are about where they may quote them.',
        permission: 'pipelines:write',
        body: PreviewBody,
        answer: PreviewResult,
        errors: ['unprocessable', 'query_timeout', 'pipeline_busy', 'above_clearance']
      },
      ({ actor, body }) => preview(actor, body)
    ),
    read(
      {
        path: '/pipelines/:id',
        operationId: 'getPipeline',
        summary: 'Get one pipeline, with what its nodes have done in the last run',
        description: 'Secrets of nodes read `********`. `version` and `ETag` count changes of the definition.',
        permission: 'pipelines:read',
        params: PipelineParams,
        answer: Pipeline
      },
      async ({ actor, params }) => {
        const pipeline = await pipelines.get(actor, params.id)
        // The version counts changes of the definition; status and figures move on without it.
        return new StatusAnswer(200, pipeline, { etag: etagOf(pipeline) as string })
      }
    ),
    change(
      {
        method: 'PUT',
        path: '/pipelines/:id',
        operationId: 'updatePipeline',
        summary: 'Change a pipeline that does not run',
        description:
          'The next run is of the new version; nodes whose type, configuration or inputs are others begin anew in it. A secret sent as `********` stays as it is, while it goes to the same place.',
        permission: 'pipelines:write',
        audit: 'pipeline.update',
        params: PipelineParams,
        body: PipelineUpdate,
        answer: Pipeline,
        errors: ['name_taken', 'illegal_transition', 'pipeline_busy', 'secret_bound', 'above_clearance'],
        gather: ({ actor, params, body }) => pipelines.checkedUpdate(actor, params.id, body)
      },
      ({ tx, actor, params, gathered }) => pipelines.update(tx, actor, params.id, gathered)
    ),
    change(
      {
        method: 'DELETE',
        path: '/pipelines/:id',
        operationId: 'deletePipeline',
        summary: 'Delete a pipeline that does not run, with its history',
        description:
          'What it has written stays. One that a schedule starts is deleted only with `force=true`. Only those who may see what it reads may delete it.',
        permission: 'pipelines:write',
        audit: 'pipeline.delete',
        params: PipelineParams,
        query: PipelineDeletion,
        answer: Nothing,
        errors: ['illegal_transition', 'in_use', 'above_clearance'],
        gather: ({ actor, params }) => pipelines.requireDeletable(actor, params.id)
      },
      ({ tx, params, query }) => pipelines.delete(tx, params.id, query.force === true)
    )
  ]
}
