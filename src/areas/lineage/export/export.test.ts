import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { data_, job_, LineageWorld } from '../../../../test/support/lineage-world.ts'
import { xmlText } from './graphml.ts'

const T = Date.UTC(2026, 0, 1)
const at = (reference: string) => encodeURIComponent(reference)

/** Every character that XML 1.0 may hold, with what stands for something else escaped. */
const TEXT =
  /^(?:[\t\n\u0020-\u0025\u0027-\u003b\u003d\u003f-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|&(?:amp|lt|gt|quot|#13);)*$/u
const TAG = /<(\/?)([\w:]+)((?: [\w:.]+="[^"<&]*")*)(\/?)>/g

/** The tags of a document, each within those that are open: throws where it is not well formed. */
function elementsOf(xml: string): { name: string; attributes: Record<string, string>; text: string }[] {
  const body = xml.replace('<?xml version="1.0" encoding="UTF-8"?>\n', '')
  const elements: { name: string; attributes: Record<string, string>; text: string }[] = []
  const open: { name: string; text: string }[] = []
  let end = 0
  for (const match of body.matchAll(TAG)) {
    const between = body.slice(end, match.index)
    assert.match(between, TEXT)
    if (open.length > 0) (open.at(-1) as { text: string }).text += between
    end = match.index + match[0].length
    const [, closes, name = '', attributes = '', empty] = match
    if (closes === '/') assert.equal(open.pop()?.name, name)
    else {
      const pairs = [...attributes.matchAll(/([\w:.]+)="([^"]*)"/g)].map(([, key, value]) => [key, value])
      const element = { name, attributes: Object.fromEntries(pairs), text: '' }
      elements.push(element)
      if (empty !== '/') open.push(element)
    }
  }
  assert.deepEqual([open, body.slice(end).trim()], [[], ''])
  return elements
}

describe('an export', () => {
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start()
    await world.draw(T, 'raw > clean > tidy', '=cmd|x + <b&"quoted" > join > wide')
    await world.saw({
      job: { reference: job_('clean'), name: 'tidies <up>\u0001', owners: ['Ada & Bo'], description: 'a\r\nb\ud800' },
      run: { id: 'named', state: 'completed', timeMs: T + 1, isWhole: true },
      inputs: [{ reference: data_('raw') }],
      outputs: [{ reference: data_('tidy') }],
      columns: [],
      provenance: { how: 'captured', who: 'test' }
    })
  })
  after(() => world.close())

  const get = async (query: string) => {
    const answer = await world.test.call('GET', `/api/lineage/export?${query}`, { as: 'viewer' })
    assert.equal(answer.status, 200, answer.text)
    return answer
  }

  it('is a line for each edge, of all of the graph or around a node', async () => {
    const { text, headers } = await get('format=csv')
    const lines = text.trim().split('\r\n')
    assert.match(headers.get('content-type') ?? '', /^text\/csv/)
    assert.equal(lines.length, 1 + 5)
    assert.match(lines[0] as string, /^from,from_kind,from_name,to,/)
    assert.ok(lines.some((line: string) => line.startsWith(`${data_('raw')},dataset,raw,${job_('clean')},job,`)))
    // A spreadsheet would take it for a formula.
    assert.ok(text.includes(`,'=cmd|x,`))
    const around = (await get(`format=csv&root=${at(data_('tidy'))}&direction=upstream&depth=1`)).text
    assert.equal(around.trim().split('\r\n').length, 2)
    assert.equal((await get('format=csv&asOf=2025-01-01')).text.trim().split('\r\n').length, 1)
  })

  it('is GraphML, whatever names hold', async () => {
    const { text } = await get('format=graphml')
    const elements = elementsOf(text)
    const of = (name: string) => elements.filter((element) => element.name === name)
    const [nodes, edges] = [of('node'), of('edge')]
    assert.deepEqual([nodes.length, edges.length], [7, 5])
    const ids = new Set(nodes.map(({ attributes }) => attributes.id))
    assert.equal(ids.size, 7)
    for (const { attributes } of edges) {
      assert.ok(ids.has(attributes.source as string) && ids.has(attributes.target as string))
    }
    const declared = new Set(of('key').map(({ attributes }) => attributes.id))
    for (const { attributes } of of('data')) assert.ok(declared.has(attributes.key as string))
    const texts = of('data').map((element) => element.text)
    assert.ok(texts.includes('tidies &lt;up&gt;\ufffd'))
    assert.ok(texts.includes('a&#13;\nb\ufffd'))
    assert.ok(texts.includes('dataset://test/&lt;b&amp;&quot;quoted&quot;'))
  })

  it('holds any text as XML can', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => {
        assert.match(xmlText(text), TEXT)
        if (/^[\t\n\u0020-\u007e]*$/.test(text)) {
          const read = xmlText(text).replace(/&(amp|lt|gt|quot);/g, (_, name: string) => NAMED[name] as string)
          assert.equal(read, text)
        }
      })
    )
  })

  it('must be of something known, in a form that there is', async () => {
    const status = async (query: string) =>
      (await world.test.call('GET', `/api/lineage/export?${query}`, { as: 'viewer' })).status
    assert.equal(await status(`format=csv&root=${at(data_('nobody'))}`), 404)
    assert.equal(await status('format=xls'), 400)
    assert.equal(await status(''), 400)
  })
})

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
