import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { SourceGate } from './duckdb/keeper/source-gate.ts'
import { InFlight } from './in-flight.ts'
import { Turns } from './turns.ts'

describe('turns', () => {
  it('go from holder to holder, however much each has to do, and others are served between them', async () => {
    const turns = new Turns()
    const done: string[] = []
    const work = async (holder: string, parts: number) => {
      for (let part = 0; part < parts; part++) await turns.take(holder, () => done.push(holder))
    }
    const all = [work('eve', 3), work('eve', 3), work('eve', 3), work('ada', 3)]
    let served = 0
    const serving = (async () => {
      while (done.length < 12) {
        await setImmediate()
        served++
      }
    })()
    await Promise.all([...all, serving])
    assert.deepEqual(done.slice(0, 7), ['eve', 'eve', 'ada', 'eve', 'ada', 'eve', 'ada'])
    assert.ok(served >= 11, `${served} times`)
  })

  it('pass on when what was done in one has failed', async () => {
    const turns = new Turns()
    const failing = turns.take('eve', () => {
      throw new Error('no')
    })
    const next = turns.take('ada', () => 'done')
    await assert.rejects(failing, /no/)
    assert.equal(await next, 'done')
  })
})

describe('bytes in flight', () => {
  it('leave as many free as anybody has, but one write is taken of everybody', () => {
    const inFlight = new InFlight(100)
    const end = inFlight.begin('eve', 40)
    inFlight.begin('eve', 10)
    assert.throws(() => inFlight.begin('eve', 10), { code: 'busy' })
    inFlight.begin('ada', 1000)()
    inFlight.begin('ada', 25)
    assert.throws(() => inFlight.begin('ada', 10), { code: 'busy' })
    end()
    inFlight.begin('ada', 10)()
    inFlight.begin('eve', 30)
  })
})

describe('what is done to a source', () => {
  it('alone waits for what is under way, and what comes then waits for it', async () => {
    const gate = new SourceGate()
    const done: string[] = []
    const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const first = gate.beside('plant', () => held[0].promise.then(() => void done.push('first')))
    const alone = gate.alone('plant', () => held[1].promise.then(() => void done.push('alone')))
    const second = gate.beside('plant', async () => void done.push('second'))
    await gate.beside('other', async () => void done.push('elsewhere'))
    await gate.alone('other', async () => void done.push('elsewhere'))
    held[0].resolve()
    await first
    await setImmediate()
    assert.deepEqual(done, ['elsewhere', 'elsewhere', 'first'])
    held[1].resolve()
    await Promise.all([alone, second])
    assert.deepEqual(done.slice(3), ['alone', 'second'])
  })

  it('goes on after what has failed', async () => {
    const gate = new SourceGate()
    const fail = async () => {
      await setImmediate()
      throw new Error('no')
    }
    const failing = [gate.beside('plant', fail), gate.alone('plant', fail)]
    const last = gate.alone('plant', async () => 'done')
    for (const one of failing) await assert.rejects(one, /no/)
    assert.equal(await last, 'done')
    assert.equal(await gate.beside('plant', async () => 'done'), 'done')
  })
})
