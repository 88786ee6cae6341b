// Once: what is proven is about files; the database is on another disk.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { openSite, type Site } from '../support/pipelines/site.ts'
import { missingMount, mountSmallDisk, type SmallDisk } from '../support/pipelines/small-disk.ts'

const SMALL_MIB = 24
const LARGE_MIB = 512
const SAID_WITHIN_MS = 10_000
/** Longer than the longest wait between two tries by then. */
const BACK_WITHIN_MS = 40_000
const MADE = 250_000
const FILES = 3
const ROWS = 40_000
const DEVICES = 4
const STARTS_MS = Date.UTC(2026, 0, 1)

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

describe('on a disk that is full', { skip: missingMount() ?? false }, () => {
  let site: Site
  let disk: SmallDisk
  let large: string
  let windows: string

  before(async () => {
    site = await openSite({}, (dataDir) => {
      disk = mountSmallDisk(join(dataDir, 'pipelines'), SMALL_MIB)
    })
    await site.client.post('/buckets', { name: 'disk' })
    for (let file = 0; file < FILES; file++) {
      const key = encodeURIComponent(`in/${file}.csv`)
      await site.client.put(`/buckets/disk/objects/${key}`, csvOf(file), 'text/csv')
    }
  })
  after(async () => {
    await site?.server.stop('SIGKILL')
    disk?.unmount()
    await site?.close()
  })

  const objects = (prefix: string, input: string) => ({
    id: 'out',
    type: 'object',
    config: { bucket: 'disk', prefix, format: 'ndjson' },
    inputs: [input]
  })

  async function linesOf(prefix: string) {
    const { objects: found } = await site.client.get(`/buckets/disk/objects?prefix=${prefix}&limit=1000`)
    const texts: string[] = []
    for (const { name } of found) {
      texts.push(await site.client.text(`/buckets/disk/objects/${encodeURIComponent(name)}`))
    }
    return texts.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line))
  }

  /** In what it says of itself or in its log. */
  const says = (id: string) =>
    eventually(async () => {
      const { status, error } = await site.client.get(`/pipelines/${id}`)
      const lines = await site.logOf(id)
      const isSaid = error?.code === 'disk_full' || lines.some(({ message }) => message.includes('(disk_full)'))
      assert.ok(isSaid, `${status} ${JSON.stringify([error, lines])}`)
    }, SAID_WITHIN_MS)

  it('pipelines say so, and the server goes on answering', async () => {
    const fields = { n: 'n', a: "md5('a' || n)", b: "md5('b' || n)", c: "md5('c' || n)" }
    large = await site.launch('large', [
      { id: 'in', type: 'generate', config: { count: MADE, fields } },
      objects('large/', 'in')
    ])
    await says(large)
    windows = await site.launch('windows', [
      { id: 'in', type: 'file', config: { reference: 'object://disk/in/*.csv' } },
      {
        id: 'minutes',
        type: 'aggregate',
        config: { window: '1m', time: 'time', groupBy: ['device'], select: { n: 'count(*)', total: 'sum(value)' } },
        inputs: ['in']
      },
      objects('windows/', 'minutes')
    ])
    await says(windows)
    // Health tells of what has failed three times: one failure may have been an accident.
    await eventually(async () => {
      const { status, checks } = await site.client.get('/health')
      assert.deepEqual([status, checks.metadata.status, checks.pipelines.status], ['degraded', 'ok', 'degraded'])
    }, SAID_WITHIN_MS)
    await site.client.put('/buckets/disk/objects/other', 'still works', 'text/plain')
    assert.deepEqual((await linesOf('large/')).length, 0, 'nothing appears by halves')
  })

  it('goes on by itself once there is room, and all of it is right', async (t) => {
    disk.resize(LARGE_MIB)
    const roomMs = performance.now()
    for (const id of [large, windows]) {
      const { run } = await site.reach(id, 'completed', BACK_WITHIN_MS)
      assert.equal(run.balanced, true)
    }
    t.diagnostic(`completed ${Math.round(performance.now() - roomMs)} ms after there was room`)
    const made = await linesOf('large/')
    assert.deepEqual(
      made.map(({ n }) => n).sort((a, b) => a - b),
      [...Array(MADE).keys()]
    )
    for (const { n, a, c } of made.filter((_, i) => i % 1000 === 0)) {
      assert.deepEqual([a, c], [md5(`a${n}`), md5(`c${n}`)])
    }
    const found = (await linesOf('windows/')).map(({ window_start: start, device, n, total }) => [
      start,
      device,
      n,
      total
    ])
    assert.deepEqual(found.map(String).sort(), expectedWindows().map(String).sort())
  })
})

const reading = (row: number) => ({ ms: STARTS_MS + row * 500, device: `d${row % DEVICES}`, value: row % 17 })

/** With a long text that makes it large. */
function csvOf(file: number): string {
  const lines = Array.from({ length: ROWS }, (_, i) => {
    const { ms, device, value } = reading(file * ROWS + i)
    return `${new Date(ms).toISOString().slice(0, -1)},${device},${value},${'x'.repeat(60)}`
  })
  return `time,device,value,note\n${lines.join('\n')}\n`
}

function expectedWindows(): [string, string, number, number][] {
  const windows = new Map<string, [string, string, number, number]>()
  for (let row = 0; row < FILES * ROWS; row++) {
    const { ms, device, value } = reading(row)
    const start = new Date(Math.floor(ms / 60_000) * 60_000).toISOString().replace('.000Z', 'Z')
    const [, , n, total] = windows.get(`${start} ${device}`) ?? [start, device, 0, 0]
    windows.set(`${start} ${device}`, [start, device, n + 1, total + value])
  }
  return [...windows.values()]
}
