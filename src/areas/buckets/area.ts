import type { Area } from '../../area.ts'
import { encodeKeyInAddress } from './key-address.ts'
import { bucketMigrations } from './migrations.ts'

export const buckets: Area = {
  name: 'buckets',
  about: 'Buckets and the objects in them, whichever provider keeps them.',
  paths: ['/api/buckets'],
  migrations: bucketMigrations,
  jobs: {
    'buckets.clean': {
      everyMs: 3600_000,
      isNeeded: async (db) => (await db.selectFrom('buckets').select('name').limit(1).executeTakeFirst()) !== undefined
    }
  },
  rewriteAddress: encodeKeyInAddress,
  load: async () => (await import('./body.ts')).bucketsBody
}
