import { isPattern, parsePattern } from '../../../data/glob.ts'
import { parseReference } from '../../../data/reference.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { ObjectStore } from '../../../engines/objects/index.ts'
import { within } from '../../../engines/timing.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { requirePipeline } from '../store/pipelines.ts'
import type { RunWarning } from '../store/rows.ts'
import { nodesOf, versionOf } from '../store/versions.ts'

/** A store that does not answer by then is not waited for: the run will find out. */
const LIMIT_MS = 1000
const PAGE_KEYS = 1000
const MAX_LOOKS = 20

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  /** Throws a `Problem` where there is no such bucket. */
  openBucket(name: string): Promise<{ store: ObjectStore; backend: string }>
}

/** What is no fault of a definition and yet hardly meant, before it is run: files that are not there. */
export async function startWarnings(needs: Needs, pipelineId: string): Promise<RunWarning[]> {
  const { db } = needs.metadata
  const nodes = nodesOf(await versionOf(db, await requirePipeline(db, pipelineId)))
  const asked = nodes.filter(({ type, inputs, config }) => type === 'file' && inputs.length === 0 && !config.watch)
  const looks = asked
    .slice(0, MAX_LOOKS)
    .map((node) => within(needs.clock, LIMIT_MS, warningOf(needs, node), () => undefined))
  return (await Promise.all(looks)).filter((warning) => warning !== undefined)
}

async function warningOf(needs: Needs, { id, config }: PipelineNode): Promise<RunWarning | undefined> {
  const reference = String(config.reference)
  const parsed = parseReference(reference)
  if ('problem' in parsed) return undefined
  const isEmpty = await matchesNothing(needs, parsed.owner, parsed.path).catch(() => false)
  if (!isEmpty) return undefined
  return { nodeId: id, code: 'nothing_matches', message: `${reference} matches no object; there is nothing to read` }
}

/** False where one page of keys does not tell. */
async function matchesNothing(needs: Needs, bucket: string, path: string): Promise<boolean> {
  const pattern = isPattern(path) ? parsePattern(path) : undefined
  const { store, backend } = await needs.openBucket(bucket)
  const prefix = pattern?.prefix ?? path
  const { entries, next } = await store.list(backend, { prefix, folders: false, limit: PAGE_KEYS })
  const keys = entries.flatMap((entry) => ('key' in entry ? [entry.key] : []))
  return next === undefined && !keys.some((key) => key === path || (!key.endsWith('/') && pattern?.matches(key)))
}
