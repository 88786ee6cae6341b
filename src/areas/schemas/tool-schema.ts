import { MAX_REFERENCE_CHARS } from '../../data/reference.ts'
import { Closed, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { Compatibility, References, SchemaText, TypeOfSchema } from './schema.ts'

const Path = Type.String({ description: 'Where in the schema, by names' })
const Rule = Type.String({ description: 'The rule that decides; its code never changes' })
const Message = Type.String({ description: 'What happens to whom, in one sentence' })
const DIRECTION = '`backward`: what the old version wrote, read with the new one; `forward`: the other way round'

export const CompatibilityCheck = Closed(
  {
    schema: SchemaText,
    references: Type.Optional(References),
    mode: Type.Optional(Compatibility),
    version: Type.Optional(
      Type.Union(
        [
          Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
          Type.Unsafe<'latest'>({ type: 'string', enum: ['latest'] })
        ],
        {
          description: 'Only this version, rather than those that the mode asks for'
        }
      )
    )
  },
  { $id: 'CompatibilityCheck' }
)
export type CompatibilityCheck = Static<typeof CompatibilityCheck>

export const CompatibilityVerdict = Type.Object(
  {
    compatible: Type.Boolean(),
    mode: Compatibility,
    checkedAgainst: Type.Array(Type.Integer(), { description: 'The versions it was held against, newest first' }),
    violations: Type.Array(
      Type.Object({
        path: Path,
        rule: Rule,
        message: Message,
        version: Type.Integer({ description: 'The version it does not get on with' }),
        direction: OneOf(['backward', 'forward'] as const, DIRECTION)
      })
    )
  },
  {
    $id: 'CompatibilityVerdict',
    examples: [
      {
        compatible: false,
        mode: 'BACKWARD',
        checkedAgainst: [1],
        violations: [
          {
            path: '/fields/total',
            rule: 'avro.field_added_without_default',
            message:
              'Readers of the new version find no value for total in what version 1 wrote, and there is no default.',
            version: 1,
            direction: 'backward'
          }
        ]
      }
    ]
  }
)

const Breaking = Type.Object({
  backward: Type.Boolean({ description: 'Data of the older version can’t be read with the newer one' }),
  forward: Type.Boolean({ description: 'Data of the newer version can’t be read with the older one' })
})

export const Comparison = Type.Object(
  {
    from: Type.Integer(),
    to: Type.Integer(),
    changes: Type.Array(
      Type.Object({
        kind: OneOf(['added', 'removed', 'changed'] as const, 'What became of it'),
        path: Path,
        before: Type.Unknown({ description: 'As it was; null where it was not there' }),
        after: Type.Unknown({ description: 'As it is; null where it is not there any more' }),
        breaking: Breaking,
        rule: Rule,
        message: Message,
        assumes: Type.Optional(Type.String({ description: 'What has to hold for the change to break nothing' }))
      })
    ),
    compatible: Type.Object({ backward: Type.Boolean(), forward: Type.Boolean(), full: Type.Boolean() })
  },
  {
    $id: 'SchemaComparison',
    examples: [
      {
        from: 1,
        to: 2,
        changes: [
          {
            kind: 'removed',
            path: '/fields/note',
            before: 'string',
            after: null,
            breaking: { backward: false, forward: true },
            rule: 'avro.field_added_without_default',
            message: 'Readers of version 1 find no value for note in what version 2 wrote, and there is no default.'
          }
        ],
        compatible: { backward: true, forward: false, full: false }
      }
    ]
  }
)
export type Comparison = Static<typeof Comparison>

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
