import type { Outbound } from '../../outbound/index.ts'
import { HttpApi } from '../common/http-api.ts'
import type { Speaker } from '../common/tables.ts'
import { SourceError, type SourceErrorCode } from '../errors.ts'
import { headersOf, type TrinoSettings } from './config.ts'

/** What every answer about a statement has. */
interface Results {
  readonly nextUri?: string
  readonly data?: readonly (readonly unknown[])[]
  readonly error?: { readonly message?: string; readonly errorName?: string; readonly errorType?: string }
}

/** Names of errors that mean more than that the statement was refused. */
const MEANINGS: Readonly<Record<string, readonly [SourceErrorCode, pointer?: string]>> = {
  PERMISSION_DENIED: ['missing_permission'],
  CATALOG_NOT_FOUND: ['not_found', '/catalog'],
  MISSING_CATALOG_NAME: ['not_found', '/catalog'],
  SCHEMA_NOT_FOUND: ['not_found'],
  TABLE_NOT_FOUND: ['not_found'],
  COLUMN_NOT_FOUND: ['not_found'],
  QUERY_QUEUE_FULL: ['rate_limited'],
  EXCEEDED_TIME_LIMIT: ['timeout']
}

/** Trino's coordinator: a statement is an address after the other, until there is none. */
export class TrinoSpeaker implements Speaker {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly #settings: TrinoSettings
  readonly #api: HttpApi

  constructor(settings: TrinoSettings, outbound: Outbound) {
    const { host, port, tls, ca } = settings
    this.host = host
    this.port = port
    this.tls = tls
    this.#settings = settings
    const headers = () => headersOf(settings)
    this.#api = new HttpApi({ outbound, host, port, tls, ca, headers, secretPointer: '/password' })
  }

  async enter(signal: AbortSignal): Promise<string> {
    for await (const _ of this.rows('SELECT 1', signal)) break
    return `${this.#settings.user} may enter ${this.#settings.catalog}`
  }

  async *rows(statement: string, signal: AbortSignal): AsyncGenerator<readonly (readonly unknown[])[]> {
    const { body } = await this.#api.call({ method: 'POST', path: '/v1/statement', body: statement, signal })
    let results = resultsOf(body)
    try {
      for (;;) {
        if (results.error !== undefined) throw refusal(results.error)
        if (results.data !== undefined) yield results.data
        if (results.nextUri === undefined) return
        const path = this.#api.pathOf(results.nextUri)
        results = resultsOf((await this.#api.call({ path, signal })).body)
      }
    } finally {
      await this.#cancel(results)
    }
  }

  grants(): string[] {
    const user = JSON.stringify(this.#settings.user)
    return [`GRANT SELECT ON SCHEMA ${JSON.stringify(this.#settings.catalog)}."…" TO USER ${user}`]
  }

  async close(): Promise<void> {
    this.#api.close()
  }

  /** What is left of a statement takes from the cluster until somebody says that it is not wanted. */
  async #cancel({ nextUri, error }: Results): Promise<void> {
    if (nextUri === undefined || error !== undefined) return
    const call = async () =>
      this.#api.call({ method: 'DELETE', path: this.#api.pathOf(nextUri), signal: AbortSignal.timeout(2000) })
    await call().catch(() => {})
  }
}

function resultsOf(body: unknown): Results {
  if (typeof body === 'object' && body !== null && ('id' in body || 'nextUri' in body || 'stats' in body))
    return body as Results
  throw new SourceError('bad_request', 'What answers there is no coordinator of Trino; check host and port', '/port')
}

function refusal({ message = '', errorName = '', errorType }: NonNullable<Results['error']>): SourceError {
  const [code, pointer] = MEANINGS[errorName] ?? [errorType === 'USER_ERROR' ? 'bad_request' : 'unavailable']
  return new SourceError(code, `The server refused (${errorName}): ${message.slice(0, 300)}`, pointer)
}
