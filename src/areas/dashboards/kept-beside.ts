import type { Db } from '../../engines/metadata/index.ts'
import { counted } from './service.ts'
import { countShares } from './shares/store.ts'
import { countSnapshots } from './snapshots/store.ts'

/** What is kept beside a dashboard, and no part of a copy: `2 shares`. */
export async function keptBeside(db: Db, id: string): Promise<string[]> {
  const shares = await countShares(db, id)
  const snapshots = await countSnapshots(db, id)
  return [...(shares > 0 ? [counted(shares, 'share')] : []), ...(snapshots > 0 ? [counted(snapshots, 'snapshot')] : [])]
}
