import { DataError, type DataErrorCode } from '../../../data/errors.ts'
import type { DataPlane } from '../../../data/plane.ts'
import { parseReference } from '../../../data/reference.ts'
import { sqlName, sqlText } from '../../../data/relation.ts'
import { type FieldError, invalidField, Problem } from '../../../errors.ts'
import { requireRead } from '../../../http/data-rights.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Guard } from '../../classification/index.ts'
import type { ColumnPlace } from '../../lineage/index.ts'
import { Columns } from '../evaluation/columns.ts'
import { type Compiled, compile, conditionOf, DATASET } from '../evaluation/compile.ts'
import { requireSameKind } from '../evaluation/same-kind.ts'
import { statementOf } from '../evaluation/statement.ts'
import { Unaskable } from '../evaluation/unaskable.ts'
import type { RuleType } from '../words.ts'
import { CONDITION_FORM, readCondition } from './condition.ts'
import { plainFaults } from './config.ts'
import type { Definition } from './definition.ts'
import type { DescribedColumns } from './described.ts'
import { columnsLookedAt, type KnownColumns } from './looked-at.ts'
import type { RuleConfig } from './schema.ts'

export interface CheckNeeds {
  readonly plane: Pick<DataPlane, 'query' | 'lineage'>
  readonly described: Pick<DescribedColumns, 'of'>
  schemaOf(id: string, version: number | undefined): Promise<object>
  /** What a baseline was made of; undefined where there is none. */
  baselineDataset(id: string): Promise<string | undefined>
  guard(): Promise<Pick<Guard, 'requireAll' | 'maskOf'>>
}

export interface Asking {
  readonly dataset: string
  readonly type: RuleType
  readonly definition: Definition
}

/** A statement that takes longer to begin is not known to be wrong. */
const CHECK_MS = 10_000

/** What whoever makes the rule can mend; all else may be different when it is evaluated. */
const MENDABLE: ReadonlySet<DataErrorCode> = new Set([
  'reference_invalid',
  'format_unknown',
  'formats_mixed',
  'too_many_objects'
])

/** Refuses what could never be evaluated, and what the caller may not read; answers the columns that the rule looks at. */
export async function requireAskable(
  needs: CheckNeeds,
  actor: Actor,
  { dataset, type, definition }: Asking,
  signal: AbortSignal
): Promise<ColumnPlace[]> {
  const { config } = definition
  const faults = [...referenceFaults(dataset, definition), ...plainFaults(type, config, definition)]
  refuse(faults)
  for (const text of [dataset, ...(config.to === undefined ? [] : [config.to.dataset])]) {
    const reference = parseReference(text)
    if ('problem' in reference) continue
    requireRead(actor, reference)
    // The rule reads as the platform, and what it counts tells what is in the data.
    await (await needs.guard()).requireAll(actor, [reference])
  }
  if (type === 'schemaMatches') await requireSchema(needs, config)
  if (config.baseline !== undefined) await requireBaseline(needs, actor, config)
  refuse(await sqlFaults(needs, config, signal))
  const columns = await columnsOf(needs, dataset, '/dataset', signal)
  const others = config.to && (await columnsOf(needs, config.to.dataset, '/config/to/dataset', signal))
  if (config.to !== undefined && others !== undefined && others.find(config.to.column) === undefined) {
    throw invalidField('/config/to/column', others.missing(config.to.column))
  }
  const known = { columns, others }
  await requireRunnable(needs, { dataset, type, definition }, known, signal)
  return columnsLookedAt(needs.plane, { dataset, config }, known, signal)
}

async function requireRunnable(
  needs: CheckNeeds,
  { dataset, type, definition: { config } }: Asking,
  { columns, others }: KnownColumns,
  signal: AbortSignal
): Promise<void> {
  if (columns === undefined) return
  const compiled = askable(() => compileAlone({ type, config }, columns))
  if (others !== undefined) askable(() => requireSameKind(config, columns, others))
  // What is made of names and values alone has been checked by now.
  const isOpen = config.where !== undefined || config.query !== undefined || others !== undefined
  if (compiled === undefined || !isOpen || (config.to !== undefined && others === undefined)) return
  if (await isRightForColumns(needs, dataset, compiled, { columns, others }, signal)) return
  refuse(await statementFaults(needs, dataset, compiled, config, signal))
}

/**
 * Whether the statement can be prepared for relations without rows that have these columns: then it can be for the data, which need
 * not be fetched and looked at again for it. Where it can't, the data themselves say what is wrong.
 */
async function isRightForColumns(
  { plane }: CheckNeeds,
  dataset: string,
  compiled: Compiled,
  { columns, others }: KnownColumns,
  signal: AbortSignal
): Promise<boolean> {
  const empty = [[DATASET, columns] as const, ['other', others] as const].flatMap(([alias, { all = [] } = {}]) => {
    const list = all.map(({ name, type }) => `NULL::${type} AS ${sqlName(name)}`)
    return list.length === 0 ? [] : [`${alias} AS (SELECT ${list.join(', ')} LIMIT 0)`]
  })
  const sql = `WITH ${empty.join(', ')} SELECT * FROM (${statementOf(dataset, [compiled]).sql}) LIMIT 0`
  const limits = { timeoutMs: CHECK_MS, maxRows: 1 }
  return (await failureOf(() => plane.query({ sql, relations: {}, limits, signal }))) === undefined
}

export function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new Problem('invalid_request', { errors: [...errors] })
}

function referenceFaults(dataset: string, { on }: Definition): FieldError[] {
  const reference = parseReference(dataset)
  if ('problem' in reference) return [{ pointer: '/dataset', message: reference.problem }]
  return on.flatMap((trigger, at) => {
    if (trigger === reference.scheme) return []
    return [{ pointer: `/on/${at}`, message: `never happens to ${reference.scheme}://; it is for ${trigger}://` }]
  })
}

async function requireSchema({ schemaOf }: CheckNeeds, { schemaId = '', version }: RuleConfig): Promise<void> {
  try {
    await schemaOf(schemaId, version)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    throw invalidField('/config/schemaId', 'names no schema that has this version in force')
  }
}

/** A baseline may be of other data, but not of such that the caller may not read. */
async function requireBaseline({ baselineDataset }: CheckNeeds, actor: Actor, { baseline }: RuleConfig): Promise<void> {
  if (baseline === undefined || baseline === 'first') return
  const dataset = await baselineDataset(baseline)
  if (dataset === undefined) throw invalidField('/config/baseline', 'names no baseline')
  const reference = parseReference(dataset)
  if (!('problem' in reference)) requireRead(actor, reference)
}

/** SQL of users stands within other SQL when it is run: so each piece has to be whole by itself. */
export async function conditionFaults(
  { plane }: Pick<CheckNeeds, 'plane'>,
  { where }: Pick<RuleConfig, 'where'>,
  pointer: string,
  signal: AbortSignal
): Promise<FieldError[]> {
  if (where === undefined) return []
  const { isWhole } = await readCondition(plane, where, [], signal)
  return isWhole ? [] : [{ pointer, message: CONDITION_FORM }]
}

async function sqlFaults(needs: CheckNeeds, config: RuleConfig, signal: AbortSignal): Promise<FieldError[]> {
  const { plane } = needs
  const faults = await conditionFaults(needs, config, '/config/where', signal)
  if (config.query !== undefined) {
    const { outputs, reads, notUnderstood } = await plane.lineage({ sql: config.query, known: {}, signal })
    if (outputs.length === 0 && reads.length === 0) {
      const [first] = notUnderstood
      const why = first === undefined ? 'Nothing is selected.' : `Not understood: ${first.what}`
      faults.push({ pointer: '/config/query', message: `must be one SELECT from the relation ${DATASET}. ${why}` })
    } else if (!reads.includes(DATASET)) {
      faults.push({ pointer: '/config/query', message: `must read the relation ${DATASET}` })
    }
  }
  if (config.pattern !== undefined) {
    const fault = await failureOf(() =>
      plane.query({ sql: `SELECT regexp_matches('', ${sqlText(config.pattern ?? '')})`, relations: {}, signal })
    )
    if (fault !== undefined)
      faults.push({ pointer: '/config/pattern', message: `is no regular expression of RE2: ${fault.message}` })
  }
  return faults
}

/** Undefined where the data can't be read now: they may be there when the rule is evaluated. */
async function columnsOf(
  { described }: CheckNeeds,
  dataset: string,
  pointer: string,
  signal: AbortSignal
): Promise<Columns | undefined> {
  try {
    return new Columns(await described.of(dataset, signal))
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    if (MENDABLE.has(error.code)) throw invalidField(pointer, error.message)
    return undefined
  }
}

function compileAlone(question: { type: RuleType; config: RuleConfig }, columns: Columns): Compiled | undefined {
  const compiled = compile(question, columns, (dataset) => (dataset === DATASET ? DATASET : 'other'))
  if (compiled !== undefined || question.type !== 'distribution') return compiled
  // It has no baseline here; of what it asks, only the condition was not made by us.
  return { checked: conditionOf(question.config) }
}

/** Says of what can't be asked which field is to blame. */
function askable<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Unaskable)) throw error
    throw invalidField(`/config/${error.member}`, error.message)
  }
}

/** Has the statement prepared, and reads nothing. */
async function statementFaults(
  { plane }: CheckNeeds,
  dataset: string,
  compiled: Compiled,
  config: RuleConfig,
  signal: AbortSignal
): Promise<FieldError[]> {
  const { sql, relations } = statementOf(dataset, [compiled])
  const limits = { timeoutMs: CHECK_MS, maxRows: 1 }
  const fault = await failureOf(() => plane.query({ sql: `SELECT * FROM (${sql}) LIMIT 0`, relations, limits, signal }))
  if (fault === undefined || (fault.code !== 'sql_error' && fault.code !== 'sql_refused')) return []
  const member = (['query', 'where', 'to', 'values'] as const).find((name) => config[name] !== undefined)
  return [{ pointer: member === undefined ? '/config' : `/config/${member}`, message: fault.message }]
}

async function failureOf(ask: () => ReturnType<DataPlane['query']>): Promise<DataError | undefined> {
  try {
    const answer = await ask()
    await answer.rows()
    return undefined
  } catch (error) {
    if (error instanceof DataError && error.code !== 'cancelled' && error.code !== 'closed') return error
    throw error
  }
}
