import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NodeFault } from '../../contract/context.ts'
import type { Checkpoint, DeadLetter } from '../../protocol/checkpoint.ts'
import type { JsonRecord } from '../../records/table.ts'
import { crashing, rowsOf } from '../../testing/crashing.ts'
import { openWorkshop, type RunOptions, type Workshop } from '../../testing/workshop.ts'
import { quality } from './quality.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const nodes = (config: object, prefix: string) => [
  { id: 'in', type: 'generate', config: { fields: {} } },
  { id: 'q', type: 'quality', config: config as Record<string, unknown>, inputs: ['in'] },
  { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'ndjson' as const }, inputs: ['q'] }
]
const notNull = (column: string) => ({ type: 'notNull', config: { column } })
const positive = { name: 'positive', type: 'sql', config: { condition: 'n >= 0' } }
const idsOf = async (prefix: string) => (await rowsOf(workshop, prefix)).map(({ id }) => id)
const toldOf = (letters: readonly DeadLetter[]) =>
  letters.map(({ code, reason, record }) => [JSON.parse(record).id, code, reason])

/** A run that a node ends; what was committed until then. */
async function failing(config: object, prefix: string, options: RunOptions) {
  const letters: DeadLetter[] = []
  let checkpoint: Checkpoint | null = options.checkpoint ?? null
  const onCommit: RunOptions['onCommit'] = (commit) => {
    letters.push(...commit.deadLetters)
    checkpoint = commit.checkpoint
  }
  const fault = await workshop.run(nodes(config, prefix), { ...options, onCommit }).then(
    () => assert.fail('it did not stop'),
    (error: NodeFault) => error
  )
  return { fault, letters, checkpoint }
}

describe('a quality node', () => {
  it('lets records go on that keep every rule; the others are dead letters that name rule and column', async () => {
    const rules = [
      notNull('city'),
      { name: 'amounts', type: 'range', config: { column: 'amount', min: 0, max: 900, where: "state <> 'void'" } },
      { type: 'allowedValues', config: { column: 'state', values: ['new', 'paid', 'void'] } },
      { type: 'regex', config: { column: 'mail', pattern: '^[^@]+@[^@]+$' } },
      { name: 'paid at all', type: 'sql', config: { condition: 'amount > 0', where: "state = 'paid'" } }
    ]
    const record = { city: 'Ulm', amount: 5, state: 'new', mail: 'a@b' }
    const records: JsonRecord[] = [
      { ...record, id: 1 },
      { ...record, id: 2, city: null },
      { ...record, id: 3, amount: -1 },
      { ...record, id: 4, amount: -1, state: 'void' },
      { ...record, id: 5, state: 'gone', mail: 'none' },
      { ...record, id: 6, amount: null, state: null, mail: null },
      { ...record, id: 7, amount: 0, state: 'paid' },
      { ...record, id: 8, amount: 'five' }
    ]
    const ran = await workshop.run(nodes({ rules }, 'each/'), { batches: { in: [records] } })
    assert.deepEqual([ran.imbalance, ran.ledger.recordsDeadLettered, ran.nodes.q?.errors], [0, 5, 5])
    assert.deepEqual(await idsOf('each/'), [1, 4, 6])
    assert.deepEqual(
      toldOf(ran.deadLetters).sort(([a], [b]) => a - b),
      [
        [2, 'rule_failed', 'city has no value (rule "notNull of city")'],
        [3, 'rule_failed', 'amount is not from 0 to 900 (rule "amounts")'],
        [
          5,
          'rule_failed',
          'state is none of the 3 values that there may be (rule "allowedValues of state"); it also fails regex of mail'
        ],
        [7, 'rule_failed', 'It does not hold that amount > 0 (rule "paid at all")'],
        [8, 'rule_failed', 'amount is not from 0 to 900 (rule "amounts"); it also fails paid at all']
      ]
    )
  })

  it('refuses a record for which the SQL of a rule fails, and no other', async () => {
    const rules = [
      { name: 'small', type: 'sql', config: { condition: 'n::INTEGER < 100' } },
      { name: 'ours', type: 'notNull', config: { column: 'id', where: 'n::INTEGER > 5' } }
    ]
    const records = ['1', 'secret', '200', null, '7'].map((n, at) => ({ id: at + 1, n }))
    const ran = await workshop.run(nodes({ rules }, 'odd/'), { batches: { in: [records] } })
    assert.deepEqual([ran.imbalance, await idsOf('odd/')], [0, [1, 4, 5]])
    assert.deepEqual(toldOf(ran.deadLetters), [
      [2, 'rule_unclear', 'The SQL can’t be computed for it (rule "small")'],
      [3, 'rule_failed', 'It does not hold that n::INTEGER < 100 (rule "small")']
    ])
  })

  it('refuses no record because of others that make the SQL fail, however many come at once', async () => {
    const condition = "day::DATE > DATE '1900-01-01'"
    const days = [
      '1990-05-17',
      'n/a',
      null,
      '1800-01-01',
      ...Array.from({ length: 46 }, (_, at) => `${1950 + at}-01-01`)
    ]
    const records = Array.from({ length: 20_000 }, (_, id) => ({ id, day: days[id % days.length] ?? null }))
    const isRefused = ({ id }: JsonRecord) => [1, 3].includes(Number(id) % days.length)
    for (const onFailure of ['deadLetter', 'stop']) {
      const config = { rules: [{ type: 'sql', config: { condition } }], onFailure, failThreshold: '10%' }
      const ran = await workshop.run(nodes(config, `others-${onFailure}/`), { batches: { in: [records] } })
      const told = toldOf(ran.deadLetters).map(([id, code]) => [id % days.length, code].join(' '))
      assert.deepEqual([...new Set(told)].sort(), ['1 rule_unclear', '3 rule_failed'])
      assert.deepEqual([ran.imbalance, told.length], [0, records.filter(isRefused).length])
      const kept = records.filter((record) => !isRefused(record)).map(({ id }) => id)
      assert.deepEqual(await idsOf(`others-${onFailure}/`), kept)
    }
  })

  it('ends the run once too many records fail, and each start after it; what went on before stays', async () => {
    const batches = { in: [[{ id: 1, n: 1 }], [{ id: 2, n: -1 }], [{ id: 3, n: -1 }], [{ id: 4, n: 1 }]] }
    const config = { rules: [positive], failThreshold: 1 }
    const { fault, letters, checkpoint } = await failing(config, 'many/', { batches, eager: true })
    assert.deepEqual([fault.kind, fault.code, fault.nodeId], ['fatal', 'quality_failed', 'q'])
    assert.equal(
      fault.message,
      '2 of 3 records fail, more than 1: positive (2); what was let through before stays: change the rules or the threshold to go on, or start from the beginning'
    )
    assert.deepEqual(
      toldOf(letters).map(([id]) => id),
      [2, 3]
    )
    assert.deepEqual(await idsOf('many/'), [1])
    const again = await failing(config, 'many/', { batches, eager: true, checkpoint, runNumber: 2 })
    assert.deepEqual([again.fault.message, again.letters], [fault.message, []])
    const eased = nodes({ ...config, failThreshold: 2 }, 'many/')
    await workshop.run(eased, { batches, eager: true, checkpoint: again.checkpoint, runNumber: 3 })
    assert.deepEqual(await idsOf('many/'), [1, 4])
  })

  it('counts anew once the inputs have ended', async () => {
    const batches = { in: [[{ id: 1, n: -1 }], [{ id: 2, n: -1 }]] }
    const config = { rules: [positive], failThreshold: 2 }
    const options: RunOptions = { batches, eager: true }
    const first = await workshop.run(nodes(config, 'on/'), options)
    const more = { in: [...batches.in, [{ id: 3, n: -1 }], [{ id: 4, n: -1 }]] }
    const { checkpoint } = first
    const second = await workshop.run(nodes(config, 'on/'), { ...options, batches: more, checkpoint, runNumber: 2 })
    assert.deepEqual([first.deadLetters.length, second.deadLetters.length], [2, 2])
  })

  it('warns where more fail than should', async () => {
    const batches = { in: [[{ id: 1, n: 1 }], [{ id: 2, n: -1 }], [{ id: 3, n: -1 }], [{ id: 4, n: 1 }]] }
    const warned = await workshop.run(nodes({ rules: [positive], warnThreshold: '10%' }, 'warned/'), { batches })
    assert.deepEqual(
      warned.log.filter(({ level }) => level === 'warn').map(({ message }) => message),
      ['2 of 4 records fail, more than 10%: positive (2)']
    )
  })

  it('refuses what it can’t ask', () => {
    const faults = (config: object) =>
      quality.check?.(config as never).map(({ pointer, message }) => `${pointer} ${message}`)
    assert.deepEqual(faults({}), [' must have rules or ruleIds'])
    assert.deepEqual(
      faults({
        rules: [
          { type: 'range', config: { column: 'a', min: 2, max: 1 } },
          { type: 'sql', config: { column: 'a' } },
          { type: 'notNull', config: { column: 'a', condition: 'a > 1' } }
        ],
        warnThreshold: '5%',
        failThreshold: '2%'
      }),
      [
        '/rules/0/config/max must not be below min',
        '/rules/1/config/condition is required for sql',
        '/rules/1/config/column has no meaning for sql; it takes condition, where',
        '/rules/2/config/condition has no meaning for notNull',
        '/warnThreshold must not be above failThreshold'
      ]
    )
  })
})

describe('a quality node that stops the run', () => {
  const config = { rules: [positive], onFailure: 'stop' }
  const good = [[{ id: 1, n: 1 }], [{ id: 2, n: 2 }], [{ id: 3, n: 3 }]]
  const bad = [[{ id: 1, n: 1 }], [{ id: 2, n: -2 }], [{ id: 3, n: 3 }]]

  it('publishes nothing of a run in which a record fails, and says so again until it starts from the beginning', async () => {
    const first = await failing(config, 'stop/', { batches: { in: bad }, eager: true })
    assert.equal(
      first.fault.message,
      '1 of 2 records fail, more than 0: positive (1); nothing was let through: correct the data or the rules, and start from the beginning'
    )
    assert.deepEqual(toldOf(first.letters), [[2, 'rule_failed', 'It does not hold that n >= 0 (rule "positive")']])
    const again = await failing(config, 'stop/', { batches: { in: bad }, eager: true, checkpoint: first.checkpoint })
    assert.deepEqual([again.fault.code, again.letters], ['quality_failed', []])
    assert.deepEqual(await workshop.keys('stop/'), [])
    const anew = await workshop.run(nodes(config, 'stop/'), { batches: { in: good }, runNumber: 3 })
    assert.deepEqual([anew.imbalance, await idsOf('stop/')], [0, [1, 2, 3]])
  })

  it('judges a percentage when all has come, and lets the rest go in its order', async () => {
    const least = { ...config, failThreshold: '40%' }
    const ran = await workshop.run(nodes(least, 'share/'), { batches: { in: bad }, eager: true })
    assert.deepEqual([ran.imbalance, ran.deadLetters.length, await idsOf('share/')], [0, 1, [1, 3]])
    const { fault } = await failing({ ...config, failThreshold: '30%' }, 'more/', { batches: { in: bad }, eager: true })
    assert.match(fault.message, /^1 of 3 records fail, more than 30%/)
    assert.deepEqual(await workshop.keys('more/'), [])
  })

  it('keeps its books balanced at every commit while records wait', async () => {
    const waiting: number[] = []
    await workshop.run(nodes(config, 'books/'), {
      batches: { in: good },
      eager: true,
      onCommit: ({ ledger: { recordsRead, recordsAdded, recordsMerged, recordsWritten } }) => {
        waiting.push(recordsMerged - recordsAdded)
        assert.equal(recordsRead + recordsAdded, recordsMerged + recordsWritten)
      }
    })
    assert.deepEqual([waiting[0], waiting.at(-1)], [1, 0])
  })

  it('refuses records whose column has another kind of value than those that wait, and counts them', async () => {
    const mixed = [[{ id: 1, n: 1, v: 1 }], [{ id: 2, n: 1, v: 'x' }], [{ id: 3, n: 1, v: 2 }]]
    const none = await failing(config, 'none/', { batches: { in: mixed }, eager: true })
    assert.match(none.fault.message, /^1 of 2 records fail, more than 0: wrong_type \(1\)/)
    const ran = await workshop.run(nodes({ ...config, failThreshold: 1 }, 'mixed/'), {
      batches: { in: mixed },
      eager: true
    })
    assert.deepEqual([ran.imbalance, await idsOf('mixed/')], [0, [1, 3]])
    for (const letters of [none.letters, ran.deadLetters]) {
      assert.deepEqual(
        letters.map(({ code }) => code),
        ['wrong_type']
      )
    }
  })

  it('lets each record go once, however often its run crashes', async () => {
    const batches = { in: Array.from({ length: 12 }, (_, at) => [{ id: at, n: at === 5 ? -1 : 1 }]) }
    for (const seed of [1, 2, 3]) {
      const least = { ...config, failThreshold: 1 }
      const ran = await crashing(workshop, nodes(least, `crash-${seed}/`), { batches }, seed)
      assert.ok(ran.crashes > 0)
      const rows = await idsOf(`crash-${seed}/`)
      assert.deepEqual([ran.imbalance, rows.length, new Set(rows).size, rows.includes(5)], [0, 11, 11, false])
      assert.equal(ran.deadLetters.length, 1)
    }
  })
})
