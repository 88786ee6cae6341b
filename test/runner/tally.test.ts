import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Tally } from './tally.ts'

const QUICK = {
  file: 'quick.test.ts',
  where: '',
  passed: 3,
  failed: 0,
  skipped: 0,
  ms: 100,
  processorMs: 90,
  deaths: [] as string[]
}

/** What a run of these files prints, and whether it went well. */
function finish(t: TestContext, files: readonly (typeof QUICK)[], slowness: number) {
  const lines: string[] = []
  const { mock } = t.mock.method(console, 'log', (line: string) => void lines.push(...line.split('\n')))
  try {
    const tally = new Tally()
    for (const file of files) tally.add(file)
    return { isWell: tally.finish(slowness), lines }
  } finally {
    mock.restore()
  }
}

test('the longest are listed, and the count of tests is the last line', (t) => {
  const files = Array.from({ length: 12 }, (_, n) => ({ ...QUICK, file: `${n}.test.ts`, processorMs: n * 100 }))
  const { isWell, lines } = finish(t, files, 1)
  assert.equal(isWell, true)
  assert.equal(lines.at(-1), '36 passed, 0 failed')
  assert.match(lines.at(-2) as string, /^\d+ s, 7 s of processor time; the processors .* busy \d{1,3} % of the time$/)
  const from = lines.indexOf('the longest, in seconds of processor time:')
  assert.deepEqual(lines.slice(from + 1, from + 3), ['   1.1  11.test.ts', '   1.0  10.test.ts'])
  assert.equal(lines.slice(from + 1).filter((line) => line.endsWith('.test.ts')).length, 10)
})

test('a file that used too much processor time fails, unless the machine is as slow', (t) => {
  const long = { ...QUICK, file: 'long.test.ts', processorMs: 9000 }
  const { isWell, lines } = finish(t, [QUICK, long], 1)
  assert.equal(isWell, false)
  assert.equal(lines.at(-1), '6 passed, 1 failed')
  assert.ok(lines.some((line) => /^FAILED {3}long\.test\.ts: used 9\.0 s .* may use 8\.0 s/.test(line)))
  assert.equal(finish(t, [QUICK, long], 1.2).isWell, true)
  assert.equal(finish(t, [QUICK, { ...long, file: 'test/long/kills.test.ts' }], 1).isWell, true)
})

test('a failure anywhere fails the run', (t) => {
  assert.equal(finish(t, [QUICK, { ...QUICK, failed: 1 }], 1).isWell, false)
})

test('a file that fails is run once more, and only once, if a server ended by itself', (t) => {
  const lines: string[] = []
  const { mock } = t.mock.method(console, 'log', (line: string) => void lines.push(...line.split('\n')))
  const [tally, broken] = [
    new Tally(),
    { ...QUICK, failed: 1, deaths: ['clickhouse ended by itself with SIGSEGV: boo'] }
  ]
  assert.deepEqual(tally.add({ ...broken, deaths: [] }), { isToRepeat: false })
  assert.deepEqual(tally.add({ ...broken, failed: 0 }), { isToRepeat: false })
  assert.deepEqual(tally.add(broken), { isToRepeat: true })
  assert.deepEqual(tally.add({ ...broken, where: ' on PostgreSQL' }), { isToRepeat: true })
  assert.deepEqual(tally.add(broken), { isToRepeat: false })
  tally.finish(1)
  mock.restore()
  assert.ok(lines.includes('quick.test.ts: clickhouse ended by itself with SIGSEGV: boo'))
  assert.equal(lines.at(-1), '9 passed, 2 failed')
})
