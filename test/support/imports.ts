import { readFileSync, statSync } from 'node:fs'
import { dirname, join, matchesGlob, relative } from 'node:path'

// Without type imports, which do not exist when the file runs.
const IMPORTS = /(?:^(?:import|export)\s+(?!type\s)(?:[^'"`]*?\sfrom\s+)?|\bimport\(\s*)['"`](\.[^'"`]+\.ts)['"`]/gm
const TYPE_IMPORTS = /^(?:import|export)\s+type\s[^'"`]*['"`][^'"`]+['"`]/gm
const PATHS = /['"`]([\w@.*{},/-]+\.\w+)['"`]/g

/** Whether a file loads another one, itself or by way of what it imports. */
export function loads(file: string, other: string): boolean {
  return leadsTo(file, (path) => path === other, importsOf)
}

/** Whether a file depends on one of others: it loads it, or something it loads names its path. */
export function reaches(file: string, others: ReadonlySet<string>, root: string): boolean {
  const names = [...others].map((path) => relative(root, path))
  const isNamed = (path: string) => globsOf(path).some((glob) => names.some((name) => matchesGlob(name, glob)))
  return leadsTo(
    file,
    (path) => others.has(path) || isNamed(path),
    (path) => mentionsOf(path, root)
  )
}

function leadsTo(
  file: string,
  isThere: (file: string) => boolean,
  next: (file: string) => readonly string[],
  seen = new Set<string>()
): boolean {
  if (isThere(file)) return true
  if (seen.has(file)) return false
  seen.add(file)
  return next(file).some((path) => leadsTo(path, isThere, next, seen))
}

const importsOf = once((file: string) => {
  const named = [...textOf(file).matchAll(IMPORTS)].map(([, path]) => join(dirname(file), path as string))
  // Text that only looks like an import, as in tests about imports, leads nowhere.
  return named.filter(isFile)
})

/** Paths in imports, in processes that are started, and of documents that are read. */
const mentionsOf = once((file: string, root: string) =>
  file.endsWith('.ts')
    ? pathsIn(file)
        .flatMap((path) => [join(dirname(file), path), join(root, path)])
        .filter(isFile)
    : []
)

const globsOf = once((file: string) => (file.endsWith('.ts') ? pathsIn(file).filter((path) => path.includes('*')) : []))

const pathsIn = once((file: string) =>
  [...textOf(file).replaceAll(TYPE_IMPORTS, '').matchAll(PATHS)].map(([, path]) => path as string)
)

const textOf = once((file: string) => readFileSync(file, 'utf8'))

const isFile = once((path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)

/** Remembers the result for each path. */
function once<Result, Rest extends unknown[]>(find: (path: string, ...rest: Rest) => Result) {
  const known = new Map<string, Result>()
  return (path: string, ...rest: Rest): Result => {
    let found = known.get(path)
    if (found === undefined) {
      found = find(path, ...rest)
      known.set(path, found)
    }
    return found
  }
}
