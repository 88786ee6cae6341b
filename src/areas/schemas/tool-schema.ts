import { MAX_REFERENCE_CHARS } from '../../data/reference.ts'
import { Closed } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { TypeOfSchema } from './schema.ts'

const MAX_RECORDS = 1000

const Records = Type.Array(Type.Unknown(), {
  minItems: 1,
  maxItems: MAX_RECORDS,
  description: 'Values as JSON has them'
})

export const ValidateBody = Closed(
  {
    data: Type.Optional(Type.Unknown({ description: 'One value as JSON has it' })),
    records: Type.Optional(Records)
  },
  { $id: 'SchemaValidate', description: 'Either `data` or `records`' }
)
export type ValidateBody = Static<typeof ValidateBody>

export const ValidateAnswer = Type.Object(
  {
    valid: Type.Boolean(),
    checked: Type.Integer({ description: 'How many values were looked at' }),
    invalid: Type.Integer({ description: 'How many of them do not fit' }),
    errors: Type.Array(
      Type.Object({
        record: Type.Integer({ description: 'Which value, counted from 0' }),
        pointer: Type.String({ description: 'JSON pointer into the value' }),
        message: Type.String()
      }),
      { description: 'The first 1,000' }
    )
  },
  {
    $id: 'SchemaValidation',
    examples: [
      { valid: false, checked: 1, invalid: 1, errors: [{ record: 0, pointer: '/total', message: 'must be a number' }] }
    ]
  }
)
export type ValidateAnswer = Static<typeof ValidateAnswer>

export const ExampleQuery = Type.Object(
  {
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'How many; 1 if not said' })),
    seed: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2 ** 32 - 1,
        description: 'The same seed gives the same examples; 1 if not said'
      })
    )
  },
  { additionalProperties: false }
)
export type ExampleQuery = Static<typeof ExampleQuery>

export const ExampleAnswer = Type.Object(
  { examples: Type.Array(Type.Unknown(), { description: 'Values that fit the schema, as JSON has them' }) },
  { $id: 'SchemaExamples', examples: [{ examples: [{ id: 7, note: 'kfowb' }] }] }
)

export const ConvertQuery = Type.Object({ to: TypeOfSchema }, { additionalProperties: false })

const Lost = Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
  description: 'What the new schema does not say, and where it was said'
})

const converted = {
  type: TypeOfSchema,
  schema: Type.String({ description: 'The text' }),
  lossless: Type.Boolean({ description: 'Whether nothing was lost' }),
  lost: Lost
}

export const ConvertAnswer = Type.Object(converted, {
  $id: 'ConvertedSchema',
  examples: [{ type: 'avro', schema: '{"type":"record","name":"Order","fields":[]}', lossless: true, lost: [] }]
})

export const InferBody = Closed(
  {
    reference: Type.Optional(
      Type.String({ minLength: 1, maxLength: MAX_REFERENCE_CHARS, description: 'Data, such as `object://bucket/key`' })
    ),
    records: Type.Optional(Records),
    type: TypeOfSchema,
    name: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
        description: 'What to call it; `Record` if not said'
      })
    )
  },
  { $id: 'SchemaInfer', description: 'Either `reference` or `records`' }
)
export type InferBody = Static<typeof InferBody>

export const InferAnswer = Type.Object(
  { ...converted, recordsRead: Type.Integer({ description: 'How many records it was made of' }) },
  {
    $id: 'InferredSchema',
    examples: [{ type: 'json', schema: '{"type":"object"}', lossless: true, lost: [], recordsRead: 1000 }]
  }
)
export type InferAnswer = Static<typeof InferAnswer>
