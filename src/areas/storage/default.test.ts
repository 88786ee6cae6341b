import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'

const path = '/api/storage/providers'
const builtIn = 'sp_builtin'

interface Shown {
  readonly id: string
  readonly isDefault: boolean
}

/** `place` picks one of the providers that exist at that time. */
type Command = { readonly act: 'create' | 'createDefault' | 'makeDefault' | 'delete'; readonly place: number }

const command = fc.record<Command>({
  act: fc.constantFrom('create', 'createDefault', 'makeDefault', 'makeDefault', 'delete'),
  place: fc.nat(1000)
})

describe('the default storage provider', () => {
  let test: TestApp
  let made = 0

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const call = (method: string, to: string, body?: unknown) => test.call(method, to, { as: 'admin', body })
  const list = async (): Promise<Shown[]> => (await call('GET', `${path}?limit=1000`)).body

  async function run({ act, place }: Command, there: readonly Shown[]): Promise<number> {
    const { id } = there[place % there.length] as Shown
    if (act === 'delete') return (await call('DELETE', `${path}/${id}`)).status
    if (act === 'makeDefault') return (await call('PUT', `${path}/${id}`, { isDefault: true })).status
    made += 1
    const body = { name: `made ${made}`, type: 'store-local', isDefault: act === 'createDefault' }
    return (await call('POST', path, body)).status
  }

  async function assertOneDefault(): Promise<Shown[]> {
    const all = await list()
    assert.equal(all.filter(({ isDefault }) => isDefault).length, 1)
    return all
  }

  async function reset(): Promise<void> {
    await call('PUT', `${path}/${builtIn}`, { isDefault: true })
    for (const { id } of await list()) if (id !== builtIn) await call('DELETE', `${path}/${id}`)
  }

  it('is one after whatever several callers do, one after the other or together', async () => {
    const rounds = fc.array(fc.array(command, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc
        .asyncProperty(rounds, async (all) => {
          for (const together of all) {
            const there = await assertOneDefault()
            const statuses = await Promise.all(together.map((one) => run(one, there)))
            for (const status of statuses) assert.ok([200, 201, 204, 404, 409].includes(status), `status ${status}`)
            await assertOneDefault()
          }
        })
        .beforeEach(reset),
      { numRuns: 15 }
    )
    await reset()
  })

  it('is not deleted by one while another makes it the default', async () => {
    for (let round = 0; round < 10; round++) {
      await reset()
      await run({ act: 'create', place: 0 }, await list())
      const there = (await list()).filter(({ id }) => id !== builtIn)
      const acts = ['makeDefault', 'delete', 'makeDefault', 'delete', 'delete'] as const
      const statuses = await Promise.all(acts.map((act) => run({ act, place: 0 }, there)))
      for (const status of statuses) assert.ok([200, 204, 404, 409].includes(status), `status ${status}`)
      // The first of the two won, and the other one was refused.
      assert.equal(statuses.includes(204), !statuses.includes(200))
      await assertOneDefault()
    }
  })

  it('is one at every moment of 50 changes that arrive together, to whoever looks', async () => {
    for (let n = 0; n < 10; n++) await run({ act: 'create', place: 0 }, await list())
    const there = await list()
    let changing = true
    let looks = 0
    const look = async () => {
      while (changing) {
        await assertOneDefault()
        looks += 1
      }
    }
    const acts = ['makeDefault', 'createDefault', 'makeDefault', 'delete', 'makeDefault'] as const
    const change = async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, n) => run({ act: acts[n % 5] as Command['act'], place: n * 7 }, there))
      )
      changing = false
    }
    await Promise.all([look(), look(), change()])
    assert.ok(looks > 1)
    await assertOneDefault()
  })
})
