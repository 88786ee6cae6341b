import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { metricText } from '../../../http/metric-text.ts'
import type { Lineage } from '../lineage.ts'
import { countLineage, type LineageCounts } from './counts.ts'

/** There may be millions of rows, and they change slowly: what was counted is shown for so long. */
const COUNTED_MS = 600_000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
}

export class LineageMetrics {
  readonly #needs: Needs
  #counted: { readonly atMs: number; readonly counts: LineageCounts } | undefined

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async render(lineage: Pick<Lineage, 'sightings'> | undefined): Promise<string> {
    const { nodes, jobs, runs, edges, links } = await this.#counts()
    const gauge = (name: string, about: string, value: number) => metricText(name, 'gauge', about, [{ value }])
    return [
      gauge('millrace_lineage_nodes', 'Data and jobs that the lineage knows', nodes),
      gauge('millrace_lineage_edges', 'Edges that hold, by each kind of telling', edges),
      gauge('millrace_lineage_jobs', 'Jobs, by each kind of telling', jobs),
      gauge('millrace_lineage_runs', 'Runs that are kept', runs),
      gauge('millrace_lineage_links', 'Edges that people have drawn', links),
      metricText('millrace_lineage_sightings_total', 'counter', 'Sightings of runs that were taken in', [
        { value: lineage?.sightings ?? 0 }
      ])
    ].join('')
  }

  async #counts(): Promise<LineageCounts> {
    const { metadata, clock } = this.#needs
    const nowMs = clock.elapsed()
    if (this.#counted === undefined || nowMs - this.#counted.atMs >= COUNTED_MS) {
      this.#counted = { atMs: nowMs, counts: await countLineage(metadata.db) }
    }
    return this.#counted.counts
  }
}
