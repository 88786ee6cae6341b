import { GetObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Outbound } from '../../outbound/index.ts'
import { attachmentNamed } from '../content-disposition.ts'
import type { MultipartStore, ObjectAddress, PresigningStore, PresignOptions } from '../index.ts'
import type { OpenedStore, RemoteSettings } from '../open.ts'
import { createBucket, deleteBucket } from './buckets.ts'
import { openClient, type StoreClient } from './client.ts'
import { copyObject } from './copy.ts'
import { deleteObjects } from './delete.ts'
import { headObject } from './facts.ts'
import { getObject } from './get.ts'
import { listObjects } from './list.ts'
import { abortUpload, completeUpload, putPart, startUpload } from './multipart.ts'
import { putObject } from './put.ts'

/** Amazon S3, and whatever else speaks its protocol. */
export function openS3Store(settings: RemoteSettings, outbound: Pick<Outbound, 'resolve'>): OpenedStore {
  const client = openClient(settings, outbound)
  const store: MultipartStore & PresigningStore = {
    kind: 's3',
    createBucket: (bucket) => createBucket(client, bucket),
    deleteBucket: (bucket) => deleteBucket(client, bucket),
    list: (bucket, query) => listObjects(client, bucket, query),
    head: (bucket, key) => headObject(client, { bucket, key }),
    get: (bucket, key, options = {}) => getObject(client, { bucket, key }, options),
    put: (bucket, key, body, options) => putObject(client, { bucket, key }, body, options),
    copy: (from, to, conditions = {}) => copyObject(client, from, to, conditions),
    delete: (bucket, keys) => deleteObjects(client, bucket, keys),
    startUpload: (bucket, key, contentType) => startUpload(client, { bucket, key }, { ContentType: contentType }),
    putPart: (upload, number, body) => putPart(client, upload, number, body),
    completeUpload: (upload, parts, options) => completeUpload(client, upload, parts, options),
    abortUpload: (upload) => abortUpload(client, upload),
    presign: (bucket, key, options) => presign(client, { bucket, key }, options)
  }
  return { store, close: async () => client.close() }
}

function presign(client: StoreClient, { bucket, key }: ObjectAddress, options: PresignOptions): Promise<string> {
  const { expiresInSeconds, downloadAs } = options
  const disposition = downloadAs === undefined ? undefined : attachmentNamed(downloadAs)
  const command = new GetObjectCommand({ Bucket: bucket, Key: key, ResponseContentDisposition: disposition })
  return client.call({ bucket, key, needs: 's3:GetObject' }, (sdk) =>
    getSignedUrl(sdk, command, { expiresIn: expiresInSeconds })
  )
}
