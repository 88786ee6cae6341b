import { FILLS, FUNCTIONS } from '../../engines/series/index.ts'
import { Closed, Id, Nullable, OneOf, Timestamp } from '../../http/schemas.ts'
import { DURATION_FORM, MAX_DURATION_CHARS, MAX_TIME_CHARS, TIME_FORM } from '../../http/times.ts'
import { type Static, Type } from '../../http/type.ts'
import { MAX_TAG_CHARS } from './tag-schema.ts'

const MAX_TAGS = 10_000

const BucketFunction = OneOf(FUNCTIONS, 'What is computed of each bucket')
const Time = (what: string) =>
  Type.String({ minLength: 1, maxLength: MAX_TIME_CHARS, description: `${what}: ${TIME_FORM}` })

export const CatalogQuery = Closed(
  {
    sourceId: Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the source' }),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_TAG_CHARS }), {
        minItems: 1,
        maxItems: MAX_TAGS,
        uniqueItems: true,
        description: 'Names, in the order of the answer; all that the source has if not said'
      })
    ),
    startTime: Time('From then on'),
    endTime: Type.Optional(Time('Up to then, and without it; `now` if not said')),
    aggregation: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_DURATION_CHARS,
        description: `Width of the buckets, ${DURATION_FORM}; the points themselves if not said`
      })
    ),
    function: Type.Optional(
      Type.Union(
        [BucketFunction, Type.Array(BucketFunction, { minItems: 1, maxItems: FUNCTIONS.length, uniqueItems: true })],
        {
          description: 'One or several, of buckets; `avg` if not said'
        }
      )
    ),
    fill: Type.Optional(OneOf(FILLS, 'What stands in buckets without points; `none` leaves them out, if not said')),
    maxPoints: Type.Optional(
      Type.Integer({
        minimum: 3,
        maximum: 1_000_000,
        description: 'Of each tag at most so many points, chosen so that its picture stays the same'
      })
    ),
    timeZone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
        description: 'IANA name of the zone whose days, weeks, months and years buckets are; `UTC` if not said'
      })
    )
  },
  { $id: 'CatalogQuery' }
)
export type CatalogQuery = Static<typeof CatalogQuery>

const Point = Type.Unsafe<object>({
  type: 'object',
  required: ['time'],
  properties: {
    time: { type: 'string', format: 'date-time', description: 'Of a bucket, its beginning' },
    value: {
      type: ['number', 'boolean', 'string', 'null'],
      description: 'Where several functions were asked for, their names stand instead'
    },
    count: { type: 'integer', description: 'Of a bucket: the points in it' },
    percentGood: { type: 'number', description: 'Of a bucket, where any point of the tag was not good' },
    quality: { type: 'string', description: 'Of a point that was not good' }
  }
})

export const CatalogAnswer = Type.Object(
  {
    sourceId: Id('src', 'source'),
    startTime: Timestamp('The time that was meant'),
    endTime: Timestamp('The time that was meant'),
    aggregation: Nullable(Type.String()),
    series: Type.Array(Type.Object({ tag: Type.String(), unit: Nullable(Type.String()), points: Type.Array(Point) }), {
      description: 'One for each tag'
    }),
    unknownTags: Type.Array(Type.String(), { description: 'Of those asked for, the ones the source does not have' }),
    stats: Type.Unsafe<object>({
      type: 'object',
      required: ['pointsRead', 'elapsedMs'],
      properties: {
        pointsRead: { type: 'integer', description: 'Points that were looked at' },
        elapsedMs: { type: 'number' },
        filled: { type: 'string', description: 'The fill that was applied' },
        downsampled: {
          type: 'object',
          description: 'Where `maxPoints` left points out: how many there were and are',
          properties: { from: { type: 'integer' }, to: { type: 'integer' } }
        }
      }
    })
  },
  {
    $id: 'CatalogAnswer',
    examples: [
      {
        sourceId: 'src_01kb8y2m6ze8r4n0c5t7w9q3fd',
        startTime: '2026-03-09T13:00:00.000Z',
        endTime: '2026-03-09T14:00:00.000Z',
        aggregation: '30m',
        series: [
          {
            tag: 'press.temperature{line=2}',
            unit: '°C',
            points: [
              { time: '2026-03-09T13:00:00.000Z', value: 60.92, count: 1800 },
              { time: '2026-03-09T13:30:00.000Z', value: 61.4, count: 1798 }
            ]
          }
        ],
        unknownTags: [],
        stats: { pointsRead: 3598, elapsedMs: 1.8, filled: 'none' }
      }
    ]
  }
)
