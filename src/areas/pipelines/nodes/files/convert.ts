import { rm } from 'node:fs/promises'
import { convertCsv } from './csv.ts'
import { roundedColumns, roundedNumbers } from './exact-wholes.ts'
import { convertJson } from './json.ts'
import { mostlyNumbers } from './mostly-numbers.ts'
import { type Survey, survey } from './survey.ts'
import { type Encoding, toUtf8, unpack } from './text.ts'
import { readLinesAlone } from './two-encodings.ts'
import { unlikelyHeader } from './unlikely-header.ts'
import type { Converted, Work } from './work.ts'

type Log = (level: 'info' | 'warn', message: string) => void

/** Makes a Parquet file of an object of another form, the same one each time. Memory does not depend on its size. */
export async function convert(work: Work, log: Log): Promise<Converted> {
  const { path, signal, config, format } = work
  try {
    await unpack(path, signal)
    if (format === 'csv' || format === 'tsv') {
      const converted = await convertCsv(work, await textOf(work, config.csv?.encoding, log))
      // Types are found in the first object, and stay.
      const isFirst = work.types.types === undefined
      const doubts = await (isFirst ? mostlyNumbers : roundedColumns)(work, converted.columns)
      for (const doubt of [...doubts, ...(await unlikelyHeader(work, converted))]) log('warn', doubt)
      return converted
    }
    await decode(work, undefined, log)
    const converted = await convertJson(work)
    for (const doubt of await roundedNumbers(work, converted.columns)) log('warn', doubt)
    return converted
  } finally {
    // It takes long where the file is large. What is left of it goes with the folder of the run.
    void rm(path, { force: true }).catch(() => undefined)
  }
}

/** Lines of CSV that are not UTF-8 are taken for Windows-1252, where nobody told otherwise. */
async function textOf(work: Work, told: Encoding | undefined, log: Log): Promise<Survey> {
  const rules = { quote: work.config.csv?.quote ?? '"', isJson: false }
  const { isAssumed } = await decode(work, told, log)
  const seen = await survey(work.path, rules, work.signal)
  if (seen.isUtf8 || !isAssumed) return seen
  const { others, isMixed } = await readLinesAlone(work.path, work.signal)
  const what = isMixed ? `has ${others} lines that are not UTF-8, as the others are, and are` : 'is not UTF-8, and is'
  log(isMixed ? 'warn' : 'info', `${what} read as Windows-1252; say csv.encoding where that is wrong`)
  return survey(work.path, rules, work.signal)
}

async function decode({ path, format, signal }: Work, told: Encoding | undefined, log: Log) {
  const found = await toUtf8(path, { told, isCsv: format === 'csv' || format === 'tsv' }, signal)
  if (found.isDamaged) log('warn', `holds what is no character in ${found.encoding}; � stands in its place`)
  return found
}
