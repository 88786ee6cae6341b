import { BoundedMap } from '../../../engines/bounded-map.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { Problem } from '../../../errors.ts'
import type { Intake, Sent } from '../../../http/intake.ts'
import type { FeedAnswer } from '../protocol/protocol.ts'
import { requirePipeline } from '../store/pipelines.ts'
import type { PipelineRow } from '../store/rows.ts'
import { requireState } from '../store/states.ts'
import { findVersion, nodesOf } from '../store/versions.ts'
import { withHost } from '../supervisor/host-problems.ts'

const MAX_KEPT = 1000

/** How many times as large a body may be once it is unpacked. A host holds it whole, so packing earns no larger one. */
const UNPACKED_TIMES = 1

interface Needs {
  readonly metadata: Metadata
  readonly intake: Intake
  feed(runId: string, nodeId: string, body: Uint8Array, requestId: string): Promise<FeedAnswer>
}

/** Records from requests, on their way to nodes that wait for them. */
export class Feed {
  readonly #needs: Needs
  /** The nodes that do so, by pipeline and version, which never change. */
  readonly #kept = new BoundedMap<string, ReadonlySet<string>>(MAX_KEPT)

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Answers when what was accepted is committed. */
  async take(pipelineId: string, nodeId: string, sent: Sent, requestId: string): Promise<FeedAnswer> {
    const row = await requirePipeline(this.#needs.metadata.db, pipelineId)
    if (!(await this.#webhooksOf(row)).has(nodeId)) {
      throw new Problem('not_found', { detail: 'The pipeline has no webhook node of this name.' })
    }
    requireState(row, 'feed')
    const give = (body: Uint8Array) => withHost(() => this.#needs.feed(row.run_id as string, nodeId, body, requestId))
    return this.#needs.intake.take(sent, give, UNPACKED_TIMES)
  }

  async #webhooksOf({ id, version }: PipelineRow): Promise<ReadonlySet<string>> {
    const key = `${id} ${version}`
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const row = await findVersion(this.#needs.metadata.db, id, version)
    const nodes = row === undefined ? [] : nodesOf(row)
    const found = new Set(nodes.filter(({ type }) => type === 'webhook').map((node) => node.id))
    this.#kept.set(key, found)
    return found
  }
}
