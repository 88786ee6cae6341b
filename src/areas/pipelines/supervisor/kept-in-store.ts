import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import {
  createUploadBody,
  MAX_DELETED_AT_ONCE,
  type ObjectStore,
  readDownload
} from '../../../engines/objects/index.ts'
import type { KeptFiles } from './kept-files.ts'

const READ_BYTES = 256 * 1024
const CONTENT_TYPE = 'application/octet-stream'
/** Age at which a file without a checkpoint is abandoned. Of a younger one, another replica may be about to commit it. */
const ABANDONED_AFTER_MS = 3_600_000

export interface KeptInStoreNeeds {
  store(): Promise<ObjectStore>
  readonly bucket: string
  now(): number
}

/** In a bucket that all replicas share, so that any of them can go on with what another has begun. */
export function keepInStore({ store, bucket, now }: KeptInStoreNeeds): KeptFiles {
  let made: Promise<ObjectStore> | undefined
  const ready = () => {
    made ??= open().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
  async function open(): Promise<ObjectStore> {
    const opened = await store()
    await opened.createBucket(bucket)
    return opened
  }
  return {
    async keep(name, path) {
      const { size: sizeBytes } = await stat(path)
      const body = createUploadBody(createReadStream(path, { highWaterMark: READ_BYTES }), { sizeBytes })
      await (await ready()).put(bucket, name, body, { contentType: CONTENT_TYPE })
      await rm(path)
    },
    async load(name, path) {
      const { body } = await (await ready()).get(bucket, name)
      await pipeline(readDownload(body), createWriteStream(path))
    },
    async read(name) {
      const { object, body } = await (await ready()).get(bucket, name)
      return { sizeBytes: object.sizeBytes, body: readDownload(body) }
    },
    async drop(names) {
      for (let from = 0; from < names.length; from += MAX_DELETED_AT_ONCE) {
        const failed = await (await ready()).delete(bucket, names.slice(from, from + MAX_DELETED_AT_ONCE))
        if (failed[0] !== undefined) throw new Error(`${failed[0].key} can’t be dropped: ${failed[0].message}`)
      }
    },
    async abandoned() {
      const names: string[] = []
      for (let after: string | undefined; ; ) {
        const page = await (await ready()).list(bucket, { prefix: '', folders: false, limit: 1000, after })
        for (const entry of page.entries) {
          if ('key' in entry && Date.parse(entry.modifiedAt) < now() - ABANDONED_AFTER_MS) names.push(entry.key)
        }
        if (page.next === undefined) return names
        after = page.next
      }
    }
  }
}
