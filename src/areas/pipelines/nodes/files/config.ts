import { MAX_REFERENCE_CHARS, parseReference } from '../../../../data/reference.ts'
import { Closed, OneOf } from '../../../../http/schemas.ts'
import { type Static, Type } from '../../../../http/type.ts'
import { Config, type ConfigOf, DurationText, durationFaults } from '../../contract/config-parts.ts'
import type { ConfigFault } from '../../contract/node-type.ts'
import { ColumnTypes } from '../../records/column-types.ts'
import { timeFormatFaults } from './time-formats.ts'

const OneCharacter = (description: string) =>
  Type.String({ pattern: '^[^\\r\\n]$', 'x-expected': 'one character, and no line break', description })
const TimeFormat = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })

const CsvConfig = Closed(
  {
    encoding: Type.Optional(
      OneOf(
        ['utf-8', 'utf-16', 'utf-16le', 'utf-16be', 'latin-1', 'windows-1252'],
        'How characters are written. Else found: by a byte order mark; without one each line is UTF-8 where it is that, and otherwise Windows-1252, which the log says'
      )
    ),
    delimiter: Type.Optional(
      OneCharacter(
        'What stands between fields. Else a tab in TSV, and in CSV what divides the first lines evenly: , ; tab or |'
      )
    ),
    header: Type.Optional(
      Type.Boolean({
        description:
          'Whether the first line has the names of columns; else found. Without names they are column0, column1 …'
      })
    ),
    quote: Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e]?$',
        'x-expected': 'one character of ASCII that is no letter, digit or space, or nothing',
        description:
          'What stands around fields that hold delimiters or line breaks, doubled inside of them; " unless said, and empty for none'
      })
    ),
    nulls: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 20,
        description: 'Texts that mean nothing (NULL), besides the empty one: ["n/a", "-"]'
      })
    ),
    decimal: Type.Optional(OneOf([',', '.'], 'What stands before the decimals of numbers; a point unless said')),
    thousands: Type.Optional(
      OneOf([',', '.', ' ', "'"], 'What stands between the thousands of numbers; nothing unless said')
    ),
    dateFormat: Type.Optional(TimeFormat('How dates are written: `%d.%m.%Y`, `%m/%d/%y`; else found')),
    timestampFormat: Type.Optional(TimeFormat('How times with a date are written: `%d.%m.%Y %H:%M:%S`; else found'))
  },
  { description: 'How CSV and TSV are written, where that should not be found out' }
)
export type CsvConfig = Static<typeof CsvConfig>

export const FileSourceConfig = Config({
  reference: Type.String({
    minLength: 1,
    maxLength: MAX_REFERENCE_CHARS,
    description:
      'The objects: object://bucket/key, where the key may hold `*`, `**`, `?` and `[a-z]`, such as object://b/in/*.csv'
  }),
  format: Type.Optional(
    OneOf(
      ['csv', 'tsv', 'json', 'ndjson', 'parquet'],
      'The form of the objects; else the ending of each key tells it, or its type. Whether it is compressed (gzip, zstd) is seen from its first bytes'
    )
  ),
  columns: Type.Optional(
    ColumnTypes(
      'Types of columns by their names, for CSV, TSV, JSON and NDJSON. A record with a value that is not of its type is a dead letter (`wrong_type`). Types of other columns are found: in CSV from the first object, in JSON from each value'
    )
  ),
  csv: Type.Optional(CsvConfig),
  metadata: Type.Optional(
    Type.Boolean({
      description:
        'Whether records get two more columns: `_object`, the key of the object, and `_line`, the line in it, or the number of the record in JSON and Parquet'
    })
  ),
  watch: Type.Optional(
    Type.Boolean({
      description:
        'Whether objects that appear or are replaced later are read too, without end, in the order in which they were written; otherwise those that are there are read by key, and then it has ended'
    })
  ),
  interval: Type.Optional(DurationText('With `watch`, how often to look for new objects; 5s unless said'))
})
export type FileSourceConfig = ConfigOf<typeof FileSourceConfig>

/** The columns that `metadata` adds. */
export const METADATA = ['_object', '_line']

export function fileFaults(config: FileSourceConfig): ConfigFault[] {
  const { format, columns, csv, metadata } = config
  const isText = format === undefined || format === 'csv' || format === 'tsv'
  const taken = Object.keys(columns ?? {}).find((name) => METADATA.includes(name.toLowerCase()))
  return [
    ...referenceFaults(config.reference),
    ...(columns !== undefined && format === 'parquet'
      ? [fault('/columns', 'must not be told for Parquet, which has types')]
      : []),
    ...(metadata === true && taken !== undefined
      ? [fault(`/columns/${taken}`, 'must not be told, as `metadata` adds it')]
      : []),
    ...(csv === undefined ? [] : isText ? csvFaults(csv, format) : [fault('/csv', 'must be for CSV or TSV only')]),
    ...durationFaults(config, ['interval'])
  ]
}

function referenceFaults(reference: string): ConfigFault[] {
  const parsed = parseReference(reference)
  if ('problem' in parsed) return [fault('/reference', parsed.problem)]
  return parsed.scheme === 'object' ? [] : [fault('/reference', 'must be an object://')]
}

/** Two things that are written alike can't be told apart. */
function csvFaults(csv: CsvConfig, format: FileSourceConfig['format']): ConfigFault[] {
  const { quote = '"', decimal, thousands } = csv
  const delimiter = csv.delimiter ?? (format === 'tsv' ? '\t' : undefined)
  const faults: ConfigFault[] = [...timeFormatFaults(csv)]
  if (delimiter !== undefined && delimiter === decimal) faults.push(fault('/csv/decimal', 'must not be the delimiter'))
  if (delimiter !== undefined && delimiter === quote) faults.push(fault('/csv/quote', 'must not be the delimiter'))
  if (delimiter !== undefined && delimiter === thousands)
    faults.push(fault('/csv/thousands', 'must not be the delimiter'))
  if (thousands !== undefined && thousands === (decimal ?? '.'))
    faults.push(fault('/csv/thousands', 'must not be what stands before decimals'))
  if (quote !== '' && quote === thousands) faults.push(fault('/csv/thousands', 'must not be the quote'))
  return faults
}

const fault = (pointer: string, message: string): ConfigFault => ({ pointer, message })
