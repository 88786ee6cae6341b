import type { Bus } from '../../../engines/bus/index.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Log } from '../../../engines/log.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { LineageTeller } from '../lineage/sightings.ts'
import type { Hosts } from './hosts.ts'
import type { KeptFiles } from './kept-files.ts'
import type { LogKeeper } from './log-keeper.ts'
import type { Suspects } from './suspects.ts'
import type { Totals } from './totals.ts'

/** What looking after a run needs. */
export interface KeeperNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  /** Of the server, for whoever looks after all pipelines. */
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly makeId: MakeId
  readonly bus: Bus
  readonly hosts: Hosts
  readonly suspects: Suspects
  readonly keptFiles: KeptFiles
  readonly logs: LogKeeper
  readonly totals: Totals
  readonly lineage: LineageTeller
  requireLevels(): Promise<void>
  /** Hears that a connector could be read. */
  connectorWorks(connectorId: string): Promise<void>
  definitionOf(pipelineId: string, version: number): Promise<readonly PipelineNode[]>
}
