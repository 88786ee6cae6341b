import { type Clock, toIso } from '../../../engines/clock.ts'
import type { Jobs, Worker } from '../../../engines/jobs/index.ts'
import type { Log } from '../../../engines/log.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { type Checkpoint, filesOf } from '../protocol/checkpoint.ts'
import type { KeptFiles } from '../supervisor/kept-files.ts'
import { FORGET_READER, forgetting, type Reader } from './readers.ts'
import * as prune from './store.ts'

const DROP_FILES = 'pipelines.drop-files'
/** Names of files in one job, because its payload is bounded. */
const FILES_AT_ONCE = 1000
const PAGE = 100
const KEPT_LINES = 10_000
const KEPT_RUNS = 1000
/** How long dead letters are kept that were put through again. */
const KEPT_REPLAYED_MS = 30 * 86_400_000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly log: Pick<Log, 'info'>
  readonly keptFiles: KeptFiles
  forgetReader(reader: Reader): Promise<void>
}

/** Removes what nobody comes back to. */
export function upkeep({ metadata, clock, log, keptFiles, forgetReader }: Needs): Record<string, Worker<never>> {
  const drop: Worker<{ files: readonly string[] }> = ({ payload }) => keptFiles.drop(payload.files)
  const pruneAll: Worker<null> = async ({ signal, commit }) => {
    for await (const ids of pipelineIds(metadata)) {
      for (const id of ids) {
        if (signal.aborted) return
        while ((await commit((tx) => prune.deleteOldLines(tx, id, KEPT_LINES))) > 0 && !signal.aborted);
        while ((await commit((tx) => prune.deleteOldRuns(tx, id, KEPT_RUNS))) > 0 && !signal.aborted);
        const before = toIso(clock.now() - KEPT_REPLAYED_MS)
        while ((await commit((tx) => prune.deleteOldReplayed(tx, id, before))) > 0 && !signal.aborted);
      }
    }
  }
  const forget = forgetting(metadata.db, log, forgetReader)
  return { [DROP_FILES]: drop, [FORGET_READER]: forget, 'pipelines.prune': pruneAll }
}

async function* pipelineIds({ db }: Metadata): AsyncGenerator<readonly string[]> {
  for (let after = ''; ; ) {
    const ids = await prune.listIds(db, after, PAGE)
    yield ids
    if (ids.length < PAGE) return
    after = ids.at(-1) as string
  }
}

/** Within the transaction after which no checkpoint names these files. */
export async function dropFiles(tx: Db, jobs: Jobs, files: readonly string[]): Promise<void> {
  for (let from = 0; from < files.length; from += FILES_AT_ONCE) {
    await jobs.enqueue(tx, { kind: DROP_FILES, payload: { files: files.slice(from, from + FILES_AT_ONCE) } })
  }
}

/**
 * Drops the files among `found` that no checkpoint names: a process that was killed has left them. `found` is from before
 * anything ran, so that none of them is one whose checkpoint is still to come.
 */
export async function sweepFiles(metadata: Metadata, keptFiles: KeptFiles, found: readonly string[]): Promise<void> {
  if (found.length === 0) return
  const left = new Set(found)
  for (let after = ''; ; ) {
    const rows = await prune.listCheckpoints(metadata.db, after, PAGE)
    for (const { checkpoint } of rows)
      for (const name of filesOf(JSON.parse(checkpoint) as Checkpoint)) left.delete(name)
    if (rows.length < PAGE) break
    after = rows.at(-1)?.pipeline_id as string
  }
  await keptFiles.drop([...left])
}
