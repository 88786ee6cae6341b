import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { NodeFault } from '../contract/context.ts'
import type { Commit } from '../protocol/checkpoint.ts'
import { type NodeText, openWorkshop, type Workshop } from '../testing/workshop.ts'

const NODES: readonly NodeText[] = [
  { id: 'sales', type: 'file', config: { reference: 'object://b/sales.csv' } },
  { id: 'shops', type: 'file', config: { reference: 'object://b/shops.csv' } },
  { id: 'both', type: 'join', config: { on: ['shop'], kind: 'inner' }, inputs: ['sales', 'shops'] },
  { id: 'hidden', type: 'mask', config: { columns: { buyer: 'hash' }, salt: 'secret' }, inputs: ['both'] },
  { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'out/', format: 'csv' }, inputs: ['hidden'] }
]
const SALES = Array.from({ length: 4 }, (_, n) => [{ shop: n % 2, buyer: `b${n}`, amount: n }])
const SHOPS = [[0, 1].map((shop) => ({ shop, city: `c${shop}` }))]

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

it('a run that is interrupted after a node has read all of one side tells the columns of both', async () => {
  const whole = await workshop.run(NODES, { batches: { sales: SALES, shops: SHOPS } })
  let last: Commit | undefined
  const interrupted = workshop.run(NODES, {
    batches: { sales: SALES, shops: SHOPS },
    eager: true,
    onCommit(commit) {
      if (last?.checkpoint.positions.shops !== undefined) throw new NodeFault('fatal', 'crash', 'on purpose')
      last = commit
    }
  })
  await assert.rejects(interrupted, { code: 'crash' })
  const { checkpoint, ledger, nodes } = last as unknown as Commit
  const counted = { ledger, nodes }
  // All of the shops came before it was interrupted: they are remembered, and give no record again.
  const resumed = await workshop.run(NODES, { batches: { sales: SALES, shops: SHOPS }, checkpoint, counted })
  assert.notEqual(whole.lineage.at(-1)?.columns.length, 0)
  assert.deepEqual(resumed.lineage.at(-1), whole.lineage.at(-1))
})
