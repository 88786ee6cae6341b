import type { AreaNeeds } from '../../../area.ts'
import { toIso } from '../../../engines/clock.ts'
import { type Actor, can } from '../../../http/permissions.ts'
import { requireColumn } from '../columns/known-column.ts'
import { graphWith, keyOf, timeOf } from '../graph/asked.ts'
import { readNodes, toNode } from '../graph/details.ts'
import { readPlace, writePlace } from '../graph/pages.ts'
import { newestRuns } from '../nodes/listing.ts'
import { toLastRun } from '../nodes/service.ts'
import { columnReachOf } from './column-reach.ts'
import { countsOf } from './counts.ts'
import { type Budget, type Reached, reachOf } from './reach.ts'
import type { Impact, ImpactedNode, ImpactQuery } from './schema.ts'

const DEFAULT_LIMIT = 100
const MAX_DEPTH = 1000
const MAX_NODES = 200_000
const BUDGET_MS = 5000
const MAX_SHOWN_COLUMNS = 100

type Needs = Pick<AreaNeeds, 'metadata' | 'clock' | 'service'>

/** What would break. */
export class Impacts {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async of(id: string, query: ImpactQuery, actor: Actor): Promise<Impact> {
    const { metadata, clock } = this.#needs
    const { depth = Number.POSITIVE_INFINITY, limit = DEFAULT_LIMIT, column, cursor } = query
    const question = JSON.stringify(['impact', id, column, depth])
    const place = cursor === undefined ? undefined : readPlace(question, cursor)
    const atMs = place?.asOfMs ?? timeOf(query.asOf, clock.now())
    const root = keyOf(id, '/params/id')
    const about = othersFor(this.#needs, actor)
    // Whoever finds that there is no such node never waits for them.
    about.catch(() => {})
    const reader = await graphWith(metadata, [id])
    if (column !== undefined) await requireColumn(reader, id, column)
    const endMs = clock.elapsed() + BUDGET_MS
    const budget: Budget = { maxNodes: MAX_NODES, maxDepth: MAX_DEPTH, hasTime: () => clock.elapsed() < endMs }
    const { nodes, cutBy } =
      column === undefined
        ? await reachOf(reader, { root, depth, atMs }, budget)
        : await columnReachOf(reader, { root: { node: root, column }, depth, atMs }, budget)
    const [from, to] = [place?.steps ?? 0, (place?.steps ?? 0) + limit]
    return {
      root: id,
      column: column ?? null,
      asOf: toIso(atMs),
      quality: (await (await about).quality?.qualityOf(metadata.db, [id]))?.get(id) ?? null,
      total: nodes.length,
      byDistance: await countsOf(reader, nodes),
      nodes: await this.#show(nodes.slice(from, to), await about, atMs),
      truncated: cutBy !== null,
      truncatedBy: cutBy,
      nextCursor: nodes.length > to ? writePlace(question, { asOfMs: atMs, steps: to }) : null
    }
  }

  async #show(nodes: readonly Reached[], about: Others, atMs: number): Promise<ImpactedNode[]> {
    const { metadata } = this.#needs
    const keys = nodes.map(({ key }) => key)
    const rows = await readNodes(metadata, keys)
    const references = [...rows.values()].map(({ reference }) => reference)
    // A server looks for all of them at the same time.
    const [runs, levels, alerts, quality] = await Promise.all([
      newestRuns(metadata, keys),
      about.classification?.allLevelsOf(metadata.db, references),
      about.alerts?.openAbout(metadata.db, references),
      about.quality?.qualityOf(metadata.db, references)
    ])
    return nodes.flatMap(({ key, distance }) => {
      const row = rows.get(key)
      if (row === undefined) return []
      const { level = null, columns = new Map<string, string>() } = levels?.get(row.reference) ?? {}
      const labelled = [...columns].slice(0, MAX_SHOWN_COLUMNS)
      const { count = 0, ids = [] } = alerts?.get(row.reference) ?? {}
      return {
        ...toNode(row, atMs),
        distance,
        classification:
          levels === undefined ? null : { level, columns: labelled.map(([column, of]) => ({ column, level: of })) },
        lastRun: toLastRun(runs.get(key)),
        alerts: alerts === undefined ? null : { open: count, ids: [...ids] },
        quality: quality?.get(row.reference) ?? null
      }
    })
  }
}

type Others = Awaited<ReturnType<typeof othersFor>>

/**
 * Who knows more of data, as far as the caller may see it. An area that is used for the first time is made ready while the
 * database looks for what is reached.
 */
async function othersFor({ service }: Needs, actor: Actor) {
  return {
    quality: can(actor, 'quality:read') ? await service('quality') : undefined,
    classification: can(actor, 'classification:read') ? await service('classification') : undefined,
    alerts: can(actor, 'alerts:read') ? await service('alerts') : undefined
  }
}
