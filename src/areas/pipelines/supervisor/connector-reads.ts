import type { Clock } from '../../../engines/clock.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { RunFigures } from '../protocol/protocol.ts'

/** So often at the most a connector is told of because records come. */
const TOLD_EVERY_MS = 60_000

interface Needs {
  readonly clock: Clock
  nodes(): readonly PipelineNode[]
  /** Hears that a connector could be read. */
  connectorWorks(connectorId: string): Promise<void>
}

/** Tells of the connectors that a run has read by, so that one that failed its test does not stay so for long. */
export class ConnectorReads {
  readonly #needs: Needs
  readonly #toldMs = new Map<string, number>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Records have come out of some nodes. */
  committed(before: RunFigures['nodes'], after: RunFigures['nodes']): void {
    const nowMs = this.#needs.clock.now()
    const isDue = (connectorId: string) =>
      nowMs - (this.#toldMs.get(connectorId) ?? Number.NEGATIVE_INFINITY) >= TOLD_EVERY_MS
    for (const { nodeId, connectorId } of this.#sources()) {
      const hasRead = (after[nodeId]?.recordsOut ?? 0) > (before[nodeId]?.recordsOut ?? 0)
      if (hasRead && isDue(connectorId)) this.#tell(connectorId, nowMs)
    }
  }

  /** All that was to be read has been, though it may have been nothing, or what failed works again. */
  getsOn(): void {
    for (const { connectorId } of this.#sources()) this.#tell(connectorId, this.#needs.clock.now())
  }

  #sources(): { readonly nodeId: string; readonly connectorId: string }[] {
    return this.#needs
      .nodes()
      .flatMap(({ id, inputs, config: { connectorId } }) =>
        inputs.length === 0 && typeof connectorId === 'string' ? [{ nodeId: id, connectorId }] : []
      )
  }

  #tell(connectorId: string, nowMs: number): void {
    this.#toldMs.set(connectorId, nowMs)
    // Where that fails, it is tested when it is its turn.
    void this.#needs.connectorWorks(connectorId).catch(() => {})
  }
}
