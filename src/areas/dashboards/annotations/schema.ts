import { Params } from '../../../http/params.ts'
import { Closed, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { MAX_TIME_CHARS, TIME_FORM } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'

export const MAX_SHOWN = 1000

const Time = (what: string) =>
  Type.String({ minLength: 1, maxLength: MAX_TIME_CHARS, description: `${what}: ${TIME_FORM}` })

export const AnnotationCreate = Closed(
  {
    kind: Type.Optional(OneOf(['note', 'deployment'], '`note` if not said')),
    from: Type.Optional(Time('When it was, or began; `now` if not said')),
    to: Type.Optional(Time('When it ended')),
    text: Type.String({ minLength: 1, maxLength: 2000, description: 'What happened' }),
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20, uniqueItems: true })),
    everywhere: Type.Optional(
      Type.Boolean({ description: 'Whether all dashboards show it, not only this one; false if not said' })
    )
  },
  { $id: 'DashboardAnnotationCreate' }
)
export type AnnotationCreate = Static<typeof AnnotationCreate>

export const Annotation = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the annotation, or of the alert' }),
    kind: OneOf(['note', 'deployment', 'alert'], 'Alerts are those of rules that read the same data'),
    from: Timestamp('When it was, or began'),
    to: Nullable(Timestamp('When it ended')),
    text: Type.String(),
    tags: Type.Array(Type.String()),
    everywhere: Type.Boolean(),
    createdBy: Nullable(Type.String({ description: 'Identifier of the user; null for an alert' }))
  },
  { $id: 'DashboardAnnotation' }
)
export type Annotation = Static<typeof Annotation>

export const AnnotationQuery = Type.Object(
  {
    from: Type.Optional(Time('From then on; the time range of the dashboard if not said')),
    to: Type.Optional(Time('Up to then'))
  },
  { additionalProperties: false }
)
export type AnnotationQuery = Static<typeof AnnotationQuery>

export const Annotations = Type.Object({
  annotations: Type.Array(Annotation, { description: `In order of time; the newest ${MAX_SHOWN} of each kind` })
})

export const AnnotationParams = Params('dashboard', 'id', {
  id: Type.String({ maxLength: 64 }),
  annotationId: Type.String({ maxLength: 64 })
})
