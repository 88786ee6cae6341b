import { Closed, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { Compatibility, References, SchemaText } from './schema.ts'

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
