import { guardedAgents } from '../../outbound/agent.ts'
import type { Outbound } from '../../outbound/index.ts'
import { attachmentNamed } from '../content-disposition.ts'
import { StoreError } from '../errors.ts'
import type { MultipartStore, ObjectStore, PresigningStore } from '../index.ts'
import type { OpenedStore, RemoteSettings } from '../open.ts'
import type { Origin } from '../remote/exchange.ts'
import { type Account, openAccount } from './account.ts'
import { Api } from './api.ts'
import { createBucket, deleteBucket } from './buckets.ts'
import { preconditionOf } from './conditions.ts'
import { copyObject } from './copy.ts'
import { readCredentials } from './credentials.ts'
import { deleteObjects } from './delete.ts'
import { getObject } from './get.ts'
import { joinParts } from './join.ts'
import { listObjects } from './list.ts'
import { findParts, putPart, removeParts, requireOpen, startParts } from './parts.ts'
import { putObject } from './put.ts'
import { toStored } from './resource.ts'

const VENDOR_HOST = 'storage.googleapis.com'
const MAX_SOCKETS = 64

export function openGcsStore(settings: RemoteSettings, outbound: Outbound): OpenedStore {
  const credentials = readCredentials(settings)
  const origin = originOf(settings)
  const endpoint = urlOf(origin)
  const agents = guardedAgents(outbound, { maxSockets: MAX_SOCKETS, ca: settings.ca })
  const account = credentials === undefined ? undefined : openAccount(credentials, agents)
  const api = new Api({ origin, agents, authorization: async () => account?.authorization() })
  const project = { projectId: credentials?.projectId, location: settings.region, open: credentials === undefined }
  const objects: ObjectStore = {
    kind: 'gcs',
    createBucket: (bucket) => createBucket(api, bucket, project),
    deleteBucket: (bucket) => deleteBucket(api, bucket),
    list: (bucket, query) => listObjects(api, bucket, query),
    head: async (bucket, key) => toStored(await api.resource(bucket, key)),
    get: (bucket, key, options = {}) => getObject(api, bucket, key, options),
    async put(bucket, key, body, options) {
      const precondition = await preconditionOf(api, { bucket, key }, options)
      const { contentType } = options
      return toStored(await putObject(api, { bucket, key }, body, { contentType, precondition }))
    },
    async copy(from, to, conditions = {}) {
      return toStored(await copyObject(api, from, to, await preconditionOf(api, to, conditions)))
    },
    delete: (bucket, keys) => deleteObjects(api, bucket, keys)
  }
  const store = { ...objects, ...inParts(api), ...(account === undefined ? {} : links(account, endpoint)) }
  return { store, close: async () => agents.close() }
}

function inParts(api: Api): Omit<MultipartStore, keyof ObjectStore> {
  return {
    startUpload: (bucket) => startParts(api, bucket),
    putPart: (upload, number, body) => putPart(api, upload, number, body),
    async completeUpload(upload, parts, options) {
      await requireOpen(api, upload)
      if (parts.length === 0) throw new StoreError('invalid_part', 'An upload has at least one part')
      const keys = await findParts(api, upload, parts)
      const precondition = await preconditionOf(api, upload, options)
      const { contentType } = options
      const stored = toStored(await joinParts(api, upload, keys, { contentType, precondition }))
      // The object is complete. Parts that can't be removed now stay hidden, and are removed with the bucket at the
      // latest.
      await removeParts(api, upload.bucket, upload.uploadId).catch(() => {})
      return stored
    },
    abortUpload: ({ bucket, uploadId }) => removeParts(api, bucket, uploadId)
  }
}

function links(account: Account, endpoint: string): Omit<PresigningStore, keyof ObjectStore> {
  return {
    presign: (bucket, key, { expiresInSeconds, downloadAs }) =>
      account.signedUrl(
        { bucket, key },
        {
          endpoint,
          expiresInSeconds,
          contentDisposition: downloadAs === undefined ? undefined : attachmentNamed(downloadAs)
        }
      )
  }
}

function originOf({ endpoint, port, useTls }: RemoteSettings): Origin {
  if (endpoint === undefined) return { secure: true, host: VENDOR_HOST, port: 443 }
  return { secure: useTls, host: endpoint.replace(/^\[|\]$/g, ''), port: port ?? (useTls ? 443 : 80) }
}

function urlOf({ secure, host, port }: Origin): string {
  const name = host.includes(':') ? `[${host}]` : host
  const usual = secure ? 443 : 80
  return `${secure ? 'https' : 'http'}://${name}${port === usual ? '' : `:${port}`}`
}
