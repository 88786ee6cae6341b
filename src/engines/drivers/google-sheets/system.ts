import type { Outbound } from '../../outbound/index.ts'
import type { GoogleServers } from '../common/google-token.ts'
import type { Page, System } from '../common/system.ts'
import { SourceError } from '../errors.ts'
import type { Discovered, StreamRead, StreamValue } from '../index.ts'
import { columnsIn, ROW, streamColumns, textOf } from './columns.ts'
import type { SheetsConfig } from './config.ts'
import { type Cells, type Sheet, SheetsApi } from './sheets.ts'

/** Cells of one call, and rows at the most. */
const PAGE_CELLS = 100_000
const PAGE_ROWS = 5000

/** A spreadsheet, whose sheets are streams: the first row has the names of the columns. */
export class SheetsSystem implements System {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly #api: SheetsApi

  constructor(config: SheetsConfig, outbound: Outbound, servers: GoogleServers) {
    this.host = servers.api.host
    this.port = servers.api.port
    this.tls = servers.api.tls
    this.#api = new SheetsApi(config, outbound, servers)
  }

  async enter(signal: AbortSignal): Promise<string> {
    await this.#api.sheets(signal)
    return 'The spreadsheet is there'
  }

  async list({ limit, signal }: { limit: number; signal: AbortSignal }): Promise<Discovered> {
    const sheets = await this.#api.sheets(signal)
    const wanted = sheets.slice(0, limit)
    const headers = await this.#api.rows(wanted.map(headerOf), signal)
    const streams = wanted.map(({ title }, at) => ({
      name: title,
      kind: 'table' as const,
      isReadable: true,
      columns: streamColumns(columnsIn(headers[at]?.[0] ?? [])),
      keys: [ROW],
      cursors: [ROW]
    }))
    return { streams, isWhole: sheets.length <= limit }
  }

  async *pages({ stream, cursor, signal }: StreamRead): AsyncGenerator<Page> {
    const sheet = (await this.#api.sheets(signal)).find(({ title }) => title === stream)
    if (sheet === undefined) throw new SourceError('not_found', `There is no sheet ${JSON.stringify(stream)}`)
    const size = Math.max(1, Math.min(PAGE_ROWS, Math.floor(PAGE_CELLS / Math.max(1, sheet.columns))))
    let known: string | undefined
    for (let first = firstRow(cursor); first <= sheet.rows; first += size) {
      const last = Math.min(sheet.rows, first + size - 1)
      const [header = [], cells = []] = await this.#api.rows([headerOf(sheet), { title: stream, first, last }], signal)
      const names = JSON.stringify(header)
      known ??= names
      if (names !== known) {
        throw new SourceError('unavailable', 'The columns of the sheet were changed while it was read; try again')
      }
      yield pageOf(header, cells, first)
    }
  }

  /** Who may read is said in the spreadsheet, by hand. */
  grants(): string[] {
    return []
  }

  async close(): Promise<void> {
    this.#api.close()
  }
}

const headerOf = ({ title }: Sheet) => ({ title, first: 1, last: 1 })

function firstRow(cursor: StreamRead['cursor']): number {
  if (cursor === undefined || (cursor.column === ROW && cursor.after === null)) return 2
  if (cursor.column !== ROW) throw new SourceError('bad_request', `A sheet can be read on by ${ROW} only`)
  const row = /^\d{1,9}$/.test(cursor.after ?? '') ? Number(cursor.after) : Number.NaN
  if (Number.isNaN(row)) throw new SourceError('bad_request', 'The position is none of a sheet; it looks like 12345')
  return Math.max(2, row + 1)
}

/** Rows without any value are no records. */
function pageOf(header: Cells, cells: Cells, first: number): Page {
  const columns = columnsIn(header[0] ?? [])
  const rows = cells.flatMap((row, index): StreamValue[][] => {
    const values = columns.map(({ at }) => textOf(row[at]))
    return values.every((value) => value === null) ? [] : [[BigInt(first + index), ...values]]
  })
  return { columns: streamColumns(columns), rows }
}
