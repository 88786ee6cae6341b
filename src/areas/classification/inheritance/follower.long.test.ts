import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { resourceName } from '../resource-name.ts'
import { anyHappening, anyLabelled, happen, LEVELS } from '../testing/inheritance-happenings.ts'
import { InheritanceWorld } from '../testing/inheritance-world.ts'
import { naiveInheritance, storedInheritance } from '../testing/naive-inheritance.ts'
import { dataOf } from './labelled.ts'

const isPostgres = process.env.TEST_POSTGRES_URL !== undefined

describe('inherited levels', () => {
  let world: InheritanceWorld
  before(async () => {
    world = await InheritanceWorld.open()
  })
  after(() => world.close())

  it('come to what working out everything at once comes to, whatever happens and wherever it is broken off', async () => {
    const property = fc.asyncProperty(fc.array(anyHappening, { minLength: 6, maxLength: 16 }), async (happenings) => {
      await world.empty()
      const links = new Map<string, string>()
      for (const one of happenings) await happen(world, links, one)
      await world.follow()
      assert.deepEqual(await storedInheritance(world.db), await naiveInheritance(world.db))
      assert.equal((await world.db.selectFrom('classification_marks').selectAll().execute()).length, 0)
    })
    await fc.assert(property, { numRuns: isPostgres ? 20 : 100 })
  })

  it('follow what changes while they are worked out', async () => {
    const others = anyHappening.filter(({ type }) => type === 'runs' || type === 'label' || type === 'unlabel')
    const property = fc.asyncProperty(fc.array(others, { minLength: 6, maxLength: 12 }), async (happenings) => {
      await world.empty()
      let isOver = false
      // As many as there are replicas.
      const following = Promise.all(
        [1, 2].map(async () => {
          while (!isOver) await world.follow(3, 2)
        })
      )
      for (const one of happenings) await happen(world, new Map(), one)
      isOver = true
      await following
      await world.follow()
      assert.deepEqual(await storedInheritance(world.db), await naiveInheritance(world.db))
    })
    await fc.assert(property, { numRuns: isPostgres ? 10 : 15 })
  })

  it('are told beforehand as they come to be', async () => {
    const label = fc.record({
      resource: anyLabelled,
      level: fc.constantFrom(null, ...LEVELS),
      columns: fc.constantFrom<string[]>([], ['x'])
    })
    const happenings = fc.array(anyHappening, { minLength: 4, maxLength: 12 })
    const property = fc.asyncProperty(happenings, label, async (some, { resource, level, columns }) => {
      await world.empty()
      const links = new Map<string, string>()
      for (const one of some) await happen(world, links, one)
      await world.follow()
      const before = await world.levels()
      const isNamed = await world.isNamed(resource)
      const { changes, truncated } = await world.preview(resource, level, columns)
      assert.equal(truncated, false)
      await world.relabel(resource, level, columns)
      await world.follow()
      const after = await world.levels()
      // What was only named by patterns is a node of its own once it is labelled, with rows for what these bring.
      const places = [...new Set([...before.keys(), ...after.keys()])].filter(
        (place) => isNamed || !place.startsWith(`${dataOf(resourceName(resource))} `)
      )
      const different = places.filter((place) => before.get(place) !== after.get(place))
      assert.deepEqual(
        changes.map((one) => [`${one.resource} ${one.column ?? ''}`, one.before, one.after]).sort(),
        different.map((place) => [place, before.get(place) ?? null, after.get(place) ?? null]).sort()
      )
    })
    await fc.assert(property, { numRuns: isPostgres ? 10 : 40 })
  })
})
