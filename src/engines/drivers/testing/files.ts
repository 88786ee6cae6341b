import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SourceConfig } from '../index.ts'
import type { ExpectedStream, RunningSource, WrongConfig } from './contract.ts'

const FIRST = 15_000
const SECOND = 10_000

/** What files have to be there, for the contract of drivers, by their paths; in the order in which they are read. */
export const FILES_UNDER_TEST: Readonly<Record<string, string>> = {
  'exports/b.csv': csvOf(1, FIRST),
  'exports/a.csv': csvOf(FIRST + 1, SECOND),
  'other/readings.ndjson': '{"id": 1}\n'
}

function csvOf(from: number, rows: number): string {
  const lines = Array.from({ length: rows }, (_, i) => `${from + i},"row ${from + i}, with a comma"`)
  return `id,label\n${lines.join('\n')}\n`
}

export const STREAM_UNDER_TEST: ExpectedStream = {
  name: 'exports/*.csv',
  kind: 'files',
  columns: ['id text', 'label text', '_file text', '_row bigint', '_odd text', '_position text'],
  keys: ['_file', '_row'],
  cursors: ['_position'],
  column: 'id',
  values: Array.from({ length: FIRST + SECOND }, (_, i) => String(i + 1)),
  cursor: '_position'
}

/** Puts a file somewhere, as if it had been there for some time: `at` says when, in seconds. */
export function putFile(folder: string, path: string, content: string | Uint8Array, at: number): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o755 })
  writeFileSync(join(folder, path), content, { mode: 0o644 })
  utimesSync(join(folder, path), at, at)
}

export const LONG_AGO = 1_700_000_000

/** The files of the contract in a folder. */
export function putFilesUnderTest(folder: string): void {
  for (const [i, [path, content]] of Object.entries(FILES_UNDER_TEST).entries()) {
    putFile(folder, path, content, LONG_AGO + i * 60)
  }
}

export const FILES_CONFIG = { files: ['exports/*.csv', 'other/*'] }

/** What can be wrong with any server of files. */
export const WRONG_ENDPOINTS: Readonly<Record<string, WrongConfig>> = {
  'a name that is none': fault({ host: 'nowhere.invalid' }, 'resolve', 'unknown_host', '/host'),
  'a closed port': fault({ port: 1 }, 'connect', 'unreachable', '/port')
}

export function fault(
  changes: SourceConfig,
  step: RunningSource['steps'][number],
  code: string,
  pointer: string | null
): WrongConfig {
  return { changes, step, code, pointer }
}
