import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { Trouble } from '../command.ts'

/** A resource as a file says it; the server checks it. */
export type Named = Readonly<Record<string, unknown>> & { readonly name: string }

export interface FileContent {
  readonly qualityRules: readonly Named[]
  readonly dashboards: readonly Named[]
}

const LISTS = ['qualityRules', 'dashboards'] as const
const MAX_EACH = 10_000

/** What a file says, which is YAML; JSON is YAML too. */
export async function readFileContent(file: string): Promise<FileContent> {
  const { parse, YAMLError } = await import('yaml')
  let content: unknown
  try {
    content = parse(textOf(file, await readFile(file)), { maxAliasCount: 0 })
  } catch (error) {
    if (error instanceof YAMLError || error instanceof ReferenceError) throw new Trouble(`${file}: ${error.message}`)
    if ((error as NodeJS.ErrnoException).code === 'EISDIR')
      throw new Trouble(`${file} is a folder; name one of its files.`)
    throw error
  }
  const said = (content ?? {}) as Readonly<Record<string, unknown>>
  if (!LISTS.some((list) => Array.isArray(said[list]))) {
    throw new Trouble(`${file} has no list under ${LISTS.join(' or ')}.`)
  }
  return {
    qualityRules: namedIn(file, 'qualityRules', said.qualityRules, ({ name }) => name),
    dashboards: namedIn(file, 'dashboards', said.dashboards, ({ folder, name }) => `${folder ?? ''}/${name}`)
  }
}

/** Read as something else, letters would become others without a word. */
function textOf(file: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  let line = 1
  for (let from = 0, end = 0; end >= 0; from = end + 1, line++) {
    end = bytes.indexOf('\n', from)
    if (!isUtf8(bytes.subarray(from, end < 0 ? undefined : end))) break
  }
  throw new Trouble(
    `${file} is not UTF-8: line ${line} has other bytes. Save it as UTF-8, without a change of its text.`
  )
}

function namedIn(file: string, list: string, items: unknown, keyOf: (item: Named) => string): Named[] {
  if (items === undefined) return []
  if (!Array.isArray(items)) throw new Trouble(`${file}: ${list} must be a list.`)
  if (items.length > MAX_EACH) throw new Trouble(`${file} has ${items.length} ${list}; at most ${MAX_EACH} are taken.`)
  const keys = new Set<string>()
  for (const [at, item] of items.entries()) {
    const name = (item as Named | null)?.name
    if (typeof name !== 'string') throw new Trouble(`${file}: /${list}/${at} has no name.`)
    const key = keyOf(item as Named)
    if (keys.has(key)) throw new Trouble(`${file}: /${list}/${at} has the name of another one: ${name}.`)
    keys.add(key)
  }
  return items as Named[]
}
