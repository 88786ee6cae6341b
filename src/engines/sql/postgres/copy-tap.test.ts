// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { CopyOut } from './copy-out.ts'
import { CopyTap } from './copy-tap.ts'

interface Message {
  readonly letter: string
  readonly body: string
}

const ROW = 'd'
const message = fc.record({ letter: fc.constantFrom(ROW, ROW, 'D', 'S', 'N'), body: fc.string({ maxLength: 20 }) })

function bytesOf({ letter, body }: Message): Buffer {
  const header = Buffer.alloc(5, letter)
  header.writeUInt32BE(Buffer.byteLength(body) + 4, 1)
  return Buffer.concat([header, Buffer.from(body)])
}

const joined = (messages: readonly Message[]) => Buffer.concat(messages.map(bytesOf))

/** Lets a tap hear bytes in pieces of these sizes, again and again; answers what each side got. */
async function hear(bytes: Buffer, sizes: readonly number[], isCopying: boolean) {
  const passed: Buffer[] = []
  const tap = new CopyTap((some) => void passed.push(Buffer.from(some)))
  const copy = new CopyOut('COPY t TO STDOUT', { rows: Infinity, bytes: Infinity })
  if (isCopying) tap.copy = copy
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const to = at + (sizes[n % sizes.length] as number)
    tap.hear(Buffer.from(bytes.subarray(at, to)))
    at = to
  }
  copy.handleReadyForQuery()
  return { taken: (await copy.next()) ?? Buffer.alloc(0), passed: Buffer.concat(passed) }
}

const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 })

describe('a tap for the rows of a COPY', () => {
  it('takes the rows and nothing else, however the bytes come in', async () => {
    const property = fc.asyncProperty(fc.array(message, { maxLength: 30 }), sizes, async (messages, pieces) => {
      const isRow = ({ letter }: Message) => letter === ROW
      const { taken, passed } = await hear(joined(messages), pieces, true)
      const rows = messages.filter(isRow).map(({ body }) => body)
      assert.equal(taken.toString(), rows.join(''))
      assert.deepEqual(passed, joined(messages.filter((one) => !isRow(one))))
    })
    await fc.assert(property)
  })

  it('passes everything on while there is no COPY', async () => {
    const property = fc.asyncProperty(fc.array(message, { maxLength: 30 }), sizes, async (messages, pieces) => {
      assert.deepEqual((await hear(joined(messages), pieces, false)).passed, joined(messages))
    })
    await fc.assert(property)
  })

  it('passes on what is no such protocol', async () => {
    const strange = Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')
    assert.deepEqual((await hear(strange, [3], true)).passed, strange)
    const tooShort = Buffer.from([0x5a, 0, 0, 0, 1, 0x5a, 0, 0, 0, 5, 0x49])
    assert.deepEqual((await hear(tooShort, [2], true)).passed, tooShort)
  })

  it('lets the server wait once there are as many rows as were asked for', async () => {
    const told: string[] = []
    const stream = { pause: () => void told.push('pause'), resume: () => void told.push('resume') }
    const tap = new CopyTap(() => {})
    const copy = new CopyOut('COPY t TO STDOUT', { rows: 2, bytes: 1000 })
    tap.copy = copy
    copy.submit({ query: (text) => void told.push(text), stream })
    const first = copy.next()
    tap.hear(joined([{ letter: ROW, body: 'a\n' }]))
    tap.hear(joined([{ letter: ROW, body: 'b\n' }]))
    assert.equal(String(await first), 'a\nb\n')
    assert.deepEqual(told, ['COPY t TO STDOUT', 'resume', 'pause'])
  })

  it('gives out whole messages, and the beginning of one with its rest', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.nat(), { minLength: 1, maxLength: 30 }),
      sizes,
      async (rows, pieces) => {
        let isFull = false
        const pause = () => {
          isFull = true
        }
        const tap = new CopyTap(() => {})
        const copy = new CopyOut('COPY t TO STDOUT', { rows: 1, bytes: 1000 })
        tap.copy = copy
        copy.submit({ query() {}, stream: { pause, resume() {} } })
        const lines = rows.map((row) => `${row}\n`)
        const bytes = joined(lines.map((body) => ({ letter: ROW, body })))
        let taken = ''
        for (let at = 0, n = 0; at < bytes.length; n++) {
          const to = at + (pieces[n % pieces.length] as number)
          tap.hear(Buffer.from(bytes.subarray(at, to)))
          at = to
          if (!isFull) continue
          isFull = false
          taken += String(await copy.next())
          assert.match(taken, /\d\n$/)
        }
        assert.equal(taken, lines.join(''))
      }
    )
    await fc.assert(property)
  })
})
