import type { Clock } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import { Problem } from '../../errors.ts'
import type { Guard } from '../classification/index.ts'
import { jobReference, type Lineage, type Provenance, type RunSeen } from '../lineage/index.ts'

export interface CopiedLevelNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly guard: Pick<Guard, 'hasLevel'>
  /** Has levels follow the lineage; answers whether they do. */
  settle(): Promise<boolean>
  lineage(): Promise<Pick<Lineage, 'saw'>>
}

interface Place {
  readonly bucket: string
  readonly key: string
}

/** What is to be told of a copy that was begun. */
interface Begun {
  /** In the transaction of the copy that is made. */
  made(tx: Db): Promise<void>
  /** Where there is none. */
  failed(): Promise<void>
}

const PROVENANCE: Provenance = { how: 'captured', who: 'buckets' }

/**
 * Sees to it that a copy has the level of what it was made from before anybody can read it. Of what has no level nothing is
 * told, and nothing is answered.
 */
export async function beginCopy(
  needs: CopiedLevelNeeds,
  from: Place,
  to: Place,
  requireSource: () => Promise<unknown>
): Promise<Begun | undefined> {
  const isSame = from.bucket === to.bucket && from.key === to.key
  if (isSame || !(await needs.guard.hasLevel(from.bucket, from.key))) return undefined
  await requireSource()
  const lineage = await needs.lineage()
  const id = needs.makeId('run')
  // A job for each target: all that a job writes has the level of all that it reads.
  const job = { reference: jobReference('copy', `${to.bucket}/${to.key}`) }
  const tell = (tx: Db, said: Pick<RunSeen, 'state' | 'isWhole'>) =>
    lineage.saw(tx, [
      {
        job,
        run: { id, timeMs: needs.clock.now(), ...said },
        inputs: [{ reference: `object://${from.bucket}/${from.key}` }],
        outputs: [{ reference: `object://${to.bucket}/${to.key}` }],
        columns: [],
        provenance: PROVENANCE
      }
    ])
  // What was copied there before counts until it is replaced.
  await needs.metadata.transaction((tx) => tell(tx, { state: 'running', isWhole: false }))
  const failed = () => needs.metadata.transaction((tx) => tell(tx, { state: 'failed', isWhole: false }))
  if (!(await needs.settle())) {
    await failed()
    const detail = 'Levels of secrecy do not follow their changes yet, so that the copy would have none; try again.'
    throw new Problem('overloaded', { detail, headers: { 'retry-after': '10' } })
  }
  return { made: (tx) => tell(tx, { state: 'completed', isWhole: true }), failed }
}
