import type { Db } from '../../../engines/metadata/index.ts'
import { type Finding, type Installation, warn } from '../../../finding.ts'
import { keptReaders } from '../../connectors/index.ts'
import { pipelineOf, READER_PREFIX } from '../nodes/streams/reader-name.ts'
import { findPipeline } from '../store/pipelines.ts'
import { dropStatements, FORGET_READER, readersOf } from '../upkeep/readers.ts'

const SUBJECT = 'pipelines'
const MAX_NAMED = 20
const MIB = 1024 * 1024

/** Logs that databases keep for readers of changes which no pipeline has any more: they fill the disk there. */
export async function findOldReaders(installation: Installation, db: Db): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { connector, reader } of await keptReaders(installation, READER_PREFIX)) {
    if (found.length === MAX_NAMED) break
    if (await isUsed(db, connector.id, reader.reader)) continue
    const kept = reader.keptBytes === null ? 'none' : `${Math.ceil(reader.keptBytes / MIB)} MiB`
    const what = `the database of ${connector.id} ${JSON.stringify(connector.name)} keeps ${kept} of its log for the replication slot ${reader.reader}`
    const mend = `unless another installation does, run there: ${dropStatements(reader.reader)}`
    found.push(warn(SUBJECT, `${what}, by which no pipeline of this installation reads; ${mend}`))
  }
  return [...found, ...(await findGivenUp(db))]
}

async function isUsed(db: Db, connectorId: string, reader: string): Promise<boolean> {
  const row = await findPipeline(db, pipelineOf(reader))
  if (row === undefined) return false
  const { now } = await readersOf(db, row)
  return now.some((one) => one.reader === reader && one.connectorId === connectorId)
}

/** Of those that could not be told, which may be because they do not answer. */
async function findGivenUp(db: Db): Promise<Finding[]> {
  const jobs = await db
    .selectFrom('jobs')
    .select('error')
    .where('kind', '=', FORGET_READER)
    .where('error', 'is not', null)
    .where('state', 'in', ['queued', 'running', 'failed'])
    .limit(MAX_NAMED)
    .execute()
  return jobs.map(({ error }) => warn(SUBJECT, (JSON.parse(error as string) as { message: string }).message))
}
