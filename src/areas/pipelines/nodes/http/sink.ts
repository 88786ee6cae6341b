import { OneOf } from '../../../../http/schemas.ts'
import { Type } from '../../../../http/type.ts'
import { Config, type ConfigOf } from '../../contract/config-parts.ts'
import { sinkType } from '../../contract/node-type.ts'
import { unchanged } from '../../contract/ways.ts'
import { HTTP_SECRETS, HttpHeaders, HttpMethod, HttpUrl, httpData, urlFaults } from './connection.ts'

const DEFAULT_BATCH_ROWS = 1000

const HttpSinkConfig = Config({
  url: HttpUrl('The address that records are sent to'),
  method: Type.Optional(HttpMethod(['POST', 'PUT', 'PATCH'])),
  headers: Type.Optional(HttpHeaders),
  format: Type.Optional(OneOf(['json', 'ndjson'], 'A JSON array, which it is unless said, or one record on each line')),
  batchRows: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: `Records in one request; ${DEFAULT_BATCH_ROWS} unless said`
    })
  )
})
export type HttpSinkConfig = ConfigOf<typeof HttpSinkConfig>

export const httpSink = sinkType<HttpSinkConfig>({
  type: 'http',
  about: 'Sends records to an HTTP server, with an `Idempotency-Key` that is the same when they are sent again.',
  config: HttpSinkConfig,
  secrets: HTTP_SECRETS,
  delivery: 'at-least-once',
  references: ({ url }) => httpData(url),
  ways: (_config, inputs) => ({ columns: unchanged(inputs), rows: [] }),
  check: ({ url }) => urlFaults(url),
  async open(context) {
    const { openHttpDelivery } = await import('./delivery.ts')
    return openHttpDelivery(context, DEFAULT_BATCH_ROWS)
  }
})
