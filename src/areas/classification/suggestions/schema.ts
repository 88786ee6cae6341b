import { MAX_REFERENCE_CHARS } from '../../../data/reference.ts'
import { KINDS } from '../../../engines/detectors/index.ts'
import { ListQuery, Page } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Closed, Id, Nullable, OneOf, Timestamp, Version } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { LevelName, Reference } from '../schema.ts'

export const DEFAULT_SAMPLE_ROWS = 1000
export const MAX_SAMPLE_ROWS = 10_000
const STATUSES = ['open', 'accepted', 'rejected'] as const

const KindName = OneOf(KINDS, 'A kind of data that detectors find')

export const Kind = Type.Object(
  {
    kind: KindName,
    level: LevelName,
    enabled: Type.Boolean({ description: 'Whether it is suggested at all' }),
    version: Version,
    updatedAt: Timestamp('When it was last changed')
  },
  {
    $id: 'ClassificationKind',
    examples: [
      { kind: 'email', level: 'confidential', enabled: true, version: 1, updatedAt: '2026-01-01T08:00:00.000Z' }
    ]
  }
)
export type Kind = Static<typeof Kind>

export const KindUpdate = Closed(
  { level: Type.Optional(LevelName), enabled: Type.Optional(Type.Boolean()) },
  { $id: 'ClassificationKindUpdate' }
)
export type KindUpdate = Static<typeof KindUpdate>
export const KindList = Type.Object({ kinds: Type.Array(Kind) })
export const KindParams = Params('classification-kind', 'kind', { kind: Type.String({ maxLength: 50 }) })

const Evidence = Type.Object({
  form: Type.String({ description: 'What was found, such as `PESEL (Poland)`' }),
  values: Type.Integer({ description: 'Values of the sample that are not missing' }),
  matches: Type.Integer({ description: 'Those of them that count' }),
  broken: Type.Integer({ description: 'Those of the same form with wrong check digits' }),
  name: OneOf(['for', 'against', 'nothing'], 'What the name of the column says about the kind'),
  examples: Type.Array(Type.String(), {
    description: 'Forms of some values: letters are `a` and `A`, digits `9`; no value can be read from them'
  })
})

const Confidence = Type.Number({ minimum: 0, maximum: 1, description: 'How sure it is; from 0.5 on it is suggested' })
const ColumnName = Type.String({ description: 'The column it is about' })

export const Suggestion = Type.Object(
  {
    id: Id('csg', 'suggestion'),
    resource: Type.String({ description: 'A data reference' }),
    column: ColumnName,
    kind: KindName,
    level: LevelName,
    confidence: Confidence,
    evidence: Evidence,
    status: OneOf(STATUSES, '`open` until somebody has decided'),
    decidedBy: Nullable(Id('usr', 'user who decided')),
    decidedAt: Nullable(Timestamp('When that was')),
    note: Type.String(),
    version: Version,
    createdAt: Timestamp('When it was first suggested'),
    updatedAt: Timestamp('When it was last changed')
  },
  {
    $id: 'ClassificationSuggestion',
    examples: [
      {
        id: 'csg_01kb8y2m6ze8r4n0c5t7w9q3fd',
        resource: 'object://sales/customers.parquet',
        column: 'contact',
        kind: 'email',
        level: 'confidential',
        confidence: 0.97,
        evidence: {
          form: 'E-mail address',
          values: 1000,
          matches: 968,
          broken: 0,
          name: 'nothing',
          examples: ['aaa.aaaa@aaaaaaa.aaa']
        },
        status: 'open',
        decidedBy: null,
        decidedAt: null,
        note: '',
        version: 1,
        createdAt: '2026-01-01T08:00:00.000Z',
        updatedAt: '2026-01-01T08:00:00.000Z'
      }
    ]
  }
)
export type Suggestion = Static<typeof Suggestion>

export const SuggestionQuery = ListQuery(['createdAt', 'confidence'], {
  resource: Type.Optional(Type.String({ maxLength: MAX_REFERENCE_CHARS, description: 'Exactly this resource' })),
  status: Type.Optional(OneOf(STATUSES, 'Only those of this status')),
  kind: Type.Optional(KindName)
})
export type SuggestionQuery = Static<typeof SuggestionQuery>
export const SuggestionPage = Page('suggestions', Suggestion)
export const SuggestionParams = Params('classification-suggestion', 'id', { id: Type.String({ maxLength: 64 }) })

const Note = Type.Optional(Type.String({ maxLength: 1000, description: 'Why, for those who ask later' }))
export const Acceptance = Closed({ level: Type.Optional(LevelName), note: Note }, { $id: 'ClassificationAcceptance' })
export type Acceptance = Static<typeof Acceptance>
export const Rejection = Closed({ note: Note }, { $id: 'ClassificationRejection' })
export type Rejection = Static<typeof Rejection>

export const Scan = Type.Object(
  {
    id: Id('csc', 'scan'),
    resource: Type.String({ description: 'A data reference' }),
    cause: OneOf(['hand', 'upload', 'schedule'], 'Why it was looked at'),
    rowsRead: Type.Integer({ description: 'Rows of the sample' }),
    columnsRead: Type.Integer(),
    columnsLeftOut: Type.Integer({
      description: 'Columns beyond the 200th, and those with names of over 200 characters'
    }),
    error: Nullable(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { description: 'Why it could not be read; what was suggested before stays' }
      )
    ),
    version: Version,
    createdAt: Timestamp('When it was first looked at'),
    scannedAt: Timestamp('When it was last looked at')
  },
  {
    $id: 'ClassificationScan',
    examples: [
      {
        id: 'csc_01kb8y2m6ze8r4n0c5t7w9q3fd',
        resource: 'object://sales/customers.parquet',
        cause: 'hand',
        rowsRead: 1000,
        columnsRead: 12,
        columnsLeftOut: 0,
        error: null,
        version: 1,
        createdAt: '2026-01-01T08:00:00.000Z',
        scannedAt: '2026-01-01T08:00:00.000Z'
      }
    ]
  }
)
export type Scan = Static<typeof Scan>

export const ScanOrder = Closed(
  {
    resource: Reference,
    sample: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_SAMPLE_ROWS,
        description: `Rows to look at, ${DEFAULT_SAMPLE_ROWS} if not said; fewer where there are many columns`
      })
    )
  },
  { $id: 'ClassificationScanOrder' }
)
export type ScanOrder = Static<typeof ScanOrder>

export const ScanAnswer = Type.Object(
  {
    scan: Scan,
    suggestions: Type.Array(Suggestion, { description: 'Those that are open now, the surest first' }),
    withdrawn: Type.Integer({
      description: 'Open ones that were taken back, because this look did not find them again'
    })
  },
  { $id: 'ClassificationScanAnswer' }
)
export type ScanAnswer = Static<typeof ScanAnswer>

export const ScanQuery = ListQuery(['createdAt', 'resource'], {
  resource: Type.Optional(Type.String({ maxLength: MAX_REFERENCE_CHARS, description: 'Exactly this resource' })),
  failed: Type.Optional(Type.Boolean({ description: 'Only those that could not be read, or only the others' }))
})
export type ScanQuery = Static<typeof ScanQuery>
export const ScanPage = Page('scans', Scan)
