import type { DataPlane } from '../../../data/plane.ts'
import type { DataColumn, DataValue } from '../../../data/sql-process/messages.ts'
import { ColumnLook, MAX_VALUE_CHARS, type Suggestion } from '../../../engines/detectors/index.ts'

/** Rows from the beginning of the data that the sample is drawn from. */
const ROWS_DRAWN_FROM = 100_000
/** With so many values the sample is large enough: of many columns fewer rows are read. */
const MAX_VALUES = 200_000
const MAX_COLUMNS = 200
const MAX_NAME_CHARS = 200
const TIMEOUT_MS = 20_000

export interface Sampled {
  readonly rowsRead: number
  readonly columnsLeftOut: number
  readonly columns: readonly { readonly name: string; readonly suggestions: readonly Suggestion[] }[]
}

export interface SampleOrder {
  readonly resource: string
  readonly rows: number
  readonly signal?: AbortSignal | undefined
}

/** Draws rows of data in a process of their own, and has a thread look at them: values only pass through here. */
export async function lookAt(
  plane: Pick<DataPlane, 'query'>,
  { resource, rows, signal }: SampleOrder
): Promise<Sampled> {
  const answer = await plane.query({
    sql: sampleSql(rows),
    relations: { sampled: resource },
    limits: { maxRows: rows, timeoutMs: TIMEOUT_MS },
    signal
  })
  await using held = new AsyncDisposableStack()
  held.defer(() => answer.close())
  const places = [...answer.columns.keys()].filter((at) => isNameable(answer.columns[at])).slice(0, MAX_COLUMNS)
  const names = places.map((at) => answer.columns[at]?.name as string)
  const look = held.use(new ColumnLook(names))
  let rowsRead = 0
  for await (const batch of answer) {
    look.add(batch.map((row) => places.map((at) => textOf(row[at]))))
    rowsRead += batch.length
    if (rowsRead * names.length >= MAX_VALUES) break
  }
  const found = await look.result()
  const columns = names.map((name, at) => ({ name, suggestions: found[at] ?? [] }))
  return { rowsRead, columnsLeftOut: answer.columns.length - names.length, columns }
}

/** Rows come in an order of their own, so that the first of them are a sample too. */
const sampleSql = (rows: number) =>
  `SELECT left(CAST(COLUMNS(*) AS VARCHAR), ${MAX_VALUE_CHARS}) FROM (FROM sampled LIMIT ${ROWS_DRAWN_FROM}) USING SAMPLE reservoir(${rows} ROWS)`

/** Other names can't be kept: databases have no text with a zero in it, nor with half a character. */
function isNameable(column: DataColumn | undefined): boolean {
  const { name = '' } = column ?? {}
  return name !== '' && name.length <= MAX_NAME_CHARS && !name.includes('\0') && name.isWellFormed()
}

const textOf = (value: DataValue | undefined) => (typeof value === 'string' ? value : null)
