import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../../../../test/support/eventually.ts'
import { assertMs } from '../../../../../test/support/yardstick.ts'
import { NodeFault } from '../../contract/context.ts'
import type { Batch, SourceContext } from '../../contract/source.ts'
import type { HostedRun } from '../../host/hosted-run.ts'
import type { FeedAnswer } from '../../protocol/protocol.ts'
import { openWorkshop, type RunOptions, type Workshop } from '../../testing/workshop.ts'
import { type FedSource, isFed } from './fed.ts'
import { WebhookSource } from './webhook-source.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const hook = { id: 'hook', type: 'webhook', config: {} }
const objects = (prefix: string, input = 'hook') => ({
  id: 'out',
  type: 'object',
  config: { bucket: 'b', prefix, format: 'ndjson' },
  inputs: [input]
})

/** Runs until `work` is done with the source. */
async function feeding(
  nodes: Parameters<Workshop['run']>[0],
  work: (source: FedSource, run: HostedRun) => Promise<void>,
  options: RunOptions = {}
) {
  let worked: Promise<void> | undefined
  const ran = await workshop.run(nodes, {
    ...options,
    with(run) {
      const source = eventually(() => {
        const found = run.feedOf('hook')?.source
        assert.ok(found !== undefined && isFed(found))
        return found
      })
      worked = source.then((one) => work(one, run)).finally(() => run.stop())
    }
  })
  await worked
  return ran
}

const bytes = (text: string) => Buffer.from(text)

test('a request is answered once the records are committed, and says which lines are none', async () => {
  let commits = 0
  let answer: FeedAnswer | undefined
  let commitsAtAnswer = 0
  const ran = await feeding(
    [hook, objects('hook/')],
    async (source) => {
      answer = await source.feed(bytes('{"n":1}\n\nnope\n[1]\n{"n":2,"at":{"x":[1]}}\n'), 'req_1')
      commitsAtAnswer = commits
    },
    {
      onCommit() {
        commits += 1
      }
    }
  )
  assert.equal(answer?.accepted, 2)
  assert.equal(answer?.rejected, 2)
  assert.deepEqual(
    answer?.errors.map(({ line, code }) => [line, code]),
    [
      [3, 'not_json'],
      [4, 'not_object']
    ]
  )
  assert.ok(commitsAtAnswer > 0, 'answered before the commit')
  assert.equal(ran.imbalance, 0)
  assert.equal(ran.ledger.recordsRead, 2)
  assert.deepEqual(ran.deadLetters, [])
  assert.deepEqual(await workshop.rows('SELECT n FROM objects ORDER BY n', 'hook/'), [{ n: 1 }, { n: 2 }])
})

test('a commit that fails leaves the request without success, and no record', async () => {
  let refused: Promise<void> | undefined
  const ran = feeding(
    [hook, objects('lost/')],
    async (source) => {
      refused = assert.rejects(source.feed(bytes('{"n":1}'), 'req_1'), { kind: 'transient', code: 'not_running' })
      await refused
    },
    {
      onCommit() {
        throw new NodeFault('fatal', 'gone', 'The server is gone')
      }
    }
  )
  await assert.rejects(ran, { code: 'gone' })
  await refused
  assert.ok(refused !== undefined)
  assert.deepEqual(await workshop.keys('lost/'), [])
})

test('many small requests share batches and commits', async () => {
  const requests = 2000
  const ran = await feeding([hook, objects('many/')], async (source) => {
    const answers = await Promise.all(
      Array.from({ length: requests }, (_, i) => source.feed(bytes(`{"n":${i},"value":${i / 2}}`), `req_${i}`))
    )
    assert.ok(answers.every(({ accepted }) => accepted === 1))
  })
  assert.ok(ran.commits < 50, `${ran.commits} commits`)
  assert.equal(ran.nodes.hook?.recordsOut, requests)
  assert.deepEqual(await workshop.rows('SELECT count(DISTINCT n) AS c FROM objects', 'many/'), [{ c: requests }])
})

/** A source without a run around it. */
async function openAlone(position?: { count: number }) {
  const database = await workshop.instance.connect()
  const context = { database, schema: 'memory', nodeId: 'hook', config: {}, expectedColumns: [], position }
  const source = new WebhookSource(context as unknown as SourceContext<object>)
  const next = async () => (await source.next({ waitMs: 1, signal: new AbortController().signal })) as Batch
  return { source, next }
}

for (const [what, body] of [
  ['records', bytes('{"n":1}\n'.repeat(30_000))],
  ['bytes', bytes(JSON.stringify({ text: 'x'.repeat(20_000_000) }))]
] as const) {
  test(`the ${what} that wait are bounded: more is refused as busy, and taken when there is room`, async () => {
    const { source, next } = await openAlone()
    const first = source.feed(body, 'req_1')
    await assert.rejects(source.feed(body, 'req_1'), { kind: 'transient', code: 'busy' })
    const batch = await next()
    const second = source.feed(body, 'req_1')
    await source.committed(batch.position)
    assert.ok((await first).accepted > 0)
    const other = await next()
    await source.committed(other.position)
    assert.deepEqual(await second, await first)
    await Promise.all([batch.release(), other.release()])
  })
}

test('a commit is not for records that came after it, though an earlier run had counted further', async () => {
  const { source, next } = await openAlone({ count: 5 })
  let isAnswered = false
  const answer = source.feed(bytes('{"n":1}'), 'req_1').then(() => {
    isAnswered = true
  })
  const batch = await next()
  await source.committed({ count: 5 })
  await new Promise(setImmediate)
  assert.equal(isAnswered, false)
  await source.committed(batch.position)
  await answer
  await batch.release()
})

test('a run that goes on after another one answers only what it committed itself', async () => {
  const before = await feeding([hook, objects('again/')], async (source) => {
    for (let i = 0; i < 5; i++) await source.feed(bytes(`{"n":${i}}`), 'req_1')
  })
  let pending: Promise<FeedAnswer> | undefined
  const ran = await feeding(
    [hook, objects('again/')],
    async (source) => {
      pending = source.feed(bytes('[{"n":5},{"n":6}]'), 'req_1')
      assert.equal((await pending).accepted, 2)
    },
    { checkpoint: before.checkpoint, runNumber: 2 }
  )
  assert.equal(ran.ledger.recordsRead, 2)
  assert.deepEqual(await workshop.rows('SELECT count(*) AS c FROM objects', 'again/'), [{ c: 7 }])
})

test('20,000 records a second go from requests to objects', async () => {
  const body = bytes(Array.from({ length: 200 }, (_, i) => `{"tag":"t${i % 7}","value":${i}.5,"n":${i}}`).join('\n'))
  const total = 60_000
  const startedMs = performance.now()
  let tookMs = 0
  await feeding(
    [
      hook,
      { id: 'twice', type: 'map', config: { select: { tag: 'tag', v: 'value * 2' } }, inputs: ['hook'] },
      objects('fast/', 'twice')
    ],
    async (source) => {
      let sent = 0
      const sender = async () => {
        for (; sent < total; ) {
          sent += 200
          await source.feed(body, 'req_1')
        }
      }
      await Promise.all(Array.from({ length: 20 }, sender))
      tookMs = performance.now() - startedMs
    }
  )
  // Three times slower than has to be, as other suites run beside this one.
  assertMs(tookMs, (total / 20_000) * 1000 * 3)
})
