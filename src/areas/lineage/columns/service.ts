import { type Clock, toIso } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { graphWith, keyOf, timeOf } from '../graph/asked.ts'
import { toNode } from '../graph/details.ts'
import type { Direction } from '../graph/edge-reader.ts'
import { readPlace, writePlace } from '../graph/pages.ts'
import type { GraphReader } from '../graph/reader.ts'
import {
  type ColumnStep,
  type ColumnWalk,
  DIRECT,
  INFLUENCES,
  unmaskedOf,
  type WalkedColumns,
  walkColumns
} from './column-walk.ts'
import { requireColumn } from './known-column.ts'
import { type Place, placeName } from './mapping-reader.ts'
import type { Columns as ColumnsAnswer, ColumnsQuery } from './schema.ts'
import { toColumnEdges, toPlace } from './view.ts'

const DEFAULT_LIMIT = 1000
const MAX_DEPTH = 1000
/** Columns that are looked at for one question, and how long that takes. */
const MAX_COLUMNS = 20_000
const MAX_MS = 3000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
}

interface Shown extends Place {
  readonly distance: number
  readonly masked: boolean | null
}

/** The way of one column through everything. */
interface Way {
  readonly columns: Map<string, Shown>
  /** Each with the number of the later one of its columns. */
  readonly steps: Map<string, readonly [ColumnStep, number]>
  readonly cutBy: 'columns' | 'time' | null
}

export class ColumnQuestions {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async ask(query: ColumnsQuery): Promise<ColumnsAnswer> {
    const { metadata, clock } = this.#needs
    const { column, direction = 'both', depth = MAX_DEPTH, influences = false, limit = DEFAULT_LIMIT, cursor } = query
    const question = JSON.stringify([query.root, column, direction, depth, influences])
    const place = cursor === undefined ? undefined : readPlace(question, cursor)
    const atMs = place?.asOfMs ?? timeOf(query.asOf, clock.now())
    const root = { node: keyOf(query.root, '/query/root'), column }
    const reader = await graphWith(metadata, [query.root])
    await requireColumn(reader, query.root, column)
    const kinds = influences ? [...DIRECT, ...INFLUENCES] : DIRECT
    const directions: Direction[] = direction === 'both' ? ['upstream', 'downstream'] : [direction]
    const way = await this.#wayOf(reader, directions, { root, atMs, kinds }, depth)
    const [from, to] = [place?.steps ?? 0, (place?.steps ?? 0) + limit]
    const columns = [...way.columns.values()].slice(from, to)
    const steps = [...way.steps.values()].filter(([, number]) => number >= from && number < to).map(([step]) => step)
    const { edges, nodes } = await toColumnEdges(
      reader,
      steps,
      columns.map(({ node }) => node)
    )
    const isMore = way.columns.size > to
    return {
      root: { id: query.root, column },
      asOf: toIso(atMs),
      columns: columns.map(({ distance, masked, ...one }) => ({ ...toPlace(one, nodes), distance, masked })),
      edges,
      nodes: [...nodes.values()].map((row) => toNode(row, atMs)),
      truncated: isMore || way.cutBy !== null,
      truncatedBy: isMore ? 'columns' : way.cutBy,
      nextCursor: isMore ? writePlace(question, { asOfMs: atMs, steps: to }) : null
    }
  }

  async #wayOf(
    reader: GraphReader,
    directions: readonly Direction[],
    asked: Pick<ColumnWalk, 'root' | 'atMs' | 'kinds'>,
    depth: number
  ): Promise<Way> {
    const { clock } = this.#needs
    const endMs = clock.elapsed() + MAX_MS
    const columns = new Map<string, Shown>()
    const steps: Way['steps'] = new Map()
    let cutBy: Way['cutBy'] = null
    for (const direction of directions) {
      const hasBudget = (found: number) => found < MAX_COLUMNS && clock.elapsed() < endMs
      const walk: ColumnWalk = { ...asked, direction, hasBudget }
      const walked = await walkColumns(reader, walk)
      const isUnmasked = unmaskedOf(walked, walk)
      for (const [name, found] of walked.columns) {
        if (found.distance > depth) continue
        const masked = isUnmasked(found) ? false : walked.isGivenUp ? null : true
        const { node, column, distance } = columns.get(name) ?? found
        columns.set(name, { node, column, distance, masked: everyWay(columns.get(name)?.masked, masked) })
      }
      addSteps(steps, walked, columns, direction)
      if (walked.isGivenUp && deepest(walked) <= depth) cutBy = clock.elapsed() < endMs ? 'columns' : 'time'
    }
    return { columns, steps, cutBy }
  }
}

/** Where a column was met on ways to the root and on ways from it. */
function everyWay(first: boolean | null | undefined, second: boolean | null): boolean | null {
  if (first === undefined) return second
  return first === false || second === false ? false : first === null ? null : second
}

const deepest = ({ columns }: WalkedColumns): number => [...columns.values()].at(-1)?.distance ?? 0

/** A step is shown with the later one of its columns, where both are. */
function addSteps(
  steps: Way['steps'],
  walked: WalkedColumns,
  columns: ReadonlyMap<string, Shown>,
  direction: Direction
): void {
  const numbers = new Map([...columns.keys()].map((name, number) => [name, number]))
  for (const [name, found] of walked.columns) {
    for (const step of found.steps) {
      const far = numbers.get(placeName(direction === 'downstream' ? step.to : step.from))
      const near = numbers.get(name)
      if (far !== undefined && near !== undefined) steps.getOrInsert(stepName(step), [step, Math.max(near, far)])
    }
  }
}

const stepName = ({ from, to, kind, job }: ColumnStep): string =>
  JSON.stringify([placeName(from), placeName(to), kind, job])
