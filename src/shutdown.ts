import type { Log } from './engines/log.ts'

export interface Phase {
  readonly name: string
  readonly limitMs: number
  run(): Promise<unknown>
}

/** Runs the phases one after another. One that fails or takes too long is reported, and the next begins all the same. */
export async function runPhases(phases: readonly Phase[], log: Pick<Log, 'error'>): Promise<void> {
  for (const { name, limitMs, run } of phases) {
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`not done after ${limitMs} ms`)), limitMs)
    })
    try {
      await Promise.race([run(), limit])
    } catch (error) {
      log.error({ err: error, phase: name }, 'a phase of the shutdown did not end well')
    } finally {
      clearTimeout(timer)
    }
  }
}
