import { Closed, Nullable, OneOf } from '../../../http/schemas.ts'
import { type Static, type TSchema, Type } from '../../../http/type.ts'
import { HOWS, MAPPING_KINDS, NodeId } from '../schema.ts'

/** The form of the lines; a file of another is refused. */
export const VERSION = 1

const KEY = '^[A-Za-z0-9_-]{12}$'
const MAX_NAME_CHARS = 1000
const MAX_MS = 8_640_000_000_000_000

const Ms = Type.Integer({ minimum: 0, maximum: MAX_MS })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Text = (maxLength = 10_000) => Type.String({ maxLength })
const Texts = Type.Array(Text(MAX_NAME_CHARS), { maxItems: 1000 })
const How = OneOf(HOWS, 'See `provenance`')
const STATES = ['running', 'completed', 'failed', 'aborted', 'other'] as const

/** What is told of a node, with the time of the telling. */
const Dated = (value: TSchema) =>
  Type.Optional(Type.Unsafe({ type: 'array', minItems: 2, prefixItems: [Ms, value], items: false }))

/** Since when it was deleted, and until when. */
const Absence = Type.Unsafe({ type: 'array', minItems: 2, prefixItems: [Ms, Nullable(Ms)], items: false })

const columns = Type.Array(Closed({ name: Text(MAX_NAME_CHARS), type: Type.Optional(Text(MAX_NAME_CHARS)) }), {
  maxItems: 100_000
})

const Facts = Closed({
  name: Dated(Text(MAX_NAME_CHARS)),
  columns: Dated(columns),
  owners: Dated(Texts),
  description: Dated(Text()),
  deleted: Type.Optional(Type.Array(Absence, { maxItems: 1000 })),
  ownerGone: Dated(Type.Boolean()),
  said: Dated(
    Closed({
      name: Type.Optional(Text(MAX_NAME_CHARS)),
      owners: Type.Optional(Texts),
      description: Type.Optional(Text())
    })
  )
})

/** See `Statement`: what a job reads or writes, or what becomes of a column, by the keys of nodes. */
const Fact = Type.Unsafe<readonly string[]>({
  type: 'array',
  anyOf: [
    { minItems: 2, prefixItems: [{ enum: ['r', 'w'] }, { type: 'string', pattern: KEY }], items: false },
    {
      minItems: 5,
      prefixItems: [
        { type: 'string', pattern: KEY },
        { type: 'string', maxLength: MAX_NAME_CHARS },
        { type: 'string', pattern: KEY },
        { type: 'string', maxLength: MAX_NAME_CHARS },
        { enum: MAPPING_KINDS }
      ],
      items: false
    }
  ]
})

const job = { job: NodeId('A job'), how: How }

/** A node, with the key that facts have for it. */
const NodeLine = Closed({
  type: Type.Unsafe<'node'>({ const: 'node' }),
  key: Text(12),
  reference: NodeId(),
  facts: Facts
})

/** A job, with what is known of runs that are no longer kept: those that began before `baseMs`. */
const JobLine = Closed({
  type: Type.Unsafe<'job'>({ const: 'job' }),
  ...job,
  who: Text(MAX_NAME_CHARS),
  baseMs: Ms,
  runs: Count,
  wholeRuns: Count,
  wholeMs: Nullable(Ms)
})

/** What held by those runs. */
const PastLine = Closed({
  type: Type.Unsafe<'past'>({ const: 'past' }),
  ...job,
  baseMs: Ms,
  fact: Fact,
  startedMs: Ms,
  endedMs: Nullable(Ms),
  seenMs: Ms,
  runs: Count
})

/** Runs that all say the same. */
const RunsLine = Closed({
  type: Type.Unsafe<'runs'>({ const: 'runs' }),
  ...job,
  who: Text(MAX_NAME_CHARS),
  facts: Type.Array(Fact, { maxItems: 1_000_000 }),
  runs: Type.Array(
    Closed({
      id: Type.String({ minLength: 1, maxLength: MAX_NAME_CHARS }),
      startMs: Ms,
      wholeMs: Nullable(Ms),
      state: OneOf(STATES, 'How it stands'),
      stateMs: Ms,
      error: Nullable(Text()),
      parent: Type.Optional(Closed({ job: NodeId(), run: Text(MAX_NAME_CHARS) }))
    }),
    { minItems: 1, maxItems: 1000 }
  )
})

/** Two names of data. */
const NamesLine = Closed({
  type: Type.Unsafe<'names'>({ const: 'names' }),
  is: OneOf(['same', 'renamed'], 'Of both'),
  from: NodeId(),
  to: NodeId(),
  how: How,
  who: Text(MAX_NAME_CHARS),
  startedMs: Ms
})

const Column = {
  from: Nullable(Text(MAX_NAME_CHARS)),
  to: Nullable(Text(MAX_NAME_CHARS)),
  kind: OneOf(MAPPING_KINDS, 'What becomes of it')
}

/** An edge that a person has drawn, with all columns that it ever had. */
const LinkLine = Closed({
  type: Type.Unsafe<'link'>({ const: 'link' }),
  id: Type.String({ pattern: '^lnk_[0-9a-z]{1,60}$' }),
  from: NodeId(),
  to: NodeId(),
  note: Text(),
  columns: Type.Array(Closed(Column), { maxItems: 5000 }),
  createdBy: Text(100),
  version: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
  endedAt: Nullable(Type.String({ format: 'date-time' })),
  periods: Type.Array(Closed({ ...Column, who: Text(100), startedMs: Ms, endedMs: Nullable(Ms) }), {
    maxItems: 100_000
  })
})

export const LINES = { node: NodeLine, job: JobLine, past: PastLine, runs: RunsLine, names: NamesLine, link: LinkLine }
export type LineType = keyof typeof LINES
export type Line = { [T in LineType]: Static<(typeof LINES)[T]> & { readonly type: T } }[LineType]
/** The last line of a file: how many are before it. Without it the file was cut off. */
export const END = Closed({ type: Type.Unsafe<'end'>({ const: 'end' }), lines: Count })
export type End = Static<typeof END>
export type LineOf<T extends LineType> = Extract<Line, { type: T }>
