import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeRule } from '../../../../test/support/alerts.ts'
import { data_, job_, LineageWorld, mapping } from '../../../../test/support/lineage-world.ts'
import { slices } from '../../../engines/metadata/index.ts'
import { saveNodes } from '../nodes/store.ts'
import { nodeKey } from '../references.ts'
import type { ColumnMapping, Sighting } from '../sighting.ts'
import { columnReachOf } from './column-reach.ts'
import { type Reached, reachOf } from './reach.ts'

const T = Date.UTC(2026, 0, 1)
const DAY = 86_400_000
const at = (reference: string) => encodeURIComponent(reference)
const distanceOf = ({ distance }: Reached) => distance
const short = (id: string) => id.replace(/^\w+:\/\/test\//, '')
// biome-ignore lint/suspicious/noExplicitAny: answers
const names = (answer: any): string[] => answer.nodes.map(({ id }: { id: string }) => short(id)).sort()

describe('impact', () => {
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start()
    await world.draw(T, 'raw > clean > tidy', 'tidy + names > join > wide', 'tidy > copy > store', 'wide > back > raw')
  })
  after(() => world.close())

  const impact = (reference: string, rest = '') => world.get(`impact/${at(reference)}${rest}`)

  let runs = 0
  const told = (job: string, inputs: string[], outputs: string[], columns: ColumnMapping[] = []): Sighting => ({
    job: { reference: job },
    run: { id: `r${++runs}`, state: 'completed', timeMs: T, isWhole: true },
    inputs: inputs.map((reference) => ({ reference })),
    outputs: outputs.map((reference) => ({ reference })),
    columns,
    provenance: { how: 'captured', who: 'test' }
  })

  it('is everything downstream, counted by distance and kind, without the root itself', async () => {
    const answer = await impact(data_('raw'))
    assert.deepEqual(names(answer), ['back', 'clean', 'copy', 'join', 'store', 'tidy', 'wide'])
    assert.equal(answer.total, 7)
    assert.deepEqual(answer.byDistance, [
      { distance: 1, nodes: 1, byKind: { job: 1 } },
      { distance: 2, nodes: 1, byKind: { dataset: 1 } },
      { distance: 3, nodes: 2, byKind: { job: 2 } },
      { distance: 4, nodes: 2, byKind: { dataset: 2 } },
      { distance: 5, nodes: 1, byKind: { job: 1 } }
    ])
    assert.deepEqual([answer.truncated, answer.truncatedBy, answer.nextCursor], [false, null, null])
    assert.deepEqual(names(await impact(data_('raw'), '?depth=2')), ['clean', 'tidy'])
    assert.equal((await impact(data_('raw'), '?asOf=2025-12-31')).total, 0)
  })

  it('says that it ends at its own bound, of nodes and of columns, where there is more', async () => {
    const columns = [mapping('far0.x -> far1.x'), mapping('far1.x -> far2.x')]
    const steps = columns.map((column, n) =>
      told(job_(`step${n}`), [data_(`far${n}`)], [data_(`far${n + 1}`)], [column])
    )
    await world.saw(...steps)
    const { metadata } = world.test.platform
    const root = nodeKey(data_('far0'))
    const reach = async (maxDepth: number, depth = Number.POSITIVE_INFINITY) => {
      const budget = { maxNodes: 100, maxDepth, hasTime: () => true }
      const asked = { depth, atMs: T + 1 }
      const all = await reachOf(metadata, { ...asked, root }, budget)
      const ofColumn = await columnReachOf(metadata, { ...asked, root: { node: root, column: 'x' } }, budget)
      return [all, ofColumn].map(({ nodes, cutBy }) => [nodes.length, Math.max(...nodes.map(distanceOf)), cutBy])
    }
    for (const bound of [1, 2, 3]) {
      const cut = [bound, bound, 'depth']
      assert.deepEqual(await reach(bound), [cut, cut], `${bound}`)
    }
    const whole = [4, 4, null]
    assert.deepEqual(await reach(4), [whole, whole])
    const near = [2, 2, null]
    assert.deepEqual(await reach(3, 2), [near, near], 'no more was asked for')
  })

  it('looks 1000 edges far', async () => {
    const key = (n: number) => nodeKey(data_(`chain${n}`))
    const lasting = { how: 'manual', started_ms: T, ended_ms: null, seen_ms: null, runs: 0, who: 'test' } as const
    const edges = Array.from({ length: 1001 }, (_, n) => {
      return { from_node: key(n), to_node: key(n + 1), job: '', type: 'links' as const, ...lasting }
    })
    await world.test.platform.metadata.transaction(async (tx) => {
      await saveNodes(tx, new Map([0, 1].map((n) => [data_(`chain${n}`), {}])))
      for (const some of slices(edges))
        await tx
          .insertInto('lineage_edges')
          .values([...some])
          .execute()
    })
    const far = await impact(data_('chain0'))
    assert.deepEqual([far.total, far.truncated, far.truncatedBy], [1000, true, 'depth'])
    const near = await impact(data_('chain1'))
    assert.deepEqual([near.total, near.truncated, near.truncatedBy], [1000, false, null])
  })

  it('has nodes in pages, and all counts on each', async () => {
    const found: string[] = []
    let cursor = ''
    for (let page = 0; page < 4; page++) {
      const answer = await impact(data_('raw'), `?limit=2${cursor}`)
      assert.equal(answer.total, 7)
      found.push(...names(answer))
      cursor = `&cursor=${answer.nextCursor}`
      assert.equal(answer.nextCursor === null, page === 3)
    }
    assert.equal(new Set(found).size, 7)
  })

  it('says who answers, how secret it is, and how the last run went', async () => {
    const { test } = world
    const secret = 'object://lake/secret.csv'
    await world.saw({
      ...told(job_('export'), [data_('store')], [secret]),
      job: { reference: job_('export'), owners: ['Ada'] }
    })
    for (const body of [
      { resource: secret, level: 'internal' },
      { resource: secret, level: 'internal', columns: ['mail', 'name'] },
      { resource: secret, level: 'restricted', columns: ['mail'] }
    ]) {
      assert.equal((await test.call('POST', '/api/classification/resources', { as: 'editor', body })).status, 201)
    }
    const { nodes } = await impact(data_('store'))
    const [job, object] = nodes
    assert.deepEqual(
      [job.owners, job.lastRun.state, job.lastRun.startedAt],
      [['Ada'], 'completed', '2026-01-01T00:00:00.000Z']
    )
    assert.deepEqual([object.lastRun, object.quality, object.distance], [null, null, 2])
    assert.deepEqual(object.classification, {
      level: 'internal',
      columns: [
        { column: 'mail', level: 'restricted' },
        { column: 'name', level: 'internal' }
      ]
    })
    assert.deepEqual(job.classification, { level: null, columns: [] })
  })

  it('says which alerts are open: of rules, of those that read the data, and about pipelines', async () => {
    const { test } = world
    const source = await test.call('POST', '/api/catalog/sources', {
      as: 'editor',
      body: { name: 'plant', kind: 'api' }
    })
    const { id: sourceId } = source.body
    const compared = { function: 'last', window: '5m', operator: '>', threshold: 1 }
    const rule = await makeRule(test, {
      name: 'hot',
      severity: 'warning',
      condition: { sourceId, tag: 'temp*', ...compared }
    })
    const other = await makeRule(test, {
      name: 'wet',
      severity: 'warning',
      condition: { sourceId, tag: 'rain', ...compared }
    })
    const open = (id: string, ruleId: string, labels: Record<string, string>, state = 'firing') =>
      test.platform.metadata.transaction(async (tx) => {
        const text = JSON.stringify(labels)
        const nothing = { value: null, threshold: null, operator: null, cause: null, note: null, escalate_ms: null }
        const rest = { rule_name: 'x', annotations: '{}', severity: 'warning', escalation_step: 0, version: 1 }
        const row = { id, rule_id: ruleId, labels: text, state, started_at: new Date(T).toISOString() }
        await tx
          .insertInto('alerts')
          .values({ ...nothing, ...rest, ...row } as never)
          .execute()
        for (const [name, value] of Object.entries(labels)) {
          await tx.insertInto('alert_labels').values({ alert_id: id, name, value }).execute()
        }
      })
    await open('alt_1', rule.id, { source: sourceId, tag: 'temp1' })
    await open('alt_2', rule.id, { source: sourceId, tag: 'temp2' }, 'acknowledged')
    await open('alt_3', rule.id, { source: sourceId, tag: 'temp1' }, 'resolved')
    await open('alt_4', other.id, { source: sourceId, tag: 'rain' })
    await open('alt_5', 'alr_gone', { pipeline: 'pl_1' })
    const series = `series://${sourceId}`
    await world.saw(told('job://pipeline/pl_1', [data_('sensor')], [series, `${series}/temp1`, `${series}/wind`]))
    const { nodes } = await impact(data_('sensor'))
    const about = Object.fromEntries(
      nodes.map((node: { id: string; alerts: { open: number; ids: string[] } }) => [node.id, node.alerts])
    )
    assert.deepEqual(about, {
      'job://pipeline/pl_1': { open: 1, ids: ['alt_5'] },
      [series]: { open: 3, ids: ['alt_1', 'alt_2', 'alt_4'] },
      [`${series}/temp1`]: { open: 1, ids: ['alt_1'] },
      [`${series}/wind`]: { open: 0, ids: [] },
      // The rules have told by themselves what they read.
      [`${series}/rain`]: { open: 1, ids: ['alt_4'] },
      [`job://alert-rule/${other.id}`]: { open: 1, ids: ['alt_4'] },
      [`job://alert-rule/${rule.id}`]: { open: 2, ids: ['alt_1', 'alt_2'] }
    })
  })

  it('does not tell a key what it may not see', async () => {
    const made = await world.test.call('POST', '/api/api-keys', {
      as: 'admin',
      body: { name: 'narrow', scopes: ['lineage:read'] }
    })
    const headers = { authorization: `Bearer ${made.body.key}` }
    const { body } = await world.test.call('GET', `/api/lineage/impact/${at(data_('raw'))}`, { headers })
    assert.deepEqual([body.total, body.nodes[0].alerts, body.nodes[0].classification], [7 + 2, null, null])
  })

  it('is of one column where that is asked, and of all of what no columns are known of', async () => {
    await world.saw(
      told(
        job_('split'),
        [data_('crm')],
        [data_('mails'), data_('people')],
        [
          mapping('crm.mail -> mails.mail'),
          mapping('crm.name -> people.name'),
          mapping('crm.age -> people', 'filtered')
        ]
      ),
      told(job_('send'), [data_('mails')], [data_('sent')], [mapping('mails.mail -> sent.to', 'masked')]),
      told(job_('blind'), [data_('people')], [data_('unknown')]),
      told(job_('count'), [data_('people')], [data_('total')], [mapping('people.id -> total.n', 'computed')])
    )
    const of = async (column: string) => names(await impact(data_('crm'), `?column=${column}`))
    assert.deepEqual(await of('mail'), ['mails', 'send', 'sent', 'split'])
    // Of a name it is known what becomes in `count`, and not in `blind`.
    assert.deepEqual(await of('name'), ['blind', 'people', 'split', 'unknown'])
    // What decides about rows concerns all that is made of them.
    assert.deepEqual(await of('age'), ['blind', 'count', 'people', 'split', 'total', 'unknown'])
    assert.deepEqual(await of('nothing'), [])
    const { nodes } = await impact(data_('crm'), '?column=mail&depth=3')
    assert.deepEqual(
      nodes.map(({ id, distance }: { id: string; distance: number }) => `${short(id)} ${distance}`),
      ['split 1', 'mails 2', 'send 3']
    )
  })

  it('must be of something known', async () => {
    const { status } = await world.test.call('GET', `/api/lineage/impact/${at(data_('nobody'))}`, { as: 'viewer' })
    assert.equal(status, 404)
    await world.draw(T + DAY, ' > alone > island')
    assert.equal((await impact(data_('island'))).total, 0)
  })
})
