import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { mkdtempSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { readLinesAlone } from './two-encodings.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-two-encodings-'))
after(() => rm(folder, { recursive: true }))

const { signal } = new AbortController()
const MIB = 1 << 20

async function read(content: Buffer) {
  const path = join(folder, 'text')
  await writeFile(path, content)
  const { others, isMixed } = await readLinesAlone(path, signal)
  return { text: await readFile(path), others, isMixed }
}

/** Line by line, with nothing but the rule. */
function naive(content: Buffer) {
  const lines = content.toString('latin1').split(/(?<=\n)/)
  const bytes = lines.map((line) => Buffer.from(line, 'latin1'))
  const text = Buffer.concat(
    bytes.map((line) => (isUtf8(line) ? line : Buffer.from(new TextDecoder('windows-1252').decode(line))))
  )
  return { text, others: bytes.filter((line) => !isUtf8(line)).length }
}

test('each line is read by itself, as it stands or as Windows-1252', async () => {
  const line = fc.oneof(
    fc.constantFrom('', 'id,name', '1,x').map((text) => Buffer.from(text)),
    fc.constantFrom('größe', '€ 5', 'aé😀').map((text) => Buffer.from(text)),
    fc.constantFrom('J\xfcrgen', '\x80 5', '\xe9', '\xc3\xbc\xfc').map((text) => Buffer.from(text, 'latin1'))
  )
  const texts = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '')), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(texts, async (lines) => {
      const content = Buffer.concat(lines.flatMap(([bytes, end]) => [bytes, Buffer.from(end)]))
      const { isMixed, ...found } = await read(content)
      assert.deepEqual(found, naive(content))
      assert.ok(!isMixed || found.others > 0)
    }),
    { numRuns: 200 }
  )
})

test('wherever the file is cut into chunks', async () => {
  const good = Buffer.from(`${'aü€😀'.repeat(37)}\n`)
  const bad = Buffer.from(`J\xfcrgen${'x'.repeat(300)}\n`, 'latin1')
  const lines = Array.from({ length: 8000 }, (_, n) => (n % 3 === 1 ? bad : good))
  const content = Buffer.concat(lines)
  assert.ok(content.length > 2 * MIB)
  const { isMixed, ...found } = await read(content)
  assert.ok(found.text.equals(naive(content).text))
  assert.deepEqual([found.others, isMixed], [2667, true])
})

test('a line without an end is text all the same, and not held as a whole', async () => {
  const { text, isMixed } = await read(Buffer.concat([Buffer.from('ü\n'), Buffer.alloc(18 * MIB, 0xfc)]))
  assert.ok(isUtf8(text))
  assert.deepEqual([text.length, isMixed], [3 + 36 * MIB, true])
})
