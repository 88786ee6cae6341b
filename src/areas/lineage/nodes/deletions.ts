import { type Db, slices } from '../../../engines/metadata/index.ts'
import { nodeKey } from '../references.ts'
import { type DatedFacts, endedAt } from './facts.ts'
import { endAbsences } from './gone.ts'
import { inPlace, newlyGone } from './owners.ts'
import { saveNodes } from './store.ts'

/** Nodes of one bucket that are marked at once. */
const MAX_MARKED = 10_000

/** Data were deleted here: those that are nodes are gone from now on, in the transaction that tells of it. */
export async function dataDeleted(tx: Db, references: readonly string[], timeMs: number): Promise<void> {
  await markGone(tx, await known(tx, references), timeMs)
}

/** Data were made here: where they were gone, they are there again. */
export async function dataMade(tx: Db, reference: string, timeMs: number): Promise<void> {
  await madeAgain(tx, [nodeKey(reference)], timeMs)
}

/** A bucket was deleted here, and all that is in it. */
export async function bucketDeleted(tx: Db, bucket: string, timeMs: number): Promise<void> {
  const rows = await inPlace(tx, 'object', `object://${bucket}`).limit(MAX_MARKED).execute()
  await markGone(
    tx,
    rows.map(({ reference }) => reference),
    timeMs
  )
}

/** A bucket was made here. Nobody knows yet what will be in it: only names of many objects are there again. */
export async function bucketMade(tx: Db, bucket: string, timeMs: number): Promise<void> {
  const rows = await inPlace(tx, 'object', `object://${bucket}`).where('is_pattern', '=', 1).limit(MAX_MARKED).execute()
  await madeAgain(
    tx,
    rows.map(({ key }) => key),
    timeMs
  )
}

/** Something that never comes back was deleted here, and all data of it: their identifiers are not given again. */
export async function ownerDeleted(tx: Db, owner: string, timeMs: number): Promise<void> {
  await saveNodes(tx, await newlyGone(tx, owner, timeMs))
}

const madeAgain = (tx: Db, keys: readonly string[], timeMs: number): Promise<void> =>
  endAbsences(tx, keys, (_, absences) => endedAt(absences, timeMs))

async function markGone(tx: Db, references: readonly string[], timeMs: number): Promise<void> {
  const gone: DatedFacts = { deleted: [[timeMs, null]] }
  await saveNodes(tx, new Map(references.map((reference) => [reference, gone])))
}

/** What nobody has spoken of has no past to keep. */
async function known(tx: Db, references: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const some of slices(references)) {
    const rows = await tx
      .selectFrom('lineage_nodes')
      .select('reference')
      .where('key', 'in', some.map(nodeKey))
      .execute()
    found.push(...rows.map(({ reference }) => reference))
  }
  return found
}
