import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** More code is often loaded just after; and writing to the disk must not delay whatever needed the loaded code. */
const AFTER_MS = 100

let isToCome = false

/**
 * Saves the code compiled so far, for later processes and threads. Node itself saves it at the end of a process,
 * which a killed one never reaches: the next would compile everything again, for a second or two.
 */
export function keepCompiledCode(): void {
  if (isToCome) return
  isToCome = true
  const keep = () => {
    isToCome = false
    flushCompileCache()
  }
  setTimeout(keep, AFTER_MS).unref()
}

/** An environment for a process that must see nothing of the server's own, but may use its compiled code. */
export function compiledCodeEnv(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
