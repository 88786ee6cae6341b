import {
  BlobSASPermissions,
  BlobServiceClient,
  type BlockBlobClient,
  type ContainerClient,
  generateBlobSASQueryParameters,
  newPipeline,
  SASProtocol,
  StorageSharedKeyCredential
} from '@azure/storage-blob'
import { guardedAgents } from '../../outbound/agent.ts'
import type { Outbound } from '../../outbound/index.ts'
import type { ObjectAddress } from '../index.ts'
import type { RemoteSettings } from '../open.ts'
import { accountUrl } from './endpoint.ts'
import { type Subject, toStoreError } from './errors.ts'
import { createHttpClient } from './http-client.ts'

const MAX_SOCKETS = 64

/** The vendor's client on guarded connections, with its failures translated. */
export class AzureClient {
  readonly #agents: ReturnType<typeof guardedAgents>
  readonly #credential: StorageSharedKeyCredential
  readonly #service: BlobServiceClient
  readonly #protocol: SASProtocol
  readonly #closing = new AbortController()

  constructor(settings: RemoteSettings, outbound: Outbound) {
    const url = accountUrl(settings)
    this.#agents = guardedAgents(outbound, { maxSockets: MAX_SOCKETS, ca: settings.ca })
    this.#credential = new StorageSharedKeyCredential(settings.accessKey, settings.secretKey)
    this.#protocol = url.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp
    const pipeline = newPipeline(this.#credential, {
      httpClient: createHttpClient(this.#agents, this.#closing.signal),
      // `http-client.ts` decides what is sent again.
      retryOptions: { maxTries: 1 }
    })
    this.#service = new BlobServiceClient(url, pipeline)
  }

  container(bucket: string): ContainerClient {
    return this.#service.getContainerClient(bucket)
  }

  blob({ bucket, key }: ObjectAddress): BlockBlobClient {
    return this.container(bucket).getBlockBlobClient(key)
  }

  /** Only the vendor's calls belong in here: errors of a body's source are passed on unchanged. */
  async call<T>(subject: Subject, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toStoreError(error, subject)
    }
  }

  /** A link for reading this one object. */
  link(at: ObjectAddress, expiresInSeconds: number, contentDisposition?: string): string {
    const signature = generateBlobSASQueryParameters(
      {
        containerName: at.bucket,
        blobName: at.key,
        permissions: BlobSASPermissions.parse('r'),
        protocol: this.#protocol,
        expiresOn: new Date(Date.now() + expiresInSeconds * 1000),
        ...(contentDisposition !== undefined && { contentDisposition })
      },
      this.#credential
    )
    return `${this.blob(at).url}?${signature}`
  }

  close(): void {
    this.#closing.abort()
    this.#agents.close()
  }
}
