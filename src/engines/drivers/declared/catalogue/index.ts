import { readFile } from 'node:fs/promises'
import type { Entry } from '../entry.ts'
import type { IndexRow } from './row.ts'

export { EntryError, parseEntry } from './parse.ts'
export { factsOf, type IndexRow, rowOf } from './row.ts'
export { isReadable, streamOf } from './streams.ts'

const FOLDER = new URL('../../../../../resources/integration-sources/', import.meta.url)
const MAX_KEPT = 100

let index: Promise<readonly IndexRow[]> | undefined

/** What is shipped, in the order of ids; read with the first question. */
export function declaredIndex(): Promise<readonly IndexRow[]> {
  index ??= readFile(new URL('index.json', FOLDER), 'utf8').then((text) => JSON.parse(text) as readonly IndexRow[])
  return index
}

const kept = new Map<string, Promise<Entry>>()

/** The entry with an id; undefined where none is shipped. `scripts/integration-index.ts` has checked what it says. */
export async function loadEntry(id: string): Promise<Entry | undefined> {
  if (!(await declaredIndex()).some((row) => row.id === id)) return undefined
  const known = kept.get(id)
  if (known !== undefined) return known
  const entry = readEntry(id)
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(id, entry)
  return entry
}

async function readEntry(id: string): Promise<Entry> {
  const [{ parse }, text] = await Promise.all([import('yaml'), readFile(new URL(`${id}.yaml`, FOLDER), 'utf8')])
  return parse(text) as Entry
}
