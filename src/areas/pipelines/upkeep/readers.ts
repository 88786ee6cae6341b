import { type Jobs, PermanentFailure, type Worker } from '../../../engines/jobs/index.ts'
import type { Log } from '../../../engines/log.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { readerOf } from '../nodes/streams/reader-name.ts'
import { findPipeline } from '../store/pipelines.ts'
import type { PipelineRow } from '../store/rows.ts'
import { findRun } from '../store/runs.ts'
import { findVersion, nodesOf, versionOf } from '../store/versions.ts'

export const FORGET_READER = 'pipelines.forget-reader'
/** About a day: a database may be away for long, and keeps its log meanwhile. */
const MAX_ATTEMPTS = 300

/** Who reads the changes of a database for a node of a pipeline; the database keeps its log for that name. */
export interface Reader {
  readonly pipelineId: string
  readonly connectorId: string
  readonly reader: string
}

function readersIn(pipelineId: string, nodes: readonly PipelineNode[]): Reader[] {
  return nodes.flatMap(({ id, type, config: { changes, connectorId } }) =>
    type === 'stream' && changes === true && typeof connectorId === 'string'
      ? [{ pipelineId, connectorId, reader: readerOf(pipelineId, id) }]
      : []
  )
}

/** Before a run: those of the last one whose nodes are gone or read elsewhere by now. What begins anew where it was forgets by itself. */
export async function forgetOldReaders(tx: Db, jobs: Jobs, row: PipelineRow): Promise<void> {
  const { now, last } = await readersOf(tx, row)
  await enqueue(
    tx,
    jobs,
    last.filter((one) => !now.some((other) => isSame(one, other)))
  )
}

/** Before a pipeline is deleted; answers whom the databases are to forget. */
export async function forgetAllReaders(tx: Db, jobs: Jobs, row: PipelineRow): Promise<readonly Reader[]> {
  const { now, last } = await readersOf(tx, row)
  const readers = [...now, ...last.filter((one) => !now.some((other) => isSame(one, other)))]
  await enqueue(tx, jobs, readers)
  return readers
}

/** Has databases forget readers; `forget` throws where one can't be reached or refuses. */
export function forgetting(db: Db, log: Pick<Log, 'info'>, forget: (reader: Reader) => Promise<void>): Worker<Reader> {
  return async ({ payload }) => {
    const row = await findPipeline(db, payload.pipelineId)
    const { now, last } = row === undefined ? NONE : await readersOf(db, row)
    // Somebody has made the node what it was.
    if ([...now, ...last].some((one) => isSame(one, payload))) return
    try {
      await forget(payload)
      const { pipelineId, connectorId, reader } = payload
      log.info(
        { pipeline: pipelineId, connector: connectorId, reader },
        'a database keeps its log no longer for a pipeline: its replication slot and publication of this name, where it had them, were dropped'
      )
    } catch (error) {
      const { reader, connectorId } = payload
      const left = `The database of the connector ${connectorId} may keep its log for ${reader}, by which nobody reads any more`
      const message = `${left}, and could not be told so (${(error as Error).message}); run there: ${dropStatements(reader)}`
      throw error instanceof PermanentFailure ? new PermanentFailure(message) : new Error(message)
    }
  }
}

/** What an administrator of PostgreSQL can do about a reader that nobody needs; other databases keep nothing for readers. */
export const dropStatements = (reader: string): string =>
  `SELECT pg_drop_replication_slot('${reader}'); DROP PUBLICATION IF EXISTS "${reader}";`

const NONE = { now: [], last: [] }

/** Those of the definition, and those of the last run, which may be of an older one. */
export async function readersOf(db: Db, row: PipelineRow): Promise<{ now: Reader[]; last: Reader[] }> {
  const run = row.run_id === null ? undefined : await findRun(db, row.run_id)
  const version = run && (await findVersion(db, row.id, run.version))
  return {
    now: readersIn(row.id, nodesOf(await versionOf(db, row))),
    last: version === undefined ? [] : readersIn(row.id, nodesOf(version))
  }
}

const isSame = (one: Reader, other: Reader) => one.reader === other.reader && one.connectorId === other.connectorId

async function enqueue(tx: Db, jobs: Jobs, readers: readonly Reader[]): Promise<void> {
  for (const payload of readers) await jobs.enqueue(tx, { kind: FORGET_READER, payload, maxAttempts: MAX_ATTEMPTS })
}
