import assert from 'node:assert/strict'
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ask, writeGood } from '../testing/asking.ts'
import { backUpSeries, PointsFault } from './backup.ts'
import { openDuckdb } from './index.ts'
import { IndexDb, type SealedFact } from './index-db.ts'
import { inspectSeries } from './inspect.ts'
import { layoutOf } from './layout.ts'

const MS_PER_DAY = 86_400_000
const onFailure = (error: Error) => {
  throw error
}

describe('a copy of the files of points', () => {
  let root: string
  let folder: string
  let target: string
  let copies = 0

  /** Three days in files, and one point in the log. */
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'millrace-series-backup-'))
    const series = await openDuckdb({ folder: join(root, 'made'), onFailure })
    const line = (day: number) => `a value=${day} ${day * MS_PER_DAY}`
    await writeGood(series, 'plant', [1, 2, 3].map(line).join('\n'), { precision: 'ms' })
    await series.seal()
    await writeGood(series, 'plant', line(4), { precision: 'ms' })
    await series.close()
  })
  after(() => rmSync(root, { recursive: true }))

  beforeEach(() => {
    copies++
    folder = join(root, `folder-${copies}`)
    target = join(root, `copy-${copies}`)
    cpSync(join(root, 'made'), folder, { recursive: true })
  })

  const quietly = () => backUpSeries({ folder, target, onProgress: () => {} })
  /** Runs `act` once, after the index was copied and before any file. */
  const meanwhile = (act: (index: IndexDb) => void) => {
    let isDone = false
    return backUpSeries({
      folder,
      target,
      onProgress() {
        if (!isDone) changeIndex(folder, act)
        isDone = true
      }
    })
  }
  async function valuesIn(place: string): Promise<unknown[]> {
    const series = await openDuckdb({ folder: place, onFailure })
    try {
      return (await ask(series, 'plant')).series.flatMap(({ points }) => points.map(({ value }) => value))
    } finally {
      await series.close()
    }
  }

  test('is one that the engine opens, and needs nothing beside it', async () => {
    changeIndex(folder, (index) => index.transaction(() => index.doom('points/source=other/day=1970-01-02/9.parquet')))
    const seen: unknown[] = []
    const { names, damaged } = await backUpSeries({
      folder,
      target,
      onProgress: (done, all) => seen.push([done.count, all.count, all.sizeBytes - done.sizeBytes > 0])
    })
    assert.deepEqual(seen, [
      [0, 3, true],
      [1, 3, true],
      [2, 3, true],
      [3, 3, false]
    ])
    assert.deepEqual(damaged, [])
    assert.deepEqual(names.slice(0, 2), ['index.db', 'log-2'])
    assert.equal(names.length, 5)
    for (const name of names) assert.ok(existsSync(join(target, name)), name)
    assert.ok(!existsSync(join(target, 'index.db-wal')))
    assert.equal(readFileSync(join(target, 'index.db'))[18], 1, 'no mode in which a reader has to write')
    changeIndex(target, (index) => assert.deepEqual(index.doomed(), []))
    assert.deepEqual(await valuesIn(target), [1, 2, 3, 4])
  })

  test('leaves out what was merged, or dropped, while it was made', async () => {
    let replaced: SealedFact | undefined
    const { names } = await meanwhile((index) => {
      replaced = index.files().at(-1) as SealedFact
      replace(folder, index, replaced, 10)
    })
    assert.ok(!names.includes(replaced?.path as string))
    assert.ok(names.some((name) => name.endsWith('/10.parquet')))
    assert.deepEqual(await valuesIn(target), [1, 2, 3, 4])
  })

  test('keeps no file that it has copied in vain', async () => {
    let passing: string | undefined
    let calls = 0
    await backUpSeries({
      folder,
      target,
      onProgress({ count }) {
        if (count !== 1 || calls++ > 0) return
        changeIndex(folder, (index) => {
          const [oldest, , newest] = index.files() as [SealedFact, SealedFact, SealedFact]
          passing = newest.path
          for (const [file, number] of [
            [newest, 10],
            [oldest, 11]
          ] as const) {
            replace(folder, index, file, number)
          }
        })
      }
    })
    assert.ok(!existsSync(join(target, passing as string)))
    assert.deepEqual(inspectSeries(target).faults, [])
    assert.deepEqual(await valuesIn(target), [1, 2, 3, 4])
  })

  test('has a log that was removed since, and of the last one every whole record', async () => {
    appendFileSync(join(folder, 'log-2'), readFileSync(join(folder, 'log-2')).subarray(0, 20))
    const whole = readFileSync(join(root, 'made', 'log-2'))
    const { names } = await meanwhile((index) => {
      index.setFact('sealed', 2)
      unlinkSync(join(folder, 'log-2'))
    })
    assert.ok(names.includes('log-2'))
    assert.deepEqual(readFileSync(join(target, 'log-2')), whole)
    assert.deepEqual(await valuesIn(target), [1, 2, 3, 4])
  })

  test('is refused where a file is lost, or another than the index says', async () => {
    const [file] = filesIn(folder)
    renameSync(join(folder, file?.path as string), join(root, 'away'))
    await assert.rejects(quietly(), new PointsFault(`${file?.path} is missing`))
    rmSync(target, { recursive: true })
    renameSync(join(root, 'away'), join(folder, file?.path as string))
    appendFileSync(join(folder, file?.path as string), 'x')
    await assert.rejects(quietly(), new PointsFault(`${file?.path} is not as it was written`))
  })

  test('is refused where a log is lost', async () => {
    unlinkSync(join(folder, 'log-2'))
    await assert.rejects(quietly(), new PointsFault('log-2 is missing'))
  })

  test('is given up where files are replaced all the time', async () => {
    let number = 10
    const index = new IndexDb(layoutOf(folder).index)
    const onProgress = () => replace(folder, index, index.files()[0] as SealedFact, number++)
    await assert.rejects(backUpSeries({ folder, target, onProgress }), /replaced faster than they can be copied/)
    index.close()
  })
})

function changeIndex(folder: string, change: (index: IndexDb) => void): void {
  const index = new IndexDb(layoutOf(folder).index)
  try {
    change(index)
  } finally {
    index.close()
  }
}

function filesIn(folder: string): SealedFact[] {
  let files: SealedFact[] = []
  changeIndex(folder, (index) => {
    files = index.files()
  })
  return files
}

/** Does what a merge does: puts the same points under another name. */
function replace(folder: string, index: IndexDb, file: SealedFact, number: number): void {
  const layout = layoutOf(folder)
  const path = layout.sealedFile(file.source, file.day, number)
  cpSync(layout.absolute(file.path), layout.absolute(path))
  index.transaction(() => {
    index.doom(file.path)
    index.addFile({ ...file, path })
  })
  unlinkSync(layout.absolute(file.path))
}
