import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Source, SourceContext } from '../../contract/source.ts'
import type { JsonRecord } from '../../records/table.ts'
import type { CsvConfig, FileSourceConfig } from './config.ts'
import { ObjectReader } from './reader.ts'

/** Whether samples of a file are to be read by what is told of how its CSV is written. */
export const isWrittenCsv = (config: Readonly<Record<string, unknown>>): boolean => config.csv !== undefined

/** Samples in place of an object, written as its CSV is, so that they are read as the object would be. */
export const fileSamples =
  (records: readonly JsonRecord[]) =>
  async (given: SourceContext<unknown>): Promise<Source> => {
    const { config } = given as SourceContext<FileSourceConfig>
    const { format = 'csv', csv = {}, metadata: _metadata, ...rest } = config
    const { encoding: _encoding, ...written } = csv
    const delimiter = csv.delimiter ?? (format === 'tsv' ? '\t' : csv.decimal === ',' ? ';' : ',')
    const dialect = { header: true, ...written, delimiter }
    const path = join(given.folder, 'samples')
    await writeFile(path, csvOf(records, dialect))
    const context = { ...given, config: { ...rest, format, csv: dialect } } as SourceContext<FileSourceConfig>
    const object = { key: 'samples', etag: '', sizeBytes: 0, modifiedAt: new Date(0).toISOString() }
    const reader =
      records.length === 0
        ? undefined
        : await ObjectReader.open(context, { object, reference: 'samples', path, contentType: '' }, {})
    return {
      async next() {
        const read = await reader?.next()
        return read === undefined ? 'ended' : { ...read.batch, position: null }
      },
      close: async () => {}
    }
  }

function csvOf(
  records: readonly JsonRecord[],
  { delimiter = ',', quote = '"', decimal = '.', header }: CsvConfig
): string {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const quoted = (text: string) => {
    const isPlain = quote === '' || !(text.includes(delimiter) || text.includes(quote) || /[\r\n]|^$/.test(text))
    return isPlain ? text : `${quote}${text.replaceAll(quote, quote + quote)}${quote}`
  }
  const cell = (value: unknown) => {
    if (value === null || value === undefined) return ''
    if (typeof value === 'number') return quoted(String(value).replace('.', decimal))
    return quoted(typeof value === 'string' ? value : JSON.stringify(value))
  }
  const lines = records.map((record) => names.map((name) => cell(record[name])).join(delimiter))
  return [...(header === false ? [] : [names.map(quoted).join(delimiter)]), ...lines, ''].join('\n')
}
