import assert from 'node:assert/strict'
import {
  closeSync,
  cpSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, describe, test } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { flipByte } from '../../../../test/support/flip.ts'
import { ask, refused, valuesOf, writeGood } from '../testing/asking.ts'
import { backUpSeries } from './backup.ts'
import { readNotes } from './damage-notes.ts'
import { type DuckdbSeries, openDuckdb } from './index.ts'
import { inspectSeries } from './inspect.ts'
import { HEADER_BYTES } from './keeper/log-frame.ts'
import { layoutOf } from './layout.ts'
import { type ChunkInfo, type RowGroup, readFooter } from './parquet/footer.ts'

const MS_PER_DAY = 86_400_000
const WEEK_MS = 7 * MS_PER_DAY

describe('a disk that lies', () => {
  let root: string
  let folder: string
  let told: string[]
  let copies = 0
  /** Where each log record begins whose points are in no file. */
  const starts: number[] = []

  const line = (tag: string, day: number) => `${tag} value=${day} ${day * MS_PER_DAY}`
  const opened = () => openDuckdb({ folder, onFailure: ({ message }) => told.push(message) })
  const notes = () => readNotes(layoutOf(folder))
  const files = () => inspectedFiles(folder)
  const log = () => join(folder, 'log-2')

  async function using<T>(work: (series: DuckdbSeries) => Promise<T>): Promise<T> {
    const series = await opened()
    try {
      return await work(series)
    } finally {
      await series.close()
    }
  }

  /**
   * Two days of tag a in files; in the log a third day of a, then one of b, which is new there, and one more of each.
   */
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'millrace-series-damage-'))
    folder = join(root, 'made')
    told = []
    await using(async (series) => {
      await writeGood(series, 'plant', [1, 2].map((day) => line('a', day)).join('\n'), { precision: 'ms' })
      await series.seal()
      for (const [tag, day] of [
        ['a', 3],
        ['b', 3],
        ['a', 4],
        ['b', 4]
      ] as const) {
        starts.push(statSync(log()).size)
        await writeGood(series, 'plant', line(tag, day), { precision: 'ms' })
      }
    })
    assert.deepEqual([told, notes()], [[], []])
  })
  after(() => rmSync(root, { recursive: true }))
  beforeEach(() => {
    told = []
    folder = join(root, String(copies++))
    cpSync(join(root, 'made'), folder, { recursive: true })
  })

  const values = (series: DuckdbSeries) =>
    Promise.all(['a', 'b'].map(async (tag) => [...(await valuesOf(series, 'plant', tag)).values()]))

  test('loses one record of a log, keeps what follows, and says so until somebody has seen to it', async () => {
    flipByte(log(), (starts[0] as number) + HEADER_BYTES + 10)
    assert.match(
      inspectSeries(folder).damagedLogs.join(),
      /^log-2 is damaged in \d+ bytes with 1 points, of times from 1970-01-04/
    )
    const { damaged } = await backUpSeries({ folder, target: join(root, `copy-${copies}`), onProgress() {} })
    assert.deepEqual(damaged, inspectSeries(folder).damagedLogs)
    const before = readFileSync(log())
    await using(async (series) => {
      assert.deepEqual(await values(series), [
        [1, 2, 4],
        [3, 4]
      ])
      await writeGood(series, 'plant', line('a', 5), { precision: 'ms' })
    })
    const [note] = notes()
    assert.ok(note?.kind === 'log')
    assert.deepEqual([note.points, note.nameless, note.from], [1, 0, '1970-01-04T00:00:00.000Z'])
    assert.deepEqual(readFileSync(join(folder, note.copy)), before, 'the damaged one is kept')
    assert.match(told.join(), /^log-2 was damaged in .* 1 points, .*: they are lost; it is kept as damaged\/log-2-/)
    assert.deepEqual(inspectSeries(folder).damagedLogs, [], 'what was put in its place is sound')
    told = []
    await using(async (series) =>
      assert.deepEqual(await values(series), [
        [1, 2, 4, 5],
        [3, 4]
      ])
    )
    assert.deepEqual([told, notes().length], [[], 1])
  })

  test('does not lose the names of tags with one record', async () => {
    flipByte(log(), (starts[1] as number) + HEADER_BYTES + 10)
    await using(async (series) =>
      assert.deepEqual(await values(series), [
        [1, 2, 3, 4],
        [3, 4]
      ])
    )
    assert.equal(notes().length, 1)
  })

  test('never gives points whose tag is lost to another tag', async () => {
    const tags = (starts[1] as number) + HEADER_BYTES
    const second = readFileSync(log()).indexOf('MRL2', tags)
    flipByte(log(), tags + 10)
    flipByte(log(), second + HEADER_BYTES + 10)
    await using(async (series) => {
      await writeGood(series, 'plant', line('c', 7), { precision: 'ms' })
      assert.deepEqual(await values(series), [[1, 2, 3, 4], []])
      assert.deepEqual([...(await valuesOf(series, 'plant', 'c')).values()], [7])
    })
    const [note] = notes()
    assert.ok(note?.kind === 'log')
    assert.equal(note.nameless, 2)
  })

  test('is told where the last record, which was acknowledged, is changed', async () => {
    flipByte(log(), statSync(log()).size - 1)
    await using(async (series) => assert.deepEqual(await values(series), [[1, 2, 3, 4], [3]]))
    assert.equal(notes().length, 1)
  })

  test('gives no wrong value of a file: its day is refused by name, all else goes on, until it is mended', async () => {
    const [file = ''] = files()
    const sound = readFileSync(join(folder, file))
    flipValue(join(folder, file))
    await using(async (series) => {
      const error = await refused(ask(series, 'plant', { tags: ['a'] }), 'damaged')
      assert.deepEqual(error.facts, { file, day: '1970-01-02', source: 'plant', tag: 'a' })
      await eventually(async () => assert.equal(notes().length, 1))
      assert.deepEqual([...(await valuesOf(series, 'plant', 'b')).values()], [3, 4])
      const later = await ask(series, 'plant', { tags: ['a'], fromNs: 2n * 86_400_000_000_000n })
      assert.deepEqual(
        later.series[0]?.points.map(({ value }) => value),
        [2, 3, 4]
      )
      await refused(series.export('plant', undefined), 'damaged')
      // New points of the day are not merged with the damaged file, and what is deleted stays deleted.
      await writeGood(series, 'plant', `a value=9 ${MS_PER_DAY + 5}`, { precision: 'ms' })
      await series.seal()
      await series.dropTag('plant', 'b')
      await series.seal()
    })
    const [note] = notes()
    assert.ok(note?.kind === 'file')
    assert.deepEqual([note.file, note.day, note.source], [file, '1970-01-02', 'plant'])
    assert.ok(existsSync(join(folder, file)), 'left for whoever can mend it')
    cpSync(join(root, 'made', file), join(folder, file))
    assert.deepEqual(readFileSync(join(folder, file)), sound)
    await using(async (series) => {
      await eventually(async () => assert.deepEqual(notes(), []))
      assert.deepEqual(await values(series), [[1, 9, 2, 3, 4], []])
    })
  })

  test('is found out by a scrub, once a week and bit by bit', async () => {
    const [, file = ''] = files()
    flipValue(join(folder, file))
    await using(async (series) => {
      assert.deepEqual((await series.scrub(1, WEEK_MS)).isDone, false)
      assert.deepEqual(notes(), [])
      assert.deepEqual((await series.scrub(1, WEEK_MS)).isDone, true)
      assert.deepEqual(
        notes().map((note) => note.file),
        [file]
      )
      assert.deepEqual(await series.scrub(1, 2 * WEEK_MS - 1), { sizeBytes: 0, isDone: true })
      assert.deepEqual((await series.scrub(1, 2 * WEEK_MS)).isDone, false)
    })
  })

  test('gets checksums for files of an older version by itself', async () => {
    const index = new DatabaseSync(join(folder, 'index.db'))
    index.exec('drop table checksums')
    index.close()
    await using(async (series) => {
      await series.seal()
      const [file = ''] = files()
      flipValue(join(folder, file))
      await refused(ask(series, 'plant', { tags: ['a'] }), 'damaged')
    })
  })

  test('goes into a backup by name, and the backup is no worse than the original', async () => {
    const [file = ''] = files()
    flipValue(join(folder, file))
    const target = join(root, `copy-${copies}`)
    const { damaged } = await backUpSeries({ folder, target, onProgress() {} })
    assert.equal(damaged.length, 1)
    assert.ok(
      damaged.every((each) => each.startsWith(`${file} is damaged: column `)),
      damaged.join()
    )
    folder = target
    await using(async (series) => {
      await refused(ask(series, 'plant', { tags: ['a'] }), 'damaged')
      assert.deepEqual([...(await valuesOf(series, 'plant', 'b')).values()], [3, 4])
    })
  })
})

/** The files of points, in the order of days. */
function inspectedFiles(folder: string): string[] {
  const index = new DatabaseSync(join(folder, 'index.db'), { readOnly: true })
  try {
    return index
      .prepare('select path from files order by day')
      .all()
      .map(({ path }) => path as string)
  } finally {
    index.close()
  }
}

/** Changes a byte where the values are; the names of tags come first in a file, and no query reads them. */
function flipValue(path: string): void {
  const fd = openSync(path, 'r')
  const { columns, groups } = readFooter(fd, fstatSync(fd).size)
  closeSync(fd)
  const place = columns.findIndex(({ name }) => name === 'value')
  flipByte(path, ((groups[0] as RowGroup).chunks[place] as ChunkInfo).offset + 15)
}
