// Tests that go wrong in ways that no test notices by itself, for test/lean-runner.test.ts.
import { describe, it } from 'node:test'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'

const never = () => delay(5_000, undefined, { ref: false })

await turn() // as in a file that loads something first
describe('outer', () => {
  it('rejection', async () => {
    await turn()
    void Promise.reject(new Error('unhandled'))
    await never()
  })
  it('timer', async () => {
    await turn()
    setTimeout(() => {
      throw new Error('in a timer')
    }, 1)
    await never()
  })
  it('import', async () => {
    await import('node:zlib')
    process.nextTick(() => {
      throw new Error('in a tick')
    })
    await never()
  })
  it('at the same time', { concurrency: 2 }, async (t) => {
    const one = async () => {
      await turn()
      setTimeout(() => {
        throw new Error('of one of two')
      }, 1)
      await never()
    }
    await Promise.all([t.test('one', one), t.test('other', () => turn())])
  })
  describe('inner', () => it('deep', () => {}))
  it('late', () => {
    setTimeout(() => {
      throw new Error('after the end')
    }, 20)
  })
  it('last', () => delay(40))
})
