import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { type Origin, type Rejected, ROW, type SourceContext } from '../contract/source.ts'
import { openDatabase } from '../duckdb/database.ts'
import type { FileSourceConfig } from '../nodes/files/config.ts'
import { ObjectReader, type ReadSoFar } from '../nodes/files/reader.ts'
import type { FoundTypes } from '../nodes/files/types.ts'

export interface ReadRecord {
  /** As JSON has them. */
  readonly values: Readonly<Record<string, unknown>>
  /** Of the values that are not NULL. */
  readonly types: Readonly<Record<string, string>>
  readonly origin: Origin | undefined
}

export interface ReadObject {
  /** By their line. */
  readonly records: readonly ReadRecord[]
  readonly rejected: readonly Rejected[]
  readonly batches: number
  readonly log: readonly string[]
  readonly types: FoundTypes
}

export interface Reading {
  readonly folder: string
  readonly database: DuckDBConnection
  open(key: string, content: string | Buffer, config?: Partial<FileSourceConfig>, known?: Known): Promise<ObjectReader>
  /** The file becomes that of the reader. */
  openFile(key: string, path: string): Promise<ObjectReader>
  /** Reads an object to its end, batch by batch, and adds up the lengths of a column. */
  drain(reader: ObjectReader, column?: string): Promise<{ rows: number; chars: number; rejected: Rejected[] }>
  /** Reads an object to its end. */
  read(key: string, content: string | Buffer, config?: Partial<FileSourceConfig>, known?: Known): Promise<ReadObject>
  close(): Promise<void>
}

interface Known {
  readonly types?: FoundTypes
  readonly soFar?: ReadSoFar
}

/** Whole numbers that JavaScript would round are texts. */
const exactly = (...[, value, context]: unknown[]) => {
  const { source = '' } = context as { source?: string }
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value
}

/** Reads objects as the source `file` does, without a store and a pipeline. */
export async function openReading(memoryBytes = 1 << 29): Promise<Reading> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-reading-'))
  const instance = await openDatabase({ folder, memoryBytes, threads: 2, spillBytes: 4 * 2 ** 30 })
  const database = await instance.connect()
  await database.run("ATTACH ':memory:' AS s")
  let made = 0
  const log: string[] = []

  const open: Reading['open'] = async (key, content, config = {}, known = {}) => {
    made += 1
    const path = join(folder, `object-${made}`)
    await writeFile(path, content)
    return openAt(key, path, config, known)
  }

  async function openAt(key: string, path: string, config: Partial<FileSourceConfig> = {}, known: Known = {}) {
    log.length = 0
    const context = {
      database,
      schema: 's',
      nodeId: 'in',
      config: { reference: `object://b/${key}`, ...config },
      signal: new AbortController().signal,
      expectedColumns: [],
      isBulk: true,
      log: (_: string, message: string) => void log.push(message)
    } as unknown as SourceContext<FileSourceConfig>
    const object = { key, etag: 'e', modifiedAt: '2026-01-01T00:00:00.000Z', sizeBytes: 0 }
    const fetched = { object, reference: `object://b/${key}`, path, contentType: '' }
    return ObjectReader.open(context, fetched, known.types ?? {}, known.soFar)
  }

  return {
    folder,
    database,
    open,
    openFile: (key, path) => openAt(key, path),
    async drain(reader, column = 'text') {
      const sum = { rows: 0, chars: 0, rejected: [] as Rejected[] }
      for (let isLast = false; !isLast; ) {
        const given = await reader.next()
        if (given === undefined) break
        for (const { sql } of given.batch.parts) {
          const answer = await database.runAndReadAll(`SELECT count(*), sum(length("${column}")) FROM (${sql})`)
          sum.rows += Number(answer.value(0, 0))
          sum.chars += Number(answer.value(1, 0))
        }
        sum.rejected.push(...(given.batch.rejected ?? []))
        await given.batch.release()
        isLast = given.isLast
      }
      return sum
    },
    async read(key, content, config, known) {
      const reader = await open(key, content, config, known)
      const records: (ReadRecord & { row: number })[] = []
      const rejected: Rejected[] = []
      let batches = 0
      for (let isLast = false; !isLast; ) {
        const given = await reader.next()
        if (given === undefined) break
        batches += 1
        for (const part of given.batch.parts) {
          const plain = await database.runAndReadAll(`SELECT to_json(r)::VARCHAR FROM (${part.sql}) r`)
          const rows = await database.runAndReadAll(`SELECT ${ROW} FROM (${part.numbered})`)
          const numbers = rows.getRows().map(([row]) => Number(row))
          const origins = (await part.originsOf?.(numbers)) ?? []
          for (const [i, [text]] of plain.getRows().entries()) {
            const values = JSON.parse(String(text), exactly) as Record<string, unknown>
            const typed = part.columns.filter(({ name }) => values[name] !== null)
            const types = Object.fromEntries(typed.map(({ name, type }) => [name, type]))
            records.push({ values, types, origin: origins[i], row: numbers[i] as number })
          }
        }
        rejected.push(...(given.batch.rejected ?? []))
        isLast = given.isLast
        await given.batch.release()
      }
      records.sort((a, b) => a.row - b.row)
      return { records, rejected, batches, log: [...log], types: reader.types }
    },
    async close() {
      database.closeSync()
      instance.closeSync()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** What was read of an object, and where in it each record was; what of it was refused, and where. */
export const values = ({ records }: ReadObject) => records.map((record) => record.values)
export const lines = ({ records }: ReadObject) => records.map(({ origin }) => origin?.line ?? origin?.row)
export const refused = ({ rejected }: ReadObject) =>
  rejected.map(({ code, origin, record }) => [code, origin?.line ?? origin?.row, record])
