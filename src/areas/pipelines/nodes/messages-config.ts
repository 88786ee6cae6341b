import { Closed, OneOf } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { ColumnName } from './config-parts.ts'
import type { BrokerConnection } from './connection-broker.ts'
import type { ConfigFault } from './node-type.ts'

/** What sources of messages have in common. */
export const messageSourceFields = {
  group: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[A-Za-z0-9_-]+$',
      description: 'The name under which the broker remembers what was read; made from pipeline and node unless said'
    })
  ),
  format: Type.Optional(
    OneOf(
      ['json', 'text', 'csv'],
      'The form of messages: JSON unless said, in which an object is a record, an array many, and anything else the `value` of one; text is a `value`, too; lines of CSV have texts for the `columns`'
    )
  ),
  columns: Type.Optional(
    Type.Array(ColumnName('A column'), {
      minItems: 1,
      maxItems: 500,
      description: 'The columns of CSV, in their order'
    })
  ),
  metadata: Type.Optional(
    Type.Boolean({
      description:
        'Adds `_topic`, `_key` and `_time`: when it was published or, where the broker does not say, received'
    })
  )
}

export interface MessageSourceConfig {
  readonly connection: BrokerConnection
  readonly topics: readonly string[]
  readonly group?: string
  readonly format?: 'json' | 'text' | 'csv'
  readonly columns?: readonly string[]
  readonly metadata?: boolean
  readonly qos?: 0 | 1
  readonly stream?: string
  readonly from?: 'earliest' | 'latest'
}

export function formatFaults({ format, columns }: Pick<MessageSourceConfig, 'format' | 'columns'>): ConfigFault[] {
  if (format === 'csv' && columns === undefined) return [{ pointer: '/columns', message: 'must be given for CSV' }]
  if (format !== 'csv' && columns !== undefined) {
    return [{ pointer: '/columns', message: 'can only be given where the format is csv' }]
  }
  return []
}

const Topic = (what: string) =>
  Type.Union(
    [
      Type.String({ minLength: 1, maxLength: 1000, description: `The ${what} for all records` }),
      Closed({ column: ColumnName(`The column that holds the ${what}`) })
    ],
    { description: `A ${what}, or the column that holds it` }
  )

/** What sinks of messages have in common. */
export const messageSinkFields = (what: string) => ({
  topic: Topic(what),
  format: Type.Optional(OneOf(['json'], 'Each record is a message of one JSON object'))
})
export type MessageTopic = Static<ReturnType<typeof Topic>>

export interface MessageSinkConfig {
  readonly connection: BrokerConnection
  readonly topic: MessageTopic
  readonly key?: string
  readonly stream?: string
}

export const columnsOfMessages = ({ topic, key }: Pick<MessageSinkConfig, 'topic' | 'key'>): string[] => [
  ...(typeof topic === 'string' ? [] : [topic.column]),
  ...(key === undefined ? [] : [key])
]

export const groupOf = (pipelineId: string, nodeId: string): string => `millrace-${pipelineId}-${nodeId}`
