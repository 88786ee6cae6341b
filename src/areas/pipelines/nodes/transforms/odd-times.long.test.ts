import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openWorkshop, type Workshop } from '../../testing/workshop.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const ODD = {
  'a time for ever': ["TIMESTAMP '9999-12-31'", 'ahead'],
  'a time ahead of the clock': ['now()::TIMESTAMP + INTERVAL 2 YEAR', 'ahead'],
  'an infinite time': ["'infinity'::TIMESTAMP", 'ahead'],
  'a time before all others': ["'-infinity'::TIMESTAMP", 'no_time']
} as const

const COUNT = 20_000
/** Of every hundred records the last has an odd time; of the others, a second has a thousand. */
const generate = (odd: string, key: string) => ({
  id: 'gen',
  type: 'generate',
  config: {
    count: COUNT,
    fields: {
      n: 'n',
      key,
      time: `CASE WHEN n % 100 = 99 THEN ${odd} ELSE TIMESTAMP '2026-01-01' + to_milliseconds(n) END`
    }
  }
})
const out = (prefix: string, input: string) => ({
  id: 'out',
  type: 'object',
  config: { bucket: 'b', prefix, format: 'parquet' },
  inputs: [input]
})

for (const [name, [odd, code]] of Object.entries(ODD)) {
  const prefix = `${name.replaceAll(' ', '-')}/`

  test(`${name} closes no window of others`, async () => {
    const config = { time: 'time', window: '1s', select: { c: 'count(*)' } }
    const ran = await workshop.run([
      generate(odd, '1'),
      { id: 'agg', type: 'aggregate', config, inputs: ['gen'] },
      out(`${prefix}agg/`, 'agg')
    ])
    assert.equal(ran.end, 'completed')
    assert.equal(ran.imbalance, 0)
    assert.deepEqual(
      ran.deadLetters.map((letter) => [letter.code, JSON.parse(letter.record).n]),
      Array.from({ length: COUNT / 100 }, (_, i) => [code, i * 100 + 99])
    )
    assert.deepEqual(await workshop.rows('SELECT DISTINCT c FROM objects', `${prefix}agg/`), [{ c: 990 }])
  })

  test(`${name} has no duplicate forgotten, and takes no other for one`, async () => {
    // Each key comes twice, 10 ms apart, and once more 10 s later.
    const config = { by: ['key'], time: 'time', within: '1s' }
    const ran = await workshop.run([
      generate(odd, '(n % 10) + 10 * ((n % 10000) // 20)'),
      { id: 'once', type: 'dedupe', config, inputs: ['gen'] },
      out(`${prefix}dedupe/`, 'once')
    ])
    assert.equal(ran.end, 'completed')
    assert.deepEqual([ran.ledger.recordsWritten, ran.ledger.recordsFiltered], [COUNT / 2, COUNT / 2])
  })

  test(`${name} keeps no others from finding one another`, async () => {
    const config = { kind: 'left', on: ['n'], within: '1s', time: { left: 'time', right: 'time' } }
    const ran = await workshop.run([
      generate(odd, '1'),
      { ...generate(odd, '2'), id: 'other' },
      { id: 'both', type: 'join', config, inputs: ['gen', 'other'] },
      out(`${prefix}join/`, 'both')
    ])
    assert.equal(ran.end, 'completed')
    const paired = 'SELECT count(*)::INTEGER AS all, count(key_right)::INTEGER AS paired FROM objects'
    assert.deepEqual(await workshop.rows(paired, `${prefix}join/`), [{ all: COUNT, paired: COUNT - COUNT / 100 }])
  })
}
