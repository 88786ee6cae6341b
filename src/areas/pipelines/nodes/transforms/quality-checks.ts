import { sqlName } from '../../../../data/relation.ts'
import { Columns, compile, Unaskable } from '../../../quality/index.ts'
import { NodeFault } from '../../contract/context.ts'
import type { Column } from '../../duckdb/columns.ts'
import { enclosed } from '../../duckdb/expression.ts'
import type { RecordRule } from './quality.ts'

/** A rule as it is asked of records with certain columns. */
export interface Check {
  /** What people call the rule. */
  readonly name: string
  /** SQL that is true for a record that fails. */
  readonly fails: string
  /** What is wrong with a record that fails; no value of it is in there. */
  readonly reason: string
  /** The same for one of which it can't be told. */
  readonly unclear: string
  /** The SQL of users in it. */
  readonly texts: readonly string[]
  /** Columns whose types the SQL does not take: of a record with a value there it can't be told. */
  readonly odd: readonly string[]
  /** Whether it can't be told of any record. */
  readonly isUnclear: boolean
}

const MAX_SHOWN_CHARS = 100

const nameOf = ({ name, type, config }: RecordRule): string =>
  name ?? (config.column === undefined ? type : `${type} of ${config.column}`)

/**
 * What a type of rule does not take is wrong with the record rather than with the rule: types of columns may be those of the
 * very records that are looked at.
 */
export function checksOf(rules: readonly RecordRule[], columns: readonly Column[]): Check[] {
  const known = new Columns(columns)
  return rules.map((rule) => {
    const name = nameOf(rule)
    const { fails, what } = asked(rule, known)
    const where = rule.config.column === undefined ? '' : ` of ${rule.config.column}`
    return {
      name,
      fails,
      reason: `${what} (rule ${quoted(name)})`,
      unclear: `The SQL${where} can’t be computed for it (rule ${quoted(name)})`,
      texts: [rule.config.where, rule.config.condition].filter((text) => text !== undefined),
      odd: [],
      isUnclear: false
    }
  })
}

function asked(rule: RecordRule, columns: Columns): { fails: string; what: string } {
  const { condition, ...config } = rule.config
  if (rule.type === 'sql') {
    const fails = within(config.where, `NOT ${enclosed(condition as string)}`)
    return { fails, what: `It does not hold that ${cut(condition as string)}` }
  }
  try {
    const compiled = compile({ type: rule.type, config }, columns, String)
    return { fails: `(${compiled?.checked}) AND ${compiled?.failed}`, what: wordsOf(rule) }
  } catch (error) {
    if (!(error instanceof Unaskable)) throw error
    if (error.code === 'column_missing') throw new NodeFault('fatal', error.code, `${nameOf(rule)}: ${error.message}`)
    const what = error.message.replace(/\.$/, '')
    return { fails: within(config.where, `${sqlName(config.column as string)} IS NOT NULL`), what }
  }
}

const within = (where: string | undefined, fails: string): string =>
  where === undefined ? fails : `${enclosed(where)} AND ${fails}`

function wordsOf({ type, config, isUnquoted = false }: RecordRule): string {
  const { column, min, max, pattern, values = [] } = config
  if (isUnquoted && type !== 'notNull') return `${column} is not as it should be`
  switch (type) {
    case 'range':
      return `${column} is not ${min === undefined ? `up to ${max}` : max === undefined ? `from ${min} on` : `from ${min} to ${max}`}`
    case 'allowedValues':
      return `${column} is none of the ${values.length} values that there may be`
    case 'regex':
      return `${column} does not match ${cut(pattern as string)}`
    default:
      return `${column} has no value`
  }
}

const cut = (text: string): string => (text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text)
const quoted = (name: string): string => JSON.stringify(cut(name))
