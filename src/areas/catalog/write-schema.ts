import { LINE_ERROR_CODES, MAX_LINE_ERRORS, PRECISIONS, QUALITIES } from '../../engines/series/index.ts'
import { OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'

const LineError = Type.Object({
  line: Type.Integer({ minimum: 1, description: 'Which line, or which point of an array, from 1' }),
  code: OneOf(LINE_ERROR_CODES, 'What is wrong'),
  message: Type.String({ description: 'What is wrong, and where' })
})

export const counts = {
  accepted: Type.Integer({ minimum: 0, description: 'Written, and durable' }),
  rejected: Type.Integer({ minimum: 0, description: 'Not written' }),
  errors: Type.Array(LineError, { description: `The first ${MAX_LINE_ERRORS} of those not written` })
}

export const WriteResult = Type.Object(counts, {
  $id: 'WriteResult',
  examples: [
    {
      accepted: 2,
      rejected: 1,
      errors: [{ line: 3, code: 'invalid_point', message: 'value must be a number, a text, true or false' }]
    }
  ]
})
export type WriteResult = Static<typeof WriteResult>

export const PointsQuery = Type.Object(
  { precision: Type.Optional(OneOf(PRECISIONS, 'Unit of times that are numbers; `ns` if not said')) },
  { additionalProperties: false }
)

const POINT = {
  type: 'object',
  additionalProperties: false,
  required: ['tag', 'value'],
  properties: {
    tag: { type: 'string', description: 'Name of the tag, up to 1,024 bytes' },
    value: { type: ['number', 'boolean', 'string'] },
    time: {
      type: ['integer', 'string'],
      description: 'In the precision of the request, or ISO 8601 with up to nine digits of a second; now if not said'
    },
    quality: { type: 'string', enum: QUALITIES, description: '`good` if not said' },
    labels: { type: 'object', additionalProperties: { type: 'string' } }
  }
}

/** What the body may be: one point, several in an array, or several in `points`. */
export const POINTS = {
  anyOf: [
    { type: 'array', items: POINT },
    {
      type: 'object',
      additionalProperties: false,
      required: ['points'],
      properties: { points: { type: 'array', items: POINT } }
    },
    POINT
  ]
}
