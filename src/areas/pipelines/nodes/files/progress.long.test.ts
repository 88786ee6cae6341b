import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { Progress } from '../../contract/source.ts'
import type { Commit } from '../../protocol/checkpoint.ts'
import type { NodeFigures } from '../../protocol/ledger.ts'
import { type NodeText, openWorkshop, type Workshop } from '../../testing/workshop.ts'
import { type Amount, FileProgress, NOTHING, plus } from './progress.ts'

const shareOf = ({ done, total }: Progress['bytes']): number => (total === null ? 0 : total === 0 ? 1 : done / total)

test('a share never becomes less, never more than whole, and is whole at the end', () => {
  const amount = fc.record({ objects: fc.nat(3), bytes: fc.nat(1000) })
  const inputs = {
    counted: amount,
    batches: fc.array(amount, { maxLength: 12 }),
    countedAt: fc.nat(12),
    ahead: fc.nat(2)
  }
  fc.assert(
    fc.property(fc.record(inputs), ({ counted, batches, countedAt, ahead }) => {
      const progress = new FileProgress(NOTHING)
      const waiting: (() => void)[] = []
      let given: Amount = NOTHING
      let before = 0
      const look = () => {
        const { objects, bytes } = progress.figures
        for (const { done, total } of [objects, bytes]) assert.ok(total === null || (done >= 0 && done <= total))
        const share = shareOf(bytes)
        assert.ok(share >= before, `${share} after ${before}`)
        before = share
      }
      for (const [i, batch] of batches.entries()) {
        if (i === countedAt) progress.counted(counted)
        given = plus(given, batch)
        waiting.push(progress.gives(given))
        if (waiting.length > ahead) waiting.shift()?.()
        look()
      }
      progress.ends(given)
      for (const isThrough of waiting) {
        isThrough()
        look()
      }
      look()
      const { objects, bytes } = progress.figures
      assert.deepEqual(
        [objects.done, objects.total, bytes.done, bytes.total],
        [given.objects, given.objects, given.bytes, given.bytes]
      )
    })
  )
})

let workshop: Workshop
const server = createServer((request, response) => request.resume().once('end', () => response.writeHead(204).end()))
before(async () => {
  workshop = await openWorkshop()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  await workshop.close()
  server.close()
})

const nodes = (reference: string): [NodeText, NodeText] => [
  { id: 'in', type: 'file', config: { reference } },
  { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'progress-out/', format: 'ndjson' }, inputs: ['in'] }
]
const linesOf = (rows: number) => `n\n${Array.from({ length: rows }, (_, n) => `${n}\n`).join('')}`
const progressOf = (figures: Readonly<Record<string, NodeFigures>>) => figures.in?.progress as Progress

test('a run says how many objects and bytes are through, empty and unreadable ones among them', async () => {
  const texts = ['n\n1\n2\n', '', 'n\n', linesOf(50), 'not json']
  for (const [i, text] of texts.entries()) await workshop.put(`some/${i}.${i === 4 ? 'json' : 'csv'}`, text)
  const seen: Progress[] = []
  const ran = await workshop.run(nodes('object://b/some/*'), {
    eager: true,
    onCommit: ({ nodes: figures }) => void seen.push(progressOf(figures))
  })
  const bytes = texts.reduce((sum, text) => sum + text.length, 0)
  assert.deepEqual(progressOf(ran.nodes), { objects: { done: 5, total: 5 }, bytes: { done: bytes, total: bytes } })
  assert.ok(
    seen.some(({ objects }) => objects.done > 0 && objects.done < 5),
    JSON.stringify(seen)
  )
  const shares = seen.map((progress) => shareOf(progress.bytes))
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => a - b)
  )
})

test('it is shown within an object, and a run that goes on is as far as it was', async () => {
  const text = linesOf(350_000)
  await workshop.put('large/a.csv', text)
  await workshop.put('large/b.csv', 'n\n1234\n')
  const { port } = server.address() as AddressInfo
  const [source] = nodes('object://b/large/*.csv')
  // What is sent to somebody goes in batches of 100,000.
  const sink = {
    id: 'out',
    type: 'http',
    config: { url: `http://127.0.0.1:${port}/`, batchRows: 10_000 },
    inputs: ['in']
  }
  const total = text.length + 7
  const seen: number[] = []
  let last: Pick<Commit, 'checkpoint' | 'ledger' | 'nodes'> | undefined
  const goOn = (commits: number) =>
    workshop.run([source, sink], {
      eager: true,
      checkpoint: last?.checkpoint ?? null,
      counted: last === undefined ? null : { ledger: last.ledger, nodes: last.nodes },
      onCommit(commit, run) {
        const { done } = progressOf(commit.nodes).bytes
        seen.push(done)
        last = commit
        if (--commits === 0) run.stop()
      }
    })
  assert.equal((await goOn(1)).end, 'stopped')
  const reached = seen.at(-1) as number
  assert.ok(reached > 0 && reached < text.length, String(reached))
  const ran = await goOn(Number.POSITIVE_INFINITY)
  assert.equal(ran.end, 'completed')
  assert.deepEqual(progressOf(ran.nodes), { objects: { done: 2, total: 2 }, bytes: { done: total, total } })
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => a - b)
  )
  assert.ok(new Set(seen).size >= 3, String(seen))
})

test('where there is no end there is no total', async () => {
  await workshop.put('endless/a.csv', 'n\n1\n')
  const [source, sink] = nodes('object://b/endless/*.csv')
  const watch = { ...source, config: { ...source.config, watch: true } }
  const ran = await workshop.run([watch, sink], { eager: true, onCommit: (_, run) => run.stop() })
  assert.deepEqual(progressOf(ran.nodes), { objects: { done: 1, total: null }, bytes: { done: 4, total: null } })
})
