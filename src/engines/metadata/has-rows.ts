import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from './index.ts'

/** Whether there is any such row: `hasRows(db.selectFrom('buckets'))`. */
export async function hasRows<T extends keyof Tables>(rows: SelectQueryBuilder<Tables, T, object>): Promise<boolean> {
  const query = rows.select((select) => select.lit(1).as('one')).limit(1)
  return (await query.executeTakeFirst()) !== undefined
}
