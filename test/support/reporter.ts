import type { TestEvent } from 'node:test/reporters'
import { takeDeaths } from './servers/deaths.ts'

/** The result of a file. */
export interface FileResult {
  passed: number
  failed: number
  skipped: number
  ms: number
  /** What the process holds by now, with what is to be collected. */
  heapBytes: number
  /** Other people's servers that ended by themselves meanwhile, with their last words. */
  deaths: string[]
}

/** Prints failures and skips in full, and tells test/run.ts about each file, which is a suite at the top. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const where = process.env.TEST_POSTGRES_URL === undefined ? '' : ' on PostgreSQL'
  let file = ''
  let counts = { passed: 0, failed: 0, skipped: 0 }
  for await (const { type, data } of source) {
    if (type === 'test:start' && data.nesting === 0) file = data.name
    // An error thrown after the end of a test: no test fails, but the process ends with 1.
    if (type === 'test:diagnostic' && data.message.startsWith('Error: ')) yield `${data.message}\n`
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.skip !== undefined) {
      counts.skipped++
      yield `skipped  ${file}${where}: ${data.name} (${data.skip})\n`
    } else if (type === 'test:pass') {
      if (data.details.type !== 'suite') counts.passed++
    } else {
      const error = (data.details as { error: Error & { cause?: Error; failureType?: string } }).error
      // A suite is reported only where it failed outside of its tests.
      if (error.failureType !== 'subtestsFailed') {
        counts.failed++
        yield `FAILED   ${file}${where}: ${data.name}\n${reasons(error.cause ?? error)}\n`
      }
    }
    if (data.nesting > 0) continue
    const heapBytes = process.memoryUsage().heapUsed
    process.send?.({ ...counts, ms: data.details.duration_ms, heapBytes, deaths: takeDeaths() } satisfies FileResult)
    counts = { passed: 0, failed: 0, skipped: 0 }
  }
}

/** An error and what it was caused by: that of a random test says only which case it was. */
function reasons(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [text, { cause }] = [error.stack ?? error.message, error]
  return cause === undefined ? text : `${text}\ncaused by ${reasons(cause)}`
}
