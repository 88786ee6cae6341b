import { rm } from 'node:fs/promises'
import { convertCsv } from './file-csv.ts'
import { convertJson } from './file-json.ts'
import { toUtf8, unpack } from './file-text.ts'
import type { Converted, Work } from './file-work.ts'

/** Makes a Parquet file of an object of another form, the same one each time. Memory does not depend on its size. */
export async function convert(work: Work, log: (level: 'info' | 'warn', message: string) => void): Promise<Converted> {
  const { path, signal, config } = work
  const isCsv = work.format === 'csv' || work.format === 'tsv'
  try {
    await unpack(path, signal)
    const { encoding, isGuess, isDamaged } = await toUtf8(
      path,
      { encoding: isCsv ? config.csv?.encoding : undefined, mayGuess: isCsv },
      signal
    )
    if (isGuess) log('info', `is not UTF-8, and is read as Windows-1252; say csv.encoding where that is wrong`)
    if (isDamaged) log('warn', `holds what is no character in ${encoding}; � stands in its place`)
    return await (isCsv ? convertCsv(work) : convertJson(work))
  } finally {
    await rm(path, { force: true })
  }
}
