import type { TestEvent } from 'node:test/reporters'

/** The result of a file. */
export interface FileResult {
  passed: number
  failed: number
  skipped: number
  ms: number
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
        yield `FAILED   ${file}${where}: ${data.name}\n${error.cause?.stack ?? error.cause ?? error.stack}\n`
      }
    }
    if (data.nesting > 0) continue
    process.send?.({ ...counts, ms: data.details.duration_ms } satisfies FileResult)
    counts = { passed: 0, failed: 0, skipped: 0 }
  }
}
