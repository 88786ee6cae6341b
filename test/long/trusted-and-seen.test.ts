// Once: it starts processes that run pipelines, which know nothing of the database.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

const SOURCE = 'object://shop/people.csv'
/** It takes a few seconds from a failing rule to a message. */
const TOLD_WITHIN_MS = 90_000

/** From an upload to who may see what became of it, and who is told that it is not good. */
describe('people in a file, from upload to output', () => {
  let test: TestApp
  let pipelineId: string
  const messages: { readonly status: string; readonly text: string }[] = []
  const receiver = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    messages.push({ status: JSON.parse(text).status, text })
    response.end('ok')
  })

  before(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    test = await startTestApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
    await admin('POST', 'buckets', { name: 'shop' })
  })
  after(async () => {
    await test.close()
    receiver.close()
  })

  async function admin(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await test.call(method, `/api/${path}`, { as: 'admin', body, headers })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body
  }
  const asViewer = (method: string, path: string, body?: unknown) =>
    test.call(method, `/api/${path}`, { as: 'viewer', body })
  const keyIn = async (prefix: string) =>
    (await admin('GET', `buckets/shop/objects?prefix=${prefix}`)).objects[0].name as string
  const effective = (reference: string) =>
    admin('GET', `classification/effective?resource=${encodeURIComponent(reference)}`)

  it('is uploaded, and what detectors suggest is accepted', async () => {
    const people = Array.from({ length: 40 }, (_, n) => `${n},person${n}@example.org,${n === 7 ? '' : 'Lyon'}`)
    await admin('PUT', 'buckets/shop/objects/people.csv', `id,contact,city\n${people.join('\n')}\n`, {
      'content-type': 'text/csv'
    })
    const { suggestions } = await admin('POST', 'classification/suggestions', { resource: SOURCE })
    const [email] = suggestions.filter(({ kind }: { kind: string }) => kind === 'email')
    assert.equal(email.column, 'contact')
    await admin('POST', `classification/suggestions/${email.id}/accept`, {})
  })

  it('goes through a pipeline to an output with a mask and one without, which inherits the level with its path', async () => {
    const sink = (id: string, input: string) => {
      return { id, type: 'object', config: { bucket: 'shop', prefix: `${id}/`, format: 'csv' }, inputs: [input] }
    }
    const nodes = [
      { id: 'in', type: 'file', config: { reference: SOURCE } },
      { id: 'map', type: 'map', config: { select: { mail: 'lower(contact)', city: 'city' } }, inputs: ['in'] },
      { id: 'mask', type: 'mask', config: { columns: { mail: 'hash' } }, inputs: ['map'] },
      sink('open', 'map'),
      sink('shut', 'mask')
    ]
    pipelineId = (await admin('POST', 'pipelines', { name: 'people', nodes })).id
    await admin('POST', `pipelines/${pipelineId}/start`)
    await eventually(async () => {
      const { status, error } = await admin('GET', `pipelines/${pipelineId}`)
      assert.equal(status, 'completed', JSON.stringify(error))
    })
    const { columns } = await eventually(async () => {
      const open = await effective(`object://shop/${await keyIn('open/')}`)
      assert.ok(open.upToDate && open.columns.length === 1, JSON.stringify(open))
      return open
    })
    const [{ column, level, source, path }] = columns
    assert.deepEqual([column, level, source], ['mail', 'confidential', 'inherited'])
    assert.deepEqual([path[0].resource, path[0].column, path[0].kind], [SOURCE, 'contact', 'given'])
    assert.equal(path[1].job, `job://pipeline/${pipelineId}`)
    assert.deepEqual((await effective(`object://shop/${await keyIn('shut/')}`)).columns, [])
  })

  it('is refused or masked for a viewer, in what is not masked alone', async () => {
    const [open, shut] = [encodeURIComponent(await keyIn('open/')), encodeURIComponent(await keyIn('shut/'))]
    for (const path of ['people.csv', open]) {
      for (const tried of [`buckets/shop/objects/${path}`, `buckets/shop/objects/${path}/url`]) {
        const { status, body } = await asViewer('GET', tried)
        assert.deepEqual([status, body.code], [403, 'above_clearance'], tried)
      }
    }
    const masked = await asViewer('GET', `buckets/shop/objects/${shut}`)
    assert.equal(masked.status, 200)
    assert.doesNotMatch(masked.text, /@example/)
    const rows = await asViewer('GET', `pipelines/${pipelineId}/data`)
    assert.equal(rows.status, 200, rows.text)
    assert.match(rows.text, /Lyon/)
    assert.doesNotMatch(rows.text, /@example/)
  })

  it('fails a rule: its sample shows no address, impact says so, and there is one message', async () => {
    const { port } = receiver.address() as AddressInfo
    const channel = await admin('POST', 'alerts/channels', {
      name: 'hook',
      type: 'webhook',
      config: { url: `http://127.0.0.1:${port}/` },
      groupWait: '0s'
    })
    const rule = { name: 'city is known', dataset: SOURCE, type: 'notNull', config: { column: 'city' } }
    const { id } = await admin('POST', 'quality/rules', rule)
    await admin('POST', 'quality/evaluate', { dataset: SOURCE })
    const { body: results } = await asViewer('GET', `quality/results?ruleId=${id}`)
    assert.deepEqual([results.results[0].status, results.results[0].rowsFailed], ['failed', 1])
    assert.doesNotMatch(JSON.stringify(results), /@example/)
    const { quality, nodes } = await admin('GET', `lineage/impact/${encodeURIComponent(SOURCE)}`)
    assert.deepEqual([quality.failed, quality.rules], [1, 1])
    assert.ok(nodes.some((node: { id: string }) => node.id === `object://shop/open/*`))

    const condition = { event: 'quality-rule.failed', filter: { dataset: SOURCE } }
    await admin('POST', 'alerts/rules', { name: 'bad data', condition, channels: [channel.id] })
    await eventually(async () => assert.equal(messages.length, 1), TOLD_WITHIN_MS)
    assert.match(messages[0]?.text ?? '', /object:\/\/shop\/open\/\*/)
    await admin('POST', 'quality/evaluate', { dataset: SOURCE })
    const { deliveries } = await admin('GET', 'alerts/deliveries')
    assert.deepEqual([deliveries.length, messages.length], [1, 1])
  })
})
