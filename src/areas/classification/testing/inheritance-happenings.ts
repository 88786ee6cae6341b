import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { ColumnMapping, MappingKind } from '../../lineage/index.ts'
import { followSome } from '../inheritance/follower.ts'
import { noticeMarks } from '../inheritance/marks.ts'
import type { InheritanceWorld } from './inheritance-world.ts'

const OBJECTS = ['object://b/a.csv', 'object://b/c.csv', 'object://b/*.csv']
const DATA = [...OBJECTS, 'dataset://t/x', 'dataset://t/y']
const JOBS = ['job://t/one', 'job://t/two']
const KINDS: readonly MappingKind[] = ['identity', 'computed', 'computed', 'masked', 'filtered']
export const LEVELS = ['internal', 'confidential', 'restricted']

const reference = fc.constantFrom(...DATA)
const place = fc.record({ reference, column: fc.constantFrom('x', 'y', 'z', null) })
const mapping: fc.Arbitrary<ColumnMapping> = fc.record({ from: place, to: place, kind: fc.constantFrom(...KINDS) })
const run = fc.record({
  job: fc.constantFrom(...JOBS),
  inputs: fc.uniqueArray(reference, { minLength: 1, maxLength: 2 }),
  outputs: fc.uniqueArray(reference, { minLength: 1, maxLength: 2 }),
  columns: fc.oneof(fc.constant([]), fc.array(mapping, { maxLength: 4 })),
  late: fc.constantFrom(0, 0, 4),
  how: fc.constantFrom('captured', 'captured', 'openlineage'),
  lasts: fc.constantFrom('a moment', 'a moment', 'long', 'until it breaks off')
})
export const anyLabelled = fc.constantFrom<string | { type: string; id: string }>(...OBJECTS, {
  type: 'bucket',
  id: 'b'
})

/** Anything that may happen to labels and lineage, and how far it is followed at once. */
export const anyHappening = fc.oneof(
  {
    weight: 4,
    // Often one by itself, sometimes several that are told together.
    arbitrary: fc.record({
      type: fc.constant('runs' as const),
      runs: fc.oneof(fc.tuple(run), fc.tuple(run), fc.array(run, { minLength: 2, maxLength: 4 }))
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('label' as const),
      resource: anyLabelled,
      level: fc.constantFrom(...LEVELS),
      columns: fc.constantFrom([], [], ['x'], ['x', 'y'])
    })
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('unlabel' as const), resource: anyLabelled }) },
  fc.record({ type: fc.constant('same' as const), a: reference, b: reference }),
  fc.record({ type: fc.constant('link' as const), from: reference, to: reference }),
  fc.record({ type: fc.constant('unlink' as const) }),
  fc.record({ type: fc.constant('rank' as const), rank: fc.constantFrom(5, 25, 35, 45) }),
  { weight: 4, arbitrary: fc.record({ type: fc.constant('follow' as const), pieces: fc.constantFrom(1, 3, 1000) }) },
  fc.record({ type: fc.constant('crash' as const) })
)
export type Happening = typeof anyHappening extends fc.Arbitrary<infer T> ? T : never

/** Has it happen; `links` are those that hold, by their ends. */
export async function happen(world: InheritanceWorld, links: Map<string, string>, one: Happening): Promise<void> {
  if (one.type === 'runs') await world.runs(one.runs)
  if (one.type === 'label') await world.label(one.resource, one.level, [...one.columns])
  if (one.type === 'unlabel') await world.unlabel(one.resource)
  if (one.type === 'same') await world.same(one.a, one.b)
  if (one.type === 'link' && one.from !== one.to && !links.has(`${one.from} ${one.to}`)) {
    links.set(`${one.from} ${one.to}`, await world.link(one.from, one.to))
  }
  if (one.type === 'unlink') {
    const [first] = links
    if (first === undefined) return
    links.delete(first[0])
    await world.unlink(first[1])
  }
  if (one.type === 'rank') {
    await world.change((tx) => world.classification.updateLevel(tx, 'lvl_internal', { rank: one.rank }))
  }
  if (one.type === 'follow') await world.follow(one.pieces, 2)
  if (one.type === 'crash') await crash(world)
}

/** A piece that is not committed leaves everything as it was. */
async function crash(world: InheritanceWorld): Promise<void> {
  await world.change((tx) => noticeMarks(tx, 1, 1000))
  const broken = world.change(async (tx) => {
    await followSome(tx, { first: 3, into: 3 })
    throw new Error('killed')
  })
  await assert.rejects(broken, /killed/)
}
