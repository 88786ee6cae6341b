import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Outbound } from '../../../engines/outbound/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { Source, SourceContext } from '../contract/source.ts'
import type { RunNeeds } from '../protocol/run-spec.ts'
import type { TrackedFlow } from './tracked-flow.ts'

/** What a run needs of the host that it is in. */
export interface HostedRunNeeds extends RunNeeds {
  readonly instance: DuckDBInstance
  /** A folder of the run's own, made and removed by it. */
  readonly folder: string
  /** The name of a database of the run's own in the instance, which nobody can guess; made and removed by it. */
  readonly schema: string
  outbound(): Promise<Outbound>
  now(): number
  elapsed(): number
  /** Called once all nodes are open and it runs. */
  onOpen(): void
  /** How many share the host. */
  runsHere?(): number
  /** What is opened in place of a source. */
  standIn?(node: PipelineNode): ((context: SourceContext<unknown>) => Promise<Source>) | undefined
  /** A run of which nothing stays: sinks only say what they would refuse, and this looks on. */
  rehearsal?(node: PipelineNode, flow: TrackedFlow, database: DuckDBConnection): Promise<void>
}
