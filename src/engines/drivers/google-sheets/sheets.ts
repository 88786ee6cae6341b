import type { Outbound } from '../../outbound/index.ts'
import { accountIn, type GoogleServers, Tokens } from '../common/google-token.ts'
import { type Answer, HttpApi } from '../common/http-api.ts'
import { SourceError } from '../errors.ts'
import type { SheetsConfig } from './config.ts'

const SCOPE = 'https://www.googleapis.com/auth/spreadsheets.readonly'
/** Ranges of one call: they stand in its address. */
const MOST_RANGES = 50

export type Cell = string | number | boolean
export type Cells = readonly (readonly Cell[])[]

export interface Sheet {
  readonly title: string
  readonly rows: number
  readonly columns: number
}

interface Spreadsheet {
  readonly sheets?: readonly {
    readonly properties?: {
      readonly title?: string
      readonly sheetType?: string
      readonly gridProperties?: { readonly rowCount?: number; readonly columnCount?: number }
    }
  }[]
}

/** One spreadsheet, by version 4 of Google's interface. */
export class SheetsApi {
  readonly #api: HttpApi
  readonly #tokens: Tokens | undefined
  readonly #path: string

  constructor({ spreadsheet, key, apiKey }: SheetsConfig, outbound: Outbound, servers: GoogleServers) {
    this.#path = `/v4/spreadsheets/${encodeURIComponent(spreadsheet)}`
    const tokens = key === undefined ? undefined : new Tokens(() => accountIn(key), SCOPE, outbound, servers.token)
    this.#tokens = tokens
    this.#api = new HttpApi({
      ...servers.api,
      outbound,
      async headers(signal) {
        if (tokens !== undefined) return { authorization: `Bearer ${await tokens.take(signal)}` }
        if (apiKey !== undefined) return { 'x-goog-api-key': apiKey }
        throw new SourceError('wrong_credentials', 'Give the key of a service account, or an API key', '/key')
      },
      secretPointer: key === undefined ? '/apiKey' : '/key',
      refusalOf: (answer) => refusalOf(answer, key),
      messageOf
    })
  }

  /** Its sheets that have cells, in their order. */
  async sheets(signal: AbortSignal): Promise<Sheet[]> {
    const fields = 'sheets.properties(title,sheetType,gridProperties(rowCount,columnCount))'
    const { body } = await this.#api.call({ path: `${this.#path}?fields=${encodeURIComponent(fields)}`, signal })
    const { sheets } = (body ?? {}) as Spreadsheet
    if (!Array.isArray(sheets))
      throw new SourceError('bad_request', 'Google answers with no spreadsheet', '/spreadsheet')
    return (sheets as NonNullable<Spreadsheet['sheets']>).flatMap(({ properties = {} }) => {
      const { title = '', sheetType = 'GRID', gridProperties: { rowCount = 0, columnCount = 0 } = {} } = properties
      return sheetType === 'GRID' ? [{ title, rows: rowCount, columns: columnCount }] : []
    })
  }

  /** The cells of rows of sheets, as they were at one moment; empty ones at the ends are left out. */
  async rows(ranges: readonly RowRange[], signal: AbortSignal): Promise<Cells[]> {
    const found: Cells[] = []
    for (let at = 0; at < ranges.length; at += MOST_RANGES) {
      const query = new URLSearchParams({
        majorDimension: 'ROWS',
        valueRenderOption: 'UNFORMATTED_VALUE',
        dateTimeRenderOption: 'FORMATTED_STRING'
      })
      const some = ranges.slice(at, at + MOST_RANGES)
      for (const { title, first, last } of some) query.append('ranges', `${quoted(title)}!${first}:${last}`)
      const { body } = await this.#api.call({ path: `${this.#path}/values:batchGet?${query}`, signal })
      const { valueRanges = [] } = (body ?? {}) as { valueRanges?: readonly { readonly values?: Cells }[] }
      found.push(...some.map((_, index) => valueRanges[index]?.values ?? []))
    }
    return found
  }

  close(): void {
    this.#api.close()
    this.#tokens?.close()
  }
}

export interface RowRange {
  readonly title: string
  readonly first: number
  readonly last: number
}

const quoted = (title: string) => `'${title.replaceAll("'", "''")}'`

const messageOf = (body: unknown): string | undefined => {
  const { message } = ((body ?? {}) as { error?: { message?: unknown } }).error ?? {}
  return typeof message === 'string' ? message : undefined
}

function refusalOf({ status, body }: Answer, key: string | undefined): SourceError | undefined {
  if (status === 400 && /api key/i.test(messageOf(body) ?? '')) {
    return new SourceError('wrong_credentials', 'Google does not know this API key', '/apiKey')
  }
  if (status === 404) return new SourceError('not_found', 'There is no spreadsheet of this id', '/spreadsheet')
  if (status !== 403) return undefined
  const said = messageOf(body)?.slice(0, 300) ?? 'no reason is told'
  const remedy =
    key === undefined
      ? 'share it with everybody who has the link'
      : `share it with ${accountIn(key).email}, to be viewed`
  return new SourceError('missing_permission', `The spreadsheet may not be read (${said}); ${remedy}`, '/spreadsheet')
}
