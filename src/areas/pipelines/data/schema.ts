import { Closed, Id, Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { DURATION_FORM, MAX_DURATION_CHARS, MAX_TIME_CHARS, TIME_FORM } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'

export const MEASURES = ['avg', 'min', 'max', 'count', 'first', 'last', 'sum'] as const
export type Measure = (typeof MEASURES)[number]
const MAX_ROWS = 10_000

const Time = (what: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TIME_CHARS, description: `${what}: ${TIME_FORM}` }))

export const DataParams = Closed({
  start: Time('From then on; `-1h` if not said'),
  end: Time('Up to then, and without it; `now` if not said'),
  aggregation: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_DURATION_CHARS,
      description: `Width of the buckets, ${DURATION_FORM}; the records themselves if not said`
    })
  ),
  columns: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4000, description: 'Tags or columns, by commas; all if not said' })
  ),
  function: Type.Optional(OneOf(MEASURES, 'Of buckets: only this and `count`; all but `sum` if not said')),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ROWS, description: 'Of records: at most so many, 1000 if not said' })
  )
})
export type DataParams = Static<typeof DataParams>

const Value = Type.Optional(Type.Unsafe<number | null>({ type: ['number', 'null'] }))
const Point = Type.Object({
  time: Type.String({ format: 'date-time', description: 'When the bucket begins' }),
  avg: Value,
  min: Value,
  max: Value,
  count: Value,
  first: Value,
  last: Value,
  sum: Value
})

const DataSeries = Type.Object({
  tag: Type.String({ description: 'The tag or, of objects, the column' }),
  points: Type.Array(Point)
})
export type DataSeries = Static<typeof DataSeries>

export const PipelineData = Type.Object(
  {
    pipelineId: Id('pl', 'pipeline'),
    start: Timestamp('The time that was meant'),
    end: Timestamp('The time that was meant'),
    aggregation: Nullable(Type.String()),
    series: Type.Optional(Type.Array(DataSeries, { description: 'With `aggregation`' })),
    columns: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), type: Type.String() }), { description: 'Without `aggregation`' })
    ),
    rows: Type.Optional(
      Type.Array(Type.Unknown(), { description: 'Without `aggregation`: records, the oldest first' })
    ),
    timeColumn: Type.Optional(
      Nullable(Type.String({ description: 'The column that `start` and `end` are about; null where there is none' }))
    ),
    truncated: Type.Optional(Type.Boolean({ description: 'Whether there are more records than `limit`' })),
    masked: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Columns that are classified above the caller’s clearance: texts read `********`, all else is null'
      })
    )
  },
  {
    $id: 'PipelineData',
    examples: [
      {
        pipelineId: 'pl_01kb8y2m6ze8r4n0c5t7w9q3fd',
        start: '2026-03-09T13:00:00.000Z',
        end: '2026-03-09T14:00:00.000Z',
        aggregation: '30m',
        series: [
          {
            tag: 'temperature',
            points: [
              { time: '2026-03-09T13:00:00.000Z', avg: 60.9, min: 58, max: 64, count: 1800, first: 58, last: 61 }
            ]
          }
        ]
      }
    ]
  }
)
export type PipelineData = Static<typeof PipelineData>
