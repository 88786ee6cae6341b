import { Closed, OneOf } from '../../../../http/schemas.ts'
import { type Static, Type } from '../../../../http/type.ts'
import { ColumnName } from '../../contract/config-parts.ts'
import type { ConfigFault } from '../../contract/node-type.ts'
import { COLUMNS_EXPECTED, ColumnTypes, sourceTypeFaults, sourceTypeFields } from '../../records/column-types.ts'
import type { BrokerConnection } from './connection.ts'

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
  ...sourceTypeFields,
  columns: Type.Optional(
    Type.Union(
      [
        Type.Array(ColumnName('A column of CSV'), { minItems: 1, maxItems: 500, 'x-expected': COLUMNS_EXPECTED }),
        ColumnTypes('Columns with their types, for CSV in their order')
      ],
      {
        description:
          'Types of columns by name: a record with another value there is a dead letter. For CSV also a list of names alone, whose values are texts'
      }
    )
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
  readonly columns?: readonly string[] | Readonly<Record<string, string>>
  readonly schemaId?: string
  readonly version?: number
  readonly metadata?: boolean
  readonly qos?: 0 | 1
  readonly stream?: string
  readonly from?: 'earliest' | 'latest'
}

type Form = Pick<MessageSourceConfig, 'format' | 'columns' | 'schemaId' | 'version'>

export function formatFaults({ format, ...types }: Form): ConfigFault[] {
  const { columns } = types
  const faults = sourceTypeFaults(types)
  if (format === 'csv' && columns === undefined) faults.push({ pointer: '/columns', message: 'must be given for CSV' })
  if (format !== 'csv' && Array.isArray(columns)) {
    faults.push({
      pointer: '/columns',
      message: 'can only be a list of names where the format is csv; give each a type'
    })
  }
  return faults
}

/** The types that are told; a list of the columns of CSV tells none. */
export const toldColumns = ({ columns }: MessageSourceConfig): Readonly<Record<string, string>> | undefined =>
  Array.isArray(columns) ? undefined : (columns as Readonly<Record<string, string>> | undefined)

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

/** For lineage, where each record names its topic. */
export const ANY_TOPIC = '*'

export const groupOf = (pipelineId: string, nodeId: string): string => `millrace-${pipelineId}-${nodeId}`
