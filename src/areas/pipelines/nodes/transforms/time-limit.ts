import { createContext, Script } from 'node:vm'

let current: () => unknown = () => undefined
const context = createContext({ run: () => current() })
const script = new Script('run()')

/**
 * Runs a function that waits for nothing, and ends it where it takes too long: also within a regular expression, which can
 * take for ever. Answers undefined then.
 */
export function withinTime<T extends object>(limitMs: number, work: () => T): T | undefined {
  current = work
  try {
    return script.runInContext(context, { timeout: limitMs }) as T
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}
