import { Closed, OneOf } from '../../../../http/schemas.ts'
import { Type } from '../../../../http/type.ts'
import { ColumnName, Config, type ConfigOf, DurationText, durationFaults } from '../../contract/config-parts.ts'
import { type ConfigFault, sourceType } from '../../contract/node-type.ts'
import { sourceTypeFaults, sourceTypeFields } from '../../records/column-types.ts'
import { HTTP_SECRETS, HttpHeaders, HttpMethod, HttpUrl, httpData, urlFaults } from './connection.ts'

const Pointer = (description: string) => Type.String({ maxLength: 500, pattern: '^(/.*)?$', description })

const HttpSourceConfig = Config({
  url: HttpUrl('The address to ask'),
  method: Type.Optional(HttpMethod(['GET', 'POST'])),
  headers: Type.Optional(HttpHeaders),
  body: Type.Optional(Type.String({ maxLength: 100_000, description: 'What to send, for POST' })),
  format: Type.Optional(
    OneOf(
      ['json', 'ndjson', 'csv'],
      'The form of answers: JSON unless said. The first line of CSV has the names of columns, whose values are text'
    )
  ),
  records: Type.Optional(
    Pointer('JSON pointer to the records in an answer, such as `/data/items`; the whole answer unless said')
  ),
  next: Type.Optional(
    Pointer('JSON pointer to the address of the next page, on the same server; no page follows where there is none')
  ),
  cursor: Type.Optional(
    Closed(
      {
        parameter: Type.String({ minLength: 1, maxLength: 200, description: 'The query parameter that it is sent as' }),
        field: ColumnName('The field of the records; numbers are compared by value, texts by their characters')
      },
      { description: 'The greatest value of a field so far is sent along, so that only newer records come' }
    )
  ),
  interval: Type.Optional(DurationText('Asks so often; once unless said')),
  ...sourceTypeFields
})
export type HttpSourceConfig = ConfigOf<typeof HttpSourceConfig>

export const httpSource = sourceType<HttpSourceConfig>({
  type: 'http',
  about: 'Asks an HTTP server for records, once or again and again.',
  config: HttpSourceConfig,
  secrets: HTTP_SECRETS,
  references: ({ url }) => httpData(url),
  isBounded: ({ interval }) => interval === undefined,
  isIncremental: ({ cursor }) => cursor !== undefined,
  check: (config) => [
    ...urlFaults(config.url),
    ...durationFaults(config, ['interval']),
    ...formFaults(config),
    ...sourceTypeFaults(config)
  ],
  async open(context) {
    const { HttpPolls } = await import('./polls.ts')
    return new HttpPolls(context, await context.outbound())
  }
})

function formFaults({ format = 'json', records, next, method = 'GET', body }: HttpSourceConfig): ConfigFault[] {
  const faults: ConfigFault[] = []
  const message = 'can only be given where the format is json'
  if (format !== 'json' && records !== undefined) faults.push({ pointer: '/records', message })
  if (format !== 'json' && next !== undefined) faults.push({ pointer: '/next', message })
  if (method === 'GET' && body !== undefined) faults.push({ pointer: '/body', message: 'can only be given with POST' })
  return faults
}
