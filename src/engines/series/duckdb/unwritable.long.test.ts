import assert from 'node:assert/strict'
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { missingMount, mountSmallDisk, type SmallDisk } from '../../../../test/support/pipelines/small-disk.ts'
import { writeGood } from '../testing/asking.ts'
import { type DuckdbSeries, openDuckdb } from './index.ts'
import { asSeriesError } from './keeper/failures.ts'

const DISK_MIB = 16

describe('points on a disk that can’t be written', { skip: missingMount() ?? false }, () => {
  let folder: string
  let disk: SmallDisk
  let series: DuckdbSeries
  let told: string[]

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-unwritable-'))
    disk = mountSmallDisk(folder, DISK_MIB)
    told = []
    series = await openDuckdb({ folder, onFailure: (error) => told.push(error.message) })
    await writeGood(series, 'plant', 'a value=1 1', { precision: 'ms' })
  })
  afterEach(async () => {
    await series.close()
    disk.unmount()
    rmdirSync(folder)
  })

  it('are told to be so by the check, also while what is open can still be written', async () => {
    await series.check()
    disk.setReadOnly(true)
    await assert.rejects(series.check(), { code: 'unwritable' })
    for (let times = 0; times < 3; times++) await series.seal()
    await assert.rejects(series.check(), { code: 'unwritable' })
    assert.equal(told.length, 1, told.join())
    await writeGood(series, 'plant', 'a value=2 2', { precision: 'ms' })
    await series.close()
    await assert.rejects(openDuckdb({ folder, onFailure() {} }), { code: 'unwritable' })
    disk.setReadOnly(false)
    series = await openDuckdb({ folder, onFailure() {} })
    await series.seal()
    await series.check()
  })

  it('are told to have no room where the thread that makes files can’t even begin', async () => {
    const others = join(folder, 'others')
    assert.throws(() => writeFileSync(others, Buffer.alloc(DISK_MIB * 1024 * 1024)), { code: 'ENOSPC' })
    await series.seal()
    await assert.rejects(series.check(), { code: 'full' })
    rmSync(others)
    await series.seal()
    await series.check()
  })
})

it('what SQLite and DuckDB say of a disk is told as what it is', () => {
  const sqlite = (errcode: number) => Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode })
  assert.equal(asSeriesError(sqlite(4874)).code, 'full')
  assert.equal(asSeriesError(sqlite(8)).code, 'unwritable')
  assert.equal(asSeriesError(new Error('IO Error: Cannot open file "x": Read-only file system')).code, 'unwritable')
  assert.equal(asSeriesError(new Error('IO Error: No space left on device')).code, 'full')
  assert.equal(asSeriesError(sqlite(10)).code, 'failed')
})
