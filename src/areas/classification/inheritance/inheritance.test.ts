import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Db } from '../../../engines/metadata/index.ts'
import { Claims } from '../../lineage/claims/claims.ts'
import type { ColumnMapping, MappingKind } from '../../lineage/index.ts'
import { removeNode } from '../../lineage/nodes/removal.ts'
import { pruneLineage } from '../../lineage/upkeep/prune.ts'
import { deleteForgotten, forgottenNodes } from '../../lineage/upkeep/store.ts'
import { InheritanceWorld } from '../testing/inheritance-world.ts'
import { readInherited } from './read.ts'
import type { Step } from './rule.ts'

const [PEOPLE, ORDERS, WIDE, MAIL] = ['people.csv', 'orders.csv', 'wide.csv', 'mail.csv'].map(
  (name) => `object://b/${name}`
) as [string, string, string, string]
const JOB = 'job://test/join'

/** `people.csv email > wide.csv contact` and what becomes of it. */
function mapped(text: string, kind: MappingKind = 'identity'): ColumnMapping {
  const [from, to] = text.split(' > ').map((place) => {
    const [name, column = null] = place.split(' ')
    return { reference: `object://b/${name}`, column }
  }) as [ColumnMapping['from'], ColumnMapping['to']]
  return { from, to, kind }
}

describe('what data inherit', () => {
  let world: InheritanceWorld
  before(async () => {
    world = await InheritanceWorld.open()
  })
  beforeEach(() => world.empty())
  after(() => world.close())

  const inherited = () => world.inherited()

  it('is the level of each column that a value comes from, as it is or as a part of another', async () => {
    await world.label(PEOPLE, 'confidential', ['email'])
    await world.run(
      JOB,
      [PEOPLE],
      [WIDE],
      [
        mapped('people.csv email > wide.csv contact'),
        mapped('people.csv email > wide.csv domain', 'computed'),
        mapped('people.csv name > wide.csv name')
      ]
    )
    assert.deepEqual(await inherited(), ['wide.csv contact confidential', 'wide.csv domain confidential'])
  })

  it('is that of a column however its name is written, and of a value of which a part has it', async () => {
    await world.label(PEOPLE, 'confidential', ['E-MAIL', 'Größe'.normalize('NFD'), 'home.street'])
    await world.run(
      JOB,
      [PEOPLE],
      [WIDE],
      [
        mapped('people.csv e-mail > wide.csv contact'),
        mapped('people.csv größe > wide.csv height'),
        mapped('people.csv home > wide.csv address'),
        mapped('people.csv grosse > wide.csv other')
      ]
    )
    assert.deepEqual(await inherited(), [
      'wide.csv address confidential',
      'wide.csv contact confidential',
      'wide.csv height confidential'
    ])
  })

  it('stops at a mask, and where a column only decides about rows', async () => {
    await world.label(PEOPLE, 'confidential', ['email'])
    await world.run(
      JOB,
      [PEOPLE],
      [WIDE],
      [
        mapped('people.csv email > wide.csv hash', 'masked'),
        mapped('people.csv email > wide.csv', 'filtered'),
        mapped('people.csv email > wide.csv', 'joined'),
        mapped('people.csv name > wide.csv name')
      ]
    )
    assert.deepEqual(await inherited(), [])
  })

  it('is not hidden by a mask beside another way', async () => {
    await world.label(PEOPLE, 'confidential', ['email'])
    await world.run(
      JOB,
      [PEOPLE],
      [WIDE],
      [
        mapped('people.csv email > wide.csv contact', 'masked'),
        mapped('people.csv email > wide.csv contact', 'computed')
      ]
    )
    assert.deepEqual(await inherited(), ['wide.csv contact confidential'])
  })

  it('is the strictest of several ways, then that of the shortest, then of the first name', async () => {
    await world.label(PEOPLE, 'internal')
    await world.label(ORDERS, 'restricted', ['card'])
    await world.run(
      JOB,
      [PEOPLE, ORDERS],
      [WIDE],
      [mapped('people.csv email > wide.csv both', 'computed'), mapped('orders.csv card > wide.csv both', 'computed')]
    )
    assert.deepEqual(await inherited(), ['wide.csv both restricted'])
    await world.label(PEOPLE, 'restricted')
    await world.follow()
    const [row] = await world.db.selectFrom('classification_inherited').selectAll().execute()
    assert.deepEqual([row?.from_resource, row?.from_column], [ORDERS, 'card'], 'orders come before people')
  })

  it('comes from a level of all data to each column that reads them', async () => {
    await world.label(PEOPLE, 'confidential')
    await world.run(
      JOB,
      [PEOPLE],
      [WIDE],
      [mapped('people.csv email > wide.csv contact'), mapped('people.csv age > wide.csv age', 'computed')]
    )
    assert.deepEqual(await inherited(), ['wide.csv age confidential', 'wide.csv contact confidential'])
  })

  it('is the strictest of anything where no columns are known, and only then', async () => {
    await world.label(PEOPLE, 'internal')
    await world.label(PEOPLE, 'restricted', ['ssn'])
    await world.run(JOB, [PEOPLE], [WIDE, MAIL], [mapped('people.csv email > mail.csv to')])
    assert.deepEqual(await inherited(), ['mail.csv to internal', 'wide.csv * restricted'])
  })

  it('comes along names that have data in common, but from one part to no other', async () => {
    await world.label('object://b/in/*.csv', 'confidential')
    await world.run(JOB, ['object://b/in/a.csv'], [WIDE])
    assert.deepEqual(await inherited(), ['in/a.csv * confidential', 'wide.csv * confidential'])
    await world.unlabel('object://b/in/*.csv')
    await world.label('object://b/in/b.csv', 'restricted')
    assert.deepEqual(await inherited(), ['in/*.csv * restricted'])
  })

  it('comes from the level of a bucket', async () => {
    await world.label({ type: 'bucket', id: 'b' }, 'confidential')
    await world.run(JOB, [PEOPLE], ['object://other/wide.csv'])
    await world.follow()
    const rows = await readInherited(world.db, ['object://other/wide.csv'])
    assert.deepEqual(
      rows.map(({ column, level }) => [column, level]),
      [['', 'confidential']]
    )
  })

  it('leaves a circle when nothing brings it in any more', async () => {
    await world.label(PEOPLE, 'confidential')
    await world.run(JOB, [PEOPLE], [WIDE])
    await world.run('job://test/there', [WIDE], [MAIL])
    await world.run('job://test/back', [MAIL], [WIDE])
    assert.deepEqual(await inherited(), ['mail.csv * confidential', 'wide.csv * confidential'])
    await world.unlabel(PEOPLE)
    assert.deepEqual(await inherited(), [])
  })

  it('stays with what was written when its job reads something else, or masks it, until the label goes', async () => {
    await world.label(PEOPLE, 'confidential')
    await world.run(JOB, [PEOPLE], [WIDE])
    await world.run(JOB, [ORDERS], [MAIL])
    assert.deepEqual(await inherited(), ['wide.csv * confidential'])
    await world.unlabel(PEOPLE)
    assert.deepEqual(await inherited(), [])

    await world.label(PEOPLE, 'confidential', ['email'])
    await world.run('job://test/mask', [PEOPLE], [MAIL], [mapped('people.csv email > mail.csv contact')])
    await world.run('job://test/mask', [PEOPLE], [MAIL], [mapped('people.csv email > mail.csv contact', 'masked')])
    assert.ok((await inherited()).includes('mail.csv contact confidential'))
    await world.unlabel(PEOPLE)
    assert.deepEqual(await inherited(), [])
  })

  it('stays with what was written also when the lineage forgets what is old', async () => {
    const prune = async () => {
      const { db } = world
      const clock = { now: () => Date.UTC(2100, 0, 1) } as never
      const commit = (work: (tx: Db) => Promise<never>) => world.change(work)
      const job = { signal: new AbortController().signal, commit }
      await pruneLineage({ metadata: { db }, clock, claims: new Claims(), keepDays: 1 })(job as never)
    }
    const ended = async () =>
      (await world.db.selectFrom('lineage_edges').select('job').where('ended_ms', 'is not', null).execute()).length
    await world.label(PEOPLE, 'confidential')
    await world.run(JOB, [PEOPLE], [WIDE])
    await world.run(JOB, [ORDERS], [MAIL])
    await world.follow()
    await prune()
    assert.deepEqual(await inherited(), ['wide.csv * confidential'])
    assert.equal(await ended(), 2)
    await world.unlabel(PEOPLE)
    assert.deepEqual(await inherited(), [])
    await prune()
    assert.equal(await ended(), 0)
  })

  it('shows its way', async () => {
    await world.label(PEOPLE, 'confidential', ['email'])
    await world.run(JOB, [PEOPLE], [WIDE], [mapped('people.csv email > wide.csv contact')])
    await world.run('job://test/send', [WIDE], [MAIL])
    await world.follow()
    const rows = await world.db
      .selectFrom('classification_inherited')
      .select('path')
      .where('resource', '=', MAIL)
      .execute()
    assert.deepEqual(
      (JSON.parse(rows[0]?.path ?? '[]') as Step[]).map(({ resource, column, kind, job }) => [
        resource,
        column,
        kind,
        job
      ]),
      [
        [PEOPLE, 'email', 'given', null],
        [WIDE, 'contact', 'identity', JOB],
        [MAIL, '', 'unmapped', 'job://test/send']
      ]
    )
  })

  it('is worked out for labels that were there before, in pieces', async () => {
    await world.run(JOB, [PEOPLE], [WIDE])
    for (let number = 0; number < 205; number++) await world.label(`object://z/${number}`, 'internal')
    await world.label(PEOPLE, 'confidential')
    await world.change(async (tx) => {
      await tx.deleteFrom('classification_marks').execute()
      await tx
        .insertInto('classification_marks')
        .values({ kind: 'labels', subject: '', round: 0, noticed_ms: null })
        .execute()
    })
    assert.deepEqual(await inherited(), ['wide.csv * confidential'])
  })

  it('keeps labelled data in the lineage for as long as they are labelled', async () => {
    const alone = 'object://b/alone.csv'
    const prune = () =>
      world.change(async (tx) => {
        const { forgotten } = await forgottenNodes(tx, '', Date.now(), 100)
        await deleteForgotten(tx, forgotten, Date.now())
      })
    await world.label(alone, 'confidential')
    await world.follow()
    await prune()
    assert.equal(await world.isNamed(alone), true)
    const row = await world.db
      .selectFrom('lineage_nodes')
      .selectAll()
      .where('reference', '=', alone)
      .executeTakeFirstOrThrow()
    await assert.rejects(
      world.change((tx) => removeNode(tx, row)),
      { code: 'in_use' }
    )
    await world.unlabel(alone)
    await world.follow()
    await prune()
    assert.equal(await world.isNamed(alone), false)
  })
})
