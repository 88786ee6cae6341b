import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// Not those of types alone, which are gone when the file runs.
const IMPORTS = /(?:^(?:import|export)\s+(?!type\s)(?:[^'"`]*?\sfrom\s+)?|\bimport\(\s*)['"`](\.[^'"`]+\.ts)['"`]/gm

const known = new Map<string, readonly string[]>()

/** Whether a file loads another one, itself or by way of what it imports. */
export function loads(file: string, other: string, seen = new Set<string>()): boolean {
  if (file === other) return true
  if (seen.has(file)) return false
  seen.add(file)
  return importsOf(file).some((imported) => loads(imported, other, seen))
}

function importsOf(file: string): readonly string[] {
  let found = known.get(file)
  if (found === undefined) {
    const named = [...readFileSync(file, 'utf8').matchAll(IMPORTS)].map(([, path]) =>
      join(dirname(file), path as string)
    )
    // Text that only looks like an import, as in tests about imports, leads nowhere.
    found = named.filter((path) => existsSync(path))
    known.set(file, found)
  }
  return found
}
