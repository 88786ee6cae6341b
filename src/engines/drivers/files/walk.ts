import { fitsSegment, isWild, type Pattern } from './pattern.ts'
import type { FoundFile } from './place.ts'

export interface FolderEntry {
  readonly name: string
  readonly kind: 'file' | 'folder'
  readonly modifiedMs: number
}

type ListFolder = (folder: string, signal: AbortSignal) => AsyncIterable<FolderEntry>

/** How deep `**` looks. */
const MAX_DEPTH = 20

/** The files that fit a pattern, looking only into folders that can have some. */
export async function* walk(pattern: Pattern, listFolder: ListFolder, signal: AbortSignal): AsyncGenerator<FoundFile> {
  const isAbsolute = pattern.text.startsWith('/')
  const segments = pattern.segments.filter((segment) => segment !== '')
  yield* within(isAbsolute ? '/' : '', segments, { listFolder, signal, depth: 0 })
}

interface Walk {
  readonly listFolder: ListFolder
  readonly signal: AbortSignal
  readonly depth: number
}

async function* within(folder: string, segments: readonly string[], walking: Walk): AsyncGenerator<FoundFile> {
  const [segment = '', ...rest] = segments
  const isLast = rest.length === 0
  if (!isLast && !isWild(segment)) {
    yield* within(`${folder}${segment}/`, rest, walking)
    return
  }
  if (segment === '**' && !isLast) yield* within(folder, rest, walking)
  if (walking.depth > MAX_DEPTH) return
  const deeper = { ...walking, depth: walking.depth + 1 }
  for await (const { name, kind, modifiedMs } of walking.listFolder(folder, walking.signal)) {
    const path = `${folder}${name}`
    if (kind === 'file') {
      if (isLast && (segment === '**' || fitsSegment(name, segment))) yield { path, modifiedMs }
    } else if (segment === '**') {
      yield* within(`${path}/`, segments, deeper)
    } else if (!isLast && fitsSegment(name, segment)) {
      yield* within(`${path}/`, rest, deeper)
    }
  }
}
