import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUnwritable } from './unwritable.ts'

const sqlite = (errcode: number) => ({ code: 'ERR_SQLITE_ERROR', errcode })

test('what may not be written is known by whoever met it', () => {
  const path = '/some/file'
  for (const error of [{ code: 'EROFS' }, { code: 'EACCES', path }, { code: 'EPERM', path }, sqlite(8), sqlite(1544)]) {
    assert.ok(isUnwritable(error), JSON.stringify(error))
  }
  for (const error of [{ code: 'EACCES', syscall: 'connect' }, { code: 'ENOSPC', path }, sqlite(10), undefined, 'x']) {
    assert.ok(!isUnwritable(error), JSON.stringify(error))
  }
})
