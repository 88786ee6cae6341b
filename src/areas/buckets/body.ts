import type { AreaBody, AreaNeeds } from '../../area.ts'
import { spoolDir } from '../../platform.ts'
import { bucketRoutes } from './bucket-routes.ts'
import { cleaner, clearSpool } from './cleaning.ts'
import { linkRoutes } from './link-routes.ts'
import { Links } from './links.ts'
import { objectRoutes } from './object-routes.ts'
import { Objects } from './objects.ts'
import { BucketOpener } from './opened.ts'
import { Buckets } from './service.ts'
import { countBuckets, firstBucket } from './store.ts'
import { Takings } from './takings.ts'
import { uploadRoutes } from './upload-routes.ts'
import { Uploads } from './uploads.ts'

declare module '../../area.ts' {
  interface Services {
    buckets: {
      readonly opener: BucketOpener
      /** Puts what the server makes into a bucket; what it answers is to be committed. */
      readonly write: Objects['write']
      readonly countBuckets: typeof countBuckets
      readonly firstBucket: typeof firstBucket
    }
  }
}

export async function bucketsBody(given: AreaNeeds): Promise<AreaBody> {
  const { config, clock, metadata } = given
  const storage = await given.service('storage')
  const opener = new BucketOpener(metadata, storage)
  const classification = await given.service('classification')
  const needs = {
    ...given,
    ...config,
    storage,
    opener,
    classification,
    guard: classification.guard,
    settle: () => classification.settle(),
    lineage: () => given.service('lineage'),
    spoolDir: spoolDir(config, given.processName)
  }
  const takings = new Takings(needs)
  const objects = new Objects({ ...needs, takings })
  const uploads = new Uploads(needs)
  const links = new Links({ ...needs, objects, takings })
  return {
    routes: [
      ...bucketRoutes(new Buckets(needs)),
      ...objectRoutes(objects),
      ...uploadRoutes(uploads),
      ...linkRoutes(links)
    ],
    service: { opener, write: objects.write.bind(objects), countBuckets, firstBucket },
    jobs: { 'buckets.clean': cleaner(clock, uploads) },
    start: () => clearSpool(needs.spoolDir),
    stop: () => takings.close()
  }
}
