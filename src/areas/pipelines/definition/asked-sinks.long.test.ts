// Once: it starts processes that run pipelines, which know nothing of the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { rightsOf } from './preview.ts'

describe('sinks that are asked before anything is written', () => {
  let test: TestApp
  let source: string

  before(async () => {
    test = await startTestApp()
    source = (await test.call('POST', '/api/catalog/sources', { as: 'editor', body: { name: 's' } })).body.id
    const points = [
      { tag: 'number', time: TIME, value: 1 },
      { tag: 'text', time: TIME, value: 'a' }
    ]
    const written = await test.call('POST', `/api/catalog/sources/${source}/points`, { as: 'editor', body: points })
    assert.ok(written.status < 300, written.text)
  })
  after(() => test.close())

  const TIME = '2026-03-09T13:00:00Z'
  const call = (method: string, path: string, body?: unknown) =>
    test.call(method, `/api/pipelines${path}`, { as: 'editor', body })
  const hook = { id: 'in', type: 'webhook', config: {} }
  const series = (id: string) => {
    return {
      id: 'out',
      type: 'series',
      config: { source: id, time: 'time', tag: 'tag', value: 'value' },
      inputs: ['in']
    }
  }
  const tags = async () => {
    const { body } = await test.call('GET', `/api/catalog/sources/${source}/tags`, { as: 'editor' })
    return body.tags.map(({ name, pointCount }: { name: string; pointCount: number }) => [name, pointCount])
  }

  const samples = [
    { tag: 'number', time: TIME, value: 2 },
    { tag: 'number', time: TIME, value: 'n/a' },
    { tag: 'text', time: TIME, value: 3 },
    { tag: 'new', time: TIME, value: 'first' },
    { tag: 'new', time: TIME, value: 4 },
    { tag: '', time: TIME, value: 5 },
    { tag: 'x'.repeat(2000), time: TIME, value: 6 },
    { tag: 'number', value: 7 },
    { tag: 'number', time: 'soon', value: 8 },
    { tag: 'number', time: TIME }
  ]

  it('tell in a preview what a series would refuse, and make no tag', async () => {
    const { body } = await call('POST', '/preview', { nodes: [hook, series(source)], samples: { in: samples } })
    const [, out] = body.nodes
    assert.equal(out.asked, 'all')
    const found = out.deadLetters.map(({ code, record }: { code: string; record: string }) => {
      const { tag, value = null } = JSON.parse(record)
      return [code, tag.slice(0, 10), value].join(' ')
    })
    assert.deepEqual(found.toSorted(), [
      'invalid_name  5',
      'name_too_long xxxxxxxxxx 6',
      'no_time number 7',
      'no_value number ',
      'type_conflict new 4',
      'type_conflict number n/a',
      'type_conflict text 3',
      'wrong_type number 8'
    ])
    const reasons = out.deadLetters.map(({ reason }: { reason: string }) => reason)
    assert.ok(reasons.includes('time: expected a time, got "soon"'), reasons.join('\n'))
    assert.ok(reasons.includes('tag number is float; this point has a text: give a number'), reasons.join('\n'))
    assert.deepEqual(out.records.map(({ value }: { value: unknown }) => value).toSorted(), [2, 'first'])
    assert.equal(out.total, 2)
    assert.equal(body.nodes[0].asked, undefined)
    assert.deepEqual(await tags(), [
      ['number', 1],
      ['text', 1]
    ])
  })

  it('say the same as a run then does', async () => {
    const preview = (await call('POST', '/preview', { nodes: [hook, series(source)], samples: { in: samples } })).body
    const { id } = (await call('POST', '', { name: 'then', nodes: [hook, series(source)] })).body
    await call('POST', `/${id}/start`)
    await eventually(async () => {
      const { status } = await call('POST', `/${id}/nodes/in/records`, samples)
      assert.equal(status, 200)
      return true
    })
    const { deadLetters } = (await call('GET', `/${id}/dead-letters`)).body
    const whys = (letters: readonly { code: string; reason: string }[]) =>
      letters.map(({ code, reason }) => `${code} ${reason}`).toSorted()
    assert.deepEqual(whys(deadLetters), whys(preview.nodes[1].deadLetters))
    const trial = async (set: object) => {
      const [one] = (await call('POST', `/${id}/dead-letters/try`, { code: 'wrong_type', set })).body.tried
      return [one.written, one.refused.map(({ nodeId, code }: Record<string, string>) => [nodeId, code])]
    }
    assert.deepEqual(await trial({ value: "'hot'", time: `'${TIME}'` }), [[], [['out', 'type_conflict']]])
    assert.deepEqual(await trial({ tag: "'newest'" }), [[], [['out', 'wrong_type']]])
    const [written, refused] = await trial({ time: `'${TIME}'` })
    assert.deepEqual([refused, written[0].asked, written[0].record.value], [[], 'all', 8])
    assert.ok(!(await tags()).some(([name]: [string]) => name === 'newest'))
    await call('POST', `/${id}/stop`)
  })

  it('are not asked for somebody who may not write to them', () => {
    const editor = { id: 'u', name: 'u', role: 'editor', scopes: undefined, apiKeyId: undefined } as const
    assert.deepEqual(rightsOf(editor), { series: true })
    assert.deepEqual(rightsOf({ ...editor, scopes: ['pipelines:write'] }), { series: false })
  })

  it('are clear where they could not be asked', async () => {
    const asked = async (sink: object, record: object = samples[1] as object) => {
      const { body, text } = await call('POST', '/preview', { nodes: [hook, sink], samples: { in: [record] } })
      assert.ok(body.nodes, text)
      const { asked: how, deadLetters, total } = body.nodes[1]
      return [how, deadLetters.map(({ code }: { code: string }) => code), total]
    }
    const object = { id: 'out', type: 'object', config: { bucket: 'bbb', prefix: 'x/', format: 'parquet' } }
    assert.deepEqual(await asked({ ...object, inputs: ['in'] }), ['none', [], 1])
    assert.deepEqual(await asked(series('src_gone')), ['own', [], 1])
    assert.deepEqual(await asked(series('src_gone'), { tag: 'a', value: 1 }), ['own', ['no_time'], 0])
    const connection = { hosts: ['broker:9092'] }
    const kafka = { id: 'out', type: 'kafka', config: { connection, topic: { column: 'tag' } }, inputs: ['in'] }
    assert.deepEqual(await asked(kafka), ['own', [], 1])
    assert.deepEqual(await asked(kafka, { value: 1 }), ['own', ['no_topic'], 0])
  })
})
