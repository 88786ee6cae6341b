import { randomBytes } from 'node:crypto'
import { builtInSettings } from '../../areas/storage/index.ts'
import type { Config } from '../../config.ts'
import type { Clock } from '../../engines/clock.ts'
import { openStore, StoreError } from '../../engines/objects/index.ts'
import { createOutbound } from '../../engines/outbound/index.ts'
import { failingWith, within } from '../../engines/timing.ts'
import { type Finding, fail, ok, reasonOf, warn } from '../../finding.ts'

const TIMEOUT_MS = 5000
const SUBJECT = 'objects'

/**
 * Asks the store for a bucket that does not exist: the answer tells whether the store is up and accepts the
 * credentials.
 */
export async function checkRemoteObjects(config: Config, objectsUrl: string, clock: Clock): Promise<Finding> {
  const { host, pathname } = new URL(objectsUrl)
  const place = `s3://${host}${pathname}`
  try {
    await listNothing(config, objectsUrl, clock)
    return ok(SUBJECT, `${place} takes the credentials`)
  } catch (error) {
    const code = error instanceof StoreError ? error.code : undefined
    if (code === 'no_such_bucket') return ok(SUBJECT, `${place} takes the credentials`)
    if (code === 'access_denied') {
      return warn(SUBJECT, `${place} knows the access key, but grants it little: it needs s3:ListBucket and more`)
    }
    return fail(SUBJECT, `${place}: ${reasonOf(error)}; check OBJECTS_URL`)
  }
}

async function listNothing(config: Config, objectsUrl: string, clock: Clock): Promise<void> {
  const settings = builtInSettings(objectsUrl)
  const outbound = createOutbound({ ...config, clock })
  const { store, close } = await openStore(settings, { outbound: async () => outbound, now: clock.now })
  const bucket = `${settings.bucketPrefix}doctor-${randomBytes(8).toString('hex')}`
  try {
    await within(clock, TIMEOUT_MS, store.list(bucket, { prefix: '', folders: false, limit: 1 }), noAnswer)
  } finally {
    await close() // also ends a call that is still under way
    await outbound.close()
  }
}

const noAnswer = failingWith(`no answer within ${TIMEOUT_MS / 1000} s`)
