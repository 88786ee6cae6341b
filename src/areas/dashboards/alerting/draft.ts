import { Problem } from '../../../errors.ts'
import type { AlertRuleCreate } from '../../alerts/index.ts'
import { kindOf } from '../model/check.ts'
import { relationsOf } from '../model/data.ts'
import type { Panel } from '../model/schema.ts'
import type { PanelAlert } from './schema.ts'

type Condition = NonNullable<AlertRuleCreate['conditions']>[number]

/** Functions of buckets that alert rules have for windows too. */
const FUNCTIONS = ['avg', 'min', 'max', 'sum', 'count', 'last'] as const
const MAX_CONDITIONS = 10
const DEFAULT_WINDOW = '5m'

/** A rule that watches what a panel shows; throws where a rule can't watch that. */
export function ruleOf(panel: Panel, dashboard: string, asked: PanelAlert): AlertRuleCreate {
  const { window: _, operator = '>=', threshold = thresholdOf(panel), name, annotations, ...rest } = asked
  const { unit } = panel.options ?? {}
  if (threshold === undefined) {
    const errors = [{ pointer: '/threshold', message: 'is required: the panel has no red threshold to take it from' }]
    throw new Problem('unprocessable', { errors })
  }
  const compared = { operator, threshold }
  return {
    ...rest,
    // Charts in mails have the unit of the panel.
    ...((annotations ?? unit) !== undefined && { annotations: { ...(unit && { unit }), ...annotations } }),
    name: name ?? `${dashboard}: ${panel.title || panel.id}`.slice(0, 200).trim(),
    conditions: conditionsOf(panel, asked).map((condition) => ({ ...condition, ...compared })),
    join: 'or'
  }
}

/** Where the panel turns red. */
const thresholdOf = ({ options }: Panel): number | undefined =>
  options?.thresholds?.find(({ value, color }) => color === 'red' && value !== null)?.value ?? undefined

function conditionsOf(panel: Panel, asked: PanelAlert): Condition[] {
  const { query = {} } = panel
  switch (kindOf(panel)) {
    case 'points':
      return pointConditions(panel, asked)
    case 'sql': {
      if (/\$\w/.test(query.sql ?? '')) {
        throw refusal('The SQL of the panel has parameters, which a rule has no values for: write the rule by hand.')
      }
      const relations = relationsOf(query)
      return [{ references: relations, sql: query.sql ?? `SELECT * FROM ${Object.keys(relations)[0]}` }]
    }
    default:
      throw refusal(`A panel of type ${panel.type} shows nothing that can be compared.`)
  }
}

function pointConditions({ query = {} }: Panel, asked: PanelAlert): Condition[] {
  const { sourceId = '', tags = ['*'], aggregation = 'auto', function: asIs = 'avg' } = query
  if ([sourceId, ...tags].some((text) => text.includes('$'))) {
    throw refusal(
      'The panel takes its source or tags from variables, which a rule has no values for: write the rule by hand.'
    )
  }
  const known = FUNCTIONS.find((each) => each === asIs)
  if (known === undefined) throw refusal(`A rule can’t compute ${asIs}; it has ${FUNCTIONS.join(', ')}.`)
  if (tags.length > MAX_CONDITIONS) throw refusal(`A rule watches at most ${MAX_CONDITIONS} tags or patterns of them.`)
  const window = asked.window ?? (aggregation === 'auto' ? DEFAULT_WINDOW : aggregation)
  return tags.map((tag) => ({ sourceId, tag, function: known, window }))
}

const refusal = (detail: string): Problem => new Problem('unprocessable', { detail })
