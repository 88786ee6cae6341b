import { Closed, OneOf } from '../../../http/schemas.ts'
import { MAX_DURATION_CHARS } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'

export const DEFAULT_LAG = '5m'

const FORM = 'a whole number from 1 on and a unit (s m h d), such as 1h'
const Length = (description: string) =>
  Type.String({ minLength: 2, maxLength: MAX_DURATION_CHARS, description: `${description}: ${FORM}` })

const FUNCTIONS = ['avg', 'min', 'max', 'sum', 'count', 'last'] as const

export const DownsampleConfig = Closed({
  tags: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'Which tags, as a pattern: `*` is any text and `?` any character without a slash, `**` any text, `[ab]` one of these. All if not said. Tags of texts are left out but for count and last'
    })
  ),
  every: Length('The width of the buckets'),
  functions: Type.Optional(
    Type.Array(OneOf(FUNCTIONS, 'What is computed of each bucket'), {
      minItems: 1,
      maxItems: FUNCTIONS.length,
      uniqueItems: true,
      description:
        'One keeps the names of tags, several make tags such as `temperature.avg` and `temperature.max` (before the labels, where there are any); `avg` alone if not said'
    })
  ),
  into: Closed(
    { sourceId: Type.String({ minLength: 1, maxLength: 64, description: 'Another source of the catalog' }) },
    { description: 'Where the buckets are written to, each as a point at its beginning' }
  ),
  lag: Type.Optional(Length(`How late points may come: buckets are left alone for so long. ${DEFAULT_LAG} if not said`))
})
export type DownsampleConfig = Static<typeof DownsampleConfig>

export const NO_LENGTH = `must be ${FORM}`
