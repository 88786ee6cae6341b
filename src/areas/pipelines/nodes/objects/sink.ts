import { literally } from '../../../../data/glob.ts'
import { OneOf } from '../../../../http/schemas.ts'
import { Type } from '../../../../http/type.ts'
import { ColumnName, Config, type ConfigOf } from '../../contract/config-parts.ts'
import { sinkType } from '../../contract/node-type.ts'
import { unchanged } from '../../contract/ways.ts'

const ROLLS = { rollRows: 1_000_000, rollSeconds: 60 }

const ObjectSinkConfig = Config({
  bucket: Type.String({ minLength: 3, maxLength: 63, description: 'Name of the bucket' }),
  prefix: Type.String({
    maxLength: 500,
    pattern: '^(?!/)(?!.*//).*$',
    description: 'What the keys begin with, such as `readings/`'
  }),
  format: OneOf(['parquet', 'csv', 'ndjson'], 'The form of the objects'),
  partitionBy: Type.Optional(
    Type.Array(ColumnName('A column'), {
      minItems: 1,
      maxItems: 4,
      description: 'Objects go into folders named `column=value`'
    })
  ),
  rollRows: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50_000_000,
      description: `An object is closed with so many records; ${ROLLS.rollRows} unless said`
    })
  ),
  rollSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: `An object is closed after so long; ${ROLLS.rollSeconds} unless said`
    })
  )
})
export type ObjectSinkConfig = ConfigOf<typeof ObjectSinkConfig>

export const objectSink = sinkType<ObjectSinkConfig>({
  type: 'object',
  about: 'Writes records into objects of a bucket, each of which appears as a whole.',
  config: ObjectSinkConfig,
  delivery: 'exactly-once',
  columns: ({ partitionBy = [] }) => partitionBy,
  // Not `**`, which after no prefix is the name of all that the bucket has, also of others.
  references: ({ bucket, prefix, partitionBy = [] }) => [
    `object://${bucket}/${literally(prefix)}${partitionBy.length === 0 ? '*' : '*/**'}`
  ],
  ways: (_config, inputs) => ({ columns: unchanged(inputs), rows: [] }),
  open: async (context) => new (await import('./delivery.ts')).ObjectDelivery(context, ROLLS)
})
