import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { it } from 'node:test'
import { Intake } from './intake.ts'

const MAX_BYTES = 1000

const bodyOf = (id: string, bytes: number) => ({
  raw: Object.assign(Readable.from([Buffer.alloc(bytes)]), { headers: {} }) as unknown as IncomingMessage,
  actor: { id }
})

it('bodies of one caller fill half of the room, and leave the rest to others', async () => {
  const intake = new Intake({ maxBytes: MAX_BYTES, tooLarge: 'Less.', busy: 'series_busy' })
  const held = Promise.withResolvers<void>()
  const underWay = Array.from({ length: 4 }, () => intake.take(bodyOf('ada', MAX_BYTES), () => held.promise))
  await new Promise((resolve) => setImmediate(resolve))
  await assert.rejects(
    intake.take(bodyOf('ada', 1), async () => {}),
    { code: 'series_busy' }
  )
  assert.equal(await intake.take(bodyOf('bob', MAX_BYTES), async ({ length }) => length), MAX_BYTES)
  held.resolve()
  await Promise.all(underWay)
  assert.equal(await intake.take(bodyOf('ada', 1), async ({ length }) => length), 1)
})

it('a body that is too large, or is refused, gives its room back', async () => {
  const intake = new Intake({ maxBytes: MAX_BYTES, tooLarge: 'Less.', busy: 'series_busy' })
  for (let time = 0; time < 20; time++) {
    await assert.rejects(
      intake.take(bodyOf('ada', MAX_BYTES + 1), async () => {}),
      { code: 'payload_too_large' }
    )
    const refuse = async () => {
      throw new Error('no')
    }
    await assert.rejects(intake.take(bodyOf('ada', MAX_BYTES), refuse), /no/)
  }
})
