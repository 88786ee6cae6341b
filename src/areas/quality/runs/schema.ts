import { MAX_REFERENCE_CHARS } from '../../../data/reference.ts'
import { STEPS } from '../../../data/step.ts'
import { ListQuery, Page } from '../../../http/paging.ts'
import { Params } from '../../../http/params.ts'
import { Nullable, OneOf, Timestamp } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { CAUSES, RUN_KINDS } from '../words.ts'

const User = (description: string) =>
  Nullable(Type.String({ description: `Identifier of the user who ${description}` }))

export const QualityRun = Type.Object(
  {
    id: Type.String({
      maxLength: 64,
      description: 'Identifier; of an evaluation also the `evaluationId` of its results'
    }),
    kind: OneOf(RUN_KINDS, 'What it is'),
    dataset: Type.String({ description: 'The data that are read' }),
    cause: OneOf(CAUSES, 'What brought it about'),
    state: OneOf(['running', 'cancelling'], '`cancelling`: somebody has cancelled it, and it is about to end'),
    doing: OneOf(
      STEPS,
      '`waiting`: for its turn, because other statements run; `fetching`: the data come from where they lie; `reading`: SQL reads them'
    ),
    percent: Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description:
          'Of the statement under way that are done, as far as can be told; there may be more statements after it'
      })
    ),
    done: Type.Integer({
      minimum: 0,
      description:
        'Rules that are answered, columns that were looked at; samples of rows that are wrong come after that'
    }),
    total: Nullable(Type.Integer({ minimum: 0, description: 'Of all of these; null while it is not known' })),
    startedBy: User('started it; null where nobody did'),
    startedAt: Timestamp('When it began'),
    elapsedMs: Type.Integer({ minimum: 0, description: 'How long it has been under way' }),
    cancelledBy: User('cancelled it'),
    cancelledAt: Nullable(Timestamp('When somebody cancelled it'))
  },
  { $id: 'QualityRun' }
)
export type QualityRun = Static<typeof QualityRun>

export const RunParams = Params('quality-run', 'id', { id: Type.String({ maxLength: 64 }) })

export const RunQuery = ListQuery(
  ['startedAt'],
  {
    dataset: Type.Optional(Type.String({ maxLength: MAX_REFERENCE_CHARS, description: 'Of exactly this dataset' })),
    kind: Type.Optional(OneOf(RUN_KINDS, 'Of this kind'))
  },
  'startedAt'
)
export type RunQuery = Static<typeof RunQuery>
export const RunPage = Page('runs', QualityRun)
