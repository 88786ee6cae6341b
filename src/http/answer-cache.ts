import { isWatched, type Metadata, type Tables } from '../engines/metadata/index.ts'
import type { Actor } from './permissions.ts'

const MAX_ENTRIES = 1000
const MAX_BYTES = 32 * 1024 * 1024

interface Entry {
  /** State of the tables when the answer was made. */
  readonly stamp: string
  readonly body: string
  readonly etag: string | undefined
}

/**
 * Keeps the text of answers for as long as the tables they were made from stand still. Only an embedded database, which
 * knows of every change to it, can tell that; elsewhere nothing is kept and every answer is made anew.
 */
export interface AnswerCache {
  /** What the answer may be kept under; undefined where it can't be kept. To be asked before the answer is made. */
  stampOf(tables: readonly (keyof Tables)[]): string | undefined
  get(actor: Actor, url: string, stamp: string): Entry | undefined
  put(actor: Actor, url: string, entry: Entry): void
}

export function createAnswerCache(metadata: Metadata): AnswerCache {
  const entries = new Map<string, Entry>()
  let bytes = 0

  function remove(key: string): void {
    bytes -= entries.get(key)?.body.length ?? 0
    entries.delete(key)
  }

  return {
    stampOf(tables) {
      if (!isWatched(metadata)) return undefined
      let stamp = ''
      for (const table of tables) stamp += `${metadata.changesOf(table)},`
      return stamp
    },
    get(actor, url, stamp) {
      const entry = entries.get(keyOf(actor, url))
      return entry?.stamp === stamp ? entry : undefined
    },
    put(actor, url, entry) {
      const key = keyOf(actor, url)
      remove(key)
      entries.set(key, entry)
      bytes += entry.body.length
      while (entries.size > MAX_ENTRIES || bytes > MAX_BYTES) remove(entries.keys().next().value as string)
    }
  }
}

/** An answer depends on who asks: on the user, the role, and the key, whose scopes never change. */
function keyOf(actor: Actor, url: string): string {
  return `${actor.id} ${actor.apiKeyId} ${actor.role} ${url}`
}
