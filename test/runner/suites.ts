import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loads } from '../support/imports.ts'
import type { Kind } from './options.ts'

/** A test file, and the databases that it runs on. */
export interface Suite {
  readonly file: string
  readonly onSqlite: boolean
  readonly onPostgres: boolean
}

const USUAL = [
  'test/process/*.test.ts',
  'test/*.test.ts',
  'test/{runner,schemas,scheduler}/*.test.ts',
  'src/**/*.test.ts'
]
const LONG = ['test/long/*.test.ts', 'src/**/*.long.test.ts']

export function findFiles(root: string, kind: Kind, words: readonly string[]): string[] {
  const all = kind === 'long' ? globSync(LONG, { cwd: root }) : globSync(USUAL, { cwd: root }).filter(isUsual)
  return all.filter((file) => words.length === 0 || words.some((word) => file.includes(word))).sort()
}

const isUsual = (file: string) => !isLong(file)

/** Whether a file may take long. */
export const isLong = (file: string) => file.startsWith('test/long/') || file.endsWith('.long.test.ts')

/** Where a file runs; nowhere, if it has nothing to do with what is asked for. */
export function placeSuite(root: string, file: string, kind: Kind): Suite {
  const path = join(root, file)
  const firstLine = readFileSync(path, 'utf8').split('\n', 1)[0] as string
  const usesDatabase = loads(path, join(root, 'test/support/database.ts')) && !firstLine.startsWith('// Once: ')
  const isAboutDatabases = firstLine.startsWith('// Both: ')
  if (isAboutDatabases && !usesDatabase) throw new Error(`${file} says '// Both:' and uses no database`)
  return {
    file,
    onSqlite: kind !== 'postgres',
    onPostgres: usesDatabase && (kind !== 'usual' || isAboutDatabases)
  }
}
