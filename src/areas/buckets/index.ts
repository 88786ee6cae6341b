import type { Clock } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Jobs } from '../../engines/jobs/index.ts'
import type { Metadata } from '../../engines/metadata/index.ts'
import type { Vault } from '../../engines/vault/index.ts'
import type { Uses } from '../../http/in-use.ts'
import type { Area } from '../../http/route.ts'
import type { Classification } from '../classification/index.ts'
import type { Storage } from '../storage/index.ts'
import { bucketRoutes } from './bucket-routes.ts'
import { cleanRegularly, clearSpool } from './cleaning.ts'
import { linkRoutes } from './link-routes.ts'
import { Links } from './links.ts'
import { bucketMigrations } from './migrations.ts'
import { objectRoutes } from './object-routes.ts'
import { Objects } from './objects.ts'
import type { BucketOpener } from './opened.ts'
import { Buckets } from './service.ts'
import { uploadRoutes } from './upload-routes.ts'
import { Uploads } from './uploads.ts'

export { encodeKeyInAddress } from './key-address.ts'
export { BucketOpener } from './opened.ts'
export { countBuckets, firstBucket } from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly vault: Vault
  readonly jobs: Jobs
  readonly storage: Storage
  readonly classification: Classification
  readonly publicUrl: string | undefined
  readonly maxObjectBytes: number
  readonly spoolDir: string
  readonly opener: BucketOpener
  readonly uses: Uses
}

export function bucketsArea(needs: Needs): Area {
  const objects = new Objects(needs)
  const uploads = new Uploads(needs)
  const links = new Links({ ...needs, objects })
  cleanRegularly(needs.jobs, needs.clock, uploads)
  return {
    name: 'buckets',
    about: 'Buckets and the objects in them, whichever provider keeps them.',
    migrations: bucketMigrations,
    routes: [
      ...bucketRoutes(new Buckets(needs)),
      ...objectRoutes(objects),
      ...uploadRoutes(uploads),
      ...linkRoutes(links)
    ],
    start: () => clearSpool(needs.spoolDir)
  }
}
