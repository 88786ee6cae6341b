import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { survey } from './survey.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-survey-'))
after(() => rm(folder, { recursive: true }))

const MIB = 2 ** 20
const { signal } = new AbortController()

async function look(content: string | Buffer, isJson = false) {
  const path = join(folder, 'text')
  await writeFile(path, content)
  return survey(path, { quote: '"', isJson }, signal)
}

test('characters are whole wherever chunks end, and one that is not is seen', async () => {
  const text = 'aü€😀\n'.repeat(200_000)
  for (const before of ['', 'x', 'xx', 'xxx']) assert.equal((await look(before + text)).isUtf8, true)
  for (const [at, byte] of [
    [MIB - 1, 0xff],
    [MIB, 0xc3],
    [MIB + 1, 0xa0]
  ] as const) {
    const broken = Buffer.from('x'.repeat(2 * MIB))
    broken[at] = byte
    assert.equal((await look(broken)).isUtf8, false)
  }
  assert.equal((await look(Buffer.from([0x61, 0xc3]))).isUtf8, false)
})

test('what keeps lines from being read as they stand is seen, between chunks too', async () => {
  const line = 'x'.repeat(1023)
  const fill = (ending: string, isLast = '') => `${line}${ending}`.repeat(2048) + isLast
  assert.equal((await look(fill('\n', 'end'))).isPlain, true)
  assert.equal((await look(`${line.slice(1)}\r\n`.repeat(2048))).isPlain, true)
  for (const text of [fill('\n', 'a\n\nb'), fill('\n', 'a\r\nb'), fill('\n', 'a\rb'), fill('\n', '"'), `\n${line}`]) {
    assert.equal((await look(text)).isPlain, false)
  }
  for (const sign of ['\n\n', '\r\n', '"']) {
    for (const at of [MIB - 2, MIB - 1, MIB]) {
      const text = Buffer.from(fill('\n'))
      text.write(sign, at)
      assert.equal((await look(text)).isPlain, false, `${JSON.stringify(sign)} at ${at}`)
    }
  }
  assert.equal((await look(fill('\n', ' \n'), true)).isPlain, false)
})

test('how long lines are, and how many there are at least in 32 MiB', async () => {
  assert.equal((await look(`a\n${'x'.repeat(3 * MIB)}\nb`)).longestBytes, 3 * MIB + 1)
  assert.equal((await look('abc\n'.repeat(10))).rowsInGroup, Number.POSITIVE_INFINITY)
  const { rowsInGroup, longestBytes } = await look(`${'x'.repeat(1023)}\n`.repeat(40 * 1024))
  assert.ok(longestBytes <= 65_536)
  assert.ok(rowsInGroup >= 32_000 && rowsInGroup <= 33_000)
})
