import { Params } from '../../../http/params.ts'
import { GZIP } from '../../../http/request-headers.ts'
import { ingest, type Route } from '../../../http/route.ts'
import { Type } from '../../../http/type.ts'
import { Problem } from '../errors.ts'
import type { Feed } from './feed.ts'

const FeedParams = Params('pipeline', 'id', {
  id: Type.String({ maxLength: 64 }),
  nodeId: Type.String({ maxLength: 63 })
})

const FeedResult = Type.Object(
  {
    accepted: Type.Integer({ minimum: 0, description: 'Records that are committed' }),
    rejected: Type.Integer({ minimum: 0 }),
    errors: Type.Array(Type.Object({ line: Type.Integer(), code: Type.String(), message: Type.String() }), {
      description: 'The first hundred of the rejected ones; of an array, `line` is the place in it'
    })
  },
  {
    $id: 'FeedResult',
    examples: [
      { accepted: 2, rejected: 1, errors: [{ line: 3, code: 'not_object', message: 'A record is a JSON object' }] }
    ]
  }
)

const RECORDS = {
  oneOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }],
  description: 'One record, an array of records, or as NDJSON one a line'
}

export function feedRoutes(feed: Feed): Route[] {
  return [
    ingest(
      {
        path: '/pipelines/:id/nodes/:nodeId/records',
        operationId: 'feedPipeline',
        summary: 'Give records to a webhook node of a running pipeline',
        description:
          'An answer of 200 means that `accepted` records are committed; look at `rejected`. 400 means that none was accepted. `Content-Encoding: gzip` is understood. After 503 the same may be sent again.',
        permission: 'pipelines:write',
        params: FeedParams,
        stream: { mediaType: 'application/json', schema: RECORDS, encodings: GZIP },
        answer: FeedResult,
        errors: [
          'illegal_transition',
          'pipeline_busy',
          'no_records_accepted',
          'malformed_points',
          'body_incomplete',
          'payload_too_large',
          'unsupported_media_type',
          'unprocessable'
        ]
      },
      async ({ params, raw, actor, id }) => {
        const { accepted, rejected, errors } = await feed.take(params.id, params.nodeId, { raw, actor }, id)
        const answer = { accepted, rejected, errors: [...errors] }
        if (accepted === 0 && rejected > 0) throw new Problem('no_records_accepted', { members: answer })
        return answer
      }
    )
  ]
}
