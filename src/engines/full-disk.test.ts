import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ignoreFullDisk, isDiskFull } from './full-disk.ts'

const sqlite = (errcode: number) => ({ code: 'ERR_SQLITE_ERROR', errcode })

test('a full disk is known by whoever met it', () => {
  for (const error of [{ code: 'ENOSPC' }, { code: 'EDQUOT' }, { code: '53100' }, sqlite(13), sqlite(4874)]) {
    assert.ok(isDiskFull(error), JSON.stringify(error))
    ignoreFullDisk(error)
  }
  for (const error of [
    { code: 'EIO' },
    sqlite(10),
    sqlite(11),
    { errcode: 13 },
    { code: '53300' },
    undefined,
    'full'
  ]) {
    assert.ok(!isDiskFull(error), JSON.stringify(error))
    assert.throws(() => ignoreFullDisk(error))
  }
})
