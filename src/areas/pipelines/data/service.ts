import type { DataAnswer } from '../../../data/answer.ts'
import { isMasked, type Mask } from '../../../data/mask.ts'
import type { DataPlane } from '../../../data/plane.ts'
import type { DataColumn, DataRow } from '../../../data/sql-process/messages.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { withData } from '../../../http/data-problems.ts'
import { type Actor, can } from '../../../http/permissions.ts'
import { DURATION_FORM, type Duration, isoOfNs, parseDuration, parseTime, TIME_FORM } from '../../../http/times.ts'
import type { Asker, Guard } from '../../classification/index.ts'
import { invalidField, Problem } from '../errors.ts'
import { type Output, outputsOf } from '../lineage/output.ts'
import { outputReference } from '../lineage/references.ts'
import { requirePipeline } from '../store/pipelines.ts'
import { nodesOf, versionOf } from '../store/versions.ts'
import { type DataParams, type DataSeries, MEASURES, type Measure, type PipelineData } from './schema.ts'
import { MAX_POINTS, pick, type SeriesData } from './series.ts'
import { bucketsSql, isNumeric, rowsSql, type Span, shownColumns, timeColumnOf } from './sql.ts'

const DEFAULT_ROWS = 1000
const MAX_NUMERIC_COLUMNS = 50

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly seriesData: SeriesData
  readonly guard: Pick<Guard, 'maskFor' | 'requireAll'>
  readonly plane: Pick<DataPlane, 'query' | 'describe'>
}

/** What pipelines have put out. */
export class PipelineOutputs {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async read(asker: Asker, id: string, query: DataParams, signal: AbortSignal): Promise<PipelineData> {
    const { metadata, clock, seriesData, guard } = this.#needs
    const span = spanOf(query, clock.now())
    const width = widthOf(query.aggregation)
    const columns = namesIn(query.columns)
    const row = await requirePipeline(metadata.db, id)
    const outputs = outputsOf(id, nodesOf(await versionOf(metadata.db, row)))
    requireReadable(asker.actor, outputs)
    const reference = outputReference(id)
    const mask = await guard.maskFor(asker, [reference])
    const head = {
      pipelineId: id,
      start: isoOfNs(span.fromNs),
      end: isoOfNs(span.toNs),
      aggregation: query.aggregation ?? null
    }
    const [first] = outputs
    if (width === undefined) {
      return {
        ...head,
        ...(await this.#rows(
          id,
          { span, columns, limit: query.limit, isSeries: first?.kind === 'series', mask },
          signal
        ))
      }
    }
    const isSeries = first?.kind === 'series'
    // What is left of a point without its value says nothing.
    if (isSeries && mask !== undefined) await guard.requireAll(asker.actor, [reference])
    const series = isSeries
      ? await seriesData.read(outputs, { span, width, columns, measure: query.function }, signal)
      : await this.#buckets(id, { span, width, columns, measure: query.function, mask }, signal)
    return { ...head, series }
  }

  async #rows(
    id: string,
    { span, columns: wanted, limit = DEFAULT_ROWS, isSeries, mask }: RowsAsked,
    signal: AbortSignal
  ) {
    const all = await this.#describe(id, signal)
    const columns = shownColumns(chosen(all, wanted), isSeries)
    const time = timeColumnOf(all.filter(({ name }) => mask === undefined || !isMasked(mask, name)))
    if (columns.length === 0) return { columns: [], rows: [], timeColumn: null, truncated: false }
    const { rows, truncated } = await this.#query(id, { sql: rowsSql(columns, time, span, limit), limit, mask }, signal)
    const masked = mask === undefined ? undefined : columns.filter(({ name }) => isMasked(mask, name))
    const names = columns.map(({ name }) => name)
    return {
      columns: columns.map(({ name, type }) => ({ name, type })),
      rows: rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]]))),
      timeColumn: time?.name ?? null,
      truncated,
      ...(masked && { masked: masked.map(({ name }) => name) })
    }
  }

  async #buckets(id: string, asked: BucketsAsked, signal: AbortSignal): Promise<DataSeries[]> {
    const all = await this.#describe(id, signal)
    if (all.length === 0) return []
    const time = timeColumnOf(all)
    if (time === undefined) {
      const message = 'needs a column with times, and what the pipeline put out has none'
      throw new Problem('unprocessable', { errors: [{ pointer: '/query/aggregation', message }] })
    }
    const columns = chosen(all, asked.columns).filter(isNumeric).slice(0, MAX_NUMERIC_COLUMNS)
    if (columns.length === 0) return []
    const sql = bucketsSql(columns, time, asked.span, asked.width)
    const { rows, truncated } = await this.#query(id, { sql, limit: MAX_POINTS, mask: asked.mask }, signal)
    if (truncated) throw new Problem('too_many_points', { members: { limit: MAX_POINTS } })
    const points = Map.groupBy(rows, ([place]) => place as number)
    return columns.map(({ name }, place) => ({
      tag: name,
      points: (points.get(place) ?? []).map((row) => pick(pointOf(row), asked.measure))
    }))
  }

  /** Empty where nothing has been put out yet. */
  async #describe(id: string, signal: AbortSignal): Promise<readonly DataColumn[]> {
    return orNothing([], () => this.#needs.plane.describe(`pipeline://${id}`, signal))
  }

  #query(id: string, { sql, limit: maxRows, mask }: Statement, signal: AbortSignal) {
    return orNothing({ rows: [] as DataRow[], truncated: false }, async () => {
      const { plane } = this.#needs
      const relations = { output: `pipeline://${id}` }
      const answer: DataAnswer = await plane.query({
        sql,
        relations,
        masks: new Map(mask && [['output', mask]]),
        limits: { maxRows },
        signal
      })
      const rows = await answer.rows()
      return { rows, truncated: answer.truncated }
    })
  }
}

interface Statement {
  readonly sql: string
  readonly limit: number
  readonly mask: Mask | undefined
}

interface RowsAsked {
  readonly span: Span
  readonly columns: readonly string[] | undefined
  readonly limit: number | undefined
  readonly isSeries: boolean
  readonly mask: Mask | undefined
}

export interface BucketsAsked {
  readonly span: Span
  readonly width: Duration
  readonly columns: readonly string[] | undefined
  readonly measure: Measure | undefined
  /** Of rows in objects. */
  readonly mask?: Mask | undefined
}

async function orNothing<T>(nothing: T, work: () => Promise<T>): Promise<T> {
  try {
    return await withData(work)
  } catch (error) {
    if (error instanceof Problem && error.members?.cause === 'nothing_matches') return nothing
    throw error
  }
}

/** What a pipeline wrote is read with the rights to where it lies. */
function requireReadable(actor: Actor, outputs: readonly Output[]): void {
  if (outputs.length === 0) throw new Problem('no_readable_output')
  const permission = outputs[0]?.kind === 'series' ? 'catalog:read' : 'buckets:read'
  if (!can(actor, permission)) throw new Problem('permission_denied', { members: { permission } })
}

function spanOf({ start = '-1h', end = 'now' }: DataParams, nowMs: number): Span {
  const fromNs = parseTime(start, nowMs)
  const toNs = parseTime(end, nowMs)
  if (fromNs === undefined) throw invalidField('/query/start', `must be ${TIME_FORM}`)
  if (toNs === undefined) throw invalidField('/query/end', `must be ${TIME_FORM}`)
  if (fromNs >= toNs) {
    throw new Problem('unprocessable', { errors: [{ pointer: '/query/end', message: 'must be later than start' }] })
  }
  return { fromNs, toNs }
}

function widthOf(text: string | undefined): Duration | undefined {
  if (text === undefined) return undefined
  const width = parseDuration(text)
  if (width === undefined) throw invalidField('/query/aggregation', `must be ${DURATION_FORM}`)
  return width
}

/** Divided at commas, but for those between the braces of a tag's labels. */
function namesIn(columns: DataParams['columns']): string[] | undefined {
  if (columns === undefined) return undefined
  const names = columns.match(/(?:[^,{]|\{[^}]*\}?)+/g) ?? []
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))]
}

function chosen(all: readonly DataColumn[], wanted: readonly string[] | undefined): readonly DataColumn[] {
  if (wanted === undefined || all.length === 0) return all
  const unknown = wanted.filter((name) => !all.some((column) => column.name === name))
  if (unknown.length > 0) {
    const known = all.map(({ name }) => name).slice(0, 50)
    const message = `${unknown[0]?.slice(0, 100)} is not among the columns: ${known.join(', ')}`
    throw new Problem('unprocessable', { errors: [{ pointer: '/query/columns', message }] })
  }
  return all.filter(({ name }) => wanted.includes(name))
}

function pointOf([, time, ...values]: DataRow): DataSeries['points'][number] {
  return { time: String(time), ...Object.fromEntries(MEASURES.map((name, i) => [name, values[i] as number])) }
}
