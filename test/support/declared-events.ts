import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const PLACES = ['src/engines/*/index.ts', 'src/areas/*/area.ts', 'test/support/made-up/area.ts']

let names: Set<string> | undefined

/** The declared types of events, read from the source: there is no other list of them. */
export function declaredEvents(): Set<string> {
  names ??= new Set(globSync(PLACES, { cwd: ROOT }).flatMap((file) => namesIn(readFileSync(join(ROOT, file), 'utf8'))))
  return names
}

function namesIn(source: string): string[] {
  const [, block = ''] = /^ {2}interface Events \{\n(.*?)^ {2}\}/ms.exec(source) ?? []
  return [...block.matchAll(/^ {4}'([a-z.-]+)':/gm)].map(([, name = '']) => name)
}
