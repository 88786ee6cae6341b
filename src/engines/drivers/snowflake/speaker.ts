import { setTimeout as delay } from 'node:timers/promises'
import type { Outbound } from '../../outbound/index.ts'
import { sqlName } from '../common/dialect.ts'
import { type Answer, HttpApi } from '../common/http-api.ts'
import type { Speaker } from '../common/tables.ts'
import { SourceError, type SourceErrorCode } from '../errors.ts'
import type { SnowflakeSettings } from './config.ts'

/** How long the server may take for a statement. */
const STATEMENT_LIMIT_S = 300
const POLL_MS = 500

interface Result {
  readonly statementHandle?: string
  readonly data?: readonly (readonly (string | null)[])[]
  readonly resultSetMetaData?: { readonly partitionInfo?: readonly unknown[] }
}

/** By the codes of statements that were refused. */
const MEANINGS: Readonly<Record<string, readonly [SourceErrorCode, pointer?: string]>> = {
  '002003': ['not_found'],
  '002043': ['not_found'],
  '003001': ['missing_permission'],
  '000606': ['missing_permission', '/warehouse'],
  '000630': ['timeout'],
  '000604': ['timeout'],
  '390144': ['wrong_credentials', '/token'],
  '390189': ['missing_permission', '/role'],
  '390201': ['not_found', '/warehouse']
}

/** Snowflake's SQL API, with a programmatic access token. */
export class SnowflakeSpeaker implements Speaker {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly #settings: SnowflakeSettings
  readonly #api: HttpApi

  constructor(settings: SnowflakeSettings, outbound: Outbound, at: { readonly port: number; readonly tls: boolean }) {
    this.host = settings.host
    this.port = at.port
    this.tls = at.tls
    this.#settings = settings
    const headers = () => ({
      authorization: `Bearer ${settings.token}`,
      'x-snowflake-authorization-token-type': 'PROGRAMMATIC_ACCESS_TOKEN',
      accept: 'application/json',
      'user-agent': 'millrace'
    })
    this.#api = new HttpApi({ outbound, host: settings.host, ...at, headers, secretPointer: '/token', refusalOf })
  }

  async enter(signal: AbortSignal): Promise<string> {
    for await (const _ of this.rows('SELECT 1', signal)) break
    return `The token may enter ${this.#settings.database}`
  }

  async *rows(statement: string, signal: AbortSignal): AsyncGenerator<readonly (readonly unknown[])[]> {
    const { database, warehouse, role } = this.#settings
    const body = {
      statement,
      timeout: STATEMENT_LIMIT_S,
      database,
      warehouse,
      ...(role !== '' && { role }),
      parameters: { timezone: 'UTC', binary_output_format: 'HEX' }
    }
    let answer = await this.#api.call({ method: 'POST', path: '/api/v2/statements', body, signal })
    const handle = (answer.body as Result | undefined)?.statementHandle
    if (typeof handle !== 'string') {
      throw new SourceError('bad_request', 'What answers there is no account of Snowflake; check the host', '/host')
    }
    const path = `/api/v2/statements/${encodeURIComponent(handle)}`
    try {
      while (answer.status === 202) {
        await delay(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
        answer = await this.#api.call({ path, signal })
      }
    } catch (error) {
      await this.#cancel(path)
      throw error
    }
    const { data = [], resultSetMetaData } = answer.body as Result
    yield data
    const parts = resultSetMetaData?.partitionInfo?.length ?? 1
    for (let part = 1; part < parts; part++) {
      const next = await this.#api.call({ path: `${path}?partition=${part}`, signal })
      yield (next.body as Result).data ?? []
    }
  }

  grants(): string[] {
    const { database, warehouse, role } = this.#settings
    // Which role a user has is not known here, and PUBLIC would give the right to everybody.
    const to = sqlName(role || '…')
    const place = sqlName(database)
    return [
      `GRANT USAGE ON WAREHOUSE ${sqlName(warehouse)} TO ROLE ${to};`,
      `GRANT USAGE ON DATABASE ${place} TO ROLE ${to};`,
      `GRANT USAGE ON ALL SCHEMAS IN DATABASE ${place} TO ROLE ${to};`,
      `GRANT SELECT ON ALL TABLES IN DATABASE ${place} TO ROLE ${to};`,
      `GRANT SELECT ON ALL VIEWS IN DATABASE ${place} TO ROLE ${to};`
    ]
  }

  async close(): Promise<void> {
    this.#api.close()
  }

  async #cancel(path: string): Promise<void> {
    const call = { method: 'POST' as const, path: `${path}/cancel`, body: {}, signal: AbortSignal.timeout(2000) }
    await this.#api.call(call).catch(() => {})
  }
}

/** A statement that was refused has a code of its own, whatever the status. */
function refusalOf({ status, body }: Answer): SourceError | undefined {
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown }
  const [meaning, pointer] = MEANINGS[String(code)] ?? []
  const said = `Snowflake refused (${code}): ${String(message).slice(0, 300)}`
  if (meaning !== undefined) return new SourceError(meaning, said, pointer)
  return status === 422 ? new SourceError('bad_request', said) : undefined
}
