import { watchCaller } from '../../../http/caller.ts'
import { type Route, read } from '../../../http/route.ts'
import { PipelineParams } from '../params.ts'
import { DataParams, PipelineData } from './schema.ts'
import type { PipelineOutputs } from './service.ts'

export function dataRoutes(outputs: PipelineOutputs): Route[] {
  return [
    read(
      {
        path: '/pipelines/:id/data',
        operationId: 'getPipelineData',
        summary: 'Read what a pipeline has put out, in buckets or as it is',
        description:
          'The output is what the `series` sinks write or, where there are none, what the `object` sinks write: their numeric columns are the tags, and the first column of times tells when. Needs `catalog:read` or `buckets:read` as well. Columns that objects are partitioned by are in their keys, not in the answer. What is classified above the caller’s clearance is masked, and `masked` names those columns; points can’t be masked, and are refused.',
        permission: 'pipelines:read',
        params: PipelineParams,
        query: DataParams,
        answer: PipelineData,
        errors: [
          'above_clearance',
          'no_readable_output',
          'unprocessable',
          'too_many_points',
          'function_not_applicable',
          'query_timeout',
          'store_failed',
          'objects_url_missing',
          'series_unavailable',
          'series_url_missing',
          'series_failed',
          'series_damaged',
          'series_busy',
          'overloaded'
        ]
      },
      async (asker) => {
        const caller = watchCaller(asker.raw)
        try {
          return await outputs.read(asker, asker.params.id, asker.query, caller.signal)
        } finally {
          caller.release()
        }
      }
    )
  ]
}
