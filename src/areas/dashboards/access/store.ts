import type { Db } from '../../../engines/metadata/index.ts'
import type { GrantRow } from '../migrations.ts'

export async function saveGrants(tx: Db, id: string, grants: readonly GrantRow[]): Promise<void> {
  await tx.deleteFrom('dashboard_grants').where('dashboard_id', '=', id).execute()
  if (grants.length > 0)
    await tx
      .insertInto('dashboard_grants')
      .values([...grants])
      .execute()
}
