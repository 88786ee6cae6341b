import { type Metadata, slices } from '../../../engines/metadata/index.ts'
import { isOver, NO_BASE, readBase } from '../claims/base.ts'
import { type FactRow, factOf, rowsOf } from '../claims/fact-rows.ts'
import { findJobs, findStatements, type JobName, jobName, runsOf } from '../claims/store.ts'
import { toLink, withEnds } from '../links/store.ts'
import type { JobRow, RunRow } from '../migrations.ts'
import { type End, type Line, type LineOf, VERSION } from './lines.ts'

const ROWS_AT_ONCE = 500
/** Jobs whose runs are read at once: each may have many. */
const JOBS_AT_ONCE = 20
const STATEMENTS_AT_ONCE = 100
/** Runs of one line. */
const RUNS_AT_ONCE = 500

type Lines = AsyncGenerator<readonly object[]>

/**
 * Everything that was told, in an order in which it can be read in again: what holds follows from it. What is told meanwhile
 * may be missing.
 */
export async function* everythingTold({ db }: Metadata, exportedAt: string): Lines {
  let lines = 0
  for await (const some of allLines(db, exportedAt)) {
    lines += some.length
    yield some
  }
  yield [{ type: 'end', lines } satisfies End]
}

async function* allLines(db: Db, exportedAt: string): Lines {
  yield [{ type: 'lineage', version: VERSION, exportedAt }]
  yield* nodeLines(db)
  for await (const some of jobNames(db)) yield* jobLines(db, some)
  yield* nameLines(db)
  yield* linkLines(db)
}

type Db = Metadata['db']

async function* nodeLines(db: Db): Lines {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('lineage_nodes')
      .select(['key', 'reference', 'facts'])
      .where('key', '>', after)
      .orderBy('key')
      .limit(ROWS_AT_ONCE)
      .execute()
    yield rows.map(({ key, reference, facts }) => ({ type: 'node', key, reference, facts: JSON.parse(facts) }))
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.key
  }
}

async function* jobNames(db: Db): AsyncGenerator<(JobName & { reference: string })[]> {
  for (let after: JobName | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const last: JobName | undefined = after
    const rows: (JobName & { reference: string })[] = await db
      .selectFrom('lineage_jobs')
      .innerJoin('lineage_nodes', 'key', 'job')
      .select(['job', 'how', 'reference'])
      .$if(last !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('job', 'how'), '>', tuple((last as JobName).job, (last as JobName).how))
        )
      )
      .orderBy('job')
      .orderBy('how')
      .limit(JOBS_AT_ONCE)
      .execute()
    yield rows
    after = rows.at(-1)
  }
}

/**
 * Some jobs at a time: each of many jobs by itself is many ways to the database. Runs are read first: where some are let go
 * meanwhile, what follows from them is in what is read next.
 */
async function* jobLines(db: Db, names: readonly (JobName & { reference: string })[]): Lines {
  const runs = Map.groupBy(await runsOf(db, names), jobName)
  const rows = new Map((await findJobs(db, names)).map((row) => [jobName(row), row]))
  for (const name of names) {
    const row = rows.get(jobName(name))
    if (row === undefined) continue
    const job = { job: name.reference, how: name.how }
    yield* baseLines(db, row, job)
    const kept = Map.groupBy(
      (runs.get(jobName(name)) ?? []).filter(({ start_ms }) => start_ms >= row.base_ms),
      ({ statement }) => statement
    )
    for (const hashes of slices([...kept.keys()], STATEMENTS_AT_ONCE)) {
      const facts = await factsOf(db, name.job, hashes)
      for (const hash of hashes) {
        for (const some of slices(kept.get(hash) as RunRow[], RUNS_AT_ONCE)) {
          const said = { who: row.who, facts: facts.get(hash) ?? [], runs: some.map(toRun) }
          yield [{ type: 'runs', ...job, ...said } satisfies LineOf<'runs'>]
        }
      }
    }
  }
}

/** What a job has said, by what runs know it by. */
async function factsOf(db: Db, job: string, hashes: readonly string[]): Promise<Map<string, string[][]>> {
  const rows = await findStatements(
    db,
    hashes.map((hash) => ({ job, hash }))
  )
  return new Map(rows.map(({ hash, facts }) => [hash, JSON.parse(facts) as string[][]]))
}
async function* baseLines(db: Db, row: JobRow, job: Pick<LineOf<'job'>, 'job' | 'how'>): Lines {
  const baseMs = row.base_ms
  const { facts, runs, wholeRuns, wholeMs } = baseMs === 0 ? NO_BASE : await readBase(db, row)
  yield [{ type: 'job', ...job, who: row.who, baseMs, runs, wholeRuns, wholeMs } satisfies LineOf<'job'>]
  if (baseMs === 0) return
  const over = (await rowsOf(db, [row])).filter((one) => isOver(one.ended_ms, baseMs))
  const past = [
    ...over.map((one) => ({ fact: factOf(one), ...periodOf(one) })),
    ...[...facts].map(([fact, period]) => ({ fact, ...period }))
  ]
  for (const some of slices(past)) {
    yield some.map(
      ({ fact, ...period }) =>
        ({ type: 'past', ...job, baseMs, fact: JSON.parse(fact), ...period }) satisfies LineOf<'past'>
    )
  }
}

const periodOf = ({ started_ms, ended_ms, seen_ms, runs }: FactRow) => ({
  startedMs: started_ms,
  endedMs: ended_ms,
  seenMs: seen_ms ?? started_ms,
  runs
})

const toRun = (row: RunRow): LineOf<'runs'>['runs'][number] => ({
  id: row.id,
  startMs: row.start_ms,
  wholeMs: row.whole_ms,
  state: row.state,
  stateMs: row.state_ms,
  error: row.error,
  ...(row.parent_job !== null && { parent: { job: row.parent_job, run: row.parent_run ?? '' } })
})

async function* nameLines(db: Db): Lines {
  for (let after = ''; ; ) {
    const nodes = await db
      .selectFrom('lineage_nodes')
      .select(['key', 'reference'])
      .where('key', '>', after)
      .orderBy('key')
      .limit(ROWS_AT_ONCE)
      .execute()
    const last = nodes.at(-1)
    if (last === undefined) return
    const rows = await db
      .selectFrom('lineage_edges')
      .innerJoin('lineage_nodes as source', 'source.key', 'from_node')
      .innerJoin('lineage_nodes as target', 'target.key', 'to_node')
      .select(['source.reference as from', 'target.reference as to', 'type as is', 'how', 'who', 'started_ms'])
      .where('from_node', '>', after)
      .where('from_node', '<=', last.key)
      .where('type', 'in', ['same', 'renamed'])
      .execute()
    yield rows.map(({ started_ms, who, ...row }) => ({ type: 'names', ...row, who: who ?? '', startedMs: started_ms }))
    after = last.key
  }
}

async function* linkLines(db: Db): Lines {
  for (let after = ''; ; ) {
    const rows = await withEnds(db).where('id', '>', after).orderBy('id').limit(ROWS_AT_ONCE).execute()
    for (const row of rows) {
      const mappings = await db
        .selectFrom('lineage_mappings')
        .selectAll()
        .where('job', '=', '')
        .where('how', '=', 'manual')
        .where('from_node', '=', row.from_node)
        .where('to_node', '=', row.to_node)
        .where('started_ms', '>=', Date.parse(row.created_at))
        .where('started_ms', '<', row.ended_at === null ? Number.MAX_SAFE_INTEGER : Date.parse(row.ended_at))
        .execute()
      const periods = mappings.map(({ from_column, to_column, kind, who, started_ms, ended_ms }) => ({
        from: from_column === '' ? null : from_column,
        to: to_column === '' ? null : to_column,
        kind,
        who: who ?? '',
        startedMs: started_ms,
        endedMs: ended_ms
      }))
      yield [{ type: 'link', ...toLink(row), periods } satisfies Line]
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}
