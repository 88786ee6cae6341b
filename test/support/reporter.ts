import type { TestEvent } from 'node:test/reporters'

/** Failures and skips in full, one line a file for the rest, and counts for the runner at the end. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Map<string, { passed: number; ms: number }>()
  let passed = 0
  let failed = 0
  let skipped = 0
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    // A suite speaks for itself only where it broke outside of its tests.
    if (data.details.type === 'suite' && type === 'test:pass') continue
    const file = data.file ?? ''
    if (data.skip !== undefined) {
      skipped++
      yield `skipped  ${short(file)}: ${data.name} (${data.skip})\n`
    } else if (type === 'test:pass') {
      passed++
      const counts = files.get(file) ?? { passed: 0, ms: 0 }
      files.set(file, {
        passed: counts.passed + 1,
        ms: counts.ms + (data.nesting === 0 ? data.details.duration_ms : 0)
      })
    } else {
      const error = (data.details as { error: Error & { cause?: Error } }).error
      if ((error as { failureType?: string }).failureType === 'subtestsFailed') continue
      failed++
      yield `FAILED   ${short(file)}: ${data.name}\n${error.cause?.stack ?? error.cause ?? error.stack}\n`
    }
  }
  for (const [file, counts] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield `${String(counts.passed).padStart(4)} passed  ${short(file)}  ${Math.round(counts.ms)} ms\n`
  }
  yield `counted: ${passed} ${failed} ${skipped}\n`
}

function short(file: string): string {
  return file.replace(`${process.cwd()}/`, '')
}
