import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** More is often loaded just after; and whoever waits for what has been loaded does not wait for the disk. */
const AFTER_MS = 100

let isToCome = false

/**
 * Keeps what has been compiled so far for the processes and threads that follow. By itself the runtime does that at the end,
 * which one that is killed never has: the next would compile everything again, for a second or two.
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

/** For one that is to see nothing of the server's environment, but need not compile what has been compiled already. */
export function compiledCodeEnv(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
