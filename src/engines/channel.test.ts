import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import fc from 'fast-check'
import { Channel, type ChannelMessage, type FaultForm } from './channel.ts'

class Refusal extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

interface SentRefusal {
  readonly code: string
  readonly message: string
}

const faults: FaultForm<SentRefusal> = {
  toSent: (error) => ({ code: error instanceof Refusal ? error.code : 'other', message: (error as Error).message }),
  toError: ({ code, message }) => new Refusal(code, message)
}

interface Served {
  work(task: Task): number
  hold(): Promise<never>
}

interface Task {
  readonly number: number
  readonly fails: boolean
  /** Whether the call takes a while, rather than being answered at once. */
  readonly lasts: boolean
}

const serves: Served = {
  work({ number, fails }) {
    if (fails) throw new Refusal(`code_${number}`, `no ${number}`)
    return number * 2
  },
  hold: () => new Promise(() => {})
}

/** Two ends, and messages between them that are delivered one by one, in the order that `pick` says. */
function joined(near: object, far: object) {
  const under: { to: () => Channel<Served, SentRefusal>; message: ChannelMessage }[] = []
  const post = (to: () => Channel<Served, SentRefusal>) => (message: ChannelMessage) =>
    void under.push({ to, message: structuredClone(message) })
  const left: Channel<Served, SentRefusal> = new Channel({ post: post(() => right), faults, serves: near })
  const right: Channel<Served, SentRefusal> = new Channel({ post: post(() => left), faults, serves: far })
  const deliver = async (pick: number) => {
    const [next] = under.splice(pick % under.length, 1)
    next?.to().hear(next.message)
    await new Promise(setImmediate) // lets the answering end finish before the next message
  }
  return { left, right, under, deliver }
}

const told = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: Refusal) => ({ code: error.code, message: error.message })
  )

test('each call gets its own answer, whatever the order, and the end of the other end is the answer to what waits', async () => {
  const task = fc.record({ number: fc.nat(1000), fails: fc.boolean(), lasts: fc.boolean() })
  const asked = fc.array(fc.record({ task, fromLeft: fc.boolean() }), { minLength: 1, maxLength: 12 })
  const order = fc.infiniteStream(fc.nat(1000))
  await fc.assert(
    fc.asyncProperty(asked, order, fc.option(fc.nat(30)), async (calls, picks, endsAfter) => {
      const { left, right, under, deliver } = joined(serves, serves)
      const gone = new Refusal('gone', 'The other end has ended')
      const answered = new Set<number>()
      const answers = calls.map(({ task, fromLeft }, i) => {
        const end = fromLeft ? left : right
        const answer = told(task.lasts ? end.call('hold') : end.call('work', task))
        void answer.then(() => answered.add(i))
        return answer
      })
      let delivered = 0
      for (; under.length > 0 && delivered !== endsAfter; delivered++) await deliver(picks.next().value)
      const before = new Set(answered)
      left.end(gone)
      right.end(gone)
      assert.equal(left.waiting + right.waiting, 0)
      for (const [i, { task }] of calls.entries()) {
        const { number, fails } = task
        const own = fails ? { code: `code_${number}`, message: `no ${number}` } : { value: number * 2 }
        const isLost = task.lasts || !before.has(i)
        assert.deepEqual(await answers[i], isLost ? { code: 'gone', message: gone.message } : own)
        if (endsAfter === null && !task.lasts) assert.ok(before.has(i), 'all messages came, and one was not answered')
      }
      assert.deepEqual(await told(left.call('work', { number: 1, fails: false, lasts: false })), {
        code: 'gone',
        message: gone.message
      })
      while (under.length > 0) await deliver(0)
    })
  )
})

test('a stranger on the other end can neither call what is not served nor answer what was not asked', async () => {
  const { left, right, under, deliver } = joined({}, serves)
  for (const name of ['constructor', '__proto__', 'toString', 'absent'])
    assert.deepEqual(
      await Promise.all([told(right.call(name as 'hold')), deliver(0).then(() => deliver(0))]).then(([first]) => first),
      { code: 'other', message: `Nobody answers to ${name}` }
    )
  const answer = told(left.call('work', { number: 4, fails: false, lasts: false }))
  left.hear({ id: 77, value: 'mine' })
  left.hear({ ready: true } as never)
  await deliver(0)
  left.hear(structuredClone(under[0]?.message ?? assert.fail()))
  await deliver(0) // the same again
  assert.deepEqual(await answer, { value: 8 })
})

test('memory is handed over where that is asked, and what can’t be sent fails alone', async () => {
  const { port1, port2 } = new MessageChannel()
  interface Bytes {
    size(bytes: Uint8Array): number
    unsendable(): () => void
  }
  const far: Bytes = { size: ({ byteLength }) => byteLength, unsendable: () => () => {} }
  const channels = [port1, port2].map((port, i) => {
    const channel = new Channel<Bytes, SentRefusal>({
      post: (message, transfer) => port.postMessage(message, transfer),
      faults,
      ...(i === 1 && { serves: far })
    })
    port.on('message', (message) => channel.hear(message))
    return channel
  })
  const [near] = channels as [Channel<Bytes, SentRefusal>]
  try {
    const bytes = new Uint8Array(1024)
    const copied = near.call('size', bytes)
    const handed = near.callWith([bytes.buffer], 'size', bytes)
    assert.equal(bytes.byteLength, 0)
    assert.deepEqual(await Promise.all([copied, handed]), [1024, 1024])
    await assert.rejects(near.call('size', (() => {}) as never), { name: 'DataCloneError' })
    assert.equal(((await told(near.call('unsendable'))) as { code: string }).code, 'other')
    assert.equal(near.waiting, 0)
  } finally {
    port1.close()
  }
})

test('no more calls wait than there is memory for', async () => {
  const channel = new Channel<Served, SentRefusal>({ post: () => {}, faults })
  const waiting: Promise<unknown>[] = []
  while (channel.waiting < 100_000) waiting.push(told(channel.call('hold')))
  await assert.rejects(channel.call('hold'), { code: 'other', message: '100000 calls wait for an answer' })
  channel.end(new Refusal('gone', 'over'))
  assert.equal((await Promise.all(waiting)).length, 100_000)
})
