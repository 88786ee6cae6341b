import type { DataAnswer } from '../../../data/answer.ts'
import type { Mask } from '../../../data/mask.ts'
import type { DataPlane } from '../../../data/plane.ts'
import type { DataRow, SqlParameter } from '../../../data/sql-process/messages.ts'
import { sizeOf } from '../../../data/sql-process/value-size.ts'
import { withData } from '../../../http/data-problems.ts'
import type { Questions } from '../../lineage/index.ts'
import { type PointsNeeds, readPoints } from './points.ts'
import type { LineageQuestion, Question, SqlQuestion } from './question.ts'
import { type Frame, MAX_ROWS } from './schema.ts'
import { MAX_FRAMES, seriesOf, tableOf } from './sql-frames.ts'
import { type Span, spanOf, stepSeconds } from './time-span.ts'

export interface ReaderNeeds extends PointsNeeds {
  readonly clock: { now(): number }
  readonly plane: Pick<DataPlane, 'query'>
  readonly lineage: Pick<Questions, 'around'>
}

/** Who may see an answer is asked before it is read; what has to be masked in it is part of how it is read. */
export interface Sight {
  readonly masks: ReadonlyMap<string, Mask>
  readonly maxRows: number
}

/** What was read for a panel. */
export interface Reading {
  readonly from: string
  readonly to: string
  readonly frames: readonly Frame[]
  readonly reduced: { readonly from: number; readonly to: number } | null
  readonly truncated: boolean
  readonly masked: readonly string[]
  /** Of points: the tags that were read. */
  readonly tags: readonly string[]
}

const MAX_NODES = 500
/** Of the rows of a panel, roughly. */
const MAX_BYTES = 4 * 1024 * 1024

/** Reads what questions of panels ask for, as it is now. */
export class Reader {
  readonly #needs: ReaderNeeds

  constructor(needs: ReaderNeeds) {
    this.#needs = needs
  }

  async read(question: Question, { masks, maxRows }: Sight, signal: AbortSignal): Promise<Reading> {
    const span = spanOf(question.range, this.#needs.clock.now())
    const plain = { from: span.from, to: span.to, reduced: null, truncated: false, masked: [], tags: [] }
    switch (question.kind) {
      case 'nothing':
        return { ...plain, frames: [] }
      case 'points':
        return { ...plain, ...(await readPoints(this.#needs, question, span, maxRows, signal)) }
      case 'lineage':
        return { ...plain, ...(await this.#lineage(question)) }
      case 'sql': {
        const limit = Math.min(maxRows, MAX_ROWS)
        return { ...plain, ...(await this.#sql(question, span, masks, limit, signal)), masked: [...masks.keys()] }
      }
    }
  }

  /** The rows of SQL, as they are: also for the values of variables. */
  async rows(
    question: Omit<SqlQuestion, 'timeZone'> & Pick<Question, 'maxPoints'>,
    span: Span,
    masks: Sight['masks'],
    maxRows: number,
    signal: AbortSignal
  ) {
    const { sql, relations, maxPoints } = question
    const parameters: Record<string, SqlParameter> = {
      ...question.parameters,
      from: { timestamp: span.from },
      to: { timestamp: span.to },
      interval_seconds: stepSeconds(span, maxPoints)
    }
    const reduction =
      question.shape === 'picture' ? { maxPoints, maxSeries: MAX_FRAMES, spanMs: span.seconds * 1000 } : undefined
    return withData(async () => {
      const limits = { maxRows }
      const answer = await this.#needs.plane.query({
        ...{ sql, relations, parameters, isOffer: true, masks },
        ...{ limits, reduction, signal }
      })
      const { rows, isCut } = await rowsOf(answer)
      return { columns: answer.columns, rows, truncated: answer.truncated || isCut, reduced: answer.reduced }
    })
  }

  async #sql(
    question: SqlQuestion & Pick<Question, 'maxPoints'>,
    span: Span,
    masks: Sight['masks'],
    maxRows: number,
    signal: AbortSignal
  ): Promise<Pick<Reading, 'frames' | 'truncated' | 'reduced'>> {
    const { reduced, truncated, ...table } = await this.rows(question, span, masks, maxRows, signal)
    const { shape, timeZone } = question
    if (shape === 'table') return { frames: [tableOf(table, timeZone)], truncated, reduced }
    const { frames, isCut } = seriesOf(table, timeZone)
    return { frames, truncated: truncated || isCut, reduced }
  }

  async #lineage({ reference, direction, depth }: LineageQuestion): Promise<Pick<Reading, 'frames' | 'truncated'>> {
    const graph = await this.#needs.lineage.around(reference, direction, { depth, limit: MAX_NODES })
    const nodes = graph.nodes.map(({ id, kind, name, distance, deleted }) => [id, kind, name, distance, deleted])
    const edges = graph.edges.map(({ from, to, type }) => [from, to, type])
    return {
      frames: [
        listOf('nodes', ['id', 'kind', 'name', 'distance', 'deleted'], nodes),
        listOf('edges', ['from', 'to', 'type'], edges)
      ],
      truncated: graph.truncated
    }
  }
}

/** As many rows as a panel may have bytes: long texts make few rows large. */
async function rowsOf(answer: DataAnswer): Promise<{ rows: DataRow[]; isCut: boolean }> {
  const rows: DataRow[] = []
  let bytes = 0
  for await (const batch of answer) {
    for (const row of batch) {
      bytes += sizeOf(row)
      if (bytes > MAX_BYTES) return { rows, isCut: true }
      rows.push(row)
    }
  }
  return { rows, isCut: false }
}

const TYPES: Readonly<Record<string, 'number' | 'boolean'>> = { distance: 'number', deleted: 'boolean' }

const listOf = (name: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): Frame => ({
  name,
  labels: {},
  columns: columns.map((column) => ({ name: column, type: TYPES[column] ?? 'text', unit: null })),
  values: columns.map((_, place) => rows.map((row) => row[place]))
})
