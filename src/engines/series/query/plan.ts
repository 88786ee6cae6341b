/** The functions that a bucket can be asked for. */
export const FUNCTIONS = [
  'avg',
  'min',
  'max',
  'sum',
  'count',
  'first',
  'last',
  'stddev',
  'median',
  'p90',
  'p95',
  'p99',
  'rate',
  'delta'
] as const
export type SeriesFunction = (typeof FUNCTIONS)[number]

export const FILLS = ['none', 'null', 'previous', 'linear'] as const
export type Fill = (typeof FILLS)[number]

export const BUCKET_UNITS = ['ms', 's', 'm', 'h', 'd', 'w', 'mo', 'y'] as const
export type CalendarUnit = (typeof BUCKET_UNITS)[number]

export interface BucketWidth {
  readonly count: number
  readonly unit: CalendarUnit
}

export const ANSWER_FORMATS = ['json', 'csv', 'arrow'] as const
export type AnswerFormat = (typeof ANSWER_FORMATS)[number]

/** A query about one source, from `fromNs` up to but without `toNs`. */
export interface Query {
  readonly sourceId: string
  /** Tags in the order of the answer; undefined: all tags of the source, by name. */
  readonly tags: readonly string[] | undefined
  readonly fromNs: bigint
  readonly toNs: bigint
  /** Undefined: the answer has the points themselves. */
  readonly bucket: BucketWidth | undefined
  /** One or more, each once. */
  readonly functions: readonly SeriesFunction[]
  readonly fill: Fill
  /** At most so many points of each series, chosen so that a chart looks the same. */
  readonly maxPoints: number | undefined
  /** IANA name; it matters for buckets of a day and longer. */
  readonly timeZone: string
  readonly format: AnswerFormat
  /** Units of tags, shown in the answer. */
  readonly units: Readonly<Record<string, string>>
  /** The bucket width as the caller wrote it, for the answer. */
  readonly aggregation: string | null
  /** More points than this in the answer are refused with `too_many_points`. */
  readonly limitPoints: number
}

export interface QueryAnswer {
  /** The answer in the format asked for, produced while it is read. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Which bucket a time is in, in a form that JavaScript and SQL can both compute. See `buckets.ts`. */
export type BucketPlan = FixedBuckets | CalendarBuckets

/** `floor((ns of the time) / widthNs)`, aligned to the epoch. */
export interface FixedBuckets {
  readonly kind: 'fixed'
  readonly widthNs: bigint
}

/**
 * By the local date: days since the epoch, weeks (from Monday) since the Monday before the epoch, or months since
 * 1970-01, divided by `count` and rounded down.
 */
export interface CalendarBuckets {
  readonly kind: 'calendar'
  readonly unit: 'd' | 'w' | 'mo'
  readonly count: number
  readonly timeZone: string
  /** The offset from UTC to local time, from each moment on; the first one holds for all earlier times too. */
  readonly offsets: readonly { readonly fromNs: bigint; readonly offsetNs: bigint }[]
}
