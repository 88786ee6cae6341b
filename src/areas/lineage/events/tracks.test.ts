import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Tracks } from './tracks.ts'

const NAMES = Array.from({ length: 40 }, (_, n) => `job://cron/${n}`)

it('what has one name is written one after the other, and what has others at the same time', async () => {
  const writing = new Set<string>()
  let most = 0
  const written: string[] = []
  const tracks = new Tracks<string>(3, async (items) => {
    const names = new Set(items.map((item) => item.split(' ')[0] as string))
    assert.ok(names.isDisjointFrom(writing))
    for (const name of names) writing.add(name)
    most = Math.max(most, ++under)
    await new Promise(setImmediate)
    under--
    for (const name of names) writing.delete(name)
    written.push(...items)
  })
  let under = 0
  await Promise.all([1, 2, 3].flatMap((n) => NAMES.map((name) => tracks.write(name, [`${name} ${n}`]))))
  assert.equal(most, 3)
  assert.equal(written.length, 120)
  for (const name of NAMES) {
    assert.deepEqual(
      written.filter((item) => item.startsWith(`${name} `)),
      [1, 2, 3].map((n) => `${name} ${n}`)
    )
  }
})

it('all tracks together turn away what is too much', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const tracks = new Tracks<number>(2, () => promise)
  const full = NAMES.slice(0, 20).map((name) => tracks.write(name, Array(1000).fill(0)).catch(() => 'turned away'))
  const more = tracks.write('job://cron/more', Array(10_000).fill(0))
  await assert.rejects(more, /Retry-After/)
  resolve()
  await Promise.all(full)
})
