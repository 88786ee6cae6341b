import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { guardedAgents } from '../../outbound/agent.ts'
import { parseHost } from '../../outbound/host.ts'
import type { Outbound } from '../../outbound/index.ts'
import { StoreError } from '../errors.ts'
import type { RemoteSettings } from '../open.ts'
import { BodyFailed } from '../remote/network-errors.ts'
import { type Subject, toStoreError } from './errors.ts'
import { createHttpHandler, type WireRequest } from './http-handler.ts'

const MAX_ATTEMPTS = 3
const DEFAULT_REGION = 'us-east-1'

export interface StoreClient {
  readonly sdk: S3Client
  /** Whether it is Amazon's own service, which has to be told the location of a new bucket. */
  readonly isAmazon: boolean
  readonly isSecure: boolean
  /** Turns errors of `work` into `StoreError`s, except those of a body's source. */
  call<T>(subject: Subject, work: (sdk: S3Client) => Promise<T>): Promise<T>
  /** When the store gave this answer, by its own clock: the time of a write whose answer has none. */
  timeOf(answer: object): Date | undefined
  close(): void
}

export function openClient(settings: RemoteSettings, outbound: Pick<Outbound, 'resolve'>): StoreClient {
  const agents = guardedAgents(outbound, { maxSockets: 64, ca: settings.ca })
  const endpoint = endpointOf(settings)
  const sdk = new S3Client({
    ...NO_OUTSIDE_SETTINGS,
    ...(endpoint === undefined ? {} : { endpoint }),
    region: settings.region ?? DEFAULT_REGION,
    credentials: { accessKeyId: settings.accessKey, secretAccessKey: settings.secretKey },
    forcePathStyle: settings.pathStyle,
    requestHandler: createHttpHandler(agents) as unknown as NonNullable<S3ClientConfig['requestHandler']>
  })
  repeatNoConditionalWrite(sdk)
  const times = keepTimes(sdk)
  return {
    sdk,
    isAmazon: endpoint === undefined || /\.amazonaws\.com(\.cn)?$/.test(settings.endpoint ?? ''),
    isSecure: endpoint === undefined || settings.useTls,
    async call(subject, work) {
      try {
        return await work(sdk)
      } catch (error) {
        const reason = error instanceof Unrepeatable ? error.reason : error
        throw reason instanceof BodyFailed ? reason.cause : toStoreError(reason, subject)
      }
    },
    timeOf: (answer) => times.get(answer),
    close() {
      sdk.destroy()
      agents.close()
    }
  }
}

const silent = () => {}

/** All settings that the client would otherwise read from the environment and from files of the user. */
const NO_OUTSIDE_SETTINGS: S3ClientConfig = {
  ignoreConfiguredEndpointUrls: true,
  maxAttempts: MAX_ATTEMPTS,
  retryMode: 'standard',
  defaultsMode: 'standard',
  authSchemePreference: ['aws.auth#sigv4'],
  sigv4aSigningRegionSet: [],
  useArnRegion: false,
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  disableS3ExpressSessionAuth: true,
  disableMultiregionAccessPoints: true,
  userAgentAppId: 'millrace',
  // With the other choice, self-hosted stores take trailers for content.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  expectContinueHeader: false,
  // Links would still be signed with the wrong time, so the user has to know of it.
  disableClockSkewCorrection: true,
  logger: { trace: silent, debug: silent, info: silent, warn: silent, error: silent }
}

function endpointOf({ endpoint, port, useTls }: RemoteSettings): string | undefined {
  if (endpoint === undefined) return undefined
  const host = parseHost(endpoint)
  if (host === undefined) {
    throw new StoreError(
      'unknown_host',
      'The endpoint must be a host name or an address, without scheme, port and path'
    )
  }
  const name = host.address?.kind() === 'ipv6' ? `[${host.text}]` : host.text
  return `${useTls ? 'https' : 'http'}://${name}${port === undefined ? '' : `:${port}`}`
}

/** Hides its reason from the client, which would otherwise take it for an error to repeat. */
class Unrepeatable extends Error {
  readonly reason: unknown

  constructor(reason: unknown) {
    super('not to be repeated')
    this.reason = reason
  }
}

/** An attempt may have succeeded although its answer was lost, and the next would then fail its own condition. */
function repeatNoConditionalWrite(sdk: S3Client): void {
  sdk.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        const { method, headers } = args.request as WireRequest
        const conditional = 'if-match' in headers || 'if-none-match' in headers
        throw method !== 'GET' && conditional ? new Unrepeatable(error) : error
      }
    },
    { step: 'finalizeRequest', priority: 'low', name: 'repeatNoConditionalWrite' }
  )
}

function keepTimes(sdk: S3Client): WeakMap<object, Date> {
  const times = new WeakMap<object, Date>()
  sdk.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      const time = new Date((result.response as { headers: Record<string, string> }).headers.date ?? '')
      if (result.output !== undefined && !Number.isNaN(time.getTime())) times.set(result.output, time)
      return result
    },
    { step: 'deserialize', priority: 'high', name: 'keepTimes' }
  )
  return times
}
