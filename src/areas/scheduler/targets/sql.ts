import type { AreaNeeds } from '../../../area.ts'
import type { DataAnswer } from '../../../data/answer.ts'
import { DataError, type DataErrorCode } from '../../../data/errors.ts'
import type { DataQuery } from '../../../data/plane.ts'
import { parseReference } from '../../../data/reference.ts'
import { keyFault } from '../../../engines/objects/index.ts'
import { type FieldError, Problem } from '../../../errors.ts'
import type { Resource } from '../../../http/in-use.ts'
import type { ScheduleTarget, TargetEnd, TargetLineage, TargetOrder, TargetRun } from '../../../schedule-target.ts'
import { FORMATS, nameTwice } from './row-text.ts'
import { keyAt, OWN_PARAMETERS, SqlTargetConfig, unknownInKey } from './sql-config.ts'
import { type LineageOf, StatementWays } from './sql-lineage.ts'

const POINTER = '/target/config'
/** A statement that takes longer to begin is not known to be wrong. */
const CHECK_MS = 10_000
const EXAMPLE_DUE = '2026-01-01T00:00:00.000Z'

/** What time does not mend. */
const LASTING: ReadonlySet<DataErrorCode> = new Set([
  'reference_invalid',
  'alias_invalid',
  'format_unknown',
  'formats_mixed',
  'too_many_objects',
  'too_large',
  'sql_error',
  'sql_refused',
  'row_too_large'
])

type Needs = Pick<AreaNeeds, 'plane' | 'service'>

export function sqlTarget(needs: Needs): ScheduleTarget {
  const ways = new StatementWays(needs.plane)
  return {
    about:
      'Runs SQL over data references and writes the rows into an object. The same due time writes the same key, so that doing it twice is safe.',
    permissions: ['buckets:read', 'buckets:write', 'catalog:read', 'pipelines:read'],
    config: SqlTargetConfig,
    check: (order) => check(needs, order),
    uses: (order) => usesOf(toSql(order)),
    reads: (order) => Object.values(toSql(order).relations),
    tellsLineage: true,
    run: (run) => runStatement(needs, ways, run)
  }
}

const toSql = ({ config }: Pick<TargetOrder, 'config'>) => config as unknown as SqlTargetConfig

const OWNERS = { object: 'bucket', series: 'catalog-source', pipeline: 'pipeline' } as const

/** The buckets, sources and pipelines that it reads and writes. */
function usesOf({ relations, into }: Pick<SqlTargetConfig, 'relations' | 'into'>): Resource[] {
  const read = Object.values(relations).flatMap((text): Resource[] => {
    const reference = parseReference(text)
    if ('problem' in reference || !Object.hasOwn(OWNERS, reference.scheme)) return []
    return [{ type: OWNERS[reference.scheme as keyof typeof OWNERS], id: reference.owner }]
  })
  return [...read, { type: 'bucket', id: into.bucket }]
}

async function check(needs: Needs, order: TargetOrder): Promise<void> {
  const config = toSql(order)
  const faults = [...plainFaults(config), ...(await bucketFaults(needs, config))]
  if (faults.length === 0) faults.push(...(await statementFaults(needs, config)))
  if (faults.length > 0) throw new Problem('invalid_request', { errors: faults })
}

function plainFaults({ relations, parameters = {}, into }: SqlTargetConfig): FieldError[] {
  const faults: FieldError[] = []
  for (const [name, text] of Object.entries(relations)) {
    const reference = parseReference(text)
    if ('problem' in reference) faults.push(fault(`relations/${escaped(name)}`, reference.problem))
  }
  for (const name of OWN_PARAMETERS) {
    if (name in parameters) faults.push(fault(`parameters/${name}`, 'must have another name: this one is the due time'))
  }
  const unknown = unknownInKey(into.key)
  const keyProblem = keyFault(keyAt(into.key, EXAMPLE_DUE))
  if (unknown !== undefined) {
    faults.push(fault('into/key', `has ${unknown}, which has no meaning: there is {date}, {time} and {dueAt}`))
  } else if (keyProblem !== undefined) faults.push(fault('into/key', keyProblem))
  return faults
}

async function bucketFaults({ service }: Needs, { into }: SqlTargetConfig): Promise<FieldError[]> {
  const bucket = await (await service('buckets')).opener.find(into.bucket)
  return bucket === undefined ? [fault('into/bucket', 'names no bucket; make it first')] : []
}

/** Begins the statement and reads none of its rows. What may be different when it is due is no fault. */
async function statementFaults({ plane }: Needs, config: SqlTargetConfig): Promise<FieldError[]> {
  try {
    const order = { config, dueAt: EXAMPLE_DUE, previousDueAt: EXAMPLE_DUE }
    const answer = await plane.query({ ...queryOf(order), isTrial: true, limits: { timeoutMs: CHECK_MS, maxRows: 1 } })
    await answer.close()
    const twice = nameTwice(answer.columns)
    return twice === undefined ? [] : [fault('sql', twiceInWords(twice))]
  } catch (error) {
    if (!(error instanceof DataError) || !(LASTING.has(error.code) || error.code === 'not_found')) {
      if (error instanceof DataError) return []
      throw error
    }
    return [fault('sql', inWords(error))]
  }
}

async function runStatement(needs: Needs, ways: StatementWays, run: TargetRun): Promise<TargetEnd> {
  const written = await writeRows(needs, await ways.begin(run), run)
  if ('outcome' in written) return withoutData(needs, run, written)
  return { outcome: 'succeeded', ...written }
}

/** What DuckDB says may hold the value that it stumbled over, and everybody may look at what became of a run. */
async function withoutData({ service }: Needs, run: TargetRun, end: TargetEnd): Promise<TargetEnd> {
  if (end.outcome === 'succeeded' || !SPEAKING.has(end.code)) return end
  const { guard } = await service('classification')
  const mask = await guard.maskForAll(Object.values(toSql(run).relations))
  return mask === undefined ? end : { ...end, message: UNSPOKEN }
}

const SPEAKING: ReadonlySet<string> = new Set(['sql_error', 'data_unreadable'] satisfies DataErrorCode[])
const UNSPOKEN = 'The statement failed; what it said is not shown, because the data are classified'

interface Written {
  readonly message: string
  readonly lineage: TargetLineage
}

async function writeRows(
  { plane, service }: Needs,
  lineageOf: LineageOf,
  run: TargetRun
): Promise<Written | TargetEnd> {
  const { into } = toSql(run)
  const key = keyAt(into.key, run.dueAt)
  const { contentType, write } = FORMATS[into.format]
  let failure: unknown
  try {
    await using held = new AsyncDisposableStack()
    const answer = await plane.query({ ...queryOf(run), signal: run.signal })
    held.defer(() => answer.close())
    const twice = nameTwice(answer.columns)
    if (twice !== undefined)
      return { outcome: 'failed', code: 'sql_error', message: twiceInWords(twice), isFinal: true }
    const lineage = await lineageOf(answer.columns)
    await run.begin(lineage)
    const content = kept(write(answer.columns, wholeRows(answer)), (error) => {
      failure = error
    })
    const buckets = await service('buckets')
    const performed = await buckets.write(into.bucket, key, content, contentType)
    const { size } = await run.change(async (tx) => {
      await performed.commit?.(tx)
      return performed
    })
    const message = `${answer.rowCount} rows, ${size} bytes in object://${into.bucket}/${key}`
    return { message, lineage }
  } catch (error) {
    run.signal.throwIfAborted()
    return endOf(failure ?? error, into)
  }
}

/** All rows or none: half a result looks like a whole one. */
async function* wholeRows(answer: DataAnswer) {
  yield* answer
  if (!answer.truncated) return
  const message = `There are more rows than the ${answer.rowCount} that a query may answer with; select fewer, or sum them up`
  throw new DataError('too_large', message)
}

/** Keeps what goes wrong while content is read: a store may say it in words of its own. */
async function* kept(content: AsyncIterable<Uint8Array>, keep: (error: unknown) => void) {
  try {
    yield* content
  } catch (error) {
    keep(error)
    throw error
  }
}

function endOf(error: unknown, { bucket }: SqlTargetConfig['into']): TargetEnd {
  if (error instanceof DataError) {
    const { code } = error
    const message = code === 'not_found' ? goneInWords(error.message, 'relations') : inWords(error)
    return { outcome: 'failed', code, message, isFinal: LASTING.has(code) }
  }
  if (!(error instanceof Problem)) throw error
  if (error.code === 'not_found') {
    return { outcome: 'failed', code: 'not_found', message: goneInWords(`There is no bucket ${bucket}.`, 'into') }
  }
  const isFinal = error.code === 'payload_too_large'
  return { outcome: 'failed', code: error.code, message: error.detail, isFinal }
}

/** A parameter that a statement does not use can't be given; and the due time before takes long to find out. */
function queryOf(run: Pick<TargetRun, 'config' | 'dueAt' | 'previousDueAt'>): DataQuery {
  const { sql, relations, parameters } = toSql(run)
  const used = OWN_PARAMETERS.filter((name) => new RegExp(`\\$${name}\\b`, 'i').test(sql))
  const own = used.map((name) => [name, name === 'due_at' ? run.dueAt : run.previousDueAt])
  return { sql, relations, parameters: { ...parameters, ...Object.fromEntries(own) } }
}

function inWords({ message, position }: DataError): string {
  return position === undefined ? message : `line ${position.line}, column ${position.column}: ${message}`
}

/** What was there when the schedule was made. */
const goneInWords = (message: string, field: string) =>
  `${message.replace(/\.$/, '')} any more; make it again, or give the schedule another one in ${field}`

const twiceInWords = (name: string) => `Two columns are called ${name}; give one another name with AS`

const fault = (field: string, message: string): FieldError => ({ pointer: `${POINTER}/${field}`, message })

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
