import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { StreamAnswer } from '../../../http/route.ts'
import { stepsAround } from '../graph/around.ts'
import { graphWith, keyOf, timeOf } from '../graph/asked.ts'
import { graphCsv } from './csv.ts'
import { graphMl } from './graphml.ts'
import { partsOf } from './parts.ts'
import type { ExportQuery } from './schema.ts'

const DEFAULT_DEPTH = 10

export const CSV = 'text/csv'
export const GRAPHML = 'application/graphml+xml'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
}

/** The graph as a file, which is sent while it is read. */
export class Exports {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async of({ format, root, direction = 'both', depth = DEFAULT_DEPTH, asOf }: ExportQuery): Promise<StreamAnswer> {
    const { metadata, clock } = this.#needs
    const atMs = timeOf(asOf, clock.now())
    const key = root === undefined ? null : keyOf(root, '/query/root')
    const reader = root === undefined ? metadata : await graphWith(metadata, [root])
    const parts = partsOf(reader, stepsAround(reader, { root: key, direction, depth, atMs }), atMs)
    const headers = { 'content-disposition': `attachment; filename="lineage.${format}"` }
    return format === 'csv'
      ? new StreamAnswer(CSV, graphCsv(parts), headers)
      : new StreamAnswer(GRAPHML, graphMl(parts), headers)
  }
}
