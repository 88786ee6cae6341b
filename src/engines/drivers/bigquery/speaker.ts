import type { Outbound } from '../../outbound/index.ts'
import { type GoogleServers, Tokens } from '../common/google-token.ts'
import { type Answer, HttpApi } from '../common/http-api.ts'
import type { Speaker } from '../common/tables.ts'
import { SourceError } from '../errors.ts'
import { accountOf, type BigQueryConfig } from './config.ts'

const SCOPE = 'https://www.googleapis.com/auth/bigquery.readonly'
const PAGE = 5000
/** How long the server waits for a statement before it answers that it still runs. */
const WAIT_MS = 30_000

interface QueryAnswer {
  readonly jobComplete?: boolean
  readonly jobReference?: { readonly jobId: string; readonly location?: string }
  readonly pageToken?: string
  readonly rows?: readonly { readonly f: readonly { readonly v: unknown }[] }[]
}

/** BigQuery's REST interface: a statement is a job, whose rows are fetched page by page. */
export class BigQuerySpeaker implements Speaker {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly #config: BigQueryConfig
  readonly #tokens: Tokens
  readonly #api: HttpApi

  constructor(config: BigQueryConfig, outbound: Outbound, servers: GoogleServers) {
    this.host = servers.api.host
    this.port = servers.api.port
    this.tls = servers.api.tls
    this.#config = config
    this.#tokens = new Tokens(() => accountOf(config), SCOPE, outbound, servers.token)
    const headers = async (signal: AbortSignal) => ({ authorization: `Bearer ${await this.#tokens.take(signal)}` })
    this.#api = new HttpApi({ ...servers.api, outbound, headers, secretPointer: '/key', refusalOf, messageOf })
  }

  async enter(signal: AbortSignal): Promise<string> {
    const { project } = accountOf(this.#config)
    await this.#api.call({ path: `${pathOf(project)}/datasets?maxResults=1`, signal })
    return `The service account may enter ${project}`
  }

  async *rows(statement: string, signal: AbortSignal): AsyncGenerator<unknown[][]> {
    const { project } = accountOf(this.#config)
    const queries = `${pathOf(project)}/queries`
    const body = { query: statement, useLegacySql: false, maxResults: PAGE, timeoutMs: WAIT_MS }
    let answer = answerIn(await this.#api.call({ method: 'POST', path: queries, body, signal }))
    for (;;) {
      if (answer.jobComplete) yield (answer.rows ?? []).map(({ f }) => f.map(({ v }) => v))
      if (answer.jobComplete && answer.pageToken === undefined) return
      const { jobId = '', location } = answer.jobReference ?? {}
      const more = new URLSearchParams({ maxResults: String(PAGE), timeoutMs: String(WAIT_MS) })
      if (location !== undefined) more.set('location', location)
      if (answer.pageToken !== undefined) more.set('pageToken', answer.pageToken)
      answer = answerIn(await this.#api.call({ path: `${queries}/${encodeURIComponent(jobId)}?${more}`, signal }))
    }
  }

  grants(): string[] {
    const { project, email } = accountOf(this.#config)
    const member = `--member=serviceAccount:${email.replace(/[^\w.@-]/g, '')}`
    return [
      `gcloud projects add-iam-policy-binding ${project} ${member} --role=roles/bigquery.jobUser`,
      `bq add-iam-policy-binding ${member} --role=roles/bigquery.dataViewer ${project}:${this.#config.dataset}`
    ]
  }

  async close(): Promise<void> {
    this.#api.close()
    this.#tokens.close()
  }
}

const pathOf = (project: string) => `/bigquery/v2/projects/${encodeURIComponent(project)}`

function answerIn({ body }: Answer): QueryAnswer {
  if (typeof (body as QueryAnswer | undefined)?.jobComplete === 'boolean') return body as QueryAnswer
  throw new SourceError('unavailable', 'BigQuery gave no answer to the statement; try again')
}

interface Refused {
  readonly error?: { readonly message?: unknown; readonly errors?: readonly { readonly reason?: unknown }[] }
}

const messageOf = (body: unknown): string | undefined => {
  const message = (body as Refused | undefined)?.error?.message
  return typeof message === 'string' ? message : undefined
}

/** What was asked too often is told with the status of a right that is missing. */
function refusalOf({ status, body }: Answer): SourceError | undefined {
  const reason = (body as Refused | undefined)?.error?.errors?.[0]?.reason
  if (status !== 403 || (reason !== 'rateLimitExceeded' && reason !== 'quotaExceeded')) return undefined
  return new SourceError('rate_limited', 'BigQuery was asked too often, or its quota is used up; try again later')
}
