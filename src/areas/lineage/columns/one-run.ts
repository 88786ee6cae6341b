import type { Db } from '../../../engines/metadata/index.ts'
import { prepareLookups } from '../../../engines/prepare-rows.ts'
import { findBases, findJobs, findStatements, jobName } from '../claims/store.ts'
import type { RunRow } from '../migrations.ts'
import { areTogether, type Period } from './counted.ts'

/** What a job has read, and what it has written. */
export interface Pair {
  readonly read: Period
  readonly write: Period
  /** Whether it is only a part of the time of the write, of whose runs nothing is known. */
  readonly isPart: boolean
}

/**
 * Those pairs that a run may have named both of. What an earlier run of a job has named holds until a later one is complete,
 * and so beside all that the later one named when it began: of what changes with each run, one in two neighbours would come into
 * each other.
 */
export async function ofOneRun(db: Db, pairs: readonly Pair[]): Promise<Pair[]> {
  const meanwhile = pairs.filter(({ read, write }) => areTogether(read, write))
  const doubtful = meanwhile.filter(isDoubtful)
  if (doubtful.length === 0) return meanwhile
  const jobs = [...new Map(doubtful.map(({ write: { from, how } }) => [`${from} ${how}`, { job: from, how }])).values()]
  const named = await unfinished(db, jobs)
  const unknown = await withoutTheirRuns(db, jobs)
  const isOfOne = ({ read, write }: Pair): boolean => {
    const job = jobName({ job: write.from, how: write.how })
    if (Math.max(read.startedMs, write.startedMs) < (unknown.get(job) ?? 0)) return true
    return (named.get(job) ?? []).some(
      ({ startMs, facts }) =>
        isWithin(startMs, read) && isWithin(startMs, write) && facts.has(`r ${read.from}`) && facts.has(`w ${write.to}`)
    )
  }
  const set = new Set(doubtful)
  return meanwhile.filter((pair) => !set.has(pair) || isOfOne(pair))
}

/**
 * Whether the later of the two began after the last whole run that named the earlier: then only a run that never said
 * everything may have named both.
 */
function isDoubtful({ read, write, isPart }: Pair): boolean {
  if (isPart) return false
  // Others who tell of the job know runs of their own.
  if (read.how !== write.how) return false
  const [earlier, later] = read.startedMs < write.startedMs ? [read, write] : [write, read]
  if (earlier.startedMs === later.startedMs || earlier.seenMs === null) return false
  return earlier.endedMs !== null && later.startedMs > earlier.seenMs
}

type JobKey = Pick<RunRow, 'job' | 'how'>

const isWithin = (timeMs: number, { startedMs, endedMs }: Period): boolean =>
  timeMs >= startedMs && (endedMs === null || timeMs < endedMs)

interface Unfinished {
  readonly startMs: number
  readonly facts: ReadonlySet<string>
}

/** The runs of these jobs that never said everything, with what they have named. */
async function unfinished(db: Db, jobs: readonly JobKey[]): Promise<Map<string, Unfinished[]>> {
  const runs = await findUnfinished(db, jobs)
  const wanted = new Map(runs.map(({ job, statement }) => [`${job} ${statement}`, { job, hash: statement }]))
  const statements = new Map(
    (await findStatements(db, [...wanted.values()])).map(({ job, hash, facts }) => [`${job} ${hash}`, namesOf(facts)])
  )
  const named = new Map<string, Unfinished[]>()
  for (const run of runs) {
    const facts = statements.get(`${run.job} ${run.statement}`)
    if (facts !== undefined) named.getOrInsertComputed(jobName(run), () => []).push({ startMs: run.start_ms, facts })
  }
  return named
}

const findUnfinished = prepareLookups<JobKey, Pick<RunRow, 'job' | 'how' | 'start_ms' | 'statement'>>(
  'lineage_runs',
  ['job', 'how'],
  (db, isGiven) =>
    db
      .selectFrom('lineage_runs')
      .select(['job', 'how', 'start_ms', 'statement'])
      .where(isGiven)
      .where('whole_ms', 'is', null)
)

const namesOf = (facts: string): Set<string> =>
  new Set((JSON.parse(facts) as string[][]).filter(({ length }) => length === 2).map((fact) => fact.join(' ')))

/** Before when runs of the jobs are not kept, of those of which some did not say everything. */
async function withoutTheirRuns(db: Db, jobs: readonly JobKey[]): Promise<Map<string, number>> {
  const rows = (await findJobs(db, jobs)).filter(({ base_ms }) => base_ms > 0)
  const bases = new Map((await findBases(db, rows)).map((base) => [jobName(base), base]))
  return new Map(
    rows
      .filter((row) => bases.get(jobName(row))?.runs !== bases.get(jobName(row))?.whole_runs)
      .map((row) => [jobName(row), row.base_ms])
  )
}
