import type { Db } from '../../engines/metadata/index.ts'

/** A bucket whose objects lie in a store outside. */
export interface BucketElsewhere {
  readonly name: string
  readonly backendName: string
  readonly providerType: string
}

const MAX_BUCKETS = 10_000

/** The buckets whose objects do not lie on the server's own disk. */
export async function bucketsElsewhere(db: Db): Promise<BucketElsewhere[]> {
  const rows = await db
    .selectFrom('buckets')
    .innerJoin('storage_providers', 'storage_providers.id', 'buckets.provider_id')
    .select(['buckets.name', 'backend_name as backendName', 'type as providerType'])
    .where((where) => where.or([where('type', '!=', 'store-local'), where('endpoint', 'is not', null)]))
    .orderBy('buckets.name')
    .limit(MAX_BUCKETS)
    .execute()
  return rows
}
