import { Closed, Name, Nullable, Timestamp } from '../../../http/schemas.ts'
import { MAX_TIME_CHARS, TIME_FORM } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'
import { Labels, RuleFields, State } from '../rules/schema.ts'

const Time = (what: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TIME_CHARS, description: `${what}: ${TIME_FORM}` }))

export const PreviewRequest = Closed(
  {
    name: Type.Optional(Name('Not used; so that a rule can be sent as it is')),
    ...RuleFields,
    from: Time('When it begins; a week before its end if not said'),
    to: Time('When it ends; now if not said')
  },
  { $id: 'AlertPreviewRequest', description: 'A rule, and the time to try it for.' }
)
export type PreviewRequest = Static<typeof PreviewRequest>

const Value = Nullable(Type.Number({ description: 'At its beginning' }))

export const Preview = Type.Object(
  {
    from: Timestamp('The first evaluation'),
    to: Timestamp('The last evaluation'),
    stepSeconds: Nullable(Type.Number({ description: 'Time between evaluations; null where there was only one' })),
    evaluations: Type.Integer({ minimum: 1 }),
    notes: Type.Array(Type.String(), { description: 'Where it differs from what a rule would have done' }),
    instances: Type.Array(
      Type.Object({
        labels: Labels,
        alerts: Type.Array(
          Type.Object({
            startedAt: Timestamp('When it would have fired'),
            resolvedAt: Nullable(Timestamp('When it would have been over; null: it would still be open')),
            value: Value
          })
        ),
        intervals: Type.Array(
          Type.Object({ state: State, from: Timestamp('Since then'), to: Timestamp('Until then'), value: Value })
        )
      })
    )
  },
  { $id: 'AlertPreview' }
)
export type Preview = Static<typeof Preview>
