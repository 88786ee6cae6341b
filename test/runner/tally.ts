import type { FileResult } from '../support/reporter.ts'
import { processorsOfMachine } from './processor-time.ts'
import { isLong } from './suites.ts'

/** What one file may use, on the machine that limits were set on: what takes more is long or builds too much. */
const LIMIT_MS = 8000
const SHOWN = 10

interface Ran extends Omit<FileResult, 'heapBytes'> {
  readonly file: string
  /** On which database, if not the usual one. */
  readonly where: string
  /** With all the processes that it has started, but for a database server. Undefined where the system does not tell. */
  readonly processorMs: number | undefined
}

/** Counts and prints what came of the files. */
export class Tally {
  readonly #ran: Ran[] = []
  readonly #excused = new Set<string>()
  readonly #startedMs = performance.now()
  readonly #before = processorsOfMachine()
  #broken = 0

  /**
   * Says whether the file is to be run once more, which is so if it failed and a server of somebody else ended by itself
   * meanwhile, for the first time: Debian's ClickHouse is years old, and crashes now and then on a busy machine.
   */
  add(ran: Ran): { readonly isToRepeat: boolean } {
    const name = `${ran.file}${ran.where}`
    if (ran.failed > 0 && ran.deaths.length > 0) {
      for (const death of ran.deaths) console.log(`${name}: ${death}`)
      if (!this.#excused.has(name)) {
        this.#excused.add(name)
        console.log(`${name}: is run once more`)
        return { isToRepeat: true }
      }
    }
    this.#ran.push(ran)
    const processor = ran.processorMs === undefined ? '' : `, ${ran.processorMs} ms of processor`
    console.log(`${String(ran.passed).padStart(4)} passed  ${name}  ${Math.round(ran.ms)} ms${processor}`)
    return { isToRepeat: false }
  }

  /** Something outside of the tests of a file. */
  fail(message: string): void {
    this.#broken++
    console.log(`FAILED   ${message}`)
  }

  /** How long each file took, by the clock or of processor time. */
  secondsOf(): Map<string, number> {
    const seconds = new Map<string, number>()
    for (const { file, ms, processorMs = 0 } of this.#ran) {
      seconds.set(file, Math.max(seconds.get(file) ?? 0, ms / 1000, processorMs / 1000))
    }
    return seconds
  }

  /**
   * Prints the sums, the count of tests last, and says whether all is well. `slowness` says how many times the processor
   * time that a file may use is multiplied by, but for those that may take long.
   */
  finish(slowness: number): boolean {
    this.#printLongest()
    this.#failTooLong(slowness)
    const sum = (count: (ran: Ran) => number) => this.#ran.reduce((total, ran) => total + count(ran), 0)
    const [passed, failed, skipped] = [sum((ran) => ran.passed), sum((ran) => ran.failed), sum((ran) => ran.skipped)]
    const [clock, processor] = [performance.now() - this.#startedMs, sum((ran) => ran.processorMs ?? 0)]
    console.log(
      `\n${Math.round(clock / 1000)} s, ${Math.round(processor / 1000)} s of processor time${this.#shareBusy()}`
    )
    console.log(`${passed} passed, ${failed + this.#broken} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
    // In CI everything that a suite needs has been installed, so nothing may be skipped.
    const skippedInCi = process.env.CI === 'true' && skipped > 0
    return failed + this.#broken === 0 && !skippedInCi
  }

  /** Files tell less than all: a database server is nobody's, and neither are processes whose server was killed. */
  #shareBusy(): string {
    const now = processorsOfMachine()
    const [busyMs, idleMs] = [now.busyMs - this.#before.busyMs, now.idleMs - this.#before.idleMs]
    const percent = Math.round((100 * busyMs) / Math.max(1, busyMs + idleMs))
    return `; the processors of the machine were busy ${percent} % of the time`
  }

  #printLongest(): void {
    const longest = this.#ran
      .toSorted((one, other) => (other.processorMs ?? other.ms) - (one.processorMs ?? one.ms))
      .slice(0, SHOWN)
    console.log('\nthe longest, in seconds of processor time:')
    for (const { file, where, processorMs, ms } of longest) {
      console.log(`${((processorMs ?? ms) / 1000).toFixed(1).padStart(6)}  ${file}${where}`)
    }
  }

  #failTooLong(slowness: number): void {
    const limitMs = LIMIT_MS * slowness
    for (const { file, where, processorMs = 0 } of this.#ran) {
      if (processorMs <= limitMs || isLong(file)) continue
      const [used, limit] = [processorMs, limitMs].map((ms) => `${(ms / 1000).toFixed(1)} s`)
      this.fail(
        `${file}${where}: used ${used} of processor time, and a file may use ${limit} on this machine now: build less, share what is built, or move what is heavy to a *.long.test.ts`
      )
    }
  }
}
