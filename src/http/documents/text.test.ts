import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { assertMs } from '../../../test/support/yardstick.ts'
import { Problem } from '../../errors.ts'
import { parseJson } from '../json-body.ts'
import { isYaml, readDocument, writeYaml } from './text.ts'
import { yamlToJson } from './yaml-text.ts'

const read = (text: string | Buffer) => readDocument(Buffer.from(text as string), true)

/** What `read` does, without a thread for each. */
function readHere(text: string): unknown {
  const answer = yamlToJson(text)
  if ('problem' in answer) throw new Problem('malformed_yaml', { detail: answer.problem })
  return parseJson(Buffer.from(answer.json))
}

async function refusal(reading: Promise<unknown>): Promise<Problem> {
  try {
    await reading
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    return error
  }
  throw new Error('it was read')
}

/** Ten levels of nine aliases each: three billion elements. */
const LAUGHS = Array.from({ length: 10 }, (_, i) => {
  const members =
    i === 0
      ? '["lol"]'
      : `[${Array(9)
          .fill(`*a${i - 1}`)
          .join(', ')}]`
  return `a${i}: &a${i} ${members}`
}).join('\n')

const HOSTILE: Readonly<Record<string, string>> = {
  'a few lines that stand for gigabytes': LAUGHS,
  'itself within itself': 'a: &a [*a]',
  'an alias of nothing': 'a: *b',
  'very deep nesting': '['.repeat(10_000),
  'very deep nesting that ends': `${'['.repeat(5000)}${']'.repeat(5000)}`,
  'deep nesting by indentation': Array.from({ length: 500 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
  'two documents': 'a: 1\n---\nb: 2',
  'the same key twice': 'a: 1\na: 2',
  'a tag that would make an object': '!!js/function "function () {}"\n: 1',
  'a field named __proto__': '__proto__:\n  admin: true',
  'a NUL character': 'a: "\\0"',
  'half of a surrogate pair': 'a: "\\ud800"',
  'what is no document': '}{'
}

describe('a definition as YAML', () => {
  it('reads what JSON could say', async () => {
    const text = 'name: a\nnodes:\n  - {id: g, type: generate}\n  - id: o\n    inputs: [g]\n'
    assert.deepEqual(await read(text), {
      name: 'a',
      nodes: [
        { id: 'g', type: 'generate' },
        { id: 'o', inputs: ['g'] }
      ]
    })
  })

  it('refuses what stands for gigabytes, and bytes that are no UTF-8', async () => {
    assert.equal((await refusal(read(LAUGHS))).code, 'malformed_yaml')
    assert.equal((await refusal(read(Buffer.from([0x61, 0x3a, 0x20, 0xff])))).code, 'malformed_yaml')
  })

  it('takes a few aliases', () => {
    assert.deepEqual(readHere('a: &x {b: 1}\nc: *x\n'), { a: { b: 1 }, c: { b: 1 } })
  })

  for (const [what, text] of Object.entries(HOSTILE)) {
    it(`refuses ${what}`, async () => {
      const { status, detail } = await refusal((async () => readHere(text))())
      assert.equal(status, 400)
      assert.ok(detail.length < 400)
    })
  }

  it('gives up on what takes too long, and goes on with other work meanwhile', async () => {
    const refused = refusal(readDocument(Buffer.from(': '.repeat(500_000)), true, 500))
    let longestMs = 0
    let last = performance.now()
    const ticking = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    }, 10)
    const { code, detail } = await refused
    clearInterval(ticking)
    assert.deepEqual([code, /too long/.test(detail)], ['malformed_yaml', true])
    assertMs(longestMs, 400)
  })

  it('reads back what it wrote', async () => {
    const values = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('__proto__'))
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), values), async (value) => {
        const plain = JSON.parse(JSON.stringify(value))
        if (/\\u00[0-7]|\\ud[89a-f]|__proto__/i.test(JSON.stringify(plain))) return
        assert.deepEqual(readHere(await writeYaml(plain)), plain)
      }),
      { numRuns: 100 }
    )
  })

  it('is told from JSON by its media type alone', () => {
    assert.equal(isYaml('application/json; charset=utf-8'), false)
    assert.equal(isYaml('Application/YAML'), true)
    for (const type of [undefined, '', 'application/xml'])
      assert.throws(() => isYaml(type), { code: 'unsupported_media_type' })
  })
})
