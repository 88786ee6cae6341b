import type { Db } from '../../../engines/metadata/index.ts'
import { isMapping, readFact, readStatement } from '../claims/statement.ts'
import type { NodeRow, RunRow } from '../migrations.ts'
import { type DatedFacts, undated } from '../nodes/facts.ts'
import { eventOf, type RunEvent } from '../openlineage/writing.ts'
import type { ColumnMapping, DataSeen, RunState, Sighting } from '../sighting.ts'

/** A moment of a run that others are told of. */
export interface Moment {
  /** Key of its job. */
  readonly job: string
  readonly run: string
  readonly state: RunState
  readonly timeMs: number
}

/** The event that tells of a moment of a run, with all that the run has named until now; undefined where it is gone. */
export async function runEvent(db: Db, moment: Moment, producer: string): Promise<RunEvent | undefined> {
  const run = await db
    .selectFrom('lineage_runs')
    .selectAll()
    .where('job', '=', moment.job)
    .where('how', '=', 'captured')
    .where('id', '=', moment.run)
    .executeTakeFirst()
  if (run === undefined) return undefined
  const said = await db
    .selectFrom('lineage_statements')
    .select('facts')
    .where('job', '=', run.job)
    .where('hash', '=', run.statement)
    .executeTakeFirst()
  const facts = [...readStatement(run.statement, said?.facts ?? '[]').facts].map(readFact)
  const keys = facts.flatMap((fact) => (isMapping(fact) ? [fact[0], fact[2]] : [fact[1]]))
  const nodes = await db
    .selectFrom('lineage_nodes')
    .selectAll()
    .where('key', 'in', [...new Set([run.job, ...keys])])
    .execute()
  return eventOf(sightingOf(run, moment, facts, new Map(nodes.map((node) => [node.key, node]))), {
    producer,
    isFirst: moment.timeMs <= run.start_ms
  })
}

function sightingOf(
  run: RunRow,
  { state, timeMs }: Moment,
  facts: readonly ReturnType<typeof readFact>[],
  nodes: ReadonlyMap<string, NodeRow>
): Sighting {
  const data = (letter: 'r' | 'w') =>
    facts.flatMap((fact) => (isMapping(fact) || fact[0] !== letter ? [] : dataOf(nodes.get(fact[1]))))
  const reference = (key: string) => nodes.get(key)?.reference ?? key
  const parent = run.parent_job === null ? undefined : { job: run.parent_job, run: run.parent_run as string }
  return {
    job: { reference: reference(run.job), name: nodes.get(run.job)?.name ?? '' },
    run: { id: run.id, state, timeMs, isWhole: false, ...(parent && { parent }) },
    inputs: data('r'),
    outputs: data('w'),
    columns: facts.filter(isMapping).map(
      ([from, fromColumn, to, toColumn, kind]): ColumnMapping => ({
        from: { reference: reference(from), column: fromColumn === '' ? null : fromColumn },
        to: { reference: reference(to), column: toColumn === '' ? null : toColumn },
        kind
      })
    ),
    provenance: { how: 'captured', who: '' }
  }
}

function dataOf(node: NodeRow | undefined): DataSeen[] {
  if (node === undefined) return []
  const { columns } = undated(JSON.parse(node.facts) as DatedFacts)
  return [{ reference: node.reference, ...(columns && { columns }) }]
}
