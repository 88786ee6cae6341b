import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import type { HostedRun } from '../host/hosted-run.ts'
import type { Checkpoint } from '../protocol/checkpoint.ts'
import type { Given } from './messages-suite.ts'
import type { Ran, Workshop } from './workshop.ts'

/** So many records, those that are none included. */
export const hasRead = (count: number) => (run: HostedRun) => run.books.ledger.recordsRead >= count

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => JSON.stringify({ n: from + i }))

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

async function numbersOf(workshop: Workshop, prefix: string): Promise<number[]> {
  const rows = await workshop.rows('SELECT n FROM objects ORDER BY n', prefix)
  return rows.map(({ n }) => n as number)
}

export function promisesOfSources(given: Given): void {
  const { newTopic, publish, receive, workshop } = given
  const { hasPositions } = given.under

  test('messages become records; what is none becomes a dead letter', async () => {
    const topic = await newTopic()
    const payloads = ['{"n":1,"t":"a"}', '[{"n":2},{"n":3}]', '4.5', 'nope']
    const ran = await receive(topic, 'forms/', hasRead(5), {
      config: { metadata: true },
      onOpen: () => publish(topic, payloads)
    })
    assert.equal(ran.imbalance, 0)
    assert.deepEqual(
      ran.deadLetters.map(({ code, record }) => [code, record]),
      [['not_json', 'nope']]
    )
    const rows = await workshop().rows(
      'SELECT n, t, value::VARCHAR AS value, _topic, _time::TIMESTAMP > TIMESTAMP \'2026-01-01\' AS "now" FROM objects ORDER BY n, value',
      'forms/'
    )
    const common = { _topic: topic, now: true }
    assert.deepEqual(rows, [
      { n: 1, t: 'a', value: null, ...common },
      { n: 2, t: null, value: null, ...common },
      { n: 3, t: null, value: null, ...common },
      { n: null, t: null, value: '4.5', ...common }
    ])
  })

  test('what was committed is acknowledged, and does not come again', async () => {
    const topic = await newTopic()
    await receive(topic, 'acks/', hasRead(50), { onOpen: () => publish(topic, numbered(1, 50)) })
    await receive(topic, 'acks/', hasRead(10), { runNumber: 2, onOpen: () => publish(topic, numbered(51, 60)) })
    assert.deepEqual(await numbersOf(workshop(), 'acks/'), upTo(60))
  })

  const withoutPositions = async () => {
    const topic = await newTopic()
    const crashed = receive(topic, 'crashed/', hasRead(25), {
      onOpen: () => publish(topic, numbered(1, 25)),
      onCommit() {
        throw new Error('crash')
      }
    })
    await assert.rejects(crashed)
    await receive(topic, 'crashed/', hasRead(50), { onOpen: () => publish(topic, numbered(26, 50)) })
    assert.deepEqual(await numbersOf(workshop(), 'crashed/'), upTo(50))
  }

  const withPositions = async () => {
    const topic = await newTopic()
    let checkpoint: Checkpoint | null = null
    // It crashes between the commit and the acknowledgement, which is the second commit that fails.
    const crashed = receive(topic, 'positions/', hasRead(1e9), {
      onOpen: () => publish(topic, numbered(1, 30)),
      onCommit(commit) {
        if (commit.ledger.recordsWritten < 30) return
        checkpoint = commit.checkpoint
        throw new Error('crash')
      }
    })
    await assert.rejects(crashed)
    assert.ok(checkpoint !== null)
    const ran = await receive(topic, 'positions/', hasRead(10), {
      checkpoint,
      onOpen: () => publish(topic, numbered(31, 40))
    })
    assert.equal(ran.ledger.recordsRead, 10)
    assert.deepEqual(await numbersOf(workshop(), 'positions/'), upTo(40))
  }

  if (hasPositions) test('positions in a checkpoint go before what the broker was told', withPositions)
  else test('what was not committed comes again', withoutPositions)
}

export function promisesOfSinks({ newTopic, receive, send, workshop }: Given): void {
  test('each record becomes a message; one without a topic becomes a dead letter', async () => {
    const topic = await newTopic()
    let sent: Ran | undefined
    await receive(topic, 'sent/', hasRead(4999), {
      async onOpen() {
        const to = `CASE WHEN n = 7 THEN NULL ELSE '${topic}' END`
        const fields = { n: 'n', to, text: "'ü\"' || n" }
        sent = await send(topic, { count: 5000, fields }, { topic: { column: 'to' } })
      }
    })
    assert.equal(sent?.imbalance, 0)
    assert.equal(sent?.ledger.recordsWritten, 4999)
    assert.deepEqual(
      sent?.deadLetters.map(({ code, record }) => [code, (JSON.parse(record) as { n: number }).n]),
      [['no_topic', 7]]
    )
    const rows = await workshop().rows(
      "SELECT count(DISTINCT n) AS c, count(*) AS a, bool_and(text = 'ü\"' || n::INTEGER) AS same FROM objects",
      'sent/'
    )
    assert.deepEqual(rows, [{ c: 4999, a: 4999, same: true }])
  })
}

export function promisesOfOutages(given: Given): void {
  const { newTopic, publish, receive, send, server, workshop } = given
  const { hasPositions } = given.under

  test('nothing is lost when the broker goes away and comes back', async () => {
    const topic = await newTopic()
    const ran = await receive(topic, 'outage/', (run) => run.books.ledger.recordsRead >= 200, {
      async onOpen() {
        await publish(topic, numbered(1, 100))
        await server().away()
        await server().back()
        await eventually(() => publish(topic, numbered(101, 200)))
      }
    })
    assert.equal(ran.imbalance, 0)
    // What came twice was counted twice, so the run may have ended before the last came: that waits for the next run.
    const missing = 200 - new Set(await numbersOf(workshop(), 'outage/')).size
    if (missing > 0) await receive(topic, 'outage/', hasRead(missing), { runNumber: 2 })
    const numbers = await numbersOf(workshop(), 'outage/')
    assert.deepEqual([...new Set(numbers)], upTo(200))
    // What the publisher had to send again is there twice.
    if (hasPositions) assert.ok(numbers.filter((n) => n <= 100).length === 100, 'something came twice')
  })

  test('records wait while the broker is away', async () => {
    const topic = await newTopic()
    let sent: Ran | undefined
    await receive(topic, 'waited/', hasRead(100), {
      async onOpen() {
        await server().away()
        const sending = send(topic, { count: 100, fields: { n: 'n + 1' } })
        await server().back()
        sent = await sending
      }
    })
    assert.equal(sent?.end, 'completed')
    assert.deepEqual([...new Set(await numbersOf(workshop(), 'waited/'))], upTo(100))
  })
}
