import { OneOf } from '../../../http/schemas.ts'
import { MAX_TIME_CHARS, TIME_FORM } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'

const Time = (what: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TIME_CHARS, description: `${what}: ${TIME_FORM}` }))

export const imageQuery = {
  format: Type.Optional(OneOf(['svg', 'png'], '`svg` if not said')),
  theme: Type.Optional(OneOf(['light', 'dark'], '`light` if not said')),
  width: Type.Optional(Type.Integer({ minimum: 100, maximum: 4000, description: 'In pixels' })),
  height: Type.Optional(Type.Integer({ minimum: 60, maximum: 4000, description: 'Of a panel, in pixels' })),
  scale: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 4, description: 'Of a PNG: how many of its pixels are one; 1 if not said' })
  ),
  from: Time('From then on, in place of the time range of the dashboard'),
  to: Time('Up to then'),
  variables: Type.Optional(
    Type.String({ maxLength: 10_000, description: 'What is chosen of each variable, as a JSON object' })
  )
}

export const ImageQuery = Type.Object(imageQuery, { additionalProperties: false })
export type ImageQuery = Static<typeof ImageQuery>

export const PICTURE = Type.String({ description: 'The picture' })
