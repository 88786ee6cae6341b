import { sql } from 'kysely'
import { type Db, prepare } from '../../engines/metadata/index.ts'
import { contains, fetchPage } from '../../http/paging.ts'
import type { BucketRow, LinkRow, PartRow, UploadRow } from './migrations.ts'
import type { BucketQuery, LinkQuery, UploadQuery } from './schema.ts'

const byName = prepare((db, { name }: { name: string }) =>
  db.selectFrom('buckets').selectAll().where('name', '=', name)
)

export const findBucket = async (db: Db, name: string): Promise<BucketRow | undefined> =>
  (await byName(db, { name }))[0]

export const insertBucket = (tx: Db, row: BucketRow) => tx.insertInto('buckets').values(row).execute()

/** Deletes a bucket with all rows that belong to it. */
export async function deleteBucket(tx: Db, name: string): Promise<void> {
  await tx.deleteFrom('bucket_uploads').where('bucket', '=', name).execute()
  await tx.deleteFrom('bucket_links').where('bucket', '=', name).execute()
  await tx.deleteFrom('buckets').where('name', '=', name).execute()
}

export async function countBuckets(db: Db, providerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('buckets')
    .select(sql<number>`count(*)`.as('count'))
    .where('provider_id', '=', providerId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The provider's own name of the oldest bucket that the platform has there. */
export async function firstBucket(db: Db, providerId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('buckets')
    .select('backend_name')
    .where('provider_id', '=', providerId)
    .orderBy('created_at')
    .orderBy('name')
    .limit(1)
    .executeTakeFirst()
  return row?.backend_name
}

export function listBuckets(db: Db, query: BucketQuery) {
  let select = db.selectFrom('buckets').selectAll()
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  if (query.providerId !== undefined) select = select.where('provider_id', '=', query.providerId)
  return fetchPage(select, query, { sorts: { name: 'name', creationDate: 'created_at' }, id: 'name' })
}

export const insertUpload = (tx: Db, row: UploadRow) => tx.insertInto('bucket_uploads').values(row).execute()

export const findUpload = (db: Db, bucket: string, id: string): Promise<UploadRow | undefined> =>
  db.selectFrom('bucket_uploads').selectAll().where('id', '=', id).where('bucket', '=', bucket).executeTakeFirst()

export const deleteUpload = (tx: Db, id: string) => tx.deleteFrom('bucket_uploads').where('id', '=', id).execute()

export function listUploads(db: Db, bucket: string, query: UploadQuery) {
  const select = db.selectFrom('bucket_uploads').selectAll().where('bucket', '=', bucket)
  return fetchPage(select, query, { sorts: { createdAt: 'id' }, id: 'id' })
}

export const expiredUploads = (db: Db, now: string, limit: number) =>
  db.selectFrom('bucket_uploads').selectAll().where('expires_at', '<', now).orderBy('expires_at').limit(limit).execute()

export const findParts = (db: Db, uploadId: string): Promise<PartRow[]> =>
  db.selectFrom('bucket_parts').selectAll().where('upload_id', '=', uploadId).orderBy('number').execute()

export const partsOf = (db: Db, uploadIds: readonly string[]): Promise<PartRow[]> =>
  db
    .selectFrom('bucket_parts')
    .selectAll()
    .where('upload_id', 'in', [...uploadIds, ''])
    .orderBy('number')
    .execute()

export const putPart = (tx: Db, row: PartRow) =>
  tx
    .insertInto('bucket_parts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['upload_id', 'number']).doUpdateSet(row))
    .execute()

export const insertLink = (tx: Db, row: LinkRow) => tx.insertInto('bucket_links').values(row).execute()

export const findLink = (db: Db, bucket: string, id: string): Promise<LinkRow | undefined> =>
  db.selectFrom('bucket_links').selectAll().where('id', '=', id).where('bucket', '=', bucket).executeTakeFirst()

export const revokeLink = (tx: Db, id: string, revokedAt: string) =>
  tx.updateTable('bucket_links').set({ revoked_at: revokedAt }).where('id', '=', id).execute()

/** A link that still works. */
export const findUsableLink = (db: Db, id: string): Promise<LinkRow | undefined> =>
  db
    .selectFrom('bucket_links')
    .selectAll()
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) => or([eb('max_uses', 'is', null), eb('uses', '<', eb.ref('max_uses'))]))
    .executeTakeFirst()

/** Counts a use; undefined where the link has no uses left. */
export const takeUse = (tx: Db, id: string, now: string): Promise<LinkRow | undefined> =>
  tx
    .updateTable('bucket_links')
    .set(({ eb }) => ({ uses: eb('uses', '+', 1), last_used_at: now }))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) => or([eb('max_uses', 'is', null), eb('uses', '<', eb.ref('max_uses'))]))
    .returningAll()
    .executeTakeFirst()

export function listLinks(db: Db, bucket: string, query: LinkQuery) {
  let select = db.selectFrom('bucket_links').selectAll().where('bucket', '=', bucket)
  if (query.key !== undefined) select = select.where('key', '=', query.key)
  return fetchPage(select, query, { sorts: { createdAt: 'id' }, id: 'id' })
}

export async function deleteOldLinks(tx: Db, before: string, limit: number): Promise<number> {
  const old = await tx
    .selectFrom('bucket_links')
    .select('id')
    .where('expires_at', '<', before)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  for (const { id } of old) await tx.deleteFrom('bucket_links').where('id', '=', id).execute()
  return old.length
}
