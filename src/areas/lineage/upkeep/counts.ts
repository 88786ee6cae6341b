import type { Db } from '../../../engines/metadata/index.ts'

export interface LineageCounts {
  readonly nodes: number
  readonly jobs: number
  readonly runs: number
  /** Edges that hold now, as everybody who says so counts them. */
  readonly edges: number
  readonly links: number
}

export async function countLineage(db: Db): Promise<LineageCounts> {
  const rowsOf = async (table: 'lineage_nodes' | 'lineage_jobs' | 'lineage_runs') =>
    countOf(
      await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirst()
    )
  const edges = db.selectFrom('lineage_edges').select(({ fn }) => fn.countAll<number>().as('count'))
  const links = db.selectFrom('lineage_links').select(({ fn }) => fn.countAll<number>().as('count'))
  return {
    nodes: await rowsOf('lineage_nodes'),
    jobs: await rowsOf('lineage_jobs'),
    runs: await rowsOf('lineage_runs'),
    edges: countOf(await edges.where('ended_ms', 'is', null).executeTakeFirst()),
    links: countOf(await links.where('ended_at', 'is', null).executeTakeFirst())
  }
}

const countOf = (row: { count: number } | undefined): number => Number(row?.count ?? 0)
