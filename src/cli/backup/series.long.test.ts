// Once: the files of points in a backup.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { runCliHere } from '../../../test/support/process.ts'
import type { DuckdbSeries } from '../../engines/series/duckdb/index.ts'
import { ask, writeGood } from '../../engines/series/testing/asking.ts'
import { filesIn, numbersIn, open, writeNumbers } from './testing/series.ts'

const POINTS_A_WRITE = 50

describe('a backup of time series', () => {
  let test: TestApp
  let folder: string
  let series: string

  before(async () => {
    test = await startTestApp()
    series = join(test.database.folder, 'series')
    folder = mkdtempSync(join(tmpdir(), 'millrace-backup-series-'))
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await test.close()
  })

  const run = async (t: TestContext, args: string[], dataDir = test.database.folder) => {
    const { code, stderr } = await runCliHere(t, args, { DATA_DIR: dataDir })
    assert.deepEqual([code, stderr], [0, ''])
  }

  it('has all that was acknowledged before, however busy the engine is', async (t) => {
    const engine = await open(series, { generationPoints: 500 })
    await writeGood(engine, 'dropped', 'a value=1 1')
    const writing = keepWriting(engine)
    const points = join(series, 'points')
    await writing.until(() => existsSync(points) && filesIn(points).length > 3)
    await engine.drop('dropped')
    const backups: [string, number][] = []
    for (const name of ['busy', 'whole']) {
      backups.push([name, writing.acknowledged()])
      await run(t, ['backup', join(folder, name)])
    }
    await writing.stop()
    await engine.close()
    for (const [name, acknowledged] of backups) {
      const place = join(folder, `${name}-data`)
      await run(t, ['restore', join(folder, name)], place)
      const restored = await open(join(place, 'series'))
      const found = await numbersIn(restored)
      assert.ok(found.length >= acknowledged, `${found.length} of ${acknowledged} acknowledged ones`)
      assert.ok(
        found.every((value, n) => value === n),
        'each once, and none without those before it'
      )
      assert.deepEqual((await ask(restored, 'dropped')).series, [])
      await restored.close()
    }
  })
})

/** Writes 0, 1, 2, … in turn to the tags of a source, one write after the other. */
function keepWriting(engine: DuckdbSeries) {
  let count = 0
  let isOver = false
  let tell = () => {}
  const ended = (async () => {
    while (!isOver) {
      await writeNumbers(engine, count, POINTS_A_WRITE)
      count += POINTS_A_WRITE
      tell()
    }
  })()
  return {
    acknowledged: () => count,
    until: (isReached: () => boolean) =>
      new Promise<void>((resolve) => {
        tell = () => isReached() && resolve()
      }),
    stop: () => {
      isOver = true
      return ended
    }
  }
}
