import type { AreaNeeds } from '../../../area.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { Closed, OneOf } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import type { ScheduleTarget, TargetEnd, TargetResult, TargetRun } from '../../../schedule-target.ts'
import { invalidField, Problem } from '../errors.ts'
import type { Ledger } from '../protocol/ledger.ts'
import { inputReferences } from '../rights/references.ts'
import { errorOf } from '../runs/view.ts'
import { findPipeline } from '../store/pipelines.ts'
import type { RunRow } from '../store/rows.ts'
import { findRun } from '../store/runs.ts'
import { Lifecycle } from './service.ts'
import { startWarnings } from './start-warnings.ts'

const ROWS_AT_ONCE = 500

const PipelineTargetConfig = Closed({
  from: Type.Optional(
    OneOf(
      ['checkpoint', 'beginning'],
      '`checkpoint`, if not said, goes on where the run before it ended; `beginning` forgets that'
    )
  )
})
type PipelineTargetConfig = Static<typeof PipelineTargetConfig>

/** Has a pipeline started. What began is noted in the commit that begins it, so that a due time begins one run only. */
export async function pipelineTarget(needs: AreaNeeds): Promise<ScheduleTarget> {
  const figuresOf = (runId: string) => needs.loaded('pipelines')?.figuresOf(runId)
  const lifecycle = new Lifecycle({ ...needs, figuresOf, lineage: await needs.service('lineage') })
  return {
    about:
      'Starts a pipeline; the run lasts as long as the pipeline runs. One whose sources never end goes on until somebody stops it, or the schedule’s own limit of time does.',
    permissions: ['pipelines:write'],
    resource: 'pipeline',
    config: PipelineTargetConfig,
    check: async ({ id }) => {
      if (id === undefined) throw invalidField('/target/id', 'must be the id of a pipeline')
      const found = await findPipeline(needs.metadata.db, id)
      if (found === undefined)
        throw invalidField('/target/id', 'names no pipeline; GET /api/pipelines lists those there are')
    },
    reads: ({ id }) => inputReferences(needs.metadata.db, String(id)),
    run: (run) => begin(needs, lifecycle, run),
    follow: endsOf,
    cancel: async (tx, link) => lifecycle.stop(tx, await pipelineThatRuns(tx, link))
  }
}

async function begin(needs: AreaNeeds, lifecycle: Lifecycle, run: TargetRun): Promise<TargetResult> {
  const { service } = needs
  // Who runs pipelines has to be there to hear of the change.
  await service('pipelines')
  if (run.link !== null) return { outcome: 'goes-on' }
  const { from = 'checkpoint' } = run.config as PipelineTargetConfig
  const id = String(run.id)
  const openBucket = async (name: string) => (await service('buckets')).opener.open(name)
  try {
    const warnings = await startWarnings({ ...needs, openBucket }, id)
    await run.change(async (tx, note) => {
      const outcome = await lifecycle.start(tx, run.owner, id, from, warnings)
      note(outcome.answer.run?.id as string)
      return outcome
    })
    for (const { nodeId, message } of warnings) run.log(`${nodeId}: ${message}`)
    return { outcome: 'goes-on' }
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw error
    return refusal
  }
}

/** What another attempt can't mend. */
function refusalOf(error: unknown): TargetEnd | undefined {
  if (!(error instanceof Problem)) return undefined
  if (error.code === 'not_found') {
    const message = 'There is no such pipeline any more; give the schedule another one, or delete it'
    return { outcome: 'failed', code: 'pipeline_not_found', message, isFinal: true }
  }
  if (error.code !== 'illegal_transition') return undefined
  const message = `The pipeline is ${error.members?.currentStatus} already, started by somebody else or by a run before this one; leave starting it to one of them, or leave more time between due times`
  return { outcome: 'failed', code: 'pipeline_busy', message, isFinal: true }
}

async function endsOf(db: Db, links: readonly string[]): Promise<ReadonlyMap<string, TargetEnd>> {
  const ends = new Map<string, TargetEnd>()
  for (let from = 0; from < links.length; from += ROWS_AT_ONCE) {
    const asked = links.slice(from, from + ROWS_AT_ONCE)
    const rows = await db.selectFrom('pipeline_runs').selectAll().where('id', 'in', asked).execute()
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const link of asked) {
      const end = endOf(byId.get(link))
      if (end !== undefined) ends.set(link, end)
    }
  }
  return ends
}

function endOf(run: RunRow | undefined): TargetEnd | undefined {
  if (run === undefined) {
    const message = 'The pipeline was deleted while it ran, and its history with it; what it wrote stays'
    return { outcome: 'failed', code: 'pipeline_not_found', message, isFinal: true }
  }
  if (run.ended_at === null) return undefined
  const figures = inWords(JSON.parse(run.ledger) as Ledger)
  if (run.status === 'completed') return { outcome: 'succeeded', message: `${figures} (run ${run.number})` }
  if (run.status === 'stopped') {
    const message = `Somebody stopped the pipeline before it had ended; until then: ${figures} (run ${run.number})`
    return { outcome: 'cancelled', code: 'pipeline_stopped', message }
  }
  const { code = 'failed', message = 'The pipeline failed; look at its log', nodeId = null } = errorOf(run.error) ?? {}
  return {
    outcome: 'failed',
    code,
    message: `${nodeId === null ? '' : `${nodeId}: `}${message}; ${figures} (run ${run.number})`
  }
}

function inWords({ recordsRead, recordsWritten, recordsDeadLettered }: Ledger): string {
  return `${recordsRead} records read, ${recordsWritten} written, ${recordsDeadLettered} dead-lettered`
}

/** The pipeline of a run that has not ended: a later run of it is somebody else's. */
async function pipelineThatRuns(tx: Db, runId: string): Promise<string> {
  const run = await findRun(tx, runId)
  if (run === undefined) throw new Problem('not_found')
  if (run.ended_at === null) return run.pipeline_id
  const detail = `The run is ${run.status}; only one that has not ended can be stopped.`
  const members = { currentStatus: run.status, allowedFrom: ['starting', 'running'], operation: 'stop' }
  throw new Problem('illegal_transition', { detail, members })
}
