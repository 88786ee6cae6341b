import { sqlText } from '../../../../data/relation.ts'
import { Closed, OneOf } from '../../../../http/schemas.ts'
import { Type } from '../../../../http/type.ts'
import { plainFaults, thresholdFaults } from '../../../quality/index.ts'
import { ColumnName, Config, type ConfigOf, Expression } from '../../contract/config-parts.ts'
import { type ConfigFault, type PipelineNode, statefulType } from '../../contract/node-type.ts'
import { unchanged } from '../../contract/ways.ts'

/** The types of rules that can be asked of one record, whatever the others are. */
export const RECORD_TYPES = ['notNull', 'range', 'allowedValues', 'regex', 'sql'] as const

const MAX_RULES = 100

/** What JSON can write beyond is infinite. */
const NUMBER = { minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE }

const Bound = (description: string) =>
  Type.Unsafe<number | string>({ type: ['number', 'string'], ...NUMBER, maxLength: 40, description })

const Threshold = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | string>({
      type: ['integer', 'string'],
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      maxLength: 24,
      description: `${description}: a number of records, or a percentage of those that came such as \`"2.5%"\``
    })
  )

const RecordRule = Closed(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'What dead letters call it; its type and column unless said'
      })
    ),
    type: OneOf(RECORD_TYPES, 'What is asked of each record'),
    config: Closed(
      {
        column: Type.Optional(ColumnName('All but `sql`: the column')),
        min: Type.Optional(Bound('`range`: the least value, a number or an ISO 8601 time')),
        max: Type.Optional(Bound('`range`: the greatest value, a number or an ISO 8601 time')),
        values: Type.Optional(
          Type.Array(
            Type.Unsafe<string | number | boolean>({
              type: ['string', 'number', 'boolean'],
              ...NUMBER,
              maxLength: 1000
            }),
            {
              minItems: 1,
              maxItems: 1000,
              uniqueItems: true,
              description: '`allowedValues`: the values that there may be'
            }
          )
        ),
        pattern: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1000,
            description: '`regex`: a regular expression of RE2, found anywhere in the text'
          })
        ),
        condition: Type.Optional(
          Expression(
            '`sql`: a SQL expression; records for which it is false fail, and those for which it is null do not'
          )
        ),
        where: Type.Optional(Expression('A SQL expression; records for which it is not true are not asked'))
      },
      { description: 'As in a rule of `/api/quality/rules`; `sql` takes a condition' }
    )
  },
  { description: 'A rule' }
)

const QualityConfig = Config({
  rules: Type.Optional(Type.Array(RecordRule, { maxItems: MAX_RULES, description: 'What every record has to keep' })),
  ruleIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: MAX_RULES,
      uniqueItems: true,
      description:
        'Rules of `/api/quality/rules`, of whichever dataset, as they are when the run starts; those that are disabled are left out'
    })
  ),
  onFailure: Type.Optional(
    OneOf(
      ['deadLetter', 'stop'],
      '`deadLetter`, unless said: records that fail become dead letters, all others go on at once. `stop`: all others wait until the inputs have ended, and go on only if no more records fail than `failThreshold`, or none where that is not said'
    )
  ),
  warnThreshold: Threshold('If more records fail, the log warns'),
  failThreshold: Threshold('If more records fail, the run ends as failed')
})
export type QualityConfig = ConfigOf<typeof QualityConfig>
export type RecordRule = NonNullable<QualityConfig['rules']>[number] & {
  /** Of a stored rule that not everybody may see in full: words about records must not quote it. */
  readonly isUnquoted?: boolean
}

/** The stored rules that a node names. */
export function ruleIdsOf({ type, config, inputs }: PipelineNode): readonly string[] {
  const { ruleIds } = config
  return type === 'quality' && inputs.length > 0 && Array.isArray(ruleIds) ? ruleIds.map(String) : []
}

export const quality = statefulType<QualityConfig>({
  type: 'quality',
  about:
    'Lets records go on that keep rules of quality; the others become dead letters, or the run stops before it publishes.',
  config: QualityConfig,
  inputs: { min: 1, max: 1 },
  accounting: 'filters',
  isOrderFree: true,
  needsEnd: ({ onFailure }) => onFailure === 'stop',
  check({ rules = [], ruleIds = [], ...thresholds }) {
    const none = rules.length + ruleIds.length === 0 ? [{ pointer: '', message: 'must have rules or ruleIds' }] : []
    const faults = rules.flatMap((rule, at) =>
      faultsOf(rule).map(({ pointer, message }) => ({ pointer: `/rules/${at}${pointer}`, message }))
    )
    return [...none, ...faults, ...thresholdFaults('notNull', thresholds)]
  },
  sql: ({ rules = [] }) => rules.flatMap((rule, at) => sqlIn(rule, `/rules/${at}/config`)),
  columns: ({ rules = [] }) => rules.flatMap(({ config: { column } }) => (column === undefined ? [] : [column])),
  ways: (_config, inputs) => ({ columns: unchanged(inputs), rows: [] }),
  // Rules that are named have been put among the others by whoever started the run.
  open: async (context) => (await import('./quality-steps.ts')).openQuality(context)
})

function faultsOf({ type, config }: RecordRule): readonly ConfigFault[] {
  const { condition, ...asked } = config
  if (type !== 'sql') {
    const strange =
      condition === undefined ? [] : [{ pointer: '/config/condition', message: `has no meaning for ${type}` }]
    return [...plainFaults(type, asked, {}), ...strange]
  }
  const strange = Object.keys(asked).filter((member) => member !== 'where')
  return [
    ...(condition === undefined ? [{ pointer: '/config/condition', message: 'is required for sql' }] : []),
    ...strange.map((member) => ({
      pointer: `/config/${member}`,
      message: 'has no meaning for sql; it takes condition, where'
    }))
  ]
}

/** A pattern is bound as part of what it is used in, so that one that is none is refused before anything runs. */
function sqlIn({ config: { where, condition, pattern } }: RecordRule, pointer: string) {
  const parts = {
    where,
    condition,
    pattern: pattern === undefined ? undefined : `regexp_matches('', ${sqlText(pattern)})`
  }
  return Object.entries(parts).flatMap(([member, text]) =>
    text === undefined ? [] : [{ pointer: `${pointer}/${member}`, text, form: 'row' as const }]
  )
}
