import type { EdgeRow, JobRow, NodeRow } from '../../src/areas/lineage/migrations.ts'
import { nodeKey } from '../../src/areas/lineage/references.ts'
import type { Metadata, Tables } from '../../src/engines/metadata/index.ts'
import { prepareInserts } from '../../src/engines/prepare-rows.ts'

const EDGES = 1_000_000
const LAYERS = 10
const INPUTS = 3
const OUTPUTS = 2
/** One table that 500 jobs read, which write 100 each. */
const FAN = { jobs: 500, outputs: 99 }
const ROWS_AT_ONCE = 50_000
const START_MS = Date.UTC(2026, 0, 1)

/** What a warehouse looks like: layers of tables, each made from a few of the layer before, and one that very many depend on. */
export interface LargeGraph {
  readonly edges: number
  readonly nodes: number
  /** The last layer, which everything else but the fan leads to. */
  readonly last: readonly string[]
  /** 50,000 nodes are downstream of it. */
  readonly fanned: string
}

/** Written straight into the tables: what it takes to get there is measured apart. */
export async function drawLargeGraph(metadata: Metadata): Promise<LargeGraph> {
  const drawing = new Drawing()
  const fanned = drawing.data('fan')
  for (let job = 0; job < FAN.jobs; job++) {
    const outputs = Array.from({ length: FAN.outputs }, (_, n) => drawing.data(`fan_${job}_${n}`))
    drawing.job(`fan.${job}`, [fanned], outputs)
  }
  const perLayer = Math.floor((EDGES - drawing.edges.length) / (INPUTS + OUTPUTS) / LAYERS)
  const random = seeded(7)
  let last = Array.from({ length: perLayer * OUTPUTS }, (_, n) => drawing.data(`layer0_${n}`))
  for (let layer = 1; layer <= LAYERS; layer++) {
    const before = last
    const here: string[] = []
    for (let n = 0; n < perLayer; n++) {
      const outputs = Array.from({ length: OUTPUTS }, (_, out) => drawing.data(`layer${layer}_${n * OUTPUTS + out}`))
      // Mostly from the neighbourhood, as jobs of one subject are.
      const inputs = Array.from({ length: INPUTS }, () => {
        const near = n * OUTPUTS + Math.floor((random() - 0.5) * 50)
        return before[(near + before.length) % before.length] as string
      })
      drawing.job(`layer${layer}.${n}`, [...new Set(inputs)], outputs)
      here.push(...outputs)
    }
    last = here
  }
  await drawing.write(metadata)
  return { edges: drawing.edges.length, nodes: drawing.nodes.length, last, fanned }
}

class Drawing {
  readonly nodes: NodeRow[] = []
  readonly edges: EdgeRow[] = []
  readonly jobs: JobRow[] = []

  data(name: string): string {
    return this.#node(`dataset://warehouse/db.schema.${name}`, 'dataset', name)
  }

  #node(reference: string, kind: NodeRow['kind'], name: string): string {
    this.nodes.push({ key: nodeKey(reference), reference, kind, name, is_pattern: 0, facts: '{}' })
    return reference
  }

  job(name: string, inputs: readonly string[], outputs: readonly string[]): void {
    const job = nodeKey(this.#node(`job://airflow/${name}`, 'job', name))
    const edge = {
      how: 'openlineage',
      started_ms: START_MS,
      ended_ms: null,
      job,
      seen_ms: null,
      runs: 0,
      who: null
    } as const
    for (const input of inputs) this.edges.push({ ...edge, from_node: nodeKey(input), to_node: job, type: 'reads' })
    for (const output of outputs) this.edges.push({ ...edge, from_node: job, to_node: nodeKey(output), type: 'writes' })
    this.jobs.push({
      job,
      how: 'openlineage',
      who: 'bench',
      newest_run: 'run',
      newest_ms: START_MS,
      runs: 1,
      whole_runs: 1,
      whole_ms: START_MS,
      open: '',
      closed_ms: -1,
      base_ms: 0
    })
  }

  async write(metadata: Metadata): Promise<void> {
    // Nodes last: upkeep may be at work, and deletes those that nothing leads to.
    await inPieces(metadata, 'lineage_edges', 'from_node', this.edges)
    await inPieces(metadata, 'lineage_jobs', 'job', this.jobs)
    await inPieces(metadata, 'lineage_nodes', 'key', this.nodes)
  }
}

async function inPieces<K extends string>(
  metadata: Metadata,
  table: keyof Tables,
  key: K,
  rows: readonly Readonly<Record<K, string>>[]
): Promise<void> {
  const insert = prepareInserts(table, Object.keys(rows[0] as object))
  // In the order of their keys, which are digests: anywhere in a large table takes much longer than at its end.
  const ordered = rows.toSorted((a, b) => (a[key] < b[key] ? -1 : 1))
  for (let from = 0; from < ordered.length; from += ROWS_AT_ONCE) {
    await metadata.transaction((tx) => insert(tx, ordered.slice(from, from + ROWS_AT_ONCE)))
  }
}

/** The same numbers each time. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
