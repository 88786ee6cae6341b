import { type Clock, toIso } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { invalidField } from '../../../errors.ts'
import { readCursor, refusedCursor, writeCursor } from '../../../http/cursor.ts'
import { toColumnEdges } from '../columns/view.ts'
import { graphWith, keyOf, timeOf } from '../graph/asked.ts'
import { jobsOn, readNodes, toEdges } from '../graph/details.ts'
import type { EdgeRow, MappingRow } from '../migrations.ts'
import type { Edge } from '../schema.ts'
import { aroundRoot, type Centre } from './around.ts'
import { everywhere, type Found, PARTS, type Place } from './everywhere.ts'
import { EDGES, MAPPINGS, type RowPlace, type Span } from './facts.ts'
import type { Difference, DifferenceQuery } from './schema.ts'

const DEFAULT_LIMIT = 1000
const DEFAULT_DEPTH = 10
/** How long one answer may take to be found. */
const BUDGET_MS = 3000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
}

/** Some of a difference, and where it goes on; null where that is all. */
interface Part {
  readonly found: readonly Found[]
  readonly truncatedBy: Difference['truncatedBy']
  readonly next: readonly (string | number)[] | null
}

/** What has changed between two times. */
export class Differences {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async ask(query: DifferenceQuery): Promise<Difference> {
    const { root = null, direction = 'both', depth = DEFAULT_DEPTH, limit = DEFAULT_LIMIT } = query
    const question = JSON.stringify([query.from, query.to, root, direction, depth])
    const asked = query.cursor === undefined ? undefined : readPlace(question, query.cursor)
    const span = asked?.span ?? this.#spanOf(query)
    const place = asked?.place ?? []
    const part =
      root === null
        ? await this.#everywhere(span, place, limit)
        : await this.#around({ root, direction, depth }, span, place, limit)
    const { found, truncatedBy, next } = part
    const nextCursor = next === null ? null : writeCursor([question, span.fromMs, span.toMs, ...next])
    const common = { from: toIso(span.fromMs), to: toIso(span.toMs), root }
    return { ...common, ...(await this.#show(found)), truncated: truncatedBy !== null, truncatedBy, nextCursor }
  }

  #spanOf(query: DifferenceQuery): Span {
    const nowMs = this.#needs.clock.now()
    const [fromMs, toMs] = [timeOf(query.from, nowMs, '/query/from'), timeOf(query.to, nowMs, '/query/to')]
    if (fromMs > toMs) throw invalidField('/query/from', 'must not be after to')
    return { fromMs, toMs }
  }

  async #everywhere(span: Span, [part = 0, ...after]: readonly (string | number)[], limit: number): Promise<Part> {
    const { metadata, clock } = this.#needs
    const endMs = clock.elapsed() + BUDGET_MS
    const found: Found[] = []
    const from = { part: Number(part), ...(after.length > 0 && { after: after as unknown as RowPlace }) }
    let last: Place = from
    for await (const told of everywhere(metadata, span, from)) {
      const next = [last.part, ...(last.after ?? [])]
      if (told.found !== undefined && found.length >= limit) return { found, truncatedBy: 'changes', next }
      if (told.found !== undefined) found.push(told.found)
      last = told.place
      if (clock.elapsed() > endMs) {
        return { found, truncatedBy: 'time', next: [last.part, ...(last.after ?? [])] }
      }
    }
    return { found, truncatedBy: null, next: null }
  }

  async #around(asked: Centre, span: Span, [skip = 0]: readonly (string | number)[], limit: number): Promise<Part> {
    const { metadata, clock } = this.#needs
    const centre = { ...asked, root: keyOf(asked.root, '/query/root') }
    const reader = await graphWith(metadata, [asked.root])
    const endMs = clock.elapsed() + BUDGET_MS
    const { all, cutBy } = await aroundRoot(reader, centre, span, () => clock.elapsed() < endMs)
    const end = Number(skip) + limit
    const isMore = all.length > end
    return {
      found: all.slice(Number(skip), end),
      truncatedBy: isMore ? 'changes' : cutBy,
      next: isMore ? [end] : null
    }
  }

  async #show(found: readonly Found[]): Promise<Pick<Difference, 'added' | 'ended'>> {
    const of = (part: Found['part']) => found.filter((one) => one.part === part).map(({ claims }) => claims)
    return {
      added: {
        edges: await this.#edges(of('added edges') as EdgeRow[][]),
        columns: await this.#columns(of('added columns') as MappingRow[][])
      },
      ended: {
        edges: await this.#edges(of('ended edges') as EdgeRow[][]),
        columns: await this.#columns(of('ended columns') as MappingRow[][])
      }
    }
  }

  async #edges(all: readonly (readonly EdgeRow[])[]): Promise<Edge[]> {
    const { metadata } = this.#needs
    const edges = all.map((claims) => {
      const { from_node, to_node } = claims[0] as EdgeRow
      return { from: from_node, to: to_node, claims }
    })
    const nodes = await readNodes(metadata, [...new Set(edges.flatMap(({ from, to }) => [from, to]))])
    return toEdges(edges, nodes, await jobsOn(metadata, edges))
  }

  async #columns(all: readonly MappingRow[][]) {
    const steps = all.map((claims) => {
      const { from_node, from_column, to_node, to_column, kind, job } = claims[0] as MappingRow
      const from = { node: from_node, column: from_column }
      return { from, to: { node: to_node, column: to_column }, kind, job, claims }
    })
    return (await toColumnEdges(this.#needs.metadata, steps)).edges
  }
}

function readPlace(question: string, cursor: string): { span: Span; place: (string | number)[] } {
  const read = readCursor(cursor)
  const [asked, fromMs, toMs, ...place] = Array.isArray(read) ? read : []
  const isSpan = Number.isSafeInteger(fromMs) && Number.isSafeInteger(toMs)
  if (asked === question && isSpan && isPlace(place)) return { span: { fromMs, toMs }, place }
  throw refusedCursor('with the same times, root, direction and depth')
}

/** A number of changes, or of a part and then the row in it. */
function isPlace([first, ms, ...order]: readonly unknown[]): boolean {
  if (!Number.isSafeInteger(first) || (first as number) < 0) return false
  if (ms === undefined) return true
  const columns = PARTS[first as number]?.endsWith('edges') ? EDGES.order : MAPPINGS.order
  const isText = (value: unknown) => typeof value === 'string' && !value.includes('\0')
  return Number.isSafeInteger(ms) && order.length === columns.length && order.every(isText)
}
