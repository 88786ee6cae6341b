import type { Outbound } from '../../outbound/index.ts'
import { attachmentNamed } from '../content-disposition.ts'
import type {
  GetOptions,
  ListQuery,
  MultipartStore,
  ObjectAddress,
  PresigningStore,
  PresignOptions,
  PutOptions,
  StoredPart,
  UploadAddress,
  WriteConditions
} from '../index.ts'
import type { OpenedStore, RemoteSettings } from '../open.ts'
import type { UploadBody } from '../upload-body.ts'
import { createBucket, deleteBucket } from './buckets.ts'
import { AzureClient } from './client.ts'
import { copyObject } from './copy.ts'
import { deleteObjects } from './delete.ts'
import { headObject } from './facts.ts'
import { getObject } from './get.ts'
import { listObjects } from './list.ts'
import { abortUpload, completeUpload, putPart, startUpload } from './multipart.ts'
import { putObject } from './put.ts'

/** Azure Blob Storage: a bucket is a container, an object a block blob, an upload blocks that wait. */
export function openAzureStore(
  settings: RemoteSettings,
  outbound: Outbound
): OpenedStore & { readonly store: MultipartStore & PresigningStore } {
  const client = new AzureClient(settings, outbound)
  return { store: new AzureStore(client), close: async () => client.close() }
}

class AzureStore implements MultipartStore, PresigningStore {
  readonly kind = 'azure'
  readonly #client: AzureClient

  constructor(client: AzureClient) {
    this.#client = client
  }

  async createBucket(bucket: string) {
    await createBucket(this.#client, bucket)
  }

  async deleteBucket(bucket: string) {
    await deleteBucket(this.#client, bucket)
  }

  async list(bucket: string, query: ListQuery) {
    return listObjects(this.#client, bucket, query)
  }

  async head(bucket: string, key: string) {
    return (await headObject(this.#client, { bucket, key })).object
  }

  async get(bucket: string, key: string, options: GetOptions = {}) {
    return getObject(this.#client, { bucket, key }, options)
  }

  async put(bucket: string, key: string, body: UploadBody, options: PutOptions) {
    return putObject(this.#client, { bucket, key }, body, options)
  }

  async copy(from: ObjectAddress, to: ObjectAddress, conditions: WriteConditions = {}) {
    return copyObject(this.#client, from, to, conditions)
  }

  async delete(bucket: string, keys: readonly string[]) {
    return deleteObjects(this.#client, bucket, keys)
  }

  async startUpload(bucket: string, key: string) {
    return startUpload(this.#client, { bucket, key })
  }

  async putPart(upload: UploadAddress, number: number, body: UploadBody) {
    return putPart(this.#client, upload, number, body)
  }

  async completeUpload(upload: UploadAddress, parts: readonly StoredPart[], options: PutOptions) {
    return completeUpload(this.#client, upload, parts, options)
  }

  async abortUpload(upload: UploadAddress) {
    await abortUpload(this.#client, upload)
  }

  async presign(bucket: string, key: string, { expiresInSeconds, downloadAs }: PresignOptions) {
    const disposition = downloadAs === undefined ? undefined : attachmentNamed(downloadAs)
    return this.#client.link({ bucket, key }, expiresInSeconds, disposition)
  }
}
